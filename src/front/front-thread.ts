import { writeSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { BACKLOG, MAX_REST_BYTES, mostConnections } from '../platform/server/connections.ts'
import { createPeers } from './peers.ts'
import { createAnswerReader, createRequestReader, type Piece, type RequestReader } from './requests.ts'
import { type Standstill, watch } from './watchdog.ts'

/** Settings of the thread. */
export interface FrontData {
  readonly host: string
  readonly port: number
  /** Port of the main thread on loopback. */
  readonly inner: number
  readonly version: string
  readonly peers: SharedArrayBuffer
  readonly beat: SharedArrayBuffer
}

/** Messages to the main thread. */
export type FrontMessage =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'closed' }
  | { readonly kind: 'standstill'; readonly standstill: Standstill }

/** The head of a request is due within so long, as in the main thread. */
const HEAD_MS = 30_000
/** How long a refused client may go on sending. */
const REFUSED_MS = 2_000
/** A main loop that stands still for so long does not come back: who supervises the process should restart it. */
const STUCK_MS = 60_000

const data = workerData as FrontData
const peers = createPeers(data.peers)
const root = new URL('../../', import.meta.url).href
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const say = (message: FrontMessage) => parentPort?.postMessage(message)
const watchdog = watch(data.beat, root, (standstill) => say({ kind: 'standstill', standstill }))

let toldStuck = false
/** The log line of a loop that may never write one itself. */
function tellStuck(ms: number): void {
  if (!toldStuck) writeSync(2, `The main loop has been standing still for ${Math.round(ms / 1000)} s.\n`)
  toldStuck = true
}

