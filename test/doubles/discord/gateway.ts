import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Away } from './away.ts'
import { withoutContent } from './message-content.ts'
import { guildPayload, type Json } from './payloads.ts'
import type { World } from './world.ts'

const opcodes = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  ack: 11,
} as const

/** Intents of https://discord.com/developers/docs/events/gateway#list-of-intents that matter here. */
export const intents = {
  guilds: 1,
  guildMessages: 1 << 9,
  directMessages: 1 << 12,
  guildReactions: 1 << 10,
  directReactions: 1 << 13,
  messageContent: 1 << 15,
} as const

interface Session {
  readonly id: string
  readonly shard: readonly [id: number, count: number]
  readonly intents: number
  sequence: number
  readonly sent: { readonly s: number; readonly t: string; readonly d: Json }[]
  socket: WebSocket | undefined
}

/** `unavailable`: Discord can't serve it, which READY says of every guild. `left`: the bot is not in it. */
type GuildState = 'there' | 'unavailable' | 'left'

export interface Gateway {
  /** Sends an event to every session that asked for it; sessions without a socket get it when they resume. */
  dispatch(t: string, d: Json, intent: number): void
  /** Cuts every socket without a word, or that of one shard. */
  drop(shard?: number): void
  /** Asks every client to reconnect (op 7). */
  reconnect(): void
  /** Ends every session (op 9, not resumable): missed events stay missed. */
  invalidate(): void
  /** The next attempt to resume is refused: the client has to identify anew, and what it missed stays missed. */
  refuseResume(): void
  close(code: number): void
  /** Each event is sent this many times. */
  repeat(times: number): void
  /** False: sockets are refused until it is true again. */
  open(accepting: boolean): void
  /** From now on handshakes stay unanswered; gives how many wait. The returned `reset` breaks them off. */
  hold(): { readonly waiting: () => number; readonly reset: () => void }
  /** Shards with a socket. */
  readonly shards: readonly number[]
  /** False: heartbeats stay unanswered. */
  answerHeartbeats(answer: boolean): void
  /** Tells what becomes of the guild; until it is there again, it tells of nothing. */
  setGuild(state: GuildState): void
  /** The intents of each IDENTIFY. */
  readonly asked: readonly number[]
  readonly identified: number
  readonly resumed: number
  readonly connected: number
  /** Requests for a connection, whatever became of them. */
  readonly attempts: number
  /** Open connections, with a session or without. */
  readonly sockets: number
  /** Cuts all connections (`silent`: keeps them) and is away until it is called with undefined. */
  away(how: Away | undefined): void
  stop(): void
}

export interface GatewayOptions {
  readonly token: string
  readonly world: World
  resumeUrl(): string
  readonly heartbeatIntervalMs: number
  readonly changed: () => void
}

