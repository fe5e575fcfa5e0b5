/** What programs send in fact, beside what the client of the SDK sends. */
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Mcp } from '#src/mcp/handler.ts'
import { createLogSink, openPlatform, type TestPlatform } from '#test/platform/server/platform.ts'
import { mcpOf } from './client.ts'

const BOTH = 'application/json, text/event-stream'
const rpc = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })
const calling = (name: unknown, args?: unknown) => rpc('tools/call', { name, arguments: args })

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

const textOf = (answer: string) =>
  (JSON.parse(answer) as { result: { content: { type: string; text: string }[] } }).result.content

describe('a message to /mcp', () => {
  let platform: TestPlatform
  let mcp: Mcp
  let sink: ReturnType<typeof createLogSink>
  beforeAll(async () => {
    platform = await openPlatform()
    await platform.fill('notes', { 'hours.md': '# Hours\n\nMonday to Friday from nine to five.\n' })
  })
  beforeEach(() => {
    sink = createLogSink()
    mcp = mcpOf(platform, { log: sink.log })
  })
  afterAll(() => platform.close())

  async function send(
    body: string | object | undefined,
    more: Record<string, string | undefined> = {},
    signal: AbortSignal | null = null,
  ) {
    const { method = 'POST', path = '/mcp', ...headers } = { accept: BOTH, 'content-type': 'application/json', ...more }
    const all = new Headers({ authorization: `Bearer ${platform.key}` })
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) all.set(name, value)
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const init = { method, headers: all, signal, ...(text === undefined ? {} : { body: text }) }
    const response = await mcp.fetch(new Request(`http://footbridge.test${path}`, init))
    const answer = await response.text()
    return { status: response.status, type: response.headers.get('content-type'), answer, headers: response.headers }
  }

  it.each(['*/*', 'application/json', 'text/event-stream', undefined, BOTH])(
    'that accepts %s is answered',
    async (accept) => {
      const listed = await send(rpc('tools/list'), { accept })
      expect([listed.status, listed.type]).toEqual([200, 'application/json'])
      const asked = await send(calling('ask', { question: 'When is it open?' }), { accept })
      expect([asked.status, asked.answer]).toEqual([200, expect.stringContaining('hours.md')])
    },
  )

  it('is answered by a stream where something may come before the answer', async () => {
    const type = 'text/event-stream'
    expect((await send(calling('ask', { question: 'When is it open?' }))).type).toBe(type)
    const { params } = calling('search', { query: 'hours' })
    const told = await send(rpc('tools/call', { ...params, _meta: { progressToken: 7 } }))
    expect([told.type, told.answer]).toEqual([type, expect.stringContaining('nine to five')])
    expect((await send(calling('search', { query: 'hours' }))).type).toBe('application/json')
  })

  it.each(['GET', 'DELETE', 'PUT'])('by %s is refused: there is no session', async (method) => {
    const { status, headers, answer } = await send(undefined, { method, 'mcp-session-id': 'made-up' })
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
    expect(answer).toContain('There are no sessions here')
  })

  it.each([
    ['', 400],
    ['{"jsonrpc":', 400],
    ['null', 400],
    ['"text"', 400],
    ['{"jsonrpc":"2.0"}', 400],
    [JSON.stringify(rpc('ping', { text: 'x'.repeat(300_000) })), 413],
  ])('that is none (%#) is refused in JSON-RPC', async (body, status) => {
    const told = await send(body)
    expect([told.status, JSON.parse(told.answer)]).toMatchObject([
      status,
      { jsonrpc: '2.0', error: { code: expect.any(Number) } },
    ])
  })

  it('has its id in the answer, whatever id', async () => {
    for (const id of [0, -1, Number.MAX_SAFE_INTEGER, 'x'.repeat(5000), ''])
      expect(JSON.parse((await send(rpc('ping', {}, id))).answer)).toEqual({ jsonrpc: '2.0', id, result: {} })
  })

  it('of a batch is answered with the others; notifications are just taken', async () => {
    const batch = [rpc('ping', {}, 1), { jsonrpc: '2.0', method: 'notifications/initialized' }, rpc('ping', {}, 2)]
    const { status, answer } = await send(batch)
    expect([status, (JSON.parse(answer) as { id: number }[]).map(({ id }) => id)]).toEqual([200, [1, 2]])
    expect((await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202)
  })

  it.each(['prompts/get', 'logging/setLevel', 'resources/subscribe', 'roots/list', 'nonsense'])(
    'for %s, which is not offered, is told so',
    async (method) => {
      const { status, answer } = await send(rpc(method, { level: 'info', uri: 'footbridge://knowledge/a/b' }))
      expect([status, JSON.parse(answer)]).toMatchObject([200, { error: { code: -32_601 } }])
    },
  )

  it.each([
    ['nonsense', 404],
    ['roots/list', 404],
    ['tools/list', 200],
  ])('of 2026 for %s has the status %s', async (method, status) => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }
    expect((await send(rpc(method, { _meta: ENVELOPE }), headers)).status).toBe(status)
  })

  it.each([
    ['has no envelope', {}, { 'mcp-name': 'search' }, 'search'],
    ['names another tool in its header', ENVELOPE, { 'mcp-name': 'fetch' }, 'search'],
    ['names another method in its header', ENVELOPE, { 'mcp-method': 'tools/list' }, 'search'],
    [
      'has an envelope without an end',
      { 'io.modelcontextprotocol/protocolVersion': 7 },
      { 'mcp-name': 'search' },
      'search',
    ],
    ['is of a revision that is not known', ENVELOPE, { 'mcp-protocol-version': '2031-01-01' }, 'search'],
    ['has a name that is none', {}, { 'mcp-name': 'search' }, ['search']],
  ])('of 2026 that calls a tool and %s is refused, and leaves a line in the log', async (_, meta, given, name) => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'search', ...given }
    const call = rpc('tools/call', { name, arguments: { query: 'hours' }, _meta: meta })
    expect((await send(call, headers)).status).toBe(400)
    const tool = typeof name === 'string' ? name : 'unknown'
    expect(sink.entries.map(({ fields }) => fields)).toMatchObject([{ tool, outcome: 'invalid', passages: 0 }])
  })

  it('may leave arguments out, or write null or nothing for them', async () => {
    for (const args of [undefined, {}, { collection: null }])
      expect((await send(calling('list_collections', args))).answer).toContain('local/notes')
    expect((await send(calling('search', { query: 'hours', collection: '', limit: null }))).answer).toContain(
      'nine to five',
    )
  })

  it.each([
    ['search', { query: 7, limit: 0 }, 'invalid', /The arguments of search do not fit\. query: .*; limit: /],
    ['search', {}, 'invalid', /query: /],
    ['fetch', { id: 'x'.repeat(5000) }, 'invalid', /id: /],
    ['list_collections', 7, 'invalid', /The arguments of list_collections do not fit\. Invalid input: expected object/],
    ['list_collections', [], 'invalid', /expected object/],
    ['search', 'hours', 'invalid', /expected object/],
    [7, {}, 'not-found', /There is no tool of this name/],
    [['search'], { query: 'hours' }, 'not-found', /There is no tool of this name/],
    [{ toString: 'search' }, {}, 'not-found', /There is no tool of this name/],
    ['delete_everything', {}, 'not-found', /There is no tool of this name/],
    ['constructor', {}, 'not-found', /There is no tool of this name/],
  ])('that calls %s with %j reaches no tool, and leaves a line in the log', async (name, args, outcome, sentence) => {
    expect((await send(calling(name, args))).answer).toMatch(sentence)
    const tool = outcome === 'invalid' && typeof name === 'string' ? name : 'unknown'
    expect(sink.entries.map(({ fields }) => fields)).toMatchObject([
      { who: 'key 1 of local', tool, outcome, passages: 0 },
    ])
    expect(await mcp.print()).toContain(`footbridge_mcp_calls_total{tool="${tool}",outcome="${outcome}"} 1`)
  })

  it('may have a session of an earlier server, a slash at its end, and a type with a character set', async () => {
    const headers = { 'mcp-session-id': 'made-up', 'content-type': 'application/json; charset=utf-8', path: '/mcp/' }
    expect((await send(calling('list_collections'), headers)).answer).toContain('local/notes')
  })

  it('in a version that is not known is told the known ones; the first one agrees on one', async () => {
    const unknown = await send(rpc('tools/list'), { 'mcp-protocol-version': '2024-01-01' })
    expect([unknown.status, unknown.answer]).toEqual([400, expect.stringContaining('2025-11-25')])
    const clientInfo = { name: 'future', version: '9' }
    const params = { protocolVersion: '2099-01-01', capabilities: {}, clientInfo }
    const { result } = JSON.parse((await send(rpc('initialize', params))).answer) as { result: object }
    expect(result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'footbridge' } })
  })

  it('is stopped with its program, also where its answer comes in one piece', async () => {
    const chat = vi.fn<(asked: { readonly signal: AbortSignal }) => Promise<unknown>>(({ signal }) =>
      once(signal, 'abort'),
    )
    mcp = mcpOf({ engine: { ...platform.engine, chat: chat as never } })
    const left = new AbortController()
    const sent = send(calling('ask', { question: 'When is it open?' }), { accept: 'application/json' }, left.signal)
    await vi.waitFor(() => expect(chat).toHaveBeenCalledOnce())
    left.abort()
    expect((await sent).status).toBe(499)
    expect(chat.mock.calls[0]?.[0].signal.aborted).toBe(true)
  })

  it('for prompts gets an empty list: many clients ask whatever is offered', async () => {
    expect(JSON.parse((await send(rpc('prompts/list'))).answer)).toMatchObject({ result: { prompts: [] } })
  })

  it('for tools gets schemas that name no dialect, which some models refuse', async () => {
    const { answer } = await send(rpc('tools/list'))
    expect(answer).not.toContain('$schema')
    const { result } = JSON.parse(answer) as { result: { tools: { inputSchema: object; outputSchema: object }[] } }
    for (const { inputSchema, outputSchema } of result.tools)
      expect([inputSchema, outputSchema]).toMatchObject([{ type: 'object', properties: {} }, { type: 'object' }])
  })

  it('for ChatGPT gives results as JSON text, each with id, title and url, and a document for an id', async () => {
    const [found] = textOf((await send(calling('search', { query: 'hours' }))).answer)
    const { results } = JSON.parse(found?.text ?? '') as { results: { id: string }[] }
    expect(results[0]).toMatchObject({ id: expect.any(String), title: expect.any(String), url: expect.any(String) })
    const [read] = textOf((await send(calling('fetch', { id: results[0]?.id }))).answer)
    const known = { id: results[0]?.id, title: expect.any(String), text: expect.any(String), url: expect.any(String) }
    expect(JSON.parse(read?.text ?? '')).toMatchObject({ ...known, metadata: {} })
  })

  it('from a page is announced by a request that names its headers', async () => {
    const asked = 'authorization,content-type,last-event-id,mcp-protocol-version,mcp-session-id'
    for (const path of [
      '/mcp',
      '/mcp/',
      '/oauth/token',
      '/oauth/register',
      '/.well-known/oauth-protected-resource/mcp',
    ]) {
      const origin = path.startsWith('/mcp') ? 'http://localhost:6274' : 'https://agent.example.com'
      const preflight = { 'access-control-request-headers': asked, 'access-control-request-method': 'POST' }
      const { status, headers } = await send(undefined, { method: 'OPTIONS', path, origin, ...preflight })
      expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 204, origin])
      const allowed = (headers.get('access-control-allow-headers') ?? '').split(', ')
      expect(asked.split(',').filter((one) => !allowed.includes(one))).toEqual([])
    }
    const foreign = { method: 'OPTIONS', origin: 'https://agent.example.com' }
    expect((await send(undefined, foreign)).status).toBe(403)
  })
})
