import { createAdaptorServer } from '@hono/node-server'
import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

export interface Listening {
  /** `http://host:port`, with the port that the system assigned. */
  readonly url: string
  readonly port: number
  /** Closes the server: no new connection, running answers end within 5 s. Idempotent. */
  close(): Promise<void>
}

export interface ListenOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Address of the client behind a connection from this port, where a proxy of ours knows it. */
  readonly addressOf?: (port: number | undefined) => string | undefined
  /** `address`: of the peer, as far as it is known. */
  readonly fetch: (request: Request, address?: string) => Promise<Response> | Response
}

type Address = Pick<ListenOptions, 'host' | 'port'>

const GRACE_MS = 5_000

const SENTENCES: Readonly<Record<string, (options: Address) => string>> = {
  EADDRINUSE: ({ port }) => `Port ${port} is taken by another program: stop it, or set PORT to another one.`,
  EACCES: ({ port }) => `Port ${port} may not be opened by this user: set PORT to one above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `${host} is no address of this machine: set HOST to one that is.`,
  ENOTFOUND: ({ host }) => `The name ${host} is not known: set HOST to an address of this machine.`,
}

/** The sentence for an address that cannot be used. */
export function toSentence(error: NodeJS.ErrnoException, options: Address): Error {
  const sentence = SENTENCES[error.code ?? '']?.(options)
  return sentence === undefined ? error : new Error(sentence, { cause: error })
}

/**
 * A proxy and the server behind it may each choose another of two Host headers (RFC 9112, 3.2); Node takes the first.
 */
const oneHost =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const hosts = request.rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'host')
    if (hosts.length <= 1) listener(request, response)
    else response.writeHead(400, { connection: 'close' }).end('There is more than one Host header.')
  }

/**
 * Serves a fetch function over HTTP.
 *
 * @throws {Error} with a sentence that names PORT or HOST when the address cannot be used
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: (request, { incoming: { socket } }) =>
      options.fetch(request, options.addressOf?.(socket.remotePort) ?? socket.remoteAddress),
    overrideGlobalObjects: false,
    createServer: ((settings: ServerOptions, listener: RequestListener) =>
      createServer(settings, oneHost(listener))) as typeof createServer,
  })
  if (!('closeIdleConnections' in server)) throw new Error('only HTTP/1.1 is served here')
  // An upload of 100 MB over a slow line may take ten minutes; headers may not.
  server.requestTimeout = 600_000
  server.headersTimeout = 30_000
  // Longer than clients wait between requests: a connection closed just then loses one of them.
  server.keepAliveTimeout = 65_000
  // CONNECT is refused with an answer; without a listener Node would close the connection without one.
  server.on('connect', (_, socket: Duplex) => {
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toSentence(error, options)))
    server.listen(options.port, options.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  let closing: Promise<void> | undefined
  return {
    url: `http://${host}:${port}`,
    port,
    close: () =>
      (closing ??= new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
        server.close(() => {
          clearTimeout(cut)
          resolve()
        })
        server.closeIdleConnections()
      })),
  }
}
