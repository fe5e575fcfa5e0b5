import { type IncomingMessage, createServer, type Server, type ServerResponse } from 'node:http'
import type { RestAway } from './away.ts'
import type { Faults } from './faults.ts'
import type { FileHost } from './file-host.ts'
import type { Json } from './payloads.ts'
import type { Verdict } from './rate-limits.ts'
import type { RouteContext, RouteRequest } from './route.ts'
import { routes } from './routes.ts'
import type { DoubleCall, DoubleFault } from './types.ts'
import { checkFields, refuse, type RouteAnswer, textOf } from './validate.ts'

export interface RestOptions {
  readonly token: string
  readonly calls: DoubleCall[]
  readonly faults: Faults
  readonly host: FileHost
  readonly limit: (route: string, channel: string) => Verdict
  context(): RouteContext
  readonly changed: () => void
  /** The answer to every request while REST is away. */
  readonly away: () => RestAway | undefined
}

/** Interactions count for no limit. */
const FREE: Verdict = { allowed: true, global: false, retryAfterMs: 0, headers: {} }
const FILE_ROUTE = 'GET /attachments'
const patterns = Object.keys(routes).map((name) => {
  const [method = '', template = ''] = name.split(' ')
  const source = template.replaceAll(/:(\w+)/g, (_match, key: string) => `(?<${key}>[^/]+)`)
  return { name, method, template, pattern: new RegExp(`^${source}$`) }
})

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly call: DoubleCall
  readonly name: string
  readonly parsed: RouteRequest
}

/** REST v10 and the files, on one loopback port. */
export function createRest(options: RestOptions): Server {
  return createServer((request, response) => {
    exchange(request, response, options).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })
}

async function exchange(request: IncomingMessage, response: ServerResponse, options: RestOptions) {
  const url = new URL(request.url ?? '/', 'http://double')
  const method = request.method ?? 'GET'
  const isFile = url.pathname.startsWith('/attachments/')
  const path = url.pathname.replace(/^\/api\/v10/, '')
  const found = patterns.find((route) => route.method === method && route.pattern.test(path))
  const { body, uploads } = await readBody(request)
  const call: DoubleCall = {
    method,
    route: isFile ? '/attachments' : (found?.template ?? path),
    path,
    query: url.searchParams,
    body,
    authorization: request.headers.authorization,
    at: Date.now(),
    status: 0,
  }
  options.calls.push(call)
  options.changed()
  const params = { ...found?.pattern.exec(decodeURIComponent(path))?.groups }
  const parsed = { params, query: url.searchParams, body, uploads }
  const name = isFile ? FILE_ROUTE : (found?.name ?? `${method} ${path}`)
  const away = options.away()
  if (away !== undefined) {
    call.status = away.status
    response.writeHead(away.status, away.headers).end(away.body)
    return
  }
  const fault = options.faults.take(name)
  const done = { request, response, call, name, parsed }
  const early = fault?.kind === 'hold' && fault.afterCommit === true ? respond(done, options) : undefined
  if (early !== undefined) options.changed()
  if (fault?.kind === 'hold') await fault.until
  if (fault !== undefined && fault.kind !== 'hold') misbehave(done, fault, options)
  else if (isFile) call.status = options.host.serve(url.pathname, url.searchParams, response)
  else answer(done, early ?? respond(done, options))
  options.changed()
}

function respond(
  { call, name, parsed }: Exchange,
  options: RestOptions,
): RouteAnswer & { headers?: Readonly<Record<string, string>> } {
  const route = routes[name]
  // Interaction callbacks carry their own token in the path.
  const open = name.includes(' /interactions/') || name.includes(' /webhooks/')
  if (!open && call.authorization !== `Bot ${options.token}`) return refuse(401, 0, '401: Unauthorized')
  if (route === undefined) return refuse(404, 0, '404: Not Found')
  const verdict = open ? FREE : options.limit(name, parsed.params['channel'] ?? '')
  if (!verdict.allowed) return limited(verdict)
  const refusal = checkFields(name, parsed.body)
  return { ...(refusal ?? route(parsed, options.context())), headers: verdict.headers }
}

function limited(verdict: Pick<Verdict, 'retryAfterMs' | 'global' | 'headers'>) {
  return {
    status: 429,
    body: { message: 'You are being rate limited.', retry_after: verdict.retryAfterMs / 1000, global: verdict.global },
    headers: {
      ...verdict.headers,
      'retry-after': String(Math.ceil(verdict.retryAfterMs / 1000)),
      'x-ratelimit-scope': verdict.global ? 'global' : 'user',
      ...(verdict.global ? { 'x-ratelimit-global': 'true' } : {}),
    },
  }
}

/** A 204 carries neither body nor content type: discord.js would try to parse one. */
function answer(
  { response, call }: Exchange,
  { status, headers, ...rest }: RouteAnswer & { headers?: Readonly<Record<string, string>> },
) {
  call.status = status
  const body = 'body' in rest ? rest.body : undefined
  if (body === undefined) return response.writeHead(status, { ...headers }).end()
  return response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function misbehave(done: Exchange, fault: Exclude<DoubleFault, { kind: 'hold' }>, options: RestOptions): void {
  if ('afterCommit' in fault && fault.afterCommit) respond(done, options)
  switch (fault.kind) {
    case 'rate-limit':
      answer(done, limited({ ...fault, global: fault.global ?? false, headers: {} }))
      break
    case 'status':
      answer(done, { status: fault.status, body: fault.body ?? { message: 'Scripted', code: 0 } })
      break
    case 'redirect':
      done.call.status = 302
      done.response.writeHead(302, { location: fault.location }).end()
      break
    case 'reset':
      done.request.socket.destroy()
      break
    case 'hang':
      break
  }
}

async function readBody(request: IncomingMessage): Promise<Pick<RouteRequest, 'body' | 'uploads'>> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const bytes = Buffer.concat(pieces)
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) {
    return { body: bytes.length === 0 ? {} : (JSON.parse(bytes.toString()) as Json), uploads: [] }
  }
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const files = [...form.values()].filter((value): value is File => value instanceof File)
  const uploads = files.map(async (file) => ({
    name: file.name,
    contentType: file.type,
    bytes: new Uint8Array(await file.arrayBuffer()),
  }))
  const body = JSON.parse(textOf(form.get('payload_json')) || '{}') as Json
  return { body, uploads: await Promise.all(uploads) }
}
