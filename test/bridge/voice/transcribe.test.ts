import { afterEach, describe, expect, it, vi } from 'vitest'
import { AdapterError } from '#bridge/port/errors.ts'
import { setUpBridge, until } from '#test/support/bridge/set-up.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'

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

  it('names its workspace in every call to the platform, so that workspaces take turns', async () => {
    const { chat, platform, shows } = await setUpBridge()
    const calls = [vi.spyOn(platform.chat, 'stream'), vi.spyOn(platform.voice, 'transcribe')]
    platform.script.transcribe('What is the capital of France?')
    platform.script.answer('Paris, with a river.')
    const memoed = chat.voice(memo)
    await shows(/Paris/)
    platform.script.answer('What is its river?', 'The Seine.')
    chat.mention('And its river?', { replyTo: memoed.id })
    await shows(/Seine|its river/)
    const named = calls.flatMap(({ mock }) => mock.calls.map(([, options]) => options?.workspace))
    expect(named.length).toBeGreaterThan(1)
    expect(new Set(named)).toEqual(new Set(['fake:W1']))
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

  it('of more than ten minutes, or larger than files may be, is refused before a byte of it is taken', async () => {
    const { chat, platform, shows } = await setUpBridge()
    // It would fail to open.
    chat.fail('open', new AdapterError('not-found', 'It was opened.'), { times: 2 })
    chat.voice(new Uint8Array([1]), { durationMs: 700_000 })
    await shows(/longer than 10 minutes/)
    chat.voice(new Uint8Array(2_000_000))
    await shows(/MB/)
    expect(platform.script.recordings).toHaveLength(0)
  })

  it('is answered from the chat service’s own transcript only where ours fails, and never beside it', async () => {
    const { chat, platform, shows, texts } = await setUpBridge()
    const captions = 'WEBVTT\n\n00:01.000 --> 00:02.000\n- Capital of France?\n'
    platform.script.transcribe('Capital of Spain?')
    platform.script.answer('Madrid.', 'Paris.')
    chat.voice(memo, { captions })
    await shows(/Madrid/)
    platform.script.fail('voice.transcribe', platformFailure('unsupported', 'No model listens here.'))
    chat.voice(memo, { captions })
    await shows(/Paris/)
    expect(texts()[2]).toBe('🎙️ “Capital of France?”')
    platform.script.fail('voice.transcribe', platformFailure('unsupported', 'No model listens here.'))
    chat.voice(memo)
    await shows(/No model listens here|can’t listen/)
  })

  describe('of minutes', () => {
    afterEach(() => void vi.useRealTimers())
    it('tells how far it is', async () => {
      const { chat, platform, shows } = await setUpBridge()
      const release = platform.script.hold('voice.transcribe')
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      chat.voice(memo, { durationMs: 150_000 })
      const statuses = () => chat.transcript.flatMap(({ verb, text }) => (verb === 'status' ? [text] : []))
      await until(() => statuses().length === 1)
      vi.advanceTimersByTime(20_000)
      platform.script.transcribe('Capital of France?')
      platform.script.answer('Paris.')
      release()
      await shows(/Paris/)
      vi.advanceTimersByTime(60_000)
      expect(statuses().slice(0, 3)).toEqual([
        'is listening…',
        'is listening… 0:10, recording of 2:30',
        'is listening… 0:20, recording of 2:30',
      ])
    })

    it('tells it by a message that becomes the transcript, where a status has no words', async () => {
      const { chat, platform, shows } = await setUpBridge({ limits: { wordlessStatus: true } })
      const release = platform.script.hold('voice.transcribe')
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      chat.voice(memo, { durationMs: 150_000 })
      await until(() => chat.transcript.some(({ verb }) => verb === 'status'))
      vi.advanceTimersByTime(10_000)
      const told = await shows(/Listening… 0:10, recording of 2:30/)
      platform.script.transcribe('Capital of France?')
      platform.script.answer('Paris.')
      release()
      expect((await shows(/Capital of France/)).id).toBe(told.id)
      await shows(/Paris/)
      expect(chat.transcript.filter(({ text }) => text.includes('Listening'))).toHaveLength(1)
    })
  })
})