/** Discord's gateway, version 10, JSON, uncompressed. Each guild belongs to one shard, direct messages to the first. */
export function createGateway(server: Server, options: GatewayOptions): Gateway {
  const { world } = options
  const sockets = new WebSocketServer({ noServer: true })
  const sessions = new Map<string, Session>()
  const asked: number[] = []
  const counts = { identified: 0, resumed: 0, attempts: 0 }
  const mode = { repeat: 1, accepting: true, heartbeats: true, refuseResume: false, guild: 'there' as GuildState }
  let away: Away | undefined
  const parked = new Set<Duplex>()
  const live = () => [...sessions.values()].filter((session) => session.socket !== undefined)
  const push = (session: Session, t: string, d: Json) => {
    session.sequence += 1
    const event = { s: session.sequence, t, d }
    session.sent.push(event)
    if (session.socket !== undefined && away !== 'silent') send(session.socket, opcodes.dispatch, d, { s: event.s, t })
  }

  /** MESSAGE CONTENT is not granted to this application. */
  const isDisallowed = (wanted: number) => world.applicationFlags === 0 && (wanted & intents.messageContent) !== 0

  const isIn = (guild: unknown) => mode.guild !== 'left' || guild !== world.guildId
  const isServed = (guild: unknown) => mode.guild === 'there' || guild !== world.guildId

  const guildsOf = ({ shard }: Session) =>
    [world.guildId, ...world.crowd.keys()].filter((id) => isIn(id) && shardOf(id, shard[1]) === shard[0])

  const identify = (socket: WebSocket, d: Json) => {
    if (d['token'] !== options.token) return socket.close(4004, 'Authentication failed.')
    const wanted = Number(d['intents'])
    asked.push(wanted)
    if (isDisallowed(wanted)) return socket.close(4014, 'Disallowed intent(s).')
    const shard = (d['shard'] ?? [0, 1]) as Session['shard']
    if (shard[0] >= shard[1]) return socket.close(4010, 'Invalid shard.')
    for (const session of sessions.values()) {
      if (session.socket === undefined && session.shard[0] === shard[0]) sessions.delete(session.id)
    }
    const session: Session = { id: randomUUID(), shard, intents: wanted, sequence: 0, sent: [], socket }
    sessions.set(session.id, session)
    counts.identified += 1
    push(session, 'READY', {
      v: 10,
      user: { ...world.bot, discriminator: '0', avatar: null },
      session_id: session.id,
      resume_gateway_url: options.resumeUrl(),
      guilds: guildsOf(session).map((id) => ({ id, unavailable: true })),
      application: { id: world.bot.id, flags: 0 },
      shard,
    })
    for (const id of guildsOf(session)) if (isServed(id)) push(session, 'GUILD_CREATE', guildPayload(world, id))
    // A resumed session asks for later events only.
    if (world.crowd.size > 0) session.sent.length = 0
    options.changed()
  }

  const resume = (socket: WebSocket, d: Json) => {
    const session = sessions.get(String(d['session_id']))
    const refused = mode.refuseResume
    mode.refuseResume = false
    if (session === undefined || refused || d['token'] !== options.token) {
      return send(socket, opcodes.invalidSession, false)
    }
    if (isDisallowed(session.intents)) return socket.close(4014, 'Disallowed intent(s).')
    // A session has one connection.
    session.socket?.close(4000)
    session.socket = socket
    counts.resumed += 1
    const seen = Number(d['seq'])
    for (const event of session.sent) {
      if (event.s > seen) send(socket, opcodes.dispatch, event.d, { s: event.s, t: event.t })
    }
    push(session, 'RESUMED', {})
    options.changed()
  }

  sockets.on('connection', (socket) => {
    if (away === 'no-hello') return
    send(socket, opcodes.hello, { heartbeat_interval: options.heartbeatIntervalMs })
    socket.on('message', (raw: Buffer) => {
      const { op, d } = JSON.parse(raw.toString()) as { op: number; d: Json }
      if (op === opcodes.heartbeat && mode.heartbeats) send(socket, opcodes.ack, null)
      else if (op !== opcodes.heartbeat && away === 'closing') socket.close(4000)
      else if (op !== opcodes.heartbeat && away === 'no-ready') return
      else if (op === opcodes.identify) identify(socket, d)
      else if (op === opcodes.resume) resume(socket, d)
    })
    socket.on('close', (code) => {
      for (const session of sessions.values()) {
        if (session.socket !== socket) continue
        session.socket = undefined
        // Closing with 1000 or 1001 tells Discord that the session is over: it cannot be resumed.
        if (code === 1000 || code === 1001) sessions.delete(session.id)
      }
      options.changed()
    })
  })
  const park = (socket: Duplex) => {
    socket.pause()
    parked.add(socket)
  }
  let held: Duplex[] | undefined
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    counts.attempts += 1
    socket.on('error', () => {})
    if (away === 'unavailable') socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n')
    else if (away === 'silent') park(socket)
    else if (held !== undefined) {
      held.push(socket)
      options.changed()
    } else if (!mode.accepting) socket.destroy()
    else sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request))
  })

  return {
    dispatch(t, d, intent) {
      if (!isServed(d['guild_id'])) return
      for (const session of sessions.values()) {
        if (intent !== 0 && (session.intents & intent) === 0) continue
        if (shardOf(d['guild_id'], session.shard[1]) !== session.shard[0]) continue
        const visible = redact(d, session, world)
        for (let time = 0; time < mode.repeat; time += 1) push(session, t, visible)
      }
    },
    drop: (shard) => {
      for (const { socket, shard: of } of live()) if (shard === undefined || of[0] === shard) socket?.terminate()
    },
    reconnect: () => live().forEach(({ socket }) => socket && send(socket, opcodes.reconnect, null)),
    invalidate() {
      for (const { id, socket } of live()) {
        sessions.delete(id)
        if (socket !== undefined) send(socket, opcodes.invalidSession, false)
      }
    },
    refuseResume: () => void (mode.refuseResume = true),
    close: (code) => sockets.clients.forEach((socket) => socket.close(code)),
    repeat: (times) => void (mode.repeat = times),
    hold() {
      const kept: Duplex[] = (held = [])
      return { waiting: () => kept.length, reset: () => kept.forEach((socket) => socket.destroy()) }
    },
    open: (accepting) => void (mode.accepting = accepting),
    setGuild(state) {
      if (mode.guild === 'left') world.joinedAt = new Date().toISOString()
      mode.guild = state
      const gone = { id: world.guildId, ...(state === 'left' ? {} : { unavailable: true }) }
      for (const session of sessions.values()) {
        if (shardOf(world.guildId, session.shard[1]) !== session.shard[0]) continue
        if (state === 'there') push(session, 'GUILD_CREATE', guildPayload(world))
        else push(session, 'GUILD_DELETE', gone)
      }
    },
    answerHeartbeats: (answer) => void (mode.heartbeats = answer),
    away(how) {
      away = how
      if (how === 'silent') return sockets.clients.forEach((socket) => socket.pause())
      // Whoever was silent has forgotten its connections when it is back.
      parked.forEach((socket) => socket.destroy())
      parked.clear()
      sockets.clients.forEach((socket) => socket.terminate())
    },
    asked,
    get attempts() {
      return counts.attempts
    },
    get sockets() {
      return sockets.clients.size
    },
    get identified() {
      return counts.identified
    },
    get resumed() {
      return counts.resumed
    },
    get shards() {
      return live().map(({ shard }) => shard[0])
    },
    get connected() {
      return live().length
    },
    stop() {
      sockets.clients.forEach((socket) => socket.terminate())
      sockets.close()
    },
  }
}

/** https://discord.com/developers/docs/events/gateway#sharding-sharding-formula; without a guild: a direct message. */
const shardOf = (guild: unknown, count: number): number =>
  typeof guild === 'string' ? Number((BigInt(guild) >> 22n) % BigInt(count)) : 0

const send = (socket: WebSocket, op: number, d: unknown, rest: Json = {}) =>
  socket.send(JSON.stringify({ op, d, s: null, t: null, ...rest }))

function redact(d: Json, session: Session, world: World): Json {
  const isBlind = (session.intents & intents.messageContent) === 0 && 'content' in d && d['guild_id'] !== undefined
  return isBlind ? withoutContent(d, world) : d
}
