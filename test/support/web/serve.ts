import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'

export interface Served {
  readonly url: string
  close(): Promise<void>
}

/** Puts a `fetch(Request)` function on a loopback port; 0 takes a free one. */
export async function serve(fetch: (request: Request) => Promise<Response>, wantedPort = 0): Promise<Served> {
  const server = createAdaptorServer({ fetch })
  server.listen(wantedPort, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
