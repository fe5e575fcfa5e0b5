import { describe, expect, it } from 'vitest'
import { setUpBridge } from '#test/support/bridge/set-up.ts'

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

  it('of somebody who asked nothing there is heard when it asks, and what they state is talk among people', async () => {
    const { chat, platform, shows, settled, store } = await setUpBridge()
    const ben = { id: 'U2', name: 'Ben' }
    platform.script.answer('Paris.', 'Two million.', 'About that.')
    await settled(chat.mention('Capital of France?', { thread: 't1' }).inbound.key)
    const talk = chat.say('I agree with that.', { thread: 't1', author: ben })
    await talk.taken
    expect(await store().inbox.job(talk.inbound.key)).toBeUndefined()
    chat.say('And how many live there?', { thread: 't1', author: ben })
    await shows(/Two million/)
    // Now Ben is one of those who ask.
    chat.say('Roughly, I mean.', { thread: 't1', author: ben })
    await shows(/About that/)
    expect(platform.script.requests).toHaveLength(3)
  })
})
