/** Who may do what in which kind of channel, one test a cell: the whole bridge on the real adapter, asked by the double. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PermissionFlagsBits as bits } from 'discord.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDiscordAdapter } from '../../../adapters/discord/adapter.ts'
import { createBridge, type Bridge } from '../../../src/bridge/bridge.ts'
import { openStore } from '../../../src/store/store.ts'
import { type DiscordDouble, startDiscordDouble } from '../../doubles/discord/discord-double.ts'
import { eventually } from '../../support/eventually.ts'
import { createFakePlatform } from '../../support/fakes/platform.ts'
import { createLog } from './harness.ts'

const READ = bits.ViewChannel | bits.ReadMessageHistory
const PEOPLE = ['owner', 'manager', 'member', 'role', 'no access', 'outside'] as const
const CHANNELS = [
  'public',
  'staff',
  'age-restricted',
  'thread',
  'private thread',
  'staff thread',
  'forum post',
  'direct',
] as const
const ACTS = ['ask', 'drop', 'press', 'command'] as const
type Who = (typeof PEOPLE)[number]
type Where = (typeof CHANNELS)[number]
type Right = 'manage' | 'read' | 'nothing'

const row = (...rights: readonly Right[]) => Object.fromEntries(PEOPLE.map((who, index) => [who, rights[index]]))
/**
 * Rights of owner, manager, member, role, no access, outside. `staff` is open to a role; the private thread to the
 * member in it, and to who manages threads. The last two have left or never came in: Discord would not let them act, but
 * a late event of theirs must not open anything. A direct conversation belongs to its person.
 */
const MAY = {
  public: row('manage', 'manage', 'read', 'read', 'nothing', 'nothing'),
  staff: row('manage', 'manage', 'nothing', 'read', 'nothing', 'nothing'),
  'age-restricted': row('manage', 'manage', 'read', 'read', 'nothing', 'nothing'),
  thread: row('manage', 'manage', 'read', 'read', 'nothing', 'nothing'),
  'private thread': row('manage', 'manage', 'read', 'nothing', 'nothing', 'nothing'),
  'staff thread': row('manage', 'manage', 'nothing', 'read', 'nothing', 'nothing'),
  'forum post': row('manage', 'manage', 'read', 'read', 'nothing', 'nothing'),
  direct: row('manage', 'manage', 'manage', 'manage', 'manage', 'manage'),
} as Readonly<Record<Where, Readonly<Record<Who, Right>>>>

let discord: DiscordDouble
let crew = ''
let bridge: Bridge
const places = new Map<Where, { readonly channel: string; readonly thread?: string }>()
/** In each place, an answer that its owner got. */
const answers = new Map<Where, string>()
const adapters: ReturnType<typeof createDiscordAdapter>[] = []
const folder = mkdtempSync(join(tmpdir(), 'footbridge-policy-'))
const store = openStore(folder)
const platform = createFakePlatform()
const { log, lines } = createLog()

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

beforeAll(async () => {
  discord = await startDiscordDouble({ locale: 'en-GB', limits: { edits: Infinity } })
  const adapter = createDiscordAdapter({
    token: discord.token,
    apiUrl: discord.apiUrl,
    fileHosts: [discord.fileHost],
    globalRequestsPerSecond: 2000,
    log,
    times: { editPaceMs: 1, editWindowMs: 5 },
  })
  adapters.push(adapter)
  bridge = createBridge({ adapters: [adapter], platform, store, log, indexing: { pollMs: [2, 5] } })
  const staffRole = discord.addRole(0n)
  crew = discord.addRole(0n, 'crew')
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
  discord.userId('outside')
  discord.leave('outside')
  await bridge.start()
  for (const where of CHANNELS) {
    if (where === 'direct') continue
    answers.set(where, (await answerTo(idOf(where), await ask('owner', where))).id)
  }
})

afterAll(async () => {
  await bridge.stop(0)
  await discord.close()
  store.close()
  rmSync(folder, { recursive: true })
})

const CELLS = CHANNELS.flatMap((where) => PEOPLE.map((who) => [who, where, MAY[where][who]] as const))

