import { writeSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { networkOf } from '#lib/network.ts'
import { release } from '#lib/read-limited.ts'
import { BACKLOG, mostConnections } from '#platform/server/connections.ts'
import { createLine } from './line.ts'
import { BUFFER_BYTES, createPassage } from './passage.ts'
import { createPeers } from './peers.ts'
import { createRequestReader, type RequestReader } from './requests.ts'
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
  /** `count` clients wait for a connection; the answer is `made-room`. */
  | { readonly kind: 'crowded'; readonly count: number }

/** Messages of the main thread. */
export type FrontOrder =
  | { readonly kind: 'close' | 'made-room' }
  /** The main thread ended the connection from this port: one that is not read would not show it. */
  | { readonly kind: 'ended'; readonly port: number }

/** The head of a request is due within this time, as in the main thread. */
const HEAD_MS = 30_000
/** How long a refused client may go on sending. */
const REFUSED_MS = 2_000
/** A main loop that hangs for this long does not come back: the supervisor should restart the process. */
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
  if (keepAlive) client.write(answer)
  else client.end(answer)
}

function refuse(client: Socket, status: string, sentence: string): void {
  const body = JSON.stringify({ error: { message: sentence, type: 'invalid_request_error' }, detail: sentence })
  const head = `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json`
  // Bytes that still come are read: a connection closed before them loses the client the answer.
  client.removeAllListeners('readable').removeAllListeners('end').on('data', release)
  client.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  setTimeout(() => client.destroy(), REFUSED_MS)
}

const NO_REQUEST = 'This is no HTTP request. Speak HTTP here: TLS is for a proxy before Footbridge.'
const LATE_HEAD = 'The headers of the request did not arrive completely in time: send it again.'
/** A method or the line end that some clients send before one. */
const beginsRequest = (bytes: Buffer) => /^[A-Za-z\r\n]/.test(bytes.toString('latin1', 0, 1))

const CROWDED = 'All connections are being answered at the moment: try again in a few seconds.'
/** Every answer is read into it, and copied before the next read. */
const ANSWERED = Buffer.allocUnsafeSlow(BUFFER_BYTES)
/** As long as the main thread keeps a connection on which nothing happens. */
const SILENT_MS = 65_000
/** As many as the main thread takes are read. */
const MAX_TURNS = mostConnections()
/** Each of them may hold a read of 64 kB. */
const MAX_CLIENTS = 2 * MAX_TURNS

/** Clients by the port of their connection to the main thread. */
const byPort = new Map<number, Socket>()
const line = createLine<Socket>({
  turns: MAX_TURNS,
  places: MAX_CLIENTS,
  begin: (client) => serve(client),
  end: (client) => client.destroy(),
  askRoom: (count) => say({ kind: 'crowded', count }),
})

/** The connection to the main thread, made with the first bytes for it. `take`: bytes of answers. */
function openInner(client: Socket, take: (bytes: Buffer) => void): Socket {
  const onBytes = (length: number) => {
    // Not of Node's pool: its memory goes back as soon as the client has taken it.
    const bytes = Buffer.allocUnsafeSlow(length)
    ANSWERED.copy(bytes)
    take(bytes)
    client.write(bytes, () => release(bytes))
    return client.writableLength <= BUFFER_BYTES
  }
  const inner = connect({
    port: data.inner,
    host: '127.0.0.1',
    allowHalfOpen: true,
    noDelay: true,
    // A read into memory of its own would take 64 kB each time, and one more before the connection is paused.
    onread: { buffer: ANSWERED, callback: onBytes },
  })
  client.on('drain', () => inner.resume())
  let port: number | undefined
  inner.once('connect', () => {
    port = inner.localPort
    if (port === undefined) return
    byPort.set(port, client)
    peers.set(port, client.remoteAddress ?? '')
  })
  inner.on('end', () => {
    line.leaving(client)
    client.end()
  })
  inner.on('error', () => client.destroy())
  inner.on('close', () => {
    if (port !== undefined) {
      byPort.delete(port)
      peers.clear(port)
    }
    client.destroySoon()
  })
  line.served(client)
  return inner
}

/** A client that does not read its answer is cut off: longer than the main thread lets running answers go on. */
const GRACE_MS = 6_000

/** Reads a client whose turn it is. */
function serve(client: Socket): void {
  const requests: RequestReader = createRequestReader()
  const passage = createPassage({
    client,
    due: () => requests.due(),
    onTaken: () => read(),
    open: (take) => openInner(client, take),
    answerHealth: (keepAlive) => answerHealth(client, keepAlive),
  })
  const onLate = () => {
    if (!passage.isOpen() && requests.rest().length > 0) refuse(client, '408 Request Timeout', LATE_HEAD)
    else client.destroy()
  }
  let late: NodeJS.Timeout | undefined = setTimeout(onLate, HEAD_MS)
  const take = (bytes: Buffer) => {
    const count = passage.take(requests.take(bytes))
    passage.release(bytes)
    const rest = requests.rest()
    if (count > 0 || rest.length === 0) {
      clearTimeout(late)
      late = undefined
    }
    // Further bytes of the same head gain it no time.
    if (rest.length > 0) late ??= setTimeout(onLate, HEAD_MS)
    if (!passage.isOpen() && rest.length > 0 && !beginsRequest(rest)) refuse(client, '400 Bad Request', NO_REQUEST)
  }
  /** Gives back bytes that were read ahead of a client that is read no more. */
  const drop = () => {
    const bytes = client.readableLength > 0 ? (client.read() as Buffer | null) : null
    if (bytes !== null) release(bytes)
  }
  const read = () => {
    while (!client.destroyed && client.listenerCount('readable') > 0 && !passage.isHeld()) {
      const bytes = client.read() as Buffer | null
      if (bytes === null) return
      take(bytes)
    }
    if (passage.isRefused()) drop()
  }
  client.on('readable', read)
  client.on('drain', read)
  client.on('end', () => {
    const rest = requests.rest()
    if (rest.length > 0) passage.pass(rest)
    passage.end()
  })
  client.on('error', () => passage.destroy())
  // A client that does not read, or kept a connection for health checks and makes none.
  client.setTimeout(SILENT_MS)
  client.removeAllListeners('timeout').on('timeout', () => {
    if (passage.isDone() || client.writableLength > 0) client.destroy()
  })
  client.on('close', () => {
    clearTimeout(late)
    drop()
    passage.destroy()
  })
}

/** A client waits in the line, unread. */
function receive(client: Socket): void {
  client.on('error', () => undefined)
  client.on('close', () => line.leave(client))
  client.setTimeout(HEAD_MS, () => refuse(client, '503 Service Unavailable', CROWDED))
  line.join(client, networkOf(client.remoteAddress ?? ''))
}

// A client is read only on request: then at most one read of each is held here.
const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true, highWaterMark: 0 }, receive)
server.on('error', (error: NodeJS.ErrnoException) =>
  say({ kind: 'refused', code: error.code ?? '', message: error.message }),
)
server.listen({ port: data.port, host: data.host, backlog: BACKLOG }, () =>
  say({ kind: 'listening', port: (server.address() as AddressInfo).port }),
)

function close(): void {
  const cut = setTimeout(() => {
    for (const client of line.all()) client.destroy()
  }, GRACE_MS)
  server.close(() => {
    clearTimeout(cut)
    say({ kind: 'closed' })
  })
  for (const client of line.idle()) client.destroy()
}

parentPort?.on('message', (order: FrontOrder) => {
  if (order.kind === 'ended') byPort.get(order.port)?.destroy()
  else if (order.kind === 'made-room') line.madeRoom()
  else close()
})
