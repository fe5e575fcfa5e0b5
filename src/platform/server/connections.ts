import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { BlockList, type Socket } from 'node:net'
import { networkOf } from '#lib/network.ts'

/** Requests that may wait on a connection for the answer before them; browsers and libraries send none ahead. */
const MAX_WAITING = 32
const MAX_CONNECTIONS = 512
/** Connections that the system may hold until they are taken; at Node's 511 a burst makes others wait a second and more. */
export const BACKLOG = 4096
/** Most from one address, of IPv6 from one /64; a proxy is known by its address, which is of the own network. */
const MAX_OF_ADDRESS = MAX_CONNECTIONS / 4
/** A connection through the front has two ends here, and the front takes four clients for each. */
const DESCRIPTORS_EACH = 6
/** For databases, files, child processes and requests to other services. */
const DESCRIPTORS_ELSE = 256
/** Where the system does not tell. */
const USUAL_DESCRIPTORS = 4096
/** Bytes of answers that their clients have not taken, all together. */
const MAX_UNSENT_BYTES = 32 * 1024 * 1024
const LOOK_MS = 250
/** A connection may take this long to send its first request before it ends for another one. */
export const GRACE_MS = 500
/** A client may take nothing, or send nothing of a body, for this long: the default of nginx (`send_timeout`). */
const SILENT_MS = 60_000

/** Open files of this process, as the system allows; `ulimit -n`. */
function mostDescriptors(): number {
  try {
    const line = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return line === null ? USUAL_DESCRIPTORS : Number(line[1])
  } catch {
    return USUAL_DESCRIPTORS
  }
}

/** Connections at once: fewer where the system allows few open files, so that they never take the last one. */
export const mostConnections = (descriptors = mostDescriptors()): number =>
  Math.max(16, Math.min(MAX_CONNECTIONS, Math.floor((descriptors - DESCRIPTORS_ELSE) / DESCRIPTORS_EACH)))

/** State of a connection. */
interface Seat {
  /** The request that is being answered. */
  current: { readonly request: IncomingMessage; readonly response: ServerResponse } | undefined
  readonly waiting: (() => void)[]
  /** No further request of this connection is answered. */
  isFull: boolean
  /** Its address has been counted; the front tells it before the first request. */
  isKnown: boolean
  readonly since: number
  unsentBytes: number
  /** Looks in a row at which the client had taken no bytes since the last one. */
  stalledLooks: number
}

const newSeat = (): Seat => ({
  current: undefined,
  waiting: [],
  isFull: false,
  isKnown: false,
  since: performance.now(),
  unsentBytes: 0,
  stalledLooks: 0,
})

/**
 * How easily a connection can be missed: idle or sending its request still, then one whose client does not read, then an
 * answer to a GET that goes on, as that of an event stream, whose client asks again. `Infinity`: an answer is being made, or
 * the first request is on its way.
 */
function rankOf(socket: Socket, { current, isKnown, since, stalledLooks }: Seat): number {
  if (!isKnown && performance.now() - since < GRACE_MS) return Infinity
  if (current?.request.complete !== true) return 0
  if (stalledLooks > 0) return 1
  const isTaken = current.response.headersSent && socket.writableLength === 0
  return isTaken && current.request.method === 'GET' ? 2 : Infinity
}

const OWN_NETWORK = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  OWN_NETWORK.addSubnet(network, bits)
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  OWN_NETWORK.addSubnet(network, bits, 'ipv6')

const isOfOwnNetwork = (address: string) => OWN_NETWORK.check(address, address.includes(':') ? 'ipv6' : 'ipv4')

interface GuardOptions {
  readonly most: number
  /** Address of the client of a connection. */
  readonly addressOf: (socket: Socket) => string | undefined
  /** A connection ends without its client's doing. */
  readonly onEnd?: (socket: Socket) => void
}

function end(socket: Socket, { onEnd }: GuardOptions): void {
  onEnd?.(socket)
  socket.destroy()
}

/** Connections to end so that others get one, at most `count`: the oldest ones of the network that holds the most. */
function leastMissed(seats: ReadonlyMap<Socket, Seat>, count: number, { addressOf }: GuardOptions): Socket[] {
  const found = [...seats]
    .map(([socket, seat]) => ({ socket, rank: rankOf(socket, seat), network: networkOf(addressOf(socket) ?? '') }))
    .filter(({ rank }) => rank < Infinity)
  const leaving = new Set<Socket>()
  while (leaving.size < Math.min(count, found.length)) {
    const left = found.filter(({ socket }) => !leaving.has(socket))
    const rank = Math.min(...left.map((each) => each.rank))
    const byNetwork = [
      ...Map.groupBy(
        left.filter((each) => each.rank === rank),
        ({ network }) => network,
      ).values(),
    ]
    // A map keeps the order in which connections came.
    const oldest = byNetwork.reduce((most, each) => (each.length > most.length ? each : most))[0]
    if (oldest !== undefined) leaving.add(oldest.socket)
  }
  return [...leaving]
}