function answerHealth(client: Socket, keepAlive: boolean): void {
  const lateMs = watchdog.lateMs()
  const isStuck = lateMs >= STUCK_MS
  if (isStuck) tellStuck(lateMs)
  const { version } = data
  const body = JSON.stringify(isStuck ? { status: 'stuck', version, standsStillMs: lateMs } : { status: 'ok', version })
  const head = [
    `HTTP/1.1 ${isStuck ? '503 Service Unavailable' : '200 OK'}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    ...(keepAlive ? [] : ['connection: close']),
  ]
  const answer = `${head.join('\r\n')}\r\n\r\n${body}`
  if (!keepAlive) client.end(answer)
  else if (!client.write(answer)) client.pause()
}

function refuse(client: Socket, status: string, sentence: string): void {
  const body = JSON.stringify({ error: { message: sentence, type: 'invalid_request_error' }, detail: sentence })
  const head = `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json`
  // Bytes that still come are read: a connection closed before them loses the client the answer.
  client.removeAllListeners('data').removeAllListeners('end').resume()
  client.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  setTimeout(() => client.destroy(), REFUSED_MS)
}

const NO_REQUEST = 'This is no HTTP request. Speak HTTP here: TLS is for a proxy before Footbridge.'
const LATE_HEAD = 'The headers of the request did not arrive completely in time: send it again.'
/** A method or the line end that some clients send before one. */
const beginsRequest = (bytes: Buffer) => /^[A-Za-z\r\n]/.test(bytes.toString('latin1', 0, 1))

/** Bytes of answers that wait for a client here. */
const BUFFER_BYTES = 16 * 1024
/** Health checks in one packet. */
const MAX_CHECKS = 32
/** As long as the main thread keeps a connection on which nothing happens. */
const SILENT_MS = 65_000
/** More than the main thread takes, which knows better which of its connections is missed least. */
const MAX_CLIENTS = 4 * mostConnections()

/** The connection to the main thread, made with the first bytes for it. */
function openInner(client: Socket, isRefused: () => boolean): Socket {
  const inner = connect({ port: data.inner, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  let port: number | undefined
  inner.once('connect', () => {
    port = inner.localPort
    if (port !== undefined) peers.set(port, client.remoteAddress ?? '')
  })
  inner.on('data', (bytes: Buffer) => {
    if (!client.write(bytes)) inner.pause()
  })
  client.on('drain', () => inner.resume())
  inner.on('drain', () => {
    if (!client.writableNeedDrain && !isRefused()) client.resume()
  })
  inner.on('end', () => client.end())
  inner.on('error', () => client.destroy())
  inner.on('close', () => {
    if (port !== undefined) peers.clear(port)
    ended.add(client)
    client.destroySoon()
  })
  return inner
}

/** A client that does not read its answer is cut off: longer than the main thread lets running answers go on. */
const GRACE_MS = 6_000
const clients = new Set<Socket>()
/** Clients without a connection to the main thread, which ends those that have one. */
const idle = new Set<Socket>()
/** Clients whose last bytes are on their way. */
const ended = new Set<Socket>()

/** Makes room for a newcomer; false: every other client is being served. */
function makeRoom(): boolean {
  if (clients.size < MAX_CLIENTS) return true
  const [oldest] = ended.size > 0 ? ended : idle
  oldest?.destroy()
  for (const set of [clients, idle, ended]) if (oldest !== undefined) set.delete(oldest)
  return oldest !== undefined
}

/** Passes the requests of a client on to the main thread; health checks between them are answered here. */
function createPassage(client: Socket) {
  let inner: Socket | undefined
  // A health check behind an answer that the main thread owes waits its turn there.
  const answers = createAnswerReader()
  // A request that is answered before its body is there gets no more of it: the main thread ends the connection.
  const isRefused = (due: () => number) => due() > MAX_REST_BYTES && !answers.isOwed()
  const open = (due: () => number): Socket => {
    idle.delete(client)
    const opened = openInner(client, () => isRefused(due))
    opened.on('data', (piece: Buffer) => {
      answers.take(piece)
      if (isRefused(due)) client.pause()
    })
    return opened
  }
  const pass = (bytes: Buffer, due: () => number) => {
    inner ??= open(due)
    // Written only when the address of the client is known: the connection is open then.
    if (!inner.write(bytes)) client.pause()
  }
  return {
    pass,
    isOpen: () => inner !== undefined,
    isWaiting: (due: () => number) => inner?.writableNeedDrain === true || isRefused(due),
    isDone: () => inner === undefined || inner.destroyed,
    take(pieces: readonly Piece[], due: () => number): void {
      let checks = 0
      for (const piece of pieces) {
        if (piece.kind === 'health' && !answers.isOwed()) {
          checks += 1
          if (checks > MAX_CHECKS) {
            client.destroy()
            return
          }
          answerHealth(client, piece.keepAlive)
          continue
        }
        if (piece.kind === 'health' || piece.isHead) answers.asked()
        pass(piece.bytes, due)
      }
    },
    end: () => (inner ?? client).end(),
    destroy: () => inner?.destroy(),
  }
}

function serve(client: Socket): void {
  if (!makeRoom()) return void client.destroy()
  clients.add(client)
  idle.add(client)
  const requests: RequestReader = createRequestReader()
  const due = () => requests.due()
  const passage = createPassage(client)
  const onLate = () => {
    if (!passage.isOpen() && requests.rest().length > 0) refuse(client, '408 Request Timeout', LATE_HEAD)
    else client.destroy()
  }
  let late: NodeJS.Timeout | undefined = setTimeout(onLate, HEAD_MS)
  client.on('data', (bytes: Buffer) => {
    const pieces = requests.take(bytes)
    passage.take(pieces, due)
    const rest = requests.rest()
    if (pieces.length > 0 || rest.length === 0) {
      clearTimeout(late)
      late = undefined
    }
    // Further bytes of the same head gain it no time.
    if (rest.length > 0) late ??= setTimeout(onLate, HEAD_MS)
    if (!passage.isOpen() && rest.length > 0 && !beginsRequest(rest)) refuse(client, '400 Bad Request', NO_REQUEST)
  })
  client.on('drain', () => {
    if (!passage.isWaiting(due)) client.resume()
  })
  client.on('end', () => {
    const rest = requests.rest()
    if (rest.length > 0) passage.pass(rest, due)
    passage.end()
  })
  client.on('error', () => passage.destroy())
  // A client that does not read, or kept a connection for health checks and makes none.
  client.setTimeout(SILENT_MS, () => {
    if (passage.isDone() || client.writableLength > 0) client.destroy()
  })
  client.on('close', () => {
    clearTimeout(late)
    clients.delete(client)
    idle.delete(client)
    ended.delete(client)
    passage.destroy()
  })
}

const server = createServer({ allowHalfOpen: true, noDelay: true, highWaterMark: BUFFER_BYTES }, serve)
server.on('error', (error: NodeJS.ErrnoException) =>
  say({ kind: 'refused', code: error.code ?? '', message: error.message }),
)
server.listen({ port: data.port, host: data.host, backlog: BACKLOG }, () =>
  say({ kind: 'listening', port: (server.address() as AddressInfo).port }),
)
parentPort?.on('message', () => {
  const cut = setTimeout(() => {
    for (const client of clients) client.destroy()
  }, GRACE_MS)
  server.close(() => {
    clearTimeout(cut)
    say({ kind: 'closed' })
  })
  for (const client of idle) client.destroy()
})
