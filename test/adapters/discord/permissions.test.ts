import { PermissionFlagsBits as bits } from 'discord.js'
import { describe, expect, test } from 'vitest'
import { permissionsIn, type RawChannel } from '#adapters/discord/permissions.ts'
import type { ConversationRef } from '#bridge/port/message.ts'
import { open, openDouble } from './harness.ts'

const reads = bits.ViewChannel | bits.ReadMessageHistory
const guild = {
  id: 'g',
  owner_id: 'owner',
  roles: [
    { id: 'g', permissions: String(reads) },
    { id: 'mods', permissions: String(bits.ManageChannels) },
    { id: 'root', permissions: String(bits.Administrator) },
  ],
} as unknown as Parameters<typeof permissionsIn>[0]
type Overwrites = readonly (readonly [id: string, type: 0 | 1, allow: bigint, deny: bigint])[]
const channel = (...overwrites: Overwrites) =>
  ({
    id: 'c',
    type: 0,
    permission_overwrites: overwrites.map(([id, type, allow, deny]) => ({
      id,
      type,
      allow: String(allow),
      deny: String(deny),
    })),
  }) as unknown as RawChannel
const voice = (...overwrites: Overwrites) => ({ ...channel(...overwrites), type: 2 }) as RawChannel
const somebody = (...roles: readonly string[]) => ({ id: 'u', member: { roles: [...roles] } })

describe('permissions', () => {
  test.each([
    ['everybody has what @everyone has', channel(), somebody(), reads, true],
    ['an overwrite takes it away', channel(['g', 0, 0n, bits.ViewChannel]), somebody(), reads, false],
    [
      'a role gives it back',
      channel(['g', 0, 0n, bits.ViewChannel], ['mods', 0, bits.ViewChannel, 0n]),
      somebody('mods'),
      reads,
      true,
    ],
    [
      'one role gives what another takes',
      channel(['mods', 0, bits.ViewChannel, 0n], ['x', 0, 0n, bits.ViewChannel]),
      somebody('mods', 'x'),
      reads,
      true,
    ],
    [
      'a person is taken out in spite of their role',
      channel(['mods', 0, bits.ViewChannel, 0n], ['u', 1, 0n, bits.ViewChannel]),
      somebody('mods'),
      reads,
      false,
    ],
    [
      'without the history a channel is not read',
      channel(['g', 0, 0n, bits.ReadMessageHistory]),
      somebody(),
      reads,
      false,
    ],
    ['an administrator sees all', channel(['g', 0, 0n, reads], ['u', 1, 0n, reads]), somebody('root'), reads, true],
    ['the owner sees all', channel(['g', 0, 0n, reads]), { id: 'owner', member: { roles: [] } }, reads, true],
    ['who may join a voice channel reads its chat', voice(['g', 0, bits.Connect, 0n]), somebody(), reads, true],
    ['who may not join it does not', voice(['g', 0, 0n, bits.Connect]), somebody(), reads, false],
    ['who may not join it does not manage it', voice(), somebody('mods'), bits.ManageChannels, false],
    ['a role administers', channel(), somebody('mods'), bits.ManageChannels, true],
    [
      'who does not see a channel does not administer it',
      channel(['g', 0, 0n, bits.ViewChannel]),
      somebody('mods'),
      bits.ManageChannels,
      false,
    ],
  ])('%s', (_name, where, who, wanted, has) => {
    expect((permissionsIn(guild, where, who) & wanted) === wanted).toBe(has)
  })

  test('a time-out leaves reading and nothing else', () => {
    const member = { roles: ['mods'], communication_disabled_until: new Date(Date.now() + 60_000).toISOString() }
    const left = permissionsIn(guild, channel(), { id: 'u', member })
    expect(left).toBe(reads)
  })
})

async function scene() {
  const discord = await openDouble()
  const opened = await open(discord)
  const { adapter, general } = opened
  const at = (id: string, thread?: string): ConversationRef => ({
    ...general,
    channel: id,
    ...(thread === undefined ? {} : { thread }),
  })
  const ana = discord.userId('ana')
  return { ...opened, at, ana, isMember: (where: ConversationRef) => adapter.isMember(where, ana) }
}

