import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { createPerson } from '../support/people/person.ts'
import type { ChatWorkspace } from '../support/people/workspace.ts'
import { type Agent, openAgent as openAgentAt, waysTo } from './agents.ts'
import { openSetting, type Room, type Setting, vaultFile } from './setting.ts'

const LONG_MS = 900_000
const PEOPLE = ['Ada', 'Ben', 'Cleo', 'Mallory']
const TOKEN = /fbt-[\w-]{59}/g

/** Who may not read which rooms. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  Mallory: ['board', 'staff', 'lab', 'ada-direct', 'ben-direct', 'cleo-direct'],
  Ben: ['board', 'lab', 'ada-direct', 'cleo-direct', 'mallory-direct'],
  Cleo: ['board', 'staff', 'ada-direct', 'ben-direct', 'mallory-direct'],
}

const textOf = async (workspace: ChatWorkspace, room: Room) =>
  (await workspace.messages(room)).map(({ text }) => text).join('\n')

/** Calls the command, and reads the token that is shown once. */
async function makeToken(workspace: ChatWorkspace, person: string, room: Room, name: string): Promise<string> {
  const before = new Set((await textOf(workspace, room)).match(TOKEN))
  await createPerson(workspace, person, room).calls('connect', { options: { name } })
  return eventually(async () => (await textOf(workspace, room)).match(TOKEN)?.find((one) => !before.has(one)))
}

