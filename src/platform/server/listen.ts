import { createAdaptorServer } from '@hono/node-server'
import { createServer, STATUS_CODES, type RequestListener, type ServerOptions, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { cameBy } from '#lib/request-body.ts'
import { BACKLOG, createConnectionGuard, mostConnections, REFUSED_MS } from './connections.ts'
import { toErrorBody } from './http/errors.ts'

export interface Listening {
  /** `http://host:port`, with the port that the system assigned. */
  readonly url: string
  readonly port: number
  /** Ends at most `count` connections: idle ones first. */
  readonly makeRoom: (count: number) => void
  /** Closes the server: no new connection, running answers end within 5 s. Idempotent. */
  close(): Promise<void>
}

export interface ListenOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Address of the client of a connection from this port, where our own proxy knows it. */
  readonly addressOf?: (port: number | undefined) => string | undefined
  /** The connection from this port ends without its client's doing. */
  readonly onEnd?: (port: number) => void
  /** Connections at once. Default 512, fewer where the system allows few open files. */
  readonly connections?: number
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

/** A proxy and its server may each choose another of two Host headers (RFC 9112, 3.2); Node takes the first. */
const oneHost =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const hosts = request.rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'host')
    if (hosts.length <= 1) listener(request, response)
    else response.writeHead(400, { connection: 'close' }).end('There is more than one Host header.')
  }

const UNREADABLE = { status: 400, sentence: 'This is no HTTP request that can be read: send it anew.' }
/** Status and sentence by the code of Node's error. */
const BAD_HEADS: Readonly<Record<string, typeof UNREADABLE>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    sentence: 'Address and headers of the request are longer than 16 KB together: send shorter names.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, sentence: 'The extensions of a chunk are too long: send none.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, sentence: 'The request did not come to its end in time: send it again.' },
}
/** Buffer of a connection, each way: a body in chunks of one byte takes 250 times its length in memory. */
const BUFFER_BYTES = 16 * 1024

/** Answers bytes that Node cannot read as a request, where that does not run into another answer. */
function createRefusal() {
  const open = new WeakMap<Duplex, Set<ServerResponse>>()
  const refused = new WeakSet<Duplex>()
  const isAnswering = (socket: Duplex) => {
    const responses = [...(open.get(socket) ?? [])]
    return responses.length > 1 || responses.some(({ headersSent }) => headersSent)
  }
  return {
    follow:
      (listener: RequestListener): RequestListener =>
      (request, response) => {
        const responses = open.get(request.socket) ?? new Set()
        open.set(request.socket, responses.add(response))
        response.once('close', () => responses.delete(response))
        listener(request, response)
      },
    refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
      // Each further piece of the same request is a fault, too.
      if (refused.has(socket)) return
      refused.add(socket)
      if (!socket.writable || isAnswering(socket)) return void socket.destroy()
      const { status, sentence } = BAD_HEADS[error.code ?? ''] ?? UNREADABLE
      const body = JSON.stringify(toErrorBody(sentence, 'invalid_request_error', null))
      const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json`
      socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
      setTimeout(() => socket.destroy(), REFUSED_MS).unref()
    },
  }
}

/**
 * Serves a fetch function over HTTP.
 *
 * @throws {Error} with a sentence that names PORT or HOST when the address cannot be used
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const refusal = createRefusal()
  const guard = createConnectionGuard({
    most: options.connections ?? mostConnections(),
    addressOf: ({ remotePort, remoteAddress }) => options.addressOf?.(remotePort) ?? remoteAddress,
    onEnd: ({ remotePort }) => remotePort !== undefined && options.onEnd?.(remotePort),
  })
  const server = createAdaptorServer({
    fetch(request, { incoming }) {
      const { socket } = incoming
      cameBy(request, incoming)
      return options.fetch(request, options.addressOf?.(socket.remotePort) ?? socket.remoteAddress)
    },
    overrideGlobalObjects: false,
    createServer: ((settings: ServerOptions, listener: RequestListener) =>
      createServer(
        { ...settings, highWaterMark: BUFFER_BYTES },
        refusal.follow(guard.inTurn(oneHost(listener))),
      )) as typeof createServer,
  })
  if (!('closeIdleConnections' in server)) throw new Error('only HTTP/1.1 is served here')
  // An upload of 100 MB over a slow line may take ten minutes; headers may not.
  server.requestTimeout = 600_000
  server.headersTimeout = 30_000
  // Longer than clients wait between requests: a connection closed just then loses one of them.
  server.keepAliveTimeout = 65_000
  guard.watch(server)
  server.on('clientError', (error, socket) => refusal.refuse(error, socket))
  // CONNECT is refused with an answer; without a listener Node would close the connection without one.
  server.on('connect', (_, socket: Duplex) => {
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    // Node's time limits end with the HTTP of a connection.
    setTimeout(() => socket.destroy(), REFUSED_MS).unref()
  })
  let closing: Promise<void> | undefined
  server.on('request', (_, response: ServerResponse) => {
    if (closing !== undefined) response.shouldKeepAlive = false
    // A client that keeps its connection must not hold up the end.
    response.once('close', () => {
      if (closing !== undefined) setImmediate(() => server.closeIdleConnections())
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toSentence(error, options)))
    server.listen({ port: options.port, host: options.host, backlog: BACKLOG }, resolve)
  })
  const { port } = server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return {
    url: `http://${host}:${port}`,
    port,
    makeRoom: guard.makeRoom,
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
