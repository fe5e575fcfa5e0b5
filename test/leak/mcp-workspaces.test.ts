/** Two workspaces of Slack in one Footbridge, in which channels and people have the same ids. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBrowser, settingsFor } from '../adapters/slack/workspaces/many.ts'
import { type CloudTeam, type SlackCloud, startSlackCloud } from '../doubles/slack/cloud.ts'
import { type SlackIdentity, slackbotRequest } from '../doubles/slack/slackbot.ts'
import { type Footbridge, startFootbridge } from '../support/footbridge.ts'
import { freePort } from '../support/free-port.ts'
import { type Agent, openAgent, waysTo } from './agents.ts'
import { makeCanary, vaultFile } from './setting.ts'

const TEAMS = ['T1', 'T2'] as const
/** Its installation serves its workspace `T0ORG`. */
const ORGANIZATION = 'E0'
const ROOMS = ['open', 'closed'] as const
const ADA = 'U0SAME'
const TOKEN = /fbt-[\w-]{59}/
const LONG_MS = 300_000

interface Place {
  readonly name: string
  readonly canary: string
  readonly passage: string
}

let cloud: SlackCloud
let footbridge: Footbridge
const agents = new Map<string, Agent>()
const places = new Map<string, readonly Place[]>()

const shownIn = (team: CloudTeam, channel: string) =>
  team
    .transcript(channel)
    .map(({ text }) => text)
    .join('\n')

async function fill(team: CloudTeam): Promise<readonly Omit<Place, 'passage'>[]> {
  team.workspace.addUser({ id: ADA, name: 'Ada', locale: 'en-GB' })
  const made = []
  for (const name of ROOMS) {
    const id = `C0${name.toUpperCase()}`
    team.workspace.addChannel({ id, name, creator: ADA, ...(name === 'closed' ? { kind: 'private' } : {}) })
    team.workspace.channel(id).members.add(ADA)
    const canary = makeCanary()
    const { name: file, bytes } = vaultFile(name, canary)
    team.say({ channel: id, user: ADA, files: [team.hostFile(String(bytes), file, 'text/markdown')] })
    await cloud.until(() => /vault.*ready/.test(shownIn(team, id)), `the receipt of ${name} in ${team.id}`)
    made.push({ name, canary })
  }
  return made
}

async function settle(id: string, publicUrl: string): Promise<void> {
  const team = cloud.addTeam(id)
  const browser = createBrowser({ fetch: (request) => fetch(request, { redirect: 'manual' }) }, publicUrl)
  await browser.visit(cloud.oauth.allow(await browser.begin(), id))
  const made = await fill(team)
  team.command({ channel: 'C0OPEN', user: ADA, text: 'connect laptop' })
  const token = await cloud.until(() => TOKEN.exec(shownIn(team, 'C0OPEN'))?.[0], `the token of ${id}`)
  const agent = await openAgent(footbridge.url, token)
  agents.set(id, agent)
  const found = await agent.search('pass phrase of the vault')
  places.set(
    id,
    made.map((one) => ({ ...one, passage: found.find(({ text }) => text.includes(one.canary))?.id ?? '' })),
  )
}

beforeAll(async () => {
  cloud = await startSlackCloud()
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  footbridge = await startFootbridge({ PORT: String(port), ...settingsFor(cloud, publicUrl) })
  cloud.deliverTo(`${publicUrl}/slack/events`)
  for (const id of [...TEAMS, ORGANIZATION]) await settle(id, publicUrl)
}, LONG_MS)
afterAll(async () => {
  await footbridge.close()
  await cloud.close()
})

it('Slackbot reads the rooms of the workspace that Slack names, for who is in them', { timeout: LONG_MS }, async () => {
  const url = new URL('/mcp', footbridge.url).href
  let tries = 0
  for (const [at, id] of TEAMS.entries()) {
    const own = places.get(id) ?? []
    for (const slack of [ADA, 'U0STRANGER'].flatMap((user_id) => TEAMS.map((team_id) => ({ user_id, team_id })))) {
      const isOwn = slack.user_id === ADA && slack.team_id === id
      for (const room of own) {
        const collection = decodeURIComponent(room.passage.split('/')[3] ?? '')
        const ways = waysTo({ ...room, collection }).map(async ([name, args]) => {
          const params = { name, arguments: args }
          const request = slackbotRequest(cloud.signingSecret, url, { method: 'tools/call', params, slack })
          return (await fetch(request)).text()
        })
        const given = await Promise.all(ways)
        tries += given.length
        expect([at, slack, given.some((text) => text.includes(room.canary))]).toEqual([at, slack, isOwn])
      }
    }
  }
  expect(cloud.crossings).toEqual([])
  process.stdout.write(`Leak suite over MCP: ${tries} tries by Slackbot, 0 canaries got out to others.\n`)
})

it(
  'Slackbot in a workspace of an organization reads by the installation of the organization',
  async () => {
    const url = new URL('/mcp', footbridge.url).href
    const call = { method: 'tools/call', params: { name: 'search', arguments: { query: 'pass phrase of the vault' } } }
    const readBy = async (slack: SlackIdentity) => {
      const text = await (await fetch(slackbotRequest(cloud.signingSecret, url, { ...call, slack }))).text()
      return [...places].flatMap(([id, rooms]) => rooms.filter(({ canary }) => text.includes(canary)).map(() => id))
    }
    const within = { team_id: 'T0ORG', enterprise_id: ORGANIZATION }
    expect(await readBy({ user_id: ADA, ...within })).toEqual([ORGANIZATION, ORGANIZATION])
    expect(await readBy({ user_id: 'U0STRANGER', ...within })).toEqual([])
    expect(await readBy({ user_id: ADA, ...within, enterprise_id: 'E1' })).toEqual([])
    expect(await readBy({ user_id: ADA, ...within, team_id: null })).toEqual([])
    // A workspace's own installation goes first.
    expect(await readBy({ user_id: ADA, ...within, team_id: 'T1' })).toEqual(['T1', 'T1'])
    expect(cloud.crossings).toEqual([])
  },
  LONG_MS,
)

it(
  'a request of Slackbot is no event',
  async () => {
    const params = { name: 'search', arguments: { query: 'pass phrase of the vault' } }
    const slack = { user_id: ADA, team_id: 'T1' }
    const url = new URL('/slack/events', footbridge.url).href
    const response = await fetch(slackbotRequest(cloud.signingSecret, url, { method: 'tools/call', params, slack }))
    expect([response.status, await response.text()]).toEqual([200, ''])
  },
  LONG_MS,
)

it('an agent reads the rooms of its own workspace, and nothing of the other one', { timeout: LONG_MS }, async () => {
  const out: string[] = []
  let tries = 0
  for (const [at, id] of TEAMS.entries()) {
    const own = places.get(id) ?? []
    expect(own.filter(({ passage }) => passage === '')).toEqual([])
    const agent = agents.get(TEAMS[1 - at] ?? '')
    if (agent === undefined) throw new Error('There is no agent.')
    for (const room of own) {
      const collection = decodeURIComponent(room.passage.split('/')[3] ?? '')
      const given = await Promise.all(waysTo({ ...room, collection }).map(([tool, args]) => agent.call(tool, args)))
      tries += given.length
      out.push(...given.filter((text) => text.includes(room.canary)))
    }
  }
  expect(out).toEqual([])
  expect(cloud.crossings).toEqual([])
  process.stdout.write(`Leak suite over MCP: ${tries} tries by a token of another workspace, 0 canaries got out.\n`)
})
