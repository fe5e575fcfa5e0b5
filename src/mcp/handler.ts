import type { PersonAccess } from '#bridge/port/person-access.ts'
import type { Engine } from '#platform/engine/engine.ts'
import { EngineError } from '#platform/engine/errors.ts'
import type { Asker } from './askers/asker.ts'
import { createCallLimit } from './askers/call-limit.ts'
import { createKeyAsker } from './askers/key-asker.ts'
import { createPersonAsker } from './askers/person-asker.ts'
import type { Tokens } from './askers/tokens.ts'
import type { HttpServing } from './serve.ts'
import { createRunner, type RunParts } from './tools/run-tool.ts'

export const MCP_PATH = '/mcp'

export interface McpParts extends Omit<RunParts, 'engine'> {
  readonly engine: RunParts['engine'] & Pick<Engine, 'identify' | 'quotas' | 'firstKey'>
  readonly version: string
  /** People of chat services; absent: keys alone are taken. */
  readonly people?: People
  /** Origins whose pages may ask from a browser; `*`: all. Default: none. */
  readonly corsOrigins?: readonly string[]
}

export interface People {
  readonly tokens: Pick<Tokens, 'find'>
  /** Undefined while Footbridge starts. */
  readonly access: () => PersonAccess | undefined
}

export interface Mcp {
  /** Answers `/mcp`. The SDK is loaded with the first request that has a credential. */
  fetch(request: Request): Promise<Response>
  /** Figures in the text format of Prometheus. */
  print(): Promise<string>
  close(): Promise<void>
}

const TOKEN_START = 'fbt-'
const BEARER = /^(?:Bearer\s+)?(\S+)\s*$/i

/** MCP over HTTP: who asks is decided here, before anything is read or loaded. */
export function createMcp(parts: McpParts): Mcp {
  const { engine, version, people, corsOrigins = [] } = parts
  const runner = createRunner(parts)
  let serving: Promise<HttpServing> | undefined
  const load = () => (serving ??= import('./serve.ts').then(({ serveHttp }) => serveHttp(version)))

  const limit = createCallLimit()

  async function personOf(token: string): Promise<Asker | undefined> {
    const found = await people?.tokens.find(token)
    const access = people?.access()
    const owner = found && (await engine.identify(engine.firstKey.key))
    if (found === undefined || owner === undefined) return undefined
    if (access === undefined) throw new EngineError('closed', 'Footbridge is starting: try again in a moment.')
    const asker = createPersonAsker({ access, user: owner.user }, found)
    limit(JSON.stringify(found.person))
    return asker
  }

  async function keyOf(credential: string): Promise<Asker | undefined> {
    const key = await engine.identify(credential)
    if (key === undefined) return undefined
    const { refusal } = await engine.quotas.take(key)
    if (refusal !== undefined) throw refusal
    return createKeyAsker(engine, key)
  }

  async function askerOf(request: Request): Promise<Asker> {
    const credential = BEARER.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
    const asker = credential.startsWith(TOKEN_START)
      ? await personOf(credential)
      : credential && (await keyOf(credential))
    if (!asker)
      throw new EngineError('unauthorized', 'Send a token or a key that is valid: Authorization: Bearer <token>.')
    return asker
  }

  async function answer(request: Request): Promise<Response> {
    try {
      const asker = await askerOf(request)
      const traceparent = request.headers.get('traceparent') ?? undefined
      return await (await load()).fetch(request, runner.for(asker, traceparent))
    } catch (error) {
      if (error instanceof EngineError) return refuse(error)
      throw error
    }
  }

  return {
    async fetch(request) {
      const origin = request.headers.get('origin')
      const isAllowed =
        origin === null || isOwn(origin, request) || corsOrigins.some((one) => one === origin || one === '*')
      if (!isAllowed)
        return Response.json({ error: `Pages of ${origin} may not ask here (PLATFORM_CORS_ORIGINS).` }, { status: 403 })
      const response = request.method === 'OPTIONS' ? new Response(null, { status: 204 }) : await answer(request)
      return origin === null ? response : withOrigin(response, origin)
    },
    print: runner.print,
    close: async () => (await serving)?.close(),
  }
}

const isOwn = (origin: string, request: Request) =>
  URL.parse(origin)?.host === (request.headers.get('host') ?? new URL(request.url).host)

function withOrigin(response: Response, origin: string): Response {
  const headers = new Headers(response.headers)
  headers.set('access-control-allow-origin', origin)
  headers.set('vary', 'origin')
  headers.set('access-control-allow-methods', 'POST')
  headers.set('access-control-allow-headers', 'authorization, content-type, mcp-protocol-version, mcp-method, mcp-name')
  headers.set('access-control-expose-headers', 'www-authenticate, retry-after')
  return new Response(response.body, { status: response.status, headers })
}

/** Refusals before the protocol begins. A credential that is unknown, expired or revoked is told like none. */
function refuse({ code, message, retryAfterMs }: EngineError): Response {
  if (code === 'unauthorized')
    return Response.json(
      { error: message },
      { status: 401, headers: { 'www-authenticate': 'Bearer realm="footbridge"' } },
    )
  if (code !== 'rate-limited') return Response.json({ error: message }, { status: 503 })
  const seconds = Math.max(1, Math.ceil((retryAfterMs ?? 1000) / 1000))
  return Response.json({ error: message }, { status: 429, headers: { 'retry-after': String(seconds) } })
}
