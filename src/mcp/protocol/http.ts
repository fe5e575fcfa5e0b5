import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { readLimited } from '#lib/read-limited.ts'
import { bodyOf } from '#lib/request-body.ts'
import type { RunTool } from '../tools/run-tool.ts'
import { createServer } from './server.ts'

const MAX_BODY_BYTES = 262_144
const TYPES = ['application/json', 'text/event-stream']

/** A refusal in the form of JSON-RPC. */
const refuse = (status: number, code: number, message: string, headers = {}) =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status, headers })

interface Message {
  readonly method?: unknown
  readonly params?: { readonly name?: unknown; readonly _meta?: { readonly progressToken?: unknown } }
}

const messagesOf = (body: unknown) => [body].flat().map((one) => (one ?? {}) as Message)

/** Whether something may be sent before the answer: progress, or a sign of life while a model writes. */
const isLong = (body: unknown) =>
  messagesOf(body).some(({ params: { name, _meta: meta } = {} }) => name === 'ask' || meta?.progressToken !== undefined)

/** Streamable HTTP without sessions: any process can answer any request, of both generations of the protocol. */
export function serveHttp(version: string) {
  const running = new WeakMap<Request, RunTool>()
  const handler = createMcpHandler(
    ({ requestInfo, era }) => {
      const run = requestInfo && running.get(requestInfo)
      if (run === undefined) throw new Error('A request reached the server without its asker.')
      const server = createServer(version, run)
      // A method that is not there has a status of its own, which the SDK gives where nothing else might answer it.
      if (era === 'modern' && requestInfo?.headers.get('mcp-method') !== 'tools/call')
        delete server.fallbackRequestHandler
      return server
    },
    { legacy: 'stateless' },
  )

  /** Answers clients of 2025 in one piece: a stream of events for each call costs more than most calls do. */
  async function answerWhole(request: Request, parsedBody: unknown, run: RunTool): Promise<Response> {
    const server = createServer(version, run)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    const headers = new Headers(request.headers)
    // Programs that name one of the two types, or none, are refused by the SDK.
    headers.set('accept', TYPES.join(', '))
    const asked = new Request(request.url, { method: 'POST', headers })
    const gone = Promise.withResolvers<Response>()
    const leave = () => {
      gone.resolve(new Response(null, { status: 499 }))
      // Tools that still run are stopped.
      void server.close()
    }
    request.signal.addEventListener('abort', leave, { once: true })
    if (request.signal.aborted) leave()
    return Promise.race([transport.handleRequest(asked, { parsedBody }), gone.promise])
  }

  return {
    async fetch(request: Request, run: RunTool): Promise<Response> {
      if (request.method !== 'POST')
        return refuse(405, -32_000, 'There are no sessions here: send each message by POST.', { allow: 'POST' })
      let parsedBody: unknown
      try {
        const bytes = await readLimited(bodyOf(request) ?? new Blob().stream(), MAX_BODY_BYTES)
        if (bytes === undefined) return refuse(413, -32_600, `A message has at most ${MAX_BODY_BYTES} bytes.`)
        parsedBody = JSON.parse(bytes.toString('utf8'))
      } catch {
        return refuse(400, -32_700, 'The body is not JSON, or did not arrive whole.')
      }
      const accept = request.headers.get('accept') ?? ''
      const isStreamed = isLong(parsedBody) && TYPES.every((type) => accept.includes(type))
      const isWhole = !isStreamed && (await isLegacyRequest(request, parsedBody))
      running.set(request, run)
      const response = await (isWhole ? answerWhole(request, parsedBody, run) : handler.fetch(request, { parsedBody }))
      const called = response.status === 400 && messagesOf(parsedBody).find(({ method }) => method === 'tools/call')
      // The SDK refuses a call whose headers or envelope do not fit before any tool hears of it.
      if (called) run.refused(called.params?.name)
      return response
    },
    close: () => handler.close(),
  }
}

export type HttpServing = ReturnType<typeof serveHttp>
