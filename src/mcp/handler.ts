import { loadOnce } from '#lib/lru.ts'
import type { Engine } from '#platform/engine/engine.ts'
import { EngineError } from '#platform/engine/errors.ts'
import { createFindAsker, type People } from './askers/find-asker.ts'
import { createKeyAsker } from './askers/key-asker.ts'
import type { HttpServing } from './protocol/http.ts'
import { isLoopback } from './oauth/clients.ts'
import { OAUTH_PATHS } from './oauth/oauth.ts'
import { createRunner, type RunParts } from './tools/run-tool.ts'

export const MCP_PATH = '/mcp'

const isServing = (pathname: string) => pathname === MCP_PATH || pathname === `${MCP_PATH}/`

/** Whether a path is answered here. */
export const isMcpPath = (pathname: string): boolean => isServing(pathname) || OAUTH_PATHS.test(pathname)

export interface McpParts extends Omit<RunParts, 'engine'> {
  readonly engine: RunParts['engine'] & Pick<Engine, 'identify' | 'quotas' | 'firstKey'>
  readonly version: string
  /** People of chat services; absent: keys alone are taken. */
  readonly people?: People
  /** Origins whose pages may ask from a browser; `*`: all. Default: none. */
  readonly corsOrigins?: readonly string[]
}

/** MCP over HTTP: who asks is decided here, before anything is read or loaded. */
export function createMcp(parts: McpParts) {
  const { engine, version, people, corsOrigins = [] } = parts
  const runner = createRunner(parts)
  let serving: HttpServing | undefined
  const load = loadOnce(async () => (serving = (await import('./protocol/http.ts')).serveHttp(version)))

  const askerOf = createFindAsker({ engine, people })

  async function answer(request: Request): Promise<Response> {
    if (!isServing(new URL(request.url).pathname))
      return people?.oauth?.fetch(request) ?? Response.json({ error: 'Programs cannot sign in here.' }, { status: 404 })
    try {
      const { asker, request: asked } = await askerOf(request)
      return await (await load()).fetch(asked, runner.for(asker, request.headers.get('traceparent') ?? undefined))
    } catch (error) {
      if (error instanceof EngineError) return refuse(error, people?.oauth?.challenge)
      throw error
    }
  }

  return {
    /** Answers `/mcp`, and the paths by which programs sign in. The SDK is loaded with the first request that has a credential. */
    async fetch(request: Request): Promise<Response> {
      const origin = request.headers.get('origin')
      // Pages of this machine, such as an inspector, and any page for a sign-in, which uses no credential of the browser.
      // The Host of a request is no proof: a name can be pointed here.
      const isAllowed =
        origin === null ||
        isLoopback(origin) ||
        OAUTH_PATHS.test(new URL(request.url).pathname) ||
        corsOrigins.some((one) => one === origin || one === '*')
      if (!isAllowed)
        return Response.json({ error: `Pages of ${origin} may not ask here (PLATFORM_CORS_ORIGINS).` }, { status: 403 })
      const response = request.method === 'OPTIONS' ? new Response(null, { status: 204 }) : await answer(request)
      return origin === null ? response : withOrigin(response, origin)
    },
    /** Serves one agent over standard input and output, as the first key does; resolves when its input ends. */
    async serveStdio(): Promise<void> {
      const key = await engine.identify(engine.firstKey.key)
      if (key === undefined) throw new Error('The first key of the platform is gone: PLATFORM_API_KEY names one.')
      const { serveOverStdio } = await import('./protocol/stdio.ts')
      await serveOverStdio(version, runner.for(createKeyAsker(engine, key)))
    },
    /** Figures in the text format of Prometheus. */
    print: runner.print,
    close: async () => serving?.close(),
  }
}

export type Mcp = ReturnType<typeof createMcp>

/** Headers that clients send, those of sessions too: a browser asks before it sends them. */
const ASKED_HEADERS =
  'authorization, content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id'

function withOrigin(response: Response, origin: string): Response {
  const { headers } = response
  headers.set('access-control-allow-origin', origin)
  headers.set('vary', 'origin')
  headers.set('access-control-allow-methods', 'GET, POST, DELETE')
  headers.set('access-control-allow-headers', ASKED_HEADERS)
  headers.set('access-control-expose-headers', 'www-authenticate, retry-after')
  return response
}

/** Refusals before the protocol begins. A credential that is unknown, expired or revoked is told like none. */
function refuse({ code, message, retryAfterMs }: EngineError, challenge = 'Bearer realm="footbridge"'): Response {
  if (code === 'unauthorized')
    return Response.json({ error: message }, { status: 401, headers: { 'www-authenticate': challenge } })
  if (code !== 'rate-limited') return Response.json({ error: message }, { status: 503 })
  const seconds = Math.max(1, Math.ceil((retryAfterMs ?? 1000) / 1000))
  return Response.json({ error: message }, { status: 429, headers: { 'retry-after': String(seconds) } })
}
