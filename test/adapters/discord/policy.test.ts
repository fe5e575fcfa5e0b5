/** Who may do what in which kind of channel: the whole bridge on the real adapter, asked through the double. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PermissionFlagsBits as bits } from 'discord.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDiscordAdapter } from '../../../adapters/discord/adapter.ts'
import { createBridge, type Bridge } from '../../../src/bridge/bridge.ts'
import { openStore } from '../../../src/store/store.ts'
import { type DiscordDouble, startDiscordDouble } from '../../doubles/discord/discord-double.ts'
import { createFakePlatform } from '../../support/fakes/platform.ts'
import { createLog } from './harness.ts'

const READ = bits.ViewChannel | bits.ReadMessageHistory
const PEOPLE = ['owner', 'manager', 'member', 'role', 'no access', 'outside'] as const
const CHANNELS = ['public', 'staff', 'thread', 'private thread', 'direct'] as const
type Who = (typeof PEOPLE)[number]
type Where = (typeof CHANNELS)[number]

/**
 * Whether somebody may manage or read. `staff` is open to a role; the private thread to the member whom it has, and to
 * who manages threads. The last two have left or never came in, so the service would not let them act: a late event of
 * theirs must not open anything. A direct conversation belongs to its person.
 */
const MAY: Readonly<Record<Where, Readonly<Record<Who, 'manage' | 'read' | 'nothing'>>>> = {
  public: {
    owner: 'manage',
    manager: 'manage',
    member: 'read',
    role: 'read',
    'no access': 'nothing',
    outside: 'nothing',
  },
  staff: {
    owner: 'manage',
    manager: 'manage',
    member: 'nothing',
    role: 'read',
    'no access': 'nothing',
    outside: 'nothing',
  },
  thread: {
    owner: 'manage',
    manager: 'manage',
    member: 'read',
    role: 'read',
    'no access': 'nothing',
    outside: 'nothing',
  },
  'private thread': {
    owner: 'manage',
    manager: 'manage',
    member: 'read',
    role: 'nothing',
    'no access': 'nothing',
    outside: 'nothing',
  },
  direct: {
    owner: 'manage',
    manager: 'manage',
    member: 'manage',
    role: 'manage',
    'no access': 'manage',
    outside: 'manage',
  },
}

let discord: DiscordDouble
let bridge: Bridge
const places = new Map<Where, string>()
const adapters: ReturnType<typeof createDiscordAdapter>[] = []
const folder = mkdtempSync(join(tmpdir(), 'footbridge-policy-'))
const store = openStore(folder)
const platform = createFakePlatform()

beforeAll(async () => {
  discord = await startDiscordDouble({ locale: 'en-GB', limits: { edits: Infinity } })
  const { log } = createLog()
  const adapter = createDiscordAdapter({
    token: discord.token,
    apiUrl: discord.apiUrl,
    fileHosts: [discord.fileHost],
    log,
    times: { editPaceMs: 1, editWindowMs: 5 },
  })
  adapters.push(adapter)
  bridge = createBridge({ adapters: [adapter], platform, store, log, indexing: { pollMs: [2, 5] } })
  const staffRole = discord.addRole(0n)
  discord.setMember('manager', { roles: [discord.addRole(READ | bits.ManageChannels | bits.ManageThreads)] })
  discord.setMember('member', { roles: [] })
  discord.setMember('role', { roles: [staffRole] })
  const none = discord.userId('no access')
  const closedTo = (id: string, type: 0 | 1) => ({ id, type, allow: '0', deny: READ.toString() })
  const openTo = (id: string, type: 0 | 1) => ({ id, type, allow: READ.toString(), deny: '0' })
  const open = discord.addChannel('open')
  discord.setOverwrites(open, [closedTo(none, 1)])
  const staff = discord.addChannel('staff')
  discord.setOverwrites(staff, [
    closedTo(discord.guildId, 0),
    openTo(staffRole, 0),
    openTo(discord.botRoleId, 0),
    openTo(discord.userId('manager'), 1),
  ])
  const closed = discord.addThread(open, 'closed', undefined, { closed: true })
  discord.joinThread(closed, 'member')
  discord.joinThread(closed, 'Footbridge')
  places.set('public', open)
  places.set('staff', staff)
  places.set('thread', discord.addThread(open, 'thread'))
  places.set('private thread', closed)
  discord.userId('outside')
  discord.leave('outside')
  await bridge.start()
})

afterAll(async () => {
  await bridge.stop(0)
  await discord.close()
  store.close()
  rmSync(folder, { recursive: true })
})

