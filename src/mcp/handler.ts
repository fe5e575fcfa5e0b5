import type { Engine } from '#platform/engine/engine.ts'
import { EngineError } from '#platform/engine/errors.ts'
import { createFindAsker, type People } from './askers/find-asker.ts'
import { createKeyAsker } from './askers/key-asker.ts'
import type { HttpServing } from './protocol/http.ts'
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

export interface Mcp {
  /** Answers `/mcp`. The SDK is loaded with the first request that has a credential. */
  fetch(request: Request): Promise<Response>
  /** Serves one agent over standard input and output, as the first key does; resolves when its input ends. */
  serveStdio(): Promise<void>
  /** Figures in the text format of Prometheus. */
  print(): Promise<string>
  close(): Promise<void>
}

/** MCP over HTTP: who asks is decided here, before anything is read or loaded. */
export function createMcp(parts: McpParts): Mcp {
  const { engine, version, people, corsOrigins = [] } = parts
  const runner = createRunner(parts)
  let serving: Promise<HttpServing> | undefined
  const load = () => (serving ??= import('./protocol/http.ts').then(({ serveHttp }) => serveHttp(version)))

  const askerOf = createFindAsker({ engine, people })

  async function answer(request: Request): Promise<Response> {
    try {
      const asker = await askerOf(request.headers.get('authorization') ?? '')
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
      const isAllowed = origin === null || isLocal(origin) || corsOrigins.some((one) => one === origin || one === '*')
      if (!isAllowed)
        return Response.json({ error: `Pages of ${origin} may not ask here (PLATFORM_CORS_ORIGINS).` }, { status: 403 })
      const response = request.method === 'OPTIONS' ? new Response(null, { status: 204 }) : await answer(request)
      return origin === null ? response : withOrigin(response, origin)
    },
    async serveStdio() {
      const key = await engine.identify(engine.firstKey.key)
      if (key === undefined) throw new Error('The first key of the platform is gone: PLATFORM_API_KEY names one.')
      const { serveOverStdio } = await import('./protocol/stdio.ts')
      await serveOverStdio(version, runner.for(createKeyAsker(engine, key)))
    },
    print: runner.print,
    close: async () => (await serving)?.close(),
  }
}

/** Pages of this machine, such as an inspector. The Host of a request is no proof: a name can be pointed here. */
const isLocal = (origin: string) => /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(URL.parse(origin)?.hostname ?? '')

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