describe('what is known in one room only, asked for by an agent', () => {
  let setting: Setting
  let tries = 0
  /** Agents by service and person. */
  const agents = new Map<string, Agent>()
  const tokens = new Map<string, string>()
  /** Ids of the passages with the canaries, as a member of the room gets them. */
  const passages = new Map<Room, string>()

  const openAgent = (token: string) => openAgentAt(setting.footbridge.url, token)

  const agentOf = (workspace: ChatWorkspace, person: string) => {
    const agent = agents.get(`${workspace.service} ${person}`)
    if (agent === undefined) throw new Error(`${person} has no agent.`)
    return agent
  }

  /** Canaries that got out. */
  async function attack(agent: Agent, room: Room): Promise<readonly string[]> {
    const ways = waysTo({ ...room, collection: setting.collectionOf(room), passage: passages.get(room) ?? '' })
    const given = await Promise.all(ways.map(([tool, args]) => agent.call(tool, args)))
    tries += given.length
    return given.filter((text) => text.includes(room.canary)).map((text) => `${room.name}: ${text.slice(0, 200)}`)
  }

  beforeAll(async () => {
    setting = await openSetting()
    for (const workspace of setting.workspaces) {
      for (const person of PEOPLE) {
        const token = await makeToken(workspace, person, setting.room(workspace, 'lobby'), `${person}-agent`)
        tokens.set(`${workspace.service} ${person}`, token)
        agents.set(`${workspace.service} ${person}`, await openAgent(token))
      }
    }
    await setting.settled(setting.workspaces.length * PEOPLE.length)
  }, LONG_MS)
  afterAll(async () => {
    await setting.close()
  })

  it('has its tokens nowhere on the disk and in no log', () => {
    const { dataDir, output } = setting.footbridge
    const kept = readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    const all = [...kept, ...output.all].join('\n')
    expect(all.length).toBeGreaterThan(100_000)
    expect([...tokens.values()].filter((token) => all.includes(token.slice(20)))).toEqual([])
  })

  it(
    'is found by the agents of those who are in the room',
    async () => {
      const missing: string[] = []
      for (const { workspace, room } of setting.everywhere()) {
        // A conversation with Footbridge alone belongs to no server of Discord.
        if (workspace.service === 'discord' && room.kind === 'direct') continue
        for (const person of room.members) {
          const found = await agentOf(workspace, person).search(`pass phrase of the vault of ${room.name}`)
          const passage = found.find(({ text }) => text.includes(room.canary))
          if (passage === undefined) missing.push(`${workspace.service}: ${room.name} by ${person}`)
          else passages.set(room, passage.id)
        }
      }
      expect(missing).toEqual([])
    },
    LONG_MS,
  )

  it(
    'does not get out to the agents of others',
    async () => {
      const out: string[] = []
      for (const workspace of setting.workspaces)
        for (const [person, rooms] of Object.entries(OUTSIDE))
          for (const name of rooms)
            out.push(...(await attack(agentOf(workspace, person), setting.room(workspace, name))))
      expect(out).toEqual([])
    },
    LONG_MS,
  )

  it(
    'does not get out by a token of another workspace',
    async () => {
      const out: string[] = []
      for (const workspace of setting.workspaces)
        for (const other of setting.workspaces.filter((one) => one !== workspace))
          for (const name of ['lobby', 'board', 'staff'])
            out.push(...(await attack(agentOf(workspace, 'Ada'), setting.room(other, name))))
      expect(out).toEqual([])
    },
    LONG_MS,
  )

  it(
    'is out of reach at once for who left the room',
    async () => {
      for (const workspace of setting.workspaces) {
        const staff = setting.room(workspace, 'staff')
        const ben = agentOf(workspace, 'Ben')
        expect(await ben.call('fetch', { id: passages.get(staff) })).toContain(staff.canary)
        workspace.leave('Ben', staff)
        expect(await attack(ben, staff)).toEqual([])
      }
    },
    LONG_MS,
  )

  const roomsOfCleo = (workspace: ChatWorkspace) => ['lobby', 'lab'].map((name) => setting.room(workspace, name))

  it(
    'rests when the room is made public, and is out of reach within 30 s for who was removed from the workspace',
    async () => {
      const opened = new Map<ChatWorkspace, Room>()
      for (const workspace of setting.workspaces) {
        const room = await setting.addRoom(workspace, 'opened', ['Ada'])
        opened.set(workspace, room)
        await createPerson(workspace, 'Ada', room).drops(vaultFile('opened', room.canary))
        await setting.settled(1)
        const ada = agentOf(workspace, 'Ada')
        const found = await ada.search('pass phrase of the vault of opened')
        passages.set(room, found.find(({ text }) => text.includes(room.canary))?.id ?? '')
        const cleo = agentOf(workspace, 'Cleo')
        for (const known of roomsOfCleo(workspace))
          expect(await cleo.call('fetch', { id: passages.get(known) })).toContain(known.canary)
        workspace.publish(room)
        workspace.join('Mallory', room)
      }
      // The chat service is asked how open a channel is at most twice a minute.
      await delay(1000)
      for (const workspace of setting.workspaces) workspace.expel('Cleo')
      await delay(30_000)
      for (const [workspace, room] of opened)
        for (const person of ['Mallory', 'Ada']) expect(await attack(agentOf(workspace, person), room)).toEqual([])
      for (const workspace of setting.workspaces)
        for (const room of [...roomsOfCleo(workspace), setting.room(workspace, 'cleo-direct')])
          expect(await attack(agentOf(workspace, 'Cleo'), room)).toEqual([])
    },
    LONG_MS,
  )

  it(
    'is read through a link as long as the link holds',
    async () => {
      for (const workspace of setting.workspaces) {
        const depot = await setting.addRoom(workspace, 'depot', ['Ada'])
        const tower = await setting.addRoom(workspace, 'tower', ['Ada', 'Mallory'])
        const ada = createPerson(workspace, 'Ada', tower)
        await createPerson(workspace, 'Ada', depot).drops(vaultFile('depot', depot.canary))
        await ada.asks(`link ${workspace.linkTo(depot)}`)
        await setting.settled(2)
        await ada.presses('Link')
        await setting.settled(1)
        const mallory = agentOf(workspace, 'Mallory')
        const found = await mallory.search('pass phrase of the vault of depot')
        const passage = found.find(({ text }) => text.includes(depot.canary))
        expect(passage).toBeDefined()
        passages.set(depot, passage?.id ?? '')
        await ada.asks('unlink')
        await setting.settled(1)
        expect(await attack(mallory, depot)).toEqual([])
      }
    },
    LONG_MS,
  )

  it(
    'does not get out by a token for another room only',
    async () => {
      for (const workspace of setting.workspaces) {
        const lobby = setting.room(workspace, 'lobby')
        const narrow = await openAgent(await makeToken(workspace, 'Ada', lobby, 'narrow here'))
        const rooms = setting.rooms(workspace).filter(({ name }) => name !== 'lobby')
        for (const room of rooms) expect(await attack(narrow, room)).toEqual([])
        const found = await narrow.search('pass phrase of the vault of lobby')
        expect(found.map(({ text }) => text).join('\n')).toContain(lobby.canary)
      }
    },
    LONG_MS,
  )

  it(
    'is closed to tokens that are revoked, forged or changed',
    async () => {
      for (const workspace of setting.workspaces) {
        const lobby = setting.room(workspace, 'lobby')
        await createPerson(workspace, 'Ada', lobby).calls('disconnect', { options: { name: 'Ada-agent' } })
        await setting.settled(1)
      }
      const url = new URL('/mcp', setting.footbridge.url)
      const statusOf = async (authorization: string) => {
        const headers = {
          authorization,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        }
        const params = { name: 'list_collections', arguments: {} }
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
        const response = await fetch(url, { method: 'POST', headers, body })
        await response.text()
        return response.status
      }
      const bad: string[] = []
      for (const [whose, token] of tokens) {
        if (whose.endsWith('Ada')) bad.push(token)
        // The tag of a person tells whose a token would be; its rest is what counts.
        for (let at = 0; at < 40; at += 1) {
          const place = 4 + Math.floor((at * 59) / 40)
          const other = token[place] === 'A' ? 'B' : 'A'
          bad.push(`${token.slice(0, place)}${other}${token.slice(place + 1)}`)
        }
        for (let at = 0; at < 20; at += 1) bad.push(`${token.slice(0, 20)}${randomBytes(32).toString('base64url')}`)
        bad.push(token.slice(0, -1), `${token}A`, token.toUpperCase(), ` ${token.slice(4)}`, `fbt-${token}`)
      }
      const statuses = new Map<number, number>()
      for (const token of bad) {
        const status = await statusOf(`Bearer ${token}`)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      expect(bad.length).toBeGreaterThanOrEqual(500)
      expect([...statuses.keys()]).toEqual([401])
      process.stdout.write(`Leak suite over MCP: ${bad.length} false tokens, 0 got in.\n`)
    },
    LONG_MS,
  )

  it('was tried for five hundred times', () => {
    expect(tries).toBeGreaterThanOrEqual(500)
    process.stdout.write(`Leak suite over MCP: ${tries} tries, 0 canaries got out.\n`)
  })
})