const CELLS = CHANNELS.flatMap((where) => PEOPLE.map((who) => [who, where, MAY[where][who]] as const))
const channelOf = (who: Who, where: Where) =>
  where === 'direct' ? discord.directChannelOf(who) : (places.get(where) ?? '')

/** What the adapter tells the bridge about this person, as of now. */
async function asked(who: Who, where: Where) {
  const [adapter] = adapters
  if (adapter === undefined) throw new Error('not started')
  const channel = channelOf(who, where)
  const direct = where === 'direct'
  const inThread = where === 'thread' ? { channel: places.get('public') ?? '', thread: channel } : { channel }
  const own = where === 'private thread' ? { channel, thread: channel } : inThread
  const conversation = { adapter: 'discord', workspace: direct ? '@me' : discord.guildId, ...own, direct }
  const person = discord.userId(who)
  const [reads, manages] = await Promise.all([
    adapter.isMember(conversation, person),
    adapter.isAdmin(conversation, person),
  ])
  return { conversation, person, is: manages && reads ? 'manage' : reads ? 'read' : 'nothing' }
}

describe('who reads and manages', () => {
  test.each(CELLS)('%s, %s: %s', async (who, where, expected) => {
    const { is } = await asked(who, where)
    // In a direct conversation everybody is at home.
    expect(is).toBe(expected)
  })
})

const last = (channel: string, id: string) =>
  discord.transcript(channel).findLast(({ bot, replyTo }) => bot && replyTo === id)

describe('what came of it', () => {
  test.each(CELLS.filter(([, , may]) => may !== 'nothing'))(
    '%s, %s (%s): asks, presses and drops',
    async (who, where) => {
      const channel = channelOf(who, where)
      const direct = where === 'direct'
      platform.script.answer('At nine.')
      const question = discord.say({ user: who, channel, direct, text: 'When?', mention: !direct })
      const answer = await discord.until(() => {
        const shown = last(channel, question.id)
        return shown !== undefined && shown.buttons.length > 0 && shown
      })
      expect(answer.text).toMatch(/^(?:At nine\.|\*\*I found no passage)/)
      expect(await discord.pressButton(answer.id, '👍', who).acknowledged).toBe(true)
      await discord.until(() =>
        discord.transcript(channel).some(({ text, only }) => text.startsWith('Thanks') && (direct || only === who)),
      )
      const files = [{ name: `${who} ${where}.md`, bytes: `of ${who} in ${where}`, mimeType: 'text/markdown' }]
      const drop = discord.say({ user: who, channel, direct, files })
      const receipt = await discord.until(() => {
        const shown = last(channel, drop.id)
        return shown?.text.includes('ready') === true && shown
      })
      expect(receipt.text).toContain(`${who} ${where}.md`)
    },
  )

  test.each(CELLS.filter(([, where, may]) => where !== 'direct' && may !== 'nothing'))(
    '%s, %s (%s): a command answers them alone; settings are changed by who manages',
    async (who, where, may) => {
      const channel = channelOf(who, where)
      const mine = () => discord.transcript(channel).filter(({ only }) => only === who)
      const before = mine().length
      const call = discord.callCommand('settings', { user: who, channel, options: { change: 'answers usual' } })
      expect(await call.acknowledged).toBe(true)
      const shown = await discord.until(() => mine().length > before && mine().at(-1)?.text !== '' && mine().at(-1))
      expect(shown.text).toMatch(may === 'manage' ? /Mentions and follow-ups/ : /Only somebody who administers/)
    },
  )

  test.each(CELLS.filter(([, where, may]) => where === 'public' && may !== 'nothing'))(
    '%s, %s (%s): forgets a file of the owner only if they manage',
    async (who, where, may) => {
      const channel = channelOf(who, where)
      const name = `kept from ${who}.md`
      const files = [{ name, bytes: `kept from ${who}`, mimeType: 'text/markdown' }]
      const drop = discord.say({ user: 'owner', channel, files })
      await discord.until(() => last(channel, drop.id)?.text.includes('ready') === true)
      const said = discord.say({ user: who, channel, text: `forget ${name}`, mention: true })
      // A refusal is seen by its person alone, since a press of theirs allows that.
      const refusal = () =>
        discord
          .transcript(channel)
          .find(({ only, text }) => only === who && text.includes('owner') && text.includes('dropped'))
      const reply = await discord.until(() => last(channel, said.id) ?? refusal(), 10_000)
      expect(reply.buttons.length > 0).toBe(may === 'manage')
    },
  )
})
