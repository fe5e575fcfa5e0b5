/** Slackbot with "Slack identity auth": Slack signs each request, and names the person in a call. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSlackbot } from '#adapters/slack/inbound/slackbot.ts'
import type { PersonAccess, PersonRef } from '#bridge/port/person-access.ts'
import { cameBy } from '#lib/request-body.ts'
import type { Mcp } from '#src/mcp/handler.ts'
import { bodyOf, signatureOf, type SlackbotCall, slackbotRequest } from '#test/doubles/slack/slackbot.ts'
import { createLogSink, openPlatform, type TestPlatform } from '#test/platform/server/platform.ts'
import { mcpOf } from './client.ts'

const SECRET = '8f742231b10e8888abcd99baa085a511'
const URL_OF = 'https://footbridge.example.org/mcp'
const ADA = { user_id: 'U-ada', team_id: 'T1' }
const SEARCH = { method: 'tools/call', params: { name: 'search', arguments: { query: 'hours' } } }
const STALE_S = 301

describe('a request of Slackbot', () => {
  let platform: TestPlatform
  let mcp: Mcp
  let sink: ReturnType<typeof createLogSink>
  const asked: PersonRef[] = []
  beforeAll(async () => {
    platform = await openPlatform()
    await platform.fill('notes', { 'hours.md': '# Hours\n\nMonday to Friday from nine to five.\n' })
  })
  beforeEach(() => {
    sink = createLogSink()
    asked.length = 0
    const conversation = { adapter: 'slack', workspace: 'T1', channel: 'C1', direct: false }
    const channel = { id: 'c1', name: '#harbour', conversation, collectionId: 'local/notes' }
    const channelsOf = async (person: PersonRef) => {
      asked.push(person)
      return person.workspace === 'T1' && person.personId === 'U-ada' ? [channel] : []
    }
    const access = { channelsOf } as unknown as PersonAccess
    const tokens = { find: async () => undefined }
    const people = { tokens, readSigned: createSlackbot(SECRET), access: () => access }
    mcp = mcpOf(platform, { people, log: sink.log })
  })
  afterAll(() => platform.close())

  async function send(request: Request) {
    const response = await mcp.fetch(request)
    return { status: response.status, answer: await response.text() }
  }
  const ask = (call: SlackbotCall, secret = SECRET) => send(slackbotRequest(secret, URL_OF, call))

  it('is answered for the person whom Slack names, and noted as theirs', async () => {
    const { status, answer } = await ask({ ...SEARCH, slack: ADA })
    expect([status, answer]).toEqual([200, expect.stringContaining('nine to five')])
    expect(asked).toEqual([{ adapter: 'slack', workspace: 'T1', personId: 'U-ada' }])
    expect(sink.entries.map(({ fields }) => fields)).toMatchObject([
      { who: 'slack:T1:U-ada by Slackbot', tool: 'search', outcome: 'ok', passages: 1 },
    ])
    const begun = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'slackbot', version: '1' } }
    expect((await ask({ method: 'initialize', params: begun })).answer).toContain('"footbridge"')
    for (const other of [
      { ...ADA, user_id: 'U-ben' },
      { ...ADA, team_id: 'T2' },
    ])
      expect((await ask({ ...SEARCH, slack: other })).answer).not.toContain('nine to five')
  })

  it('for nobody lists the tools, and reads nothing', async () => {
    expect((await ask({ method: 'tools/list' })).answer).toContain('"search"')
    for (const slack of [undefined, { ...ADA, team_id: null }, { ...ADA, user_id: '' }]) {
      const call = slack === undefined ? SEARCH : { ...SEARCH, slack }
      expect(await ask(call)).toEqual({ status: 200, answer: expect.stringContaining('did not say who asks') })
    }
    const batch = JSON.stringify([JSON.parse(bodyOf({ ...SEARCH, slack: ADA }))])
    const headers = { 'content-type': 'application/json', ...signatureOf(SECRET, batch) }
    const sent = await send(new Request(URL_OF, { method: 'POST', headers, body: batch }))
    expect(sent.answer).toContain('did not say who asks')
    expect(asked).toEqual([])
  })

  it('with a token is the one of the token: its signature counts for nothing', async () => {
    const request = slackbotRequest(SECRET, URL_OF, { ...SEARCH, slack: ADA })
    request.headers.set('authorization', 'Bearer fbt-unknown')
    expect((await send(request)).status).toBe(401)
    expect(asked).toEqual([])
  })

  it('is refused by 500 signatures that are forged, stale or foreign', async () => {
    const now = Math.floor(Date.now() / 1000)
    const body = bodyOf({ ...SEARCH, slack: ADA })
    const good = signatureOf(SECRET, body)
    const signature = good['x-slack-signature']
    const other = bodyOf({ ...SEARCH, slack: { ...ADA, user_id: 'U-ben' } })
    const forged: Record<string, string>[] = []
    for (let at = 0; at < 200; at += 1) {
      const place = 3 + (at % 64)
      const digit = ((Number.parseInt(signature[place] ?? '0', 16) + 1 + Math.floor(at / 64)) % 16).toString(16)
      forged.push({ ...good, 'x-slack-signature': `${signature.slice(0, place)}${digit}${signature.slice(place + 1)}` })
    }
    for (let at = 0; at < 100; at += 1) forged.push(signatureOf(randomBytes(16).toString('hex'), body))
    for (let at = 0; at < 100; at += 1) forged.push(signatureOf(SECRET, body, now - STALE_S - at * 3600))
    for (let at = 0; at < 50; at += 1) forged.push(signatureOf(SECRET, body, now + 2 * STALE_S + at * 3600))
    for (let at = 1; at <= 50; at += 1) forged.push({ ...good, 'x-slack-request-timestamp': String(now - at) })
    forged.push(
      signatureOf(SECRET, other),
      { 'x-slack-signature': signature },
      { 'x-slack-request-timestamp': String(now) },
      {},
      { ...good, 'x-slack-signature': signature.toUpperCase() },
      { ...good, 'x-slack-signature': signature.slice(0, -1) },
      { ...good, 'x-slack-signature': 'v0=' },
      { ...good, 'x-slack-request-timestamp': '' },
      { ...good, 'x-slack-request-timestamp': 'now' },
    )
    const statuses = new Set<number>()
    for (const headers of forged) {
      const request = new Request(URL_OF, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
      statuses.add((await send(request)).status)
    }
    expect(forged.length).toBeGreaterThanOrEqual(500)
    expect([[...statuses], asked]).toEqual([[401], []])
    expect((await ask({ ...SEARCH, slack: ADA }, SECRET)).status).toBe(200)
    process.stdout.write(`Slackbot: ${forged.length} false signatures, 0 got in.\n`)
  })

  it.each(['GET', 'DELETE'])('by %s is told that there are no sessions, not to sign in', async (method) => {
    for (const isByNode of [true, false]) {
      const request = new Request(URL_OF, { method, headers: signatureOf(SECRET, '') })
      if (isByNode) cameBy(request, Readable.from([]))
      expect((await send(request)).status).toBe(405)
    }
    const forged = new Request(URL_OF, { method, headers: signatureOf('another secret', '') })
    expect((await send(forged)).status).toBe(401)
  })

  it.each([
    JSON.stringify({ type: 'event_callback', team_id: 'T1', event: { type: 'message', user: 'U-ada' } }),
    'command=%2Ffootbridge&team_id=T1&user_id=U-ada&text=list',
    `payload=${encodeURIComponent(bodyOf({ ...SEARCH, slack: ADA }))}`,
    '[]',
    'null',
    '',
  ])('is none by a body that Slack signed for another door: %s', async (body) => {
    const headers = { 'content-type': 'application/json', ...signatureOf(SECRET, body) }
    const { status, answer } = await send(new Request(URL_OF, { method: 'POST', headers, body }))
    expect([status, answer]).toEqual([400, expect.stringContaining('"error"')])
    expect(asked).toEqual([])
  })

  it('that is too long is refused, and nobody is asked', async () => {
    const long = { method: 'tools/call', params: { name: 'search', arguments: { query: 'x'.repeat(300_000) } } }
    expect((await ask({ ...long, slack: ADA })).status).toBe(401)
    expect(asked).toEqual([])
  })
})

it('where Slack signs nothing here, its signature is none', async () => {
  const platform = await openPlatform()
  const people = { tokens: { find: async () => undefined }, access: () => undefined }
  const mcp = mcpOf(platform, { people })
  expect((await mcp.fetch(slackbotRequest(SECRET, URL_OF, { ...SEARCH, slack: ADA }))).status).toBe(401)
  await platform.close()
})
