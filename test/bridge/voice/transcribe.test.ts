import { describe, expect, it } from 'vitest'
import { AdapterError } from '../../../src/bridge/port/errors.ts'
import { setUpBridge } from '../../support/bridge/set-up.ts'

const memo = new Uint8Array([1, 2, 3])

describe('a voice note', () => {
  it('that is longer than a message is shown whole, over several, and answered', async () => {
    const { chat, platform, shows, texts } = await setUpBridge()
    const spoken = Array.from({ length: 400 }, (_, index) => `Sentence number ${index}.`).join(' ')
    platform.script.transcribe(spoken)
    platform.script.answer('Heard all of it.')
    chat.voice(memo)
    await shows(/Heard all of it/)
    const quoted = texts().slice(0, -1)
    expect(quoted.length).toBeGreaterThan(1)
    expect(quoted.every((text) => text.length <= 2000)).toBe(true)
    expect(quoted.join(' ').replaceAll(/\s+/g, ' ')).toBe(`🎙️ “${spoken}”`)
    expect(platform.script.requests.at(-1)?.messages.at(-1)?.content).toBe(spoken)
  })

  it('whose transcript cannot be shown just now is not said to be gone', async () => {
    const { chat, platform, shows, texts } = await setUpBridge()
    platform.script.transcribe('Capital of France?', 'Capital of France?')
    platform.script.answer('Paris.')
    chat.fail('post', new AdapterError('rate-limited', 'Wait.'))
    chat.voice(memo)
    await shows(/Paris/)
    expect(texts()).toEqual(['🎙️ “Capital of France?”', expect.stringMatching(/^Paris/)])
  })

  it('longer than a message is not transcribed again after a restart', async () => {
    const { chat, platform, shows, restart } = await setUpBridge()
    const spoken = Array.from({ length: 400 }, (_, index) => `Sentence number ${index}.`).join(' ')
    platform.script.transcribe(spoken)
    const release = platform.script.hold('chat.stream')
    chat.voice(memo)
    await shows(/Sentence number 399/)
    await restart()
    platform.script.answer('Heard all of it.')
    release()
    await shows(/Heard all of it/)
    expect(platform.script.recordings).toHaveLength(1)
    expect(platform.script.requests.at(-1)?.messages.at(-1)?.content).toBe(spoken)
  })
})
