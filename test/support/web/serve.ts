import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'

export interface Served {
  readonly url: string
  /** Nobody gets through until `mend`. The port is kept: once let go, it may be somebody else's a moment later. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** Puts a `fetch(Request)` function on a free loopback port. */
export async function serve(fetch: (request: Request) => Promise<Response>): Promise<Served> {
  const server = createAdaptorServer({ fetch })
  const sockets = new Set<Socket>()
  let isCut = false
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (isCut) socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    cut() {
      isCut = true
      endAll()
    },
    mend() {
      isCut = false
    },
    async close() {
      server.close()
      endAll()
      await once(server, 'close')
    },
  }
}
