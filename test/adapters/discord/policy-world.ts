/** A server with all kinds of people and channels: the whole bridge on the real adapter, asked by the double. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PermissionFlagsBits as bits } from 'discord.js'
import { expect } from 'vitest'
import { createDiscordAdapter } from '#adapters/discord/adapter.ts'
import { createBridge } from '#bridge/bridge.ts'
import { openStore } from '#store/store.ts'
import { type DiscordDouble, startDiscordDouble } from '#test/doubles/discord/discord-double.ts'
import { eventually } from '#test/support/eventually.ts'
import { createFakePlatform } from '#test/support/fakes/platform.ts'
import { createLog } from './harness.ts'

const READ = bits.ViewChannel | bits.ReadMessageHistory
export const PEOPLE = ['owner', 'manager', 'member', 'role', 'no access', 'outside'] as const
export const CHANNELS = [
  'public',
  'staff',
  'age-restricted',
  'thread',
  'private thread',
  'staff thread',
  'forum post',
  'staff forum post',
  'announcements',
  'voice chat',
  'direct',
] as const
/** A direct conversation has no roles. */
export const SHARED = CHANNELS.filter((where) => where !== 'direct')
export const REFUSED = /^You may not read this channel/
export type Who = (typeof PEOPLE)[number]
export type Where = (typeof CHANNELS)[number]
export type Right = 'manage' | 'read' | 'nothing'

const row = (...rights: readonly Right[]) => Object.fromEntries(PEOPLE.map((who, index) => [who, rights[index]]))
/**
 * Rights of owner, manager, member, role, no access, outside. `staff` is open to a role, and the voice channel, which
 * everybody sees, is joined by that role alone; the private thread is open to the member in it, and to who manages
 * threads. The last two have left or never came in: Discord would not let them act, but their late events must not open
 * anything. A direct conversation belongs to its person.
 */
export const MAY = {
  public: row('manage', 'manage', 'read', 'read', 'nothing', 'nothing'),
  staff: row('manage', 'manage', 'nothing', 'read', 'nothing', 'nothing'),
  'age-restricted': row('manage', 'manage', 'read', 'read', 'nothing', 'nothing'),
  thread: row('manage', 'manage', 'read', 'read', 'nothing', 'nothing'),
  'private thread': row('manage', 'manage', 'read', 'nothing', 'nothing', 'nothing'),
  'staff thread': row('manage', 'manage', 'nothing', 'read', 'nothing', 'nothing'),
  'forum post': row('manage', 'manage', 'read', 'read', 'nothing', 'nothing'),
  'staff forum post': row('manage', 'manage', 'nothing', 'read', 'nothing', 'nothing'),
  announcements: row('manage', 'manage', 'read', 'read', 'nothing', 'nothing'),
  'voice chat': row('manage', 'manage', 'nothing', 'read', 'nothing', 'nothing'),
  direct: row('manage', 'manage', 'manage', 'manage', 'manage', 'manage'),
} as Readonly<Record<Where, Readonly<Record<Who, Right>>>>

interface Place {
  readonly channel: string
  readonly thread?: string
}

const mayJoin = (id: string, type: 0 | 1) => ({ id, type, allow: bits.Connect.toString(), deny: '0' })

