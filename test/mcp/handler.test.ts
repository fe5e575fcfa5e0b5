import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogSink, openPlatform, type TestPlatform } from '#test/platform/server/platform.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import type { PersonAccess } from '#bridge/port/person-access.ts'
import type { Mcp } from '#src/mcp/handler.ts'
import { call, GENERATIONS, mcpOf, openClient } from './client.ts'

describe('a request to /mcp', () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform({ quota: { minute: 40 } })
    await platform.fill('notes', { 'hours.md': '# Hours\n\nMonday to Friday from nine to five.\n' })
  })
  afterAll(() => platform.close())

  const post = (headers: Record<string, string>) =>
    mcpOf(platform).fetch(
      new Request('http://footbridge.test/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      }),
    )

  it('without a valid credential is refused before anything is read', async () => {
    for (const authorization of [undefined, '', 'Bearer', 'Bearer fb-wrong', 'Bearer fbt-wrong', 'Basic YTpi']) {
      const response = await post(authorization === undefined ? {} : { authorization })
      expect([authorization, response.status, response.headers.get('www-authenticate')]).toEqual([
        authorization,
        401,
        'Bearer realm="footbridge"',
      ])
    }
  })

  it('of a page is answered where its origin may ask', async () => {
    const authorization = `Bearer ${platform.key}`
    expect((await post({ authorization, origin: 'https://evil.example.com', host: 'evil.example.com' })).status).toBe(
      403,
    )
    const local = await post({ authorization, origin: 'http://localhost:6274' })
    expect([local.status, local.headers.get('access-control-allow-origin')]).toEqual([200, 'http://localhost:6274'])
    const named = mcpOf(platform, { corsOrigins: ['https://app.example.org'] })
    const preflight = new Request('http://footbridge.test/mcp', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.org' },
    })
    expect((await named.fetch(preflight)).status).toBe(204)
  })

  it('is answered by any process, in any order', async () => {
    const processes = [mcpOf(platform), mcpOf(platform), mcpOf(platform)]
    let turn = 0
    const client = await openClient(
      { fetch: async (request) => (processes[turn++ % 3] ?? processes[0] ?? mcpOf(platform)).fetch(request) },
      platform.key,
    )
    const found = []
    for (let at = 0; at < 12; at += 1) found.push((await call(client, 'search', { query: 'opening hours' })).isError)
    expect(found).toEqual(Array.from({ length: 12 }, () => false))
  })

  it('counts against the quota of its key', async () => {
    const statuses: number[] = []
    for (let at = 0; at < 45; at += 1) statuses.push((await post({ authorization: `Bearer ${platform.key}` })).status)
    expect(statuses.at(-1)).toBe(429)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0)
  })
})

const batch = (size: number) =>
  Array.from({ length: size }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'list_collections', arguments: {} },
  }))

/** Number of calls that were answered and refused. */
async function send(mcp: Mcp, credential: string, body: object): Promise<readonly [answered: number, refused: number]> {
  const response = await mcp.fetch(
    new Request('http://footbridge.test/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${credential}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
    }),
  )
  expect(response.status).toBe(200)
  const text = await response.text()
  return [text.split('"structuredContent"').length - 1, text.split('"isError":true').length - 1]
}

