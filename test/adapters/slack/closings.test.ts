import { describe, expect, it } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { setScene } from './scene.ts'
import { withBridge } from './with-bridge.ts'

describe('a channel that is closed while an answer is under way', () => {
  it.each(['archiveChannel', 'removeApp'] as const)(
    '%s: the answer ends without a failure, and files stay',
    async (how) => {
      const { slack, store, platform, channel, ada, drop } = await withBridge()
      await drop('mole.md', '# The mole')
      const release = platform.script.hold('chat.stream')
      await slack.say({ channel, user: ada, text: 'how long?', mention: true }).acked
      await eventually(async () => (await store.inbox.depth()).running === 1)
      const shown = slack.transcript(channel).length
      slack[how](channel, ada)
      await eventually(async () => (await store.inbox.depth()).running === 0)
      release()
      expect(await store.inbox.depth()).toMatchObject({ waiting: 0, running: 0, dead: 0 })
      expect(slack.transcript(channel)).toHaveLength(shown)
      expect(platform.script.collections()).toHaveLength(1)
    },
  )

  it('that is there again keeps its questions when Slack tells late that it was closed', async () => {
    const { slack, store, platform, channel, ada, drop } = await withBridge()
    await drop('mole.md', '# The mole is long')
    const release = platform.script.hold('chat.stream')
    await slack.say({ channel, user: ada, text: 'how long is the mole?', mention: true }).acked
    await eventually(async () => (await store.inbox.depth()).running === 1)
    const shown = slack.transcript(channel).length
    const asked = slack.callsOf('conversations.info').length
    await slack.sendEvent({ type: 'channel_left', channel, event_ts: '9.9' }).acked
    await slack.until(() => slack.callsOf('conversations.info').length > asked, 'the look at the channel')
    await eventually(async () => (await store.inbox.depth()).waiting + (await store.inbox.depth()).running <= 1)
    expect((await store.inbox.depth()).running).toBe(1)
    release()
    await slack.until(() => slack.transcript(channel).length > shown, 'the answer')
    expect((await store.inbox.depth()).dead).toBe(0)
  })

  it('deleted: its files go from the platform; an old event about one that is there deletes nothing', async () => {
    const { slack, store, platform, channel, drop } = await withBridge()
    await drop('mole.md', '# The mole')
    await slack.sendEvent({ type: 'channel_deleted', channel }).acked
    await eventually(async () => (await store.inbox.depth()).waiting + (await store.inbox.depth()).running === 0)
    expect(platform.script.collections()).toHaveLength(1)
    slack.deleteChannel(channel)
    await eventually(() => platform.script.collections().length === 0)
    await eventually(async () => (await store.channels.ofWorkspace('slack', slack.teamId)).length === 0)
  })
})

it('a private channel tells it by events of its own names', async () => {
  const { slack, adapter, receive, inbounds, ada } = await setScene()
  await adapter.start(receive)
  const channel = slack.addChannel({ kind: 'private' })
  await slack.archiveChannel(channel, ada).acked
  await slack.removeApp(channel, ada).acked
  await slack.deleteChannel(channel).acked
  const conversation = { workspace: slack.teamId, channel }
  expect(inbounds).toMatchObject([
    { kind: 'channel-gone', conversation },
    { kind: 'channel-gone', conversation },
    { kind: 'channel-gone', conversation, isDeleted: true },
  ])
  expect(new Set(inbounds.map(({ key }) => key)).size).toBe(3)
})

describe('a file that is taken out of a channel', () => {
  it('is gone there, unless another message of the channel has it; elsewhere it stays', async () => {
    const { slack, adapter, receive, inbounds, channel, ada } = await setScene()
    await adapter.start(receive)
    const file = slack.hostFile('x', 'x.md', 'text/markdown')
    await slack.say({ channel, user: ada, files: [file] }).acked
    inbounds.length = 0
    await slack.unshareFile(channel, file.id, ada, false).acked
    expect(inbounds).toEqual([])
    await slack.unshareFile(channel, file.id, ada).acked
    expect(inbounds).toMatchObject([{ kind: 'file-gone', attachmentId: file.id, channel }])
  })

  it('is asked for again while Slack does not tell where else it is', async () => {
    const { slack, adapter, receive, inbounds, channel, ada } = await setScene()
    await adapter.start(receive)
    const file = slack.hostFile('x', 'x.md', 'text/markdown')
    slack.script('files.info', ...Array.from({ length: 3 }, () => ({ status: 503 })))
    const told = slack.unshareFile(channel, file.id, ada)
    await slack.until(() => slack.callsOf('files.info').length === 3, 'the look at the file')
    expect([inbounds, slack.unacked()]).toEqual([[], [told]])
    slack.resend(told)
    await told.acked
    expect(inbounds).toMatchObject([{ kind: 'file-gone', channel }])
  })
})