/** People with their roles, and channels of each kind with their overwrites. */
function furnish(discord: DiscordDouble) {
  const places = new Map<Where, Place>()
  const staffRole = discord.addRole(0n)
  const crew = discord.addRole(0n, 'crew')
  discord.setMember('manager', { roles: [discord.addRole(READ | bits.ManageChannels | bits.ManageThreads)] })
  discord.setMember('member', { roles: [] })
  discord.setMember('role', { roles: [staffRole, crew] })
  const none = discord.userId('no access')
  const closedTo = (id: string, type: 0 | 1) => ({ id, type, allow: '0', deny: READ.toString() })
  const openTo = (id: string, type: 0 | 1) => ({ id, type, allow: READ.toString(), deny: '0' })
  const open = discord.addChannel('open')
  const adults = discord.addChannel('adults', { nsfw: true })
  const forum = discord.addPlace('help', 'forum')
  for (const channel of [open, adults, forum]) discord.setOverwrites(channel, [closedTo(none, 1)])
  const staff = discord.addChannel('staff')
  const closed = [closedTo(discord.guildId, 0), openTo(staffRole, 0), openTo(discord.botRoleId, 0)]
  discord.setOverwrites(staff, [...closed, openTo(discord.userId('manager'), 1)])
  const privateThread = discord.addThread(open, 'closed', undefined, { closed: true })
  discord.joinThread(privateThread, 'member')
  discord.joinThread(privateThread, 'Footbridge')
  places.set('public', { channel: open })
  places.set('staff', { channel: staff })
  places.set('age-restricted', { channel: adults })
  places.set('thread', { channel: open, thread: discord.addThread(open, 'thread') })
  places.set('private thread', { channel: privateThread, thread: privateThread })
  places.set('staff thread', { channel: staff, thread: discord.addThread(staff, 'plans') })
  places.set('forum post', { channel: forum, thread: discord.post(forum, 'Opening?', { user: 'owner', text: 'Hi' }) })
  const staffForum = discord.addPlace('plans', 'forum')
  discord.setOverwrites(staffForum, [...closed, openTo(discord.userId('manager'), 1)])
  const news = discord.addPlace('news', 'announcement')
  discord.setOverwrites(news, [closedTo(none, 1)])
  const voice = discord.addPlace('bridge', 'voice')
  discord.setOverwrites(voice, [
    { id: discord.guildId, type: 0, allow: '0', deny: bits.Connect.toString() },
    ...[staffRole, discord.botRoleId].map((id) => mayJoin(id, 0)),
    mayJoin(discord.userId('manager'), 1),
    closedTo(none, 1),
  ])
  places.set('staff forum post', {
    channel: staffForum,
    thread: discord.post(staffForum, 'Shifts?', { user: 'owner', text: 'Hi' }),
  })
  places.set('announcements', { channel: news })
  places.set('voice chat', { channel: voice })
  discord.userId('outside')
  discord.leave('outside')
  return { places, crew }
}

/** Acts of people there, and their views. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export async function openPolicyWorld() {
  const discord = await startDiscordDouble({ locale: 'en-GB', limits: { edits: Infinity } })
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-policy-'))
  const store = openStore(folder)
  const platform = createFakePlatform()
  const { log, lines } = createLog()
  const adapter = createDiscordAdapter({
    token: discord.token,
    apiUrl: discord.apiUrl,
    fileHosts: [discord.fileHost],
    globalRequestsPerSecond: 2000,
    log,
    times: { editPaceMs: 1, editWindowMs: 5 },
  })
  const bridge = createBridge({ adapters: [adapter], platform, store, log, indexing: { pollMs: [2, 5] } })
  const { places, crew } = furnish(discord)
  /** In each place, an answer that its owner got. */
  const answers = new Map<Where, string>()

  const idOf = (where: Where) => places.get(where)?.thread ?? places.get(where)?.channel ?? ''
  const channelOf = (who: Who, where: Where) => (where === 'direct' ? discord.directChannelOf(who) : idOf(where))

  async function ask(who: Who, where: Where): Promise<string> {
    platform.script.answer('At nine.')
    const direct = where === 'direct'
    const channel = channelOf(who, where)
    const { id } = discord.say({ user: who, channel, direct, text: 'When?', mention: !direct })
    return id
  }

  const replyTo = (channel: string, id: string) =>
    discord.transcript(channel).findLast((entry) => entry.bot && entry.replyTo === id)

  async function answerTo(channel: string, id: string) {
    return discord.until(() => {
      const shown = replyTo(channel, id)
      return shown?.buttons.includes('👍') === true && shown
    })
  }

  /** The bridge has refused this person, and said nothing to anybody in the channel. */
  async function refusedSilently(who: Who, where: Where, act: string, message: string) {
    const person = discord.userId(who)
    await eventually(() =>
      lines.some(({ message: said, fields }) => {
        const refused = fields as { readonly person?: string; readonly act?: string }
        return said === 'A person was refused' && refused.person === person && refused.act === act
      }),
    )
    expect(replyTo(channelOf(who, where), message)).toBeUndefined()
    lines.length = 0
  }

  const seenBy = (who: Who, where: Where) =>
    discord.transcript(channelOf(who, where)).filter(({ only }) => where === 'direct' || only === who)

  await bridge.start()
  for (const where of SHARED) answers.set(where, (await answerTo(idOf(where), await ask('owner', where))).id)

  return {
    discord,
    adapter,
    crew,
    places,
    answers,
    idOf,
    channelOf,
    ask,
    replyTo,
    answerTo,
    refusedSilently,
    seenBy,
    async close() {
      await bridge.stop(0)
      await discord.close()
      store.close()
      rmSync(folder, { recursive: true })
    },
  }
}