describe('who reads and manages', () => {
  test.each(CELLS)('%s, %s: %s', async (who, where, expected) => {
    const [adapter] = adapters
    const direct = where === 'direct'
    const place = places.get(where) ?? { channel: channelOf(who, where) }
    const conversation = { adapter: 'discord', workspace: direct ? '@me' : discord.guildId, ...place, direct }
    const person = discord.userId(who)
    const [reads, manages, kind] = await Promise.all([
      adapter?.isMember(conversation, person),
      adapter?.isAdmin(conversation, person),
      adapter?.kindOf(conversation, person),
    ])
    expect(manages && reads ? 'manage' : reads ? 'read' : 'nothing').toBe(expected)
    expect(kind).toBe(expected === 'nothing' ? 'stranger' : 'member')
  })
})

const seenBy = (who: Who, where: Where) =>
  discord.transcript(channelOf(who, where)).filter(({ only }) => where === 'direct' || only === who)
const REFUSED = /^You may not read this channel/

/** What a person does in a place, and what they must see then. */
const CHECK: Readonly<Record<(typeof ACTS)[number], (who: Who, where: Where, may: Right) => Promise<void>>> = {
  async ask(who, where, may) {
    const question = await ask(who, where)
    if (may === 'nothing') return refusedSilently(who, where, 'ask', question)
    const { text } = await answerTo(channelOf(who, where), question)
    expect(text).toMatch(/^(?:At nine\.|\*\*I found no passage)/)
  },
  async drop(who, where, may) {
    const name = `${who} ${where}.md`
    const files = [{ name, bytes: `of ${who} in ${where}`, mimeType: 'text/markdown' }]
    const channel = channelOf(who, where)
    const { id } = discord.say({ user: who, channel, direct: where === 'direct', files })
    if (may === 'nothing') return refusedSilently(who, where, 'drop', id)
    const receipt = await discord.until(() => {
      const shown = replyTo(channel, id)
      return shown?.text.includes('ready') === true && shown
    })
    expect(receipt.text).toContain(name)
  },
  async press(who, where, may) {
    const answer =
      where === 'direct'
        ? (await answerTo(channelOf(who, where), await ask(who, where))).id
        : (answers.get(where) ?? 'none')
    const before = seenBy(who, where).length
    expect(await discord.pressButton(answer, '👍', who).acknowledged).toBe(true)
    const said = await discord.until(() => seenBy(who, where).slice(before).at(-1))
    expect(said.text).toMatch(may === 'nothing' ? REFUSED : /^Thanks/)
  },
  async command(who, where, may) {
    const channel = channelOf(who, where)
    const before = seenBy(who, where).length
    // Settings are not offered in direct conversations.
    const call =
      where === 'direct'
        ? discord.callCommand('usage', { user: who, channel })
        : discord.callCommand('settings', { user: who, channel, options: { change: 'answers usual' } })
    expect(await call.acknowledged).toBe(true)
    const said = await discord.until(() => {
      const newest = seenBy(who, where).slice(before).at(-1)
      return newest !== undefined && newest.text !== '' && newest
    })
    const own = where === 'direct' ? /./ : /Mentions and follow-ups/
    expect(said.text).toMatch(may === 'manage' ? own : may === 'read' ? /Only somebody who administers/ : REFUSED)
  },
}

describe.each(ACTS)('what comes of it: %s', (act) => {
  test.each(CELLS)('%s, %s (%s)', async (who, where, may) => {
    await expect(CHECK[act](who, where, may)).resolves.toBeUndefined()
  })
})

describe('a file of somebody else', () => {
  test.each(CELLS.filter(([, where, may]) => where === 'public' && may !== 'nothing'))(
    '%s, %s (%s): is forgotten by who manages',
    async (who, where, may) => {
      const channel = channelOf(who, where)
      const name = `kept from ${who}.md`
      const files = [{ name, bytes: `kept from ${who}`, mimeType: 'text/markdown' }]
      const drop = discord.say({ user: 'owner', channel, files })
      await discord.until(() => replyTo(channel, drop.id)?.text.includes('ready') === true)
      const said = discord.say({ user: who, channel, text: `forget ${name}`, mention: true })
      // A refusal is seen by its person alone, since a press of theirs allows that.
      const refusal = () => seenBy(who, where).find(({ text }) => text.includes('owner') && text.includes('dropped'))
      const reply = await discord.until(() => replyTo(channel, said.id) ?? refusal(), 10_000)
      expect(reply.buttons.length > 0).toBe(may === 'manage')
    },
  )
})

