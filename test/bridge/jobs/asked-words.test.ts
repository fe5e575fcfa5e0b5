import { describe, expect, it } from 'vitest'
import pasted from '#test/reports/chat/discord-paste-as-file.json' with { type: 'json' }
import beside from '#test/reports/chat/voice-beside-text.json' with { type: 'json' }
import { cited, setUpBridge } from '#test/support/bridge/set-up.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'

const [paste] = pasted.message.attachments
const facts = 'The ZPASTE3 pump hums. '.repeat(30)
const ASKS = `${facts}\nWhat should we do about the pump?`

const asFile = (text: string) => ({
  name: paste?.filename ?? '',
  mimeType: paste?.content_type ?? '',
  bytes: new TextEncoder().encode(text),
  isPaste: true as const,
})
const question = beside.message.text.replace('<@BOT> ', '')
const clip = (name = 'memo.ogg') => ({
  name,
  bytes: new Uint8Array([1, 2]),
  mimeType: 'audio/ogg',
  kind: 'voice' as const,
})

describe('a long text that the client made a file of', () => {
  it('is answered when it comes with a mention alone, and kept', async () => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.answer(cited('Oil it.', 'message.txt', 'The ZPASTE3 pump hums.'))
    chat.mention('', { files: [asFile(ASKS)] })
    await shows(/message\.txt.*ready/)
    await shows(/^Oil it/)
    const asked = platform.script.requests.at(-1)?.messages.at(-1)?.content
    expect(asked).toContain('ZPASTE3')
    expect(asked).toContain('What should we do about the pump?')
  })

  it('is asked by its ends where it is longer than a question', async () => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.answer('Oil it.')
    // A file of the bridge's tests has 1,000 bytes at most: it is refused as a file, and still a question.
    chat.mention('', { files: [asFile(`First words.${'x'.repeat(20_000)}\nWhy?`)] })
    await shows(/^Oil it/)
    const asked = platform.script.requests.at(-1)?.messages.at(-1)?.content ?? ''
    expect(asked.length).toBeLessThan(6100)
    expect(asked).toMatch(/^First words[^]*…[^]*Why\?$/)
  })

  it('is only kept in a direct message where it asks nothing, and in a channel without a mention', async () => {
    const { chat, platform, settled } = await setUpBridge()
    await settled(chat.direct('', { files: [asFile(facts)] }).inbound.key)
    await settled(chat.drop([asFile(ASKS)]).inbound.key)
    expect(platform.script.requests).toEqual([])
  })
})

describe('a recording beside a question', () => {
  it('is heard, and its words stand behind those that were typed', async () => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.transcribe('The jetty is closed.')
    platform.script.answer('It is closed.')
    chat.mention(question, { files: [clip()] })
    await shows(/🎙️ “The jetty is closed\.”/)
    await shows(/^It is closed/)
    expect(platform.script.requests.at(-1)?.messages.at(-1)?.content).toBe(`${question}\n\n🎙️ “The jetty is closed.”`)
  })

  it('that cannot be heard is said to be so, and the question is answered', async () => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.fail('voice.transcribe', platformFailure('unsupported', 'There is no model.', { status: 501 }))
    platform.script.answer('No idea.')
    chat.mention(question, { files: [clip()] })
    await shows(/voice messages|speech|recording/i)
    await shows(/^No idea/)
    expect(platform.script.requests.at(-1)?.messages.at(-1)?.content).toBe(question)
  })

  it('of which there are several: that only the first was heard is said', async () => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.transcribe('One.')
    platform.script.answer('Heard.')
    chat.mention(question, { files: [clip('a.ogg'), clip('b.ogg')] })
    await shows(/only to the first recording/)
    await shows(/^Heard/)
    expect(platform.script.recordings).toHaveLength(1)
  })
})
