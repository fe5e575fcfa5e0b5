/** Traps of Slack that others reported, where no other test is about them. */
import { describe, expect, it } from 'vitest'
import { connectStub } from '#test/doubles/slack/people.ts'
import type { FileRecord } from '#test/doubles/slack/types.ts'
import { setMany } from './workspaces/many.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'
import { askedScene, outgoing } from './scene.ts'
import { withBridge } from './with-bridge.ts'

describe('a file', () => {
  it('that a free workspace hides (hidden_by_limit) is refused with that reason, and not asked for', async () => {
    const { slack, ada, channel, sees } = await withBridge()
    const hidden = { id: 'F1', mode: 'hidden_by_limit' } as unknown as FileRecord
    slack.say({ channel, user: ada, files: [hidden] })
    await sees(/Slack verbirgt diese Datei, denn der Tarif des Workspace hebt sie nicht so lange auf/)
    expect(slack.calls.filter(({ method }) => method.startsWith('file'))).toEqual([])
  })

  it('of another company, told by its id in a direct message too, is looked up; what Slack does not tell is said', async () => {
    const { slack, ada, direct, sees } = await withBridge()
    const file = slack.hostFile('# The mole', 'mole.md', 'text/markdown')
    slack.say({ channel: direct, user: ada, files: [connectStub(file)] })
    await sees(/mole\.md.*bereit/, direct)
    slack.script('files.info', { error: 'missing_scope', extra: { needed: 'files:read' } })
    slack.say({ channel: direct, user: ada, files: [connectStub(slack.hostFile('x', 'x.md', 'text/markdown'))] })
    const receipt = await sees(/Slack gibt mir die Datei nicht\. Die App braucht das Recht files:read/, direct)
    expect(receipt.buttons.map(({ label }) => label)).not.toContain('Retry')
  })

  it('told by file_shared as well is one drop: that event is a hint without text or thread', async () => {
    const { slack, adapter, inbounds, channel, ada: user } = await askedScene()
    inbounds.length = 0
    const file = slack.hostFile('x', 'x.md', 'text/markdown')
    const hint = { type: 'file_shared', file_id: file.id, user_id: user, channel_id: channel, file: { id: file.id } }
    await slack.sendEvent({ ...hint, event_ts: '1.1' }).acked
    await slack.say({ channel, user, files: [file] }).acked
    await slack.sendEvent({ ...hint, event_ts: '1.2' }).acked
    expect(inbounds).toMatchObject([{ kind: 'message', message: { attachments: [{ id: file.id }] } }])
    expect(adapter.isConnected()).toBe(true)
  })
})

it('app_rate_limited is taken, and tells the operator that events of this workspace are missing', async () => {
  const { cloud, adapter, install, receive, inbounds, lines } = await setMany()
  await adapter.start(receive)
  await install('T1')
  const body = { type: 'app_rate_limited', team_id: 'T1', api_app_id: 'A0APP' }
  for (const minute_rate_limited of [1_518_467_820, 1_518_467_880])
    await cloud.teams.get('T1')?.sendBody({ ...body, minute_rate_limited }).acked
  expect([inbounds, cloud.refused]).toEqual([[], []])
  const told = lines.filter(({ message }) => message.includes('more than 30,000 events'))
  expect(told).toMatchObject([{ level: 'warn', fields: { team: 'T1' } }])
})

it('a stream that Slack refuses for somebody of another company (user_not_found) is an answer all the same', async () => {
  const { slack, ada, channel, sees } = await withBridge()
  slack.script('chat.startStream', { error: 'user_not_found' })
  slack.say({ channel, user: ada, text: 'how long?', mention: true })
  await sees(/You said: how long\?/)
  expect(slack.transcript(channel).filter(({ own }) => own)).toHaveLength(1)
})

it('a message that was not for us leaves no mark: its mention, told afterwards, is answered', async () => {
  const { slack, ada, channel, sees } = await withBridge()
  const { ts, acked } = slack.say({ channel, user: ada, text: 'how long?', order: 'message-only' })
  await acked
  const text = `<@${slack.botUserId}> how long?`
  await slack.sendEvent({ type: 'app_mention', channel, user: ada, ts, text, event_ts: ts }).acked
  expect((await sees(/You said: how long\?/)).thread).toBe(ts)
})

