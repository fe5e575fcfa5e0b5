import { describe, expect, it } from 'vitest'
import { ANNA } from '#test/support/fakes/chat.ts'
import { markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

const BEN = { id: 'U2', name: 'Ben', language: 'de' }
const one = { kind: 'questions', most: 1, span: 'hour' } as const

describe('a budget that is used up', () => {
  it('is told with the time when there is room again, in the language of the asker, and alarms nobody', async () => {
    const { chat, settled, texts, platform, log } = await setUpBridge({ budgets: { channel: [one] } })
    await settled(chat.mention('First?').inbound.key)
    await settled(chat.mention('Second?').inbound.key)
    expect(texts().at(-1)).toMatch(
      /^The budget of this channel \(1 question an hour\) is used up\. You can ask again in \d+ minutes \(.*UTC\)\.$/,
    )
    await settled(chat.mention('Dritte?', { author: BEN }).inbound.key)
    expect(texts().at(-1)).toMatch(/^Das Kontingent dieses Kanals \(1 Frage in der Stunde\) ist aufgebraucht\./)
    expect(platform.script.requests).toHaveLength(1)
    expect([...log.at('error'), ...log.at('warn')]).toEqual([])
  })

  it('counts a question that is edited again, and leaves the first answer to who may not', async () => {
    const { chat, settled, texts } = await setUpBridge({ budgets: { person: [one] } })
    const said = chat.mention('First?')
    await settled(said.inbound.key)
    const edited = chat.rewrite(said, 'First, but better?')
    await settled(edited.inbound.key)
    expect(texts().at(-1)).toMatch(/^Your budget \(1 question an hour\) is used up/)
    await settled(chat.mention('Mine?', { author: BEN }).inbound.key)
    expect(texts().at(-1)).toMatch(/^You said: Mine\?/)
  })

  it('of the platform that is waited out is told while it lasts', async () => {
    const { chat, platform, settled } = await setUpBridge()
    const over = Promise.withResolvers<void>()
    const text = { type: 'text', text: 'Here it is.' } as const
    platform.script.answer([{ waitMs: 14_200 }, over.promise, text, { type: 'finish' }])
    const asked = chat.mention('First?')
    const statuses = () => chat.transcript.flatMap(({ verb, text: said }) => (verb === 'status' ? [said] : []))
    await expect.poll(statuses).toEqual(['is reading…', 'is waiting for its turn, about 15 s…'])
    over.resolve()
    await settled(asked.inbound.key)
  })

  it('is that of who presses, where somebody has another answer given', async () => {
    const budgets = { person: [{ ...one, most: 2 }] }
    const { chat, settled, shows, texts, platform } = await setUpBridge({ budgets })
    await settled(chat.mention('First?', { thread: 't1' }).inbound.key)
    const { id } = await shows(/You said: First/)
    const press = async () => settled(chat.press(id, '↻', BEN).inbound.key)
    await press()
    await press()
    await press()
    expect(texts().at(-1)).toMatch(/Dein Kontingent \(2 Fragen in der Stunde\) ist aufgebraucht/)
    expect(platform.script.requests).toHaveLength(3)
    await settled(chat.mention('Second?').inbound.key)
    expect(texts().at(-1)).toMatch(/^You said: Second\?/)
  })

  it('of recordings refuses the one that is too long before it is heard', async () => {
    const minutes = { kind: 'minutes', most: 0.01, span: 'day' } as const
    const { chat, settled, texts, platform } = await setUpBridge({ budgets: { person: [minutes] } })
    await settled(chat.voice(new Uint8Array([1])).inbound.key)
    expect(texts()).toEqual(['That is more than your budget ever allows: 0.01 minutes of recordings a day.'])
    expect(platform.script.recordings).toEqual([])
  })

  it.each([
    ['the platform tells', { text: 'A long speech.', durationMs: 90_000 }],
    ['nobody tells', { text: 'word '.repeat(400) }],
  ])('of recordings counts one of which the chat does not tell the length: %s', async (_, heard) => {
    const minutes = { kind: 'minutes', most: 1, span: 'day' } as const
    const { chat, settled, texts, platform } = await setUpBridge({ budgets: { person: [minutes] } })
    platform.script.transcribe(heard)
    const record = async () => {
      const file = { name: 'speech.ogg', bytes: new Uint8Array([1]), mimeType: 'audio/ogg', kind: 'audio' } as const
      await settled(chat.mention('', { files: [file] }).inbound.key)
    }
    await record()
    expect(platform.script.recordings).toHaveLength(1)
    await record()
    expect(texts().at(-1)).toMatch(/^Your budget \(1 minute of recordings a day\) is used up/)
    expect(platform.script.recordings).toHaveLength(1)
  })

  it('of files says on the receipt when there is room again, and keeps the button for another try', async () => {
    const megabytes = { kind: 'megabytes', most: 0.0001, span: 'day' } as const
    const { chat, shows, platform } = await setUpBridge({ budgets: { person: [megabytes] } })
    chat.drop([markdown('small.md', 'x'.repeat(60))])
    await shows(/small\.md.*ready/)
    chat.drop([markdown('next.md', 'y'.repeat(60))])
    const receipt = await shows(/next\.md.*failed/)
    expect(receipt.text).toMatch(/Your budget \(.* MB of files a day\) is used up\. There is room again in /)
    expect(receipt.outgoing.actions?.map(({ label }) => label).join()).toMatch(/Retry/)
    const [collection = ''] = platform.script.collections()
    expect(platform.script.stored(collection).map(({ name }) => name)).toEqual(['small.md'])
  })

  it('is shown on demand', async () => {
    const { chat, settled, texts } = await setUpBridge({ budgets: { person: [{ ...one, most: 40 }] } })
    await settled(chat.mention('First?').inbound.key)
    await settled(chat.mention('budget', { author: ANNA }).inbound.key)
    expect(texts().at(-1)).toBe('- Your budget: 1 of 40 questions an hour used.')
    const free = await setUpBridge()
    await free.settled(free.chat.mention('budget').inbound.key)
    expect(free.texts().at(-1)).toMatch(/^There is no budget here/)
  })
})
