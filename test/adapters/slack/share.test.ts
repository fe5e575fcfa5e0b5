import { expect, it } from 'vitest'
import { withBridge } from './with-bridge.ts'

it('a reply to a shared answer is answered, also while nobody knows yet that the answer is out', async () => {
  const { slack, channel, ada, sees } = await withBridge({ timeoutMs: 2_000 })
  const ben = slack.addUser({ name: 'Ben' }).id
  slack.command({ channel, user: ada, text: 'ask How long is it?' })
  await sees(/You said: How long is it/)
  // It is posted, and the answer of Slack is lost: the press looks for it before it goes on.
  slack.script('chat.postMessage', { hang: true, perform: true })
  slack.pressButton({ channel, user: ada, button: 'Share in channel' })
  const shared = await sees(/asked: How long/)
  slack.say({ channel, user: ben, text: 'And how deep is it?', thread: shared.ts })
  const answer = await sees(/You said: And how deep is it/)
  expect(answer.thread).toBe(shared.ts)
  expect(slack.transcript(channel).filter(({ text }) => /asked: How long/.test(text))).toHaveLength(1)
})
