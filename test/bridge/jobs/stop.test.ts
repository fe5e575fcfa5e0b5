/** The stop button of the chat service itself, which names a conversation and no message. */
import { describe, expect, it } from 'vitest'
import { AdapterError } from '#bridge/port/errors.ts'
import { setUpBridge, until } from '#test/support/bridge/set-up.ts'
import { PATIENCE } from '#test/support/patience.ts'

const HERE = { adapter: 'fake', workspace: 'W1', channel: 'C1', thread: 't1', direct: false } as const

/** A question whose answer the chat service does not take for the moment. */
async function waiting() {
  const set = await setUpBridge()
  const { chat, platform, store } = set
  platform.script.answer('A long story without end.', 'A long story once more.')
  const away = new AdapterError('network', 'The service is away.', { retryAfterMs: 2_000 })
  for (const call of ['stream', 'post'] as const) chat.fail(call, away)
  const { inbound } = chat.mention('Tell', { thread: 't1' })
  const job = async () => store().inbox.job(inbound.key)
  await expect.poll(async () => (await job())?.reason, PATIENCE).toBe('The service is away.')
  return { ...set, job }
}

describe('the stop of the service', () => {
  it('ends an answer that waits for its next try, which says so at once', async () => {
    const { chat, job, shows } = await waiting()
    chat.stop(HERE)
    const { text } = await shows(/Stopped/)
    expect(text).not.toContain('long story')
    await expect.poll(async () => (await job())?.state, PATIENCE).toBe('done')
    expect(chat.visible()).toHaveLength(1)
  })

  it('ends it also after a restart', async () => {
    const { chat, restart, shows } = await waiting()
    await chat.stop(HERE).taken
    await restart()
    expect((await shows(/Stopped/)).text).not.toContain('long story')
  })

  it('in another thread ends nothing', async () => {
    const { chat, shows } = await waiting()
    chat.stop({ ...HERE, thread: 't2' })
    expect((await shows(/long story/)).text).not.toContain('Stopped')
  })

  it('leaves the question that waits behind the stopped answer', async () => {
    const { chat, platform, shows, texts } = await setUpBridge()
    platform.script.answer([{ type: 'text', text: 'A long story' }, new Promise(() => {})], 'The second one.')
    chat.mention('Tell', { thread: 't1' })
    await until(() => texts()[0]?.includes('A long'))
    chat.mention('And the second one?', { thread: 't1' })
    chat.stop(HERE)
    await shows(/A long[^]*Stopped/)
    expect((await shows(/The second one/)).text).not.toContain('Stopped')
  })
})