const REMOVERS = 'Roles that may remove files of others'
const CHANGERS = 'Roles that may change these settings'
const inPublic = (who: Who) => seenBy(who, 'public')

async function callSettings(who: Who) {
  const before = inPublic(who).length
  discord.callCommand('settings', { user: who, channel: idOf('public') })
  return discord.until(() =>
    inPublic(who)
      .slice(before)
      .find(({ text }) => text !== ''),
  )
}

async function openPanel(who: Who) {
  const shown = await callSettings(who)
  discord.pressButton(shown.id, shown.buttons[0] ?? '', who)
  return discord.until(() => {
    const newest = inPublic(who).at(-1)
    return newest?.panel === true && newest.id !== shown.id && newest
  })
}

async function choose(who: Who, panel: string, label: string) {
  const before = inPublic(who).length
  discord.choose(panel, label, who, [crew])
  return (await discord.until(() => inPublic(who).slice(before).at(-1))).text
}

async function changes(who: Who, may: Right, label: string, isEntrusted: boolean) {
  if (may === 'nothing') return REFUSED.test((await callSettings(who)).text)
  const panel = await openPanel(who)
  if (may === 'read' && who !== 'role') return panel.menus?.length === 0 && panel.text.includes('administers')
  return (await choose(who, panel.id, label)).includes(isEntrusted ? 'are saved' : 'Only somebody who administers')
}

/** What somebody does that administrators left to a role; true: it ended as it should. */
const LEFT: Readonly<Record<string, (who: Who, may: Right, isEntrusted: boolean) => Promise<boolean>>> = {
  async drop(who, may, isEntrusted) {
    const files = [{ name: `left to ${who}.md`, bytes: `left to ${who}`, mimeType: 'text/markdown' }]
    const before = inPublic(who).length
    const { id } = discord.say({ user: who, channel: idOf('public'), files })
    if (may === 'nothing') await refusedSilently(who, 'public', 'drop', id)
    else
      await discord.until(() => {
        const shown = replyTo(idOf('public'), id) ?? inPublic(who).slice(before).at(-1)
        return shown?.text.includes(isEntrusted ? 'ready' : 'Only those who administer')
      })
    return true
  },
  async forget(who, may, isEntrusted) {
    const channel = idOf('public')
    const name = `of the owner for ${who}.md`
    const drop = discord.say({ user: 'owner', channel, files: [{ name, bytes: name, mimeType: 'text/markdown' }] })
    await discord.until(() => replyTo(channel, drop.id)?.text.includes('ready'))
    const before = inPublic(who).length
    const said = discord.say({ user: who, channel, text: `forget ${name}`, mention: true })
    if (may === 'nothing') {
      await refusedSilently(who, 'public', 'command', said.id)
      return true
    }
    const refusal = () =>
      inPublic(who)
        .slice(before)
        .find(({ text }) => text.includes('dropped'))
    const reply = await discord.until(() => replyTo(channel, said.id) ?? refusal(), 10_000)
    return reply.buttons.length > 0 === isEntrusted
  },
  configure: async (who, may, isEntrusted) => changes(who, may, REMOVERS, isEntrusted),
  // Who configures by a role can't choose the roles that do.
  appoint: async (who, may) => changes(who, may, CHANGERS, may === 'manage'),
}

describe('what was left to a role', () => {
  let said = ''
  beforeAll(async () => {
    const panel = await openPanel('owner')
    for (const label of [REMOVERS, CHANGERS]) await choose('owner', panel.id, label)
    said = await choose('owner', panel.id, 'Roles that may add files')
  })

  test('is told, and stands in the panel', async () => {
    expect(said).toMatch(/Who may add files: \*\*Administrators of the channel\*\*/)
    expect(said).toMatch(/Roles that may add files: \*\*crew\*\* and who administers/)
    expect((await openPanel('owner')).menus?.slice(-3)).toEqual(['crew', 'crew', 'crew'])
  })

  test.each(Object.keys(LEFT).flatMap((act) => PEOPLE.map((who) => [act, who, MAY.public[who]] as const)))(
    '%s: %s (%s)',
    async (act, who, may) => {
      expect(await LEFT[act]?.(who, may, may === 'manage' || who === 'role')).toBe(true)
    },
  )
})
