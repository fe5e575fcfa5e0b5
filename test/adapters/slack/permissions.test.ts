import { describe, expect, test } from 'vitest'
import type { ConversationRef } from '#bridge/port/message.ts'
import { setScene } from './scene.ts'
import { withBridge } from './with-bridge.ts'

async function open() {
  const scene = await setScene()
  await scene.adapter.start(scene.receive)
  const { slack, adapter } = scene
  const at = (channel: string): ConversationRef => ({
    adapter: 'slack',
    workspace: slack.teamId,
    channel,
    direct: channel.startsWith('D'),
  })
  const join = (channel: string, ...users: readonly string[]) =>
    users.forEach((user) => slack.workspace.channel(channel).members.add(user))
  return {
    ...scene,
    at,
    join,
    isMember: async (channel: string, user: string) => adapter.isMember(at(channel), user),
    isAdmin: async (channel: string, user: string) => adapter.isAdmin(at(channel), user),
  }
}

const crowd = (count: number) => Array.from({ length: count }, (_, index) => `U9${index}`)

describe('membership', () => {
  test('is asked anew each time, in two calls for an ordinary channel', async () => {
    const { slack, channel, ada, join, isMember } = await open()
    join(channel, ada)
    expect(await isMember(channel, ada)).toBe(true)
    slack.workspace.channel(channel).members.delete(ada)
    expect(await isMember(channel, ada)).toBe(false)
    expect(slack.callsOf('conversations.members')).toHaveLength(2)
    expect(slack.callsOf('users.conversations')).toHaveLength(0)
  })

  test('of a public channel means being in it', async () => {
    const { channel, slack, isMember } = await open()
    expect(await isMember(channel, slack.addUser().id)).toBe(false)
  })

  test('in a very large channel is found among the channels of the person', async () => {
    const { slack, channel, ada, join, isMember } = await open()
    join(channel, ...crowd(5_000), ada)
    expect(await isMember(channel, ada)).toBe(true)
    expect(await isMember(channel, slack.addUser().id)).toBe(false)
    expect(slack.callsOf('conversations.members')).toHaveLength(2)
  })

  test('of all channels of a person is listed to the last page', async () => {
    const { slack, adapter, ada, join } = await open()
    for (let index = 0; index < 2_001; index += 1) join(slack.addChannel(), ada)
    expect(await adapter.app?.channelsOf(slack.teamId, ada)).toHaveLength(2_001)
  })

  test('of a person with very many channels is found on the second page', async () => {
    const { slack, ada, join, isMember } = await open()
    for (let index = 0; index < 1_000; index += 1) join(slack.addChannel(), ada)
    const large = slack.addChannel()
    join(large, ...crowd(1_500), ada)
    expect(await isMember(large, ada)).toBe(true)
  })

  test('of a guest from another workspace is looked for in the list', async () => {
    const { slack, channel, join, isMember } = await open()
    const guest = slack.addUser({ teamId: 'T9' }).id
    join(channel, ...crowd(2_500), guest)
    expect(await isMember(channel, guest)).toBe(true)
    expect(await isMember(channel, slack.addUser({ teamId: 'T9' }).id)).toBe(false)
  })

  test('counts as no where we are not in the channel, where it is gone, and where it cannot be told', async () => {
    const { slack, channel, ada, join, isMember, lines } = await open()
    const foreign = slack.addChannel({ joined: false })
    const closed = slack.addChannel({ kind: 'private', joined: false })
    join(foreign, ada)
    join(closed, ada)
    join(channel, ada)
    expect(await isMember(foreign, ada)).toBe(false)
    expect(await isMember(closed, ada)).toBe(false)
    expect(await isMember('C404', ada)).toBe(false)
    slack.script('conversations.info', { error: 'missing_scope', extra: { needed: 'channels:read' } })
    expect(await isMember(channel, ada)).toBe(false)
    expect(JSON.stringify(lines)).toContain('taken as no')
  })
})

test('what a person is is asked once for all who want to know meanwhile, and again after a failure', async () => {
  const { slack, adapter, at, channel, ada } = await open()
  slack.script('users.info', { error: 'missing_scope', extra: { needed: 'users:read' } })
  const kinds = async () => Promise.all([1, 2, 3].map(async () => adapter.people?.kindOf(at(channel), ada)))
  expect(await kinds()).toEqual([undefined, undefined, undefined])
  expect(await kinds()).toEqual(['member', 'member', 'member'])
  expect(slack.callsOf('users.info')).toHaveLength(2)
})

