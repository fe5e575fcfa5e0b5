import { expect, test } from 'vitest'
import { cited } from '#test/support/bridge/set-up.ts'
import { withBridge } from './with-bridge.ts'

test('a person whose name Slack does not tell in time is named all the same under a reference, never by an id', async () => {
  const { slack, ada, channel, platform, sees } = await withBridge()
  slack.workspace.users.set(ada, { ...slack.addUser({ id: ada, name: 'Ada', locale: 'en-GB' }) })
  const { promise: told, resolve: tell } = Promise.withResolvers<void>()
  slack.script('users.info', { until: told })
  const file = slack.hostFile('# Mole\n\nThe mole is red.', 'mole.md', 'text/markdown')
  await slack.say({ channel, user: ada, files: [file] }).acked
  tell()
  await sees(/mole\.md.*ready/)
  platform.script.answer(cited('Red', 'mole.md', 'The mole is red.'))
  slack.say({ channel, user: ada, text: 'Which colour has the mole?', mention: true })
  const { lines } = await sees(/^Red \[1\]/)
  expect(lines[0]).toMatch(/^\[1\] mole\.md · L3 · Ada, \d/)
})

test('somebody who becomes a guest is one at once, and has a new name at once', async () => {
  const { slack, ada, channel, platform, sees } = await withBridge()
  platform.script.answer('Red.')
  slack.say({ channel, user: ada, text: 'Which colour has the mole?', mention: true })
  await sees(/^Red/)
  slack.workspace.users.set(ada, slack.addUser({ id: ada, name: 'Gus', locale: 'en-GB', guest: 'single' }))
  await slack.sendEvent({ type: 'user_change', user: { id: ada }, event_ts: '1.1' }).acked
  slack.say({ channel, user: ada, text: 'And the pier?', mention: true })
  await sees(/Guests may not use me here/)
  expect(platform.script.requests).toHaveLength(1)
})

test('a person is looked up once for their name and for what they are', async () => {
  const { slack, ada, channel, platform, sees } = await withBridge()
  platform.script.answer('Red.')
  slack.say({ channel, user: ada, text: 'Which colour has the mole?', mention: true })
  await sees(/^Red/)
  expect(slack.callsOf('users.info')).toHaveLength(1)
})
