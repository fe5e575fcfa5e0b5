import { describe, expect, it } from 'vitest'
import { setUpBridge } from '../support/bridge/set-up.ts'

describe('a follow-up without a mention', () => {
  it('is heard although the question before it still waits its turn', async () => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.answer('Paris.', 'Two million.')
    // The poorer account of an event is held back for its twin: the job is stored and has not begun.
    await chat.mention('Capital of France?', { thread: 't1', provisional: true }).taken
    chat.say('And how many live there?', { thread: 't1' })
    await shows(/Two million/)
    expect(platform.script.requests).toHaveLength(2)
  })
})