it('a stream outside of a thread is not begun: the types and most channels want one', async () => {
  const { adapter, conversation, asker } = await askedScene()
  const begun = adapter.stream?.({ ...conversation, thread: undefined }, outgoing('It'), asker)
  await expect(begun).rejects.toMatchObject({ code: 'invalid' })
})

it('a file of another company comes without a team: its answer goes to the team that Slack tells of the person', async () => {
  const { slack, adapter, channel, conversation } = await askedScene()
  const guest = slack.addUser({ name: 'Guest', teamId: 'T9GUEST' })
  const files = [slack.hostFile('x', 'x.md', 'text/markdown')]
  await slack.say({ channel, user: guest.id, files, fields: { team: undefined } }).acked
  await adapter.stream?.(conversation, outgoing('It'), { id: guest.id, name: 'Guest' })
  expect(slack.callsOf('chat.startStream')).toMatchObject([{ args: { recipient_team_id: 'T9GUEST' }, status: 200 }])
})

it('a call that is sent elsewhere is not followed: the token stays with Slack', async () => {
  const { slack, adapter, conversation } = await askedScene()
  const elsewhere = slack.hostFile('{"ok":true}', 'x.json', 'application/json')
  slack.script('chat.getPermalink', ...Array.from({ length: 3 }, () => ({ redirect: elsewhere.url_private })))
  await expect(adapter.permalink({ conversation, id: '1.1' })).rejects.toMatchObject({ code: 'network' })
  expect(slack.callsOf(`file:${elsewhere.id}`)).toEqual([])
})

it('the size that Slack tells of a file is not believed', async () => {
  const { slack, adapter, inbounds, channel, ada: user } = await askedScene()
  inbounds.length = 0
  const file = slack.hostFile('x'.repeat(5_000), 'x.md', 'text/markdown')
  await slack.say({ channel, user, files: [{ ...file, size: 1 }] }).acked
  const [told] = inbounds.flatMap((one) => (one.kind === 'message' ? one.message.attachments : []))
  const bytes = told && (await adapter.open(told, AbortSignal.timeout(10_000)))
  expect(await new Response(bytes).text()).toHaveLength(5_000)
})

it('a card of nothing but marks that Slack writes longer is still taken', async () => {
  const { slack, adapter, channel, ada: user, conversation } = await askedScene()
  const url = 'https://footbridge.example.org/#c1/m1'
  const { ts } = slack.say({ channel, user, text: url })
  const card = { url, title: '&'.repeat(150), text: '&'.repeat(500), note: 'x'.repeat(400), at: 0 }
  await adapter.app?.showCards({ conversation, id: ts }, [card])
  expect(slack.workspace.message(channel, ts)?.unfurls).toBeDefined()
})

it('an error whose reply was lost, and which no search finds, is replaced by the answer of the next try', async () => {
  const { slack, ada, channel, platform, sees } = await withBridge()
  platform.script.fail('chat.stream', platformFailure('unreachable'))
  slack.script('chat.postMessage', { drop: 'after' })
  // One attempt and two repetitions.
  slack.script('conversations.replies', { drop: 'before' }, { drop: 'before' }, { drop: 'before' })
  slack.say({ channel, user: ada, text: 'how long?', mention: true })
  await sees(/You said: how long\?/)
  expect(slack.transcript(channel).flatMap(({ own, text }) => (own ? [text] : []))).toHaveLength(1)
})

it.each(['migration_in_progress', 'team_added_to_org'])('%s, said while a workspace moves, passes', async (error) => {
  const { slack, adapter, conversation } = await askedScene()
  slack.script('chat.postMessage', { error })
  await adapter.post(conversation, outgoing('Nine.'))
  expect(slack.calls.filter(({ method }) => method === 'chat.postMessage')).toHaveLength(2)
})