describe('the calls of one request', () => {
  it('count one by one against the quota of a key', async () => {
    const platform = await openPlatform({ quota: { minute: 10 } })
    expect(await send(mcpOf(platform), platform.key, batch(25))).toEqual([10, 15])
    await platform.close()
  })

  it('count one by one against the limit of a person', async () => {
    const platform = await openPlatform()
    const person = { adapter: 'fake', workspace: 'W1', personId: 'U-ada' }
    const access = { channelsOf: async () => [] } as unknown as PersonAccess
    const people = { tokens: { find: async () => ({ person, name: 'laptop' }) }, access: () => access }
    const mcp = mcpOf(platform, { people })
    for (let at = 0; at < 3; at += 1) expect(await send(mcp, 'fbt-x', batch(90))).toEqual([90, 0])
    expect(await send(mcp, 'fbt-x', batch(90))).toEqual([30, 60])
    await platform.close()
  })

  it('list resources at the price of one', async () => {
    const platform = await openPlatform()
    for (const name of ['one', 'two', 'three']) await platform.fill(name, { 'notes.md': '# Notes\n\nText.\n' })
    const { engine } = platform
    let taken = 0
    const take: typeof engine.quotas.take = (key) => {
      taken += 1
      return engine.quotas.take(key)
    }
    const mcp = mcpOf({ engine: { ...engine, quotas: { ...engine.quotas, take } } })
    const request = { jsonrpc: '2.0', id: 1, method: 'resources/list' }
    const headers = {
      authorization: `Bearer ${platform.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const init = { method: 'POST', headers, body: JSON.stringify(request) }
    const response = await mcp.fetch(new Request('http://footbridge.test/mcp', init))
    expect((await response.text()).split('"uri"').length - 1).toBe(3)
    expect(taken).toBe(1)
    await platform.close()
  })
})

const fails = () => Promise.reject(new AdapterError('network', 'fake.example.org was not reached.'))

describe('a person', () => {
  const person = { adapter: 'fake', workspace: 'W1', personId: 'U-ada' }
  const id = 'footbridge://knowledge/c1/notes.md'

  it('is told, as is the log, when the chat service does not tell who may read what', async () => {
    const platform = await openPlatform()
    const { log, entries } = createLogSink()
    const access = { channelsOf: fails, find: fails } as unknown as PersonAccess
    const people = { tokens: { find: async () => ({ person, name: 'laptop' }) }, access: () => access }
    const client = await openClient(mcpOf(platform, { people, log }), 'fbt-x')
    const { isError, text } = await call(client, 'list_collections')
    expect([isError, text]).toEqual([
      true,
      'The chat service does not tell now what you may read: try again in a moment.',
    ])
    await expect(client.readResource({ uri: id })).rejects.toThrow(/try again in a moment/)
    expect(JSON.stringify(entries)).toContain('the chat service does not tell what may be read')
    expect(JSON.stringify(entries)).toContain('"outcome":"unavailable"')
    expect(JSON.stringify(entries)).not.toContain('internal error')
    await platform.close()
  })

  it.each([
    ['search', 'fetch'],
    ['list_collections', 'list_files', 'fetch', 'get_passage'],
  ])('lets a program use the tools %s … of its token, and no others', async (...tools) => {
    const platform = await openPlatform()
    const access = { channelsOf: async () => [], find: async () => undefined } as unknown as PersonAccess
    const people = { tokens: { find: async () => ({ person, name: 'laptop', tools }) }, access: () => access }
    const mcp = mcpOf(platform, { people })
    for (const generation of GENERATIONS) {
      const client = await openClient(mcp, 'fbt-x', generation)
      expect((await client.listTools()).tools.map(({ name }) => name).toSorted()).toEqual(tools.toSorted())
      for (const name of ['ask', 'list_gaps', 'search'].filter((one) => !tools.includes(one))) {
        const args = { question: 'Who?', query: 'Who?', collection: 'c1' }
        const refused = await client.callTool({ name, arguments: args }).catch(() => ({ isError: true }))
        expect([name, refused.isError]).toEqual([name, true])
      }
      const hasResources = tools.includes('get_passage')
      expect(client.getServerCapabilities()?.resources !== undefined).toBe(hasResources)
    }
    await platform.close()
  })

  it('is asked once what may be read for a question, which counts where it was asked', async () => {
    const platform = await openPlatform()
    await platform.fill('notes', { 'hours.md': '# Hours\n\nMonday to Friday from nine to five.\n' })
    const key = await platform.engine.identify(platform.key)
    const [row] = key === undefined ? [] : await platform.engine.collections.list(key.user)
    const conversation = { adapter: 'fake', workspace: 'W1', channel: 'C1', direct: false }
    const channel = { id: 'c1', name: '#ferry', conversation, collectionId: row?.id ?? '' }
    const asked: unknown[] = []
    const note = async <Told>(what: string, told: Told) => (asked.push(what), told)
    const access = {
      channelsOf: () => note('channels', [channel]),
      find: (_: unknown, wanted: string) => note('find', wanted === channel.id ? channel : undefined),
      charge: (_: unknown, channels: unknown) => note('charge', (asked.push(channels), channels)),
    } as unknown as PersonAccess
    const people = { tokens: { find: async () => ({ person, name: 'laptop' }) }, access: () => access }
    const client = await openClient(mcpOf(platform, { people }), 'fbt-x')
    await call(client, 'ask', { question: 'When is it open?' })
    expect(asked).toEqual(['channels', [channel], 'charge'])
    await call(client, 'ask', { question: 'When is it open?', collection: 'c1' })
    expect(asked.slice(3)).toEqual(['find', [channel], 'charge'])
    await platform.close()
  })

  it('has four answers at once, by whichever tokens', { timeout: 20_000 }, async () => {
    const platform = await openPlatform()
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const access = { find: () => promise } as unknown as PersonAccess
    const people = { tokens: { find: async (name: string) => ({ person, name }) }, access: () => access }
    const mcp = mcpOf(platform, { people })
    const clients = await Promise.all(Array.from({ length: 5 }, (_, at) => openClient(mcp, `fbt-${at}`)))
    const asked = clients.map((client) => call(client, 'ask', { question: 'When?', collection: 'c1' }))
    const first = await Promise.race(asked)
    expect(first.text).toMatch(/^4 answers are being written for you/)
    resolve(undefined)
    expect((await Promise.all(asked)).filter(({ text }) => text.startsWith('4 answers'))).toHaveLength(1)
    await platform.close()
  })
})
