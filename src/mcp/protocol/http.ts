import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server'
import type { RunTool } from '../tools/run-tool.ts'
import { createServer } from './server.ts'

export interface HttpServing {
  fetch(request: Request, run: RunTool): Promise<Response>
  close(): Promise<void>
}

const MAX_BODY_BYTES = 262_144

/** Streamable HTTP without sessions: any process can answer any request, of both generations of the protocol. */
export function serveHttp(version: string): HttpServing {
  // The SDK passes this object on to the server of the request; it holds no credential.
  const running = new WeakMap<AuthInfo, RunTool>()
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const run = authInfo && running.get(authInfo)
      if (run === undefined) throw new Error('A request reached the server without its asker.')
      return createServer(version, run)
    },
    { legacy: 'stateless', maxRequestBodySize: MAX_BODY_BYTES },
  )
  return {
    fetch(request, run) {
      const authInfo: AuthInfo = { token: '', clientId: '', scopes: [] }
      running.set(authInfo, run)
      return handler.fetch(request, { authInfo })
    },
    close: () => handler.close(),
  }
}
