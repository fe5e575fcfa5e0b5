import { expect, test } from 'vitest'
import { askedScene } from './scene.ts'

const URL = 'https://footbridge.example.org/#c1/m1'

test('a card that somebody refreshes is made anew, and an event that Slack repeats is not', async () => {
  const { slack, inbounds, channel, ada } = await askedScene()
  const said = slack.say({ channel, user: ada, text: `see ${URL}` })
  const links = [{ domain: 'footbridge.example.org', url: URL }]
  const event = { type: 'link_shared', channel, user: ada, message_ts: said.ts, is_bot_user_member: true, links }
  for (const event_ts of ['1.1', '1.1', '1.2'])
    await slack.sendEvent({ ...event, source: 'conversations_history', event_ts }).acked
  const keys = inbounds.flatMap(({ kind, key }) => (kind === 'links' ? [key] : []))
  expect(new Set(keys).size).toBe(2)
})

test('links of our domain are told once a message, and their cards stand under it, literally', async () => {
  const { slack, adapter, inbounds, channel, ada } = await askedScene()
  const said = slack.say({ channel, user: ada, text: `see ${URL}` })
  const event = { type: 'link_shared', channel, user: ada, message_ts: said.ts, is_bot_user_member: true }
  const links = [{ domain: 'footbridge.example.org', url: URL }]
  await slack.sendEvent({ ...event, links, source: 'conversations_history', event_ts: '1.1' }).acked
  await slack.sendEvent({ ...event, links, source: 'composer', event_ts: '1.2' }).acked
  await slack.sendEvent({ ...event, links, is_bot_user_member: false, event_ts: '1.3' }).acked
  const told = inbounds.filter(({ kind }) => kind === 'links')
  expect(told).toMatchObject([{ messageId: said.ts, urls: [URL], author: { id: ada }, conversation: { channel } }])
  const conversation = { adapter: 'slack', workspace: slack.teamId, channel, direct: false }
  const card = { url: URL, title: 'Is *it* <!channel>?', text: 'Yes & <@U1>.', note: 'Footbridge, from a.md', at: 0 }
  await adapter.app?.showCards({ conversation, id: said.ts }, [card])
  const shown = JSON.stringify(slack.workspace.message(channel, said.ts)?.unfurls)
  expect(shown).toContain(String.raw`*Is ∗it∗ &lt;⁠!channel&gt;?*\nYes &amp; &lt;⁠@U1&gt;.`)
  expect(shown).toContain('Footbridge, from a.md')
})