/** True for the first request of one connection too many from its address, where no other one of them can end. */
function isOneTooMany(seats: ReadonlyMap<Socket, Seat>, socket: Socket, options: GuardOptions): boolean {
  const address = options.addressOf(socket)
  if (address === undefined || isOfOwnNetwork(address)) return false
  const network = networkOf(address)
  const others = [...seats].filter(
    ([other]) => other !== socket && networkOf(options.addressOf(other) ?? '') === network,
  )
  if (others.length < MAX_OF_ADDRESS) return false
  const [leaving] = leastMissed(new Map(others), 1, options)
  if (leaving !== undefined) end(leaving, options)
  return leaving === undefined
}

/** Destroys connections whose clients do not read, the longest first, until answers take no more memory than they may. */
function limitUnsent(seats: ReadonlyMap<Socket, Seat>, options: GuardOptions): void {
  let total = 0
  for (const [socket, seat] of seats) {
    const unsent = socket.writableLength
    const isStalled = seat.unsentBytes > 0 && unsent >= seat.unsentBytes
    seat.stalledLooks = isStalled ? seat.stalledLooks + 1 : 0
    seat.unsentBytes = unsent
    total += unsent
  }
  if (total <= MAX_UNSENT_BYTES) return
  const stalled = [...seats].filter(([, { stalledLooks }]) => stalledLooks > 0)
  for (const [socket, { unsentBytes }] of stalled.toSorted(([, a], [, b]) => b.stalledLooks - a.stalledLooks)) {
    if (total <= MAX_UNSENT_BYTES) return
    total -= unsentBytes
    end(socket, options)
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The rest of a refused body up to this length is read, so that the connection can go on. */
export const MAX_REST_BYTES = 64 * 1024
/** How long a refused client may go on sending: a connection closed before loses it the answer. */
export const REFUSED_MS = 2_000

/** Reads no more of a body that was refused: its connection ends when its client has had time to read why. */
function leaveRest({ headers, complete, socket }: IncomingMessage): void {
  if (complete || Number(headers['content-length'] ?? Infinity) <= MAX_REST_BYTES) return
  // The server's adapter and Node itself would read it to its end.
  socket.on('resume', () => socket.pause())
  socket.pause()
  setTimeout(() => socket.destroy(), REFUSED_MS).unref()
}

/** Begins the request, and after its answer the next one of the connection. */
function begin(listener: RequestListener, seat: Seat, request: IncomingMessage, response: ServerResponse): void {
  seat.current = { request, response }
  response.once('finish', () => leaveRest(request))
  response.once('close', () => {
    seat.current = undefined
    const next = seat.waiting.shift()
    if (next !== undefined) next()
    else if (seat.isFull) request.socket.destroySoon()
  })
  listener(request, response)
}

export interface ConnectionGuard {
  /**
   * One request at a time on each connection: Node begins all that came in one packet, a thousand and more. Waiting
   * requests are dropped when the client leaves. Where too many wait, or one of them has a body, the connection ends
   * after the answers before it (RFC 9112, 9.3.2: a client sends unanswered requests again).
   */
  inTurn(listener: RequestListener): RequestListener
  /**
   * Bounds connections, and the answers that wait in them for their clients. At the limit the connection that is least
   * missed ends; a newcomer is refused only where all others are being answered.
   */
  watch(server: Server): void
  /** Ends at most `count` connections for clients that wait: idle ones first. */
  readonly makeRoom: (count: number) => void
}

/** Connections of one server. */
export function createConnectionGuard(options: GuardOptions): ConnectionGuard {
  const seats = new Map<Socket, Seat>()
  /** @returns how many ended: fewer where the others are being answered. */
  const makeRoom = (count: number): number => {
    const leaving = leastMissed(seats, count, options)
    for (const socket of leaving) {
      seats.delete(socket)
      end(socket, options)
    }
    return leaving.length
  }
  return {
    makeRoom: (count) => void makeRoom(count),
    inTurn: (listener) => (request, response) => {
      const seat = seats.get(request.socket)
      // A connection that had to leave.
      if (seat === undefined) return
      if (!seat.isKnown && isOneTooMany(seats, request.socket, options)) {
        response.writeHead(429, { connection: 'close' }).end('Too many connections from this address.')
        return
      }
      seat.isKnown = true
      if (seat.isFull) request.resume()
      else if (seat.current === undefined) begin(listener, seat, request, response)
      else if (seat.waiting.length < MAX_WAITING && !hasBody(request))
        seat.waiting.push(() => begin(listener, seat, request, response))
      else {
        seat.isFull = true
        request.resume()
      }
    },
    watch(server) {
      server.on('connection', (socket: Socket) => {
        if (seats.size >= options.most && makeRoom(1) === 0) {
          socket.destroy()
          return
        }
        const seat = newSeat()
        seats.set(socket, seat)
        socket.once('close', () => {
          seat.waiting.length = 0
          seats.delete(socket)
        })
      })
      server.timeout = SILENT_MS
      server.on('timeout', (socket: Socket) => {
        // An answer that takes its time is waited for; a client that takes or sends nothing is not.
        const isWaiting = seats.get(socket)?.current?.request.complete === true && socket.writableLength === 0
        if (!isWaiting) end(socket, options)
      })
      const looking = setInterval(() => limitUnsent(seats, options), LOOK_MS).unref()
      server.once('close', () => clearInterval(looking))
    },
  }
}