describe('membership', () => {
  test('is asked of Discord each time: a role lost a moment ago counts', async () => {
    const { discord, at, isMember } = await scene()
    const role = discord.addRole(0n)
    const closed = discord.addChannel('board')
    discord.setOverwrites(closed, [
      { id: discord.guildId, type: 0, allow: '0', deny: String(bits.ViewChannel) },
      { id: role, type: 0, allow: String(bits.ViewChannel), deny: '0' },
      { id: discord.botRoleId, type: 0, allow: String(bits.ViewChannel), deny: '0' },
    ])
    expect(await isMember(at(closed))).toBe(false)
    discord.setMember('ana', { roles: [role] })
    expect(await isMember(at(closed))).toBe(true)
    discord.setMember('ana', { roles: [] })
    expect(await isMember(at(closed))).toBe(false)
  })

  test('of a channel that is closed to us is no', async () => {
    const { discord, at, isMember } = await scene()
    const closed = discord.addChannel('board')
    discord.setOverwrites(closed, [{ id: discord.botRoleId, type: 0, allow: '0', deny: String(bits.ViewChannel) }])
    expect(await isMember(at(closed))).toBe(false)
    const hidden = discord.addChannel('hidden')
    discord.hideChannel(hidden)
    expect(await isMember(at(hidden))).toBe(false)
  })

  test('of a private thread belongs to those in it, of an open one to who reads the channel', async () => {
    const { discord, at, isMember } = await scene()
    const closed = discord.addThread(discord.channel, 'board', undefined, { closed: true })
    const trip = discord.addThread(discord.channel, 'trip')
    expect(await isMember(at(discord.channel, trip))).toBe(true)
    expect(await isMember(at(discord.channel, closed))).toBe(false)
    discord.joinThread(closed, 'ana')
    expect(await isMember(at(discord.channel, closed))).toBe(true)
    expect(await isMember(at(discord.addChannel('other'), closed))).toBe(false)
  })

  test('of a private thread as a channel of its own is asked of the thread', async () => {
    const { discord, adapter, at, ana, isMember } = await scene()
    const closed = discord.addThread(discord.channel, 'board', undefined, { closed: true })
    expect(await isMember(at(closed))).toBe(false)
    expect(await adapter.describeChannel(at(closed, closed))).toMatchObject({ name: 'board', isPublic: false })
    const mods = discord.addRole(bits.ManageChannels)
    discord.setMember('ana', { roles: [mods] })
    expect(await adapter.isAdmin(at(closed), ana)).toBe(false)
    discord.joinThread(closed, 'ana')
    expect(await isMember(at(closed, closed))).toBe(true)
    expect(await adapter.isAdmin(at(closed), ana)).toBe(true)
    discord.setOverwrites(discord.channel, [
      { id: discord.guildId, type: 0, allow: '0', deny: String(bits.ViewChannel) },
    ])
    expect(await isMember(at(closed))).toBe(false)
  })

  test('of a channel of another guild is no, whatever the conversation says', async () => {
    const { at, isMember, general } = await scene()
    expect(await isMember({ ...at(general.channel), workspace: '999' })).toBe(false)
  })

  test('that cannot be told is no, and stands in the log', async () => {
    const { discord, at, isMember, general, lines } = await scene()
    discord.script('GET /guilds/:guild', { kind: 'status', status: 500, times: 9 })
    expect(await isMember(at(general.channel))).toBe(false)
    expect(lines.some(({ message }) => message.includes('taken as no'))).toBe(true)
  })
})

describe('the kind of a person', () => {
  test('is asked for the channel; who may not read it is a stranger, whoever they are', async () => {
    const { discord, adapter, at, general } = await scene()
    const kind = (name: string, where = at(general.channel)) => adapter.people.kindOf(where, discord.userId(name))
    discord.setMember('Polly', { roles: [], pending: true })
    discord.say({ user: 'robot', bot: true, text: 'beep' })
    discord.userId('Zoe')
    discord.leave('Zoe')
    expect(await Promise.all(['ana', 'owner', 'Polly', 'robot', 'Zoe'].map((name) => kind(name)))).toEqual([
      'member',
      'member',
      'guest',
      'bot',
      'stranger',
    ])
    expect(await kind('Zoe', { ...at(discord.directChannelOf('Zoe')), workspace: '@me', direct: true })).toBe('member')
    const hidden = discord.addChannel('hidden')
    discord.hideChannel(hidden)
    expect(await kind('ana', at(hidden))).toBeUndefined()
    discord.script('GET /guilds/:guild/members/:user', { kind: 'status', status: 500, times: 9 })
    await expect(kind('Kim')).rejects.toMatchObject({ code: 'network' })
  })

  test('is asked once by many, and the guild once for all', async () => {
    const { discord, adapter, at, general } = await scene()
    const people = Array.from({ length: 20 }, (_, index) => discord.userId(`member ${index % 10}`))
    await Promise.all(people.map((person) => adapter.people.kindOf(at(general.channel), person)))
    expect(discord.callsTo('GET /guilds/:guild')).toHaveLength(1)
    // Ten people and Footbridge.
    expect(discord.callsTo('GET /guilds/:guild/members/:user')).toHaveLength(11)
  })

  test('administering the server means to manage it', async () => {
    const { discord, adapter, at, ana } = await scene()
    expect(await adapter.isAdmin(at(''), ana)).toBe(false)
    discord.setMember('ana', { roles: [discord.addRole(bits.ManageGuild)] })
    expect(await adapter.isAdmin(at(''), ana)).toBe(true)
    expect(await adapter.isAdmin(at(''), discord.userId('owner'))).toBe(true)
  })
})

describe('what a channel is', () => {
  test('it is public when everybody may read it', async () => {
    const { adapter, discord, at } = await scene()
    const closed = discord.addChannel('board')
    expect(await adapter.describeChannel(at(closed))).toMatchObject({ name: 'board', isPublic: true })
    discord.setOverwrites(closed, [{ id: discord.guildId, type: 0, allow: '0', deny: String(bits.ReadMessageHistory) }])
    expect(await adapter.describeChannel(at(closed))).toMatchObject({ name: 'board', isPublic: false })
    const thread = discord.addThread(discord.channel, 'x', undefined, { closed: true })
    expect(await adapter.describeChannel(at(discord.channel, thread))).toMatchObject({
      name: 'general',
      isPublic: false,
    })
    expect(await adapter.describeChannel(at('404'))).toBeUndefined()
  })

  test('a message names a thread as what it is, and channels out of reach not at all', async () => {
    const { discord, nextMessage, general } = await scene()
    const thread = discord.addThread(discord.channel, 'trip', undefined, { announced: false })
    const hidden = discord.addChannel('hidden')
    discord.hideChannel(hidden)
    discord.say({ mention: true, text: `see <#${thread}> and <#404>` })
    const message = await nextMessage()
    expect(message.text).toBe('see #trip and #channel')
    expect(message.channels).toEqual([{ name: 'trip', conversation: { ...general, thread } }])
  })
})