describe('administration', () => {
  test('belongs to the creator while they are in it, and to admins and owners of the workspace', async () => {
    const { slack, ada, join, isAdmin } = await open()
    const channel = slack.addChannel({ creator: ada })
    expect(await isAdmin(channel, ada)).toBe(false)
    join(channel, ada)
    expect(await isAdmin(channel, ada)).toBe(true)
    expect(await isAdmin(channel, slack.addUser({ admin: true }).id)).toBe(true)
    expect(await isAdmin(channel, slack.addUser({ owner: true }).id)).toBe(true)
    expect(await isAdmin(channel, slack.addUser().id)).toBe(false)
  })

  test('of a private channel belongs to admins who are in it', async () => {
    const { slack, join, isAdmin } = await open()
    const channel = slack.addChannel({ kind: 'private' })
    const root = slack.addUser({ admin: true }).id
    expect(await isAdmin(channel, root)).toBe(false)
    join(channel, root)
    expect(await isAdmin(channel, root)).toBe(true)
  })

  test('never belongs to an admin of another workspace, nor to an account that was closed', async () => {
    const { slack, channel, join, isAdmin } = await open()
    const guest = slack.addUser({ teamId: 'T9', admin: true }).id
    const gone = slack.addUser({ admin: true, deleted: true }).id
    join(channel, guest, gone)
    expect(await isAdmin(channel, guest)).toBe(false)
    expect(await isAdmin(channel, gone)).toBe(false)
  })
})

describe('what a channel is', () => {
  test('a public one has a name and is open to all, a private one is not', async () => {
    const { adapter, slack, channel, at } = await open()
    expect(await adapter.describeChannel(at(channel))).toEqual({ name: 'ferry', isPublic: true })
    const closed = slack.addChannel({ kind: 'private', name: 'board' })
    expect(await adapter.describeChannel(at(closed))).toEqual({ name: 'board', isPublic: false })
    expect(await adapter.describeChannel(at('C404'))).toBeUndefined()
  })

  test('a message says that a channel is as Slack said before, for whoever needs no more', async () => {
    const { adapter, slack, channel, ada, at } = await open()
    await slack.say({ channel, user: ada, text: 'The gate opens at six.' }).acked
    const facts = await adapter.describeChannel(at(channel), true)
    expect(await adapter.describeChannel(at(channel), true)).toEqual(facts)
    expect(slack.callsOf('conversations.info')).toHaveLength(1)
    await adapter.describeChannel(at(channel))
    expect(slack.callsOf('conversations.info')).toHaveLength(2)
  })

  test('a channel that is named without its name is asked for it', async () => {
    const { slack, channel, ada, inbounds } = await open()
    const closed = slack.addChannel({ kind: 'private', name: 'board' })
    const hidden = slack.addChannel({ kind: 'private', joined: false })
    const text = `see <#${closed}|> and <#${hidden}|>`
    await slack.say({ channel, user: ada, text, mention: true, order: 'message-only' }).acked
    const [inbound] = inbounds
    if (inbound?.kind !== 'message') throw new Error('No message has arrived.')
    expect(inbound.message.text).toBe(`see #board and #${hidden}`)
    expect(inbound.message.channels?.map(({ name }) => name)).toEqual(['board', hidden])
  })
})

describe('a channel that is opened to more people', () => {
  const OPENED = [
    ['shared with another company', 'private', { type: 'channel_shared', connected_team_id: 'T9' }],
    ['made public', 'private', { type: 'message', subtype: 'channel_convert_to_public', text: 'made this public' }],
  ] as const
  test.each(OPENED)('%s stops answering with the event, not half a minute later', async (_, kind, event) => {
    const { slack, ada, platform, sees } = await withBridge()
    const id = slack.addChannel({ kind, name: 'board' })
    slack.workspace.channel(id).members.add(ada)
    platform.script.answer('Red.')
    slack.say({ channel: id, user: ada, text: 'Which colour has the mole?', mention: true })
    await sees(/^Red/, id)
    slack.workspace.channels.set(id, { ...slack.workspace.channel(id), kind: 'channel', shared: true })
    await slack.sendEvent({ ...event, channel: id, user: ada, event_ts: '2.1' }).acked
    slack.say({ channel: id, user: ada, text: 'Und der Pier?', mention: true })
    await sees(/Diesen Kanal können mehr Leute lesen/, id)
    expect(platform.script.requests).toHaveLength(1)
  })
})
