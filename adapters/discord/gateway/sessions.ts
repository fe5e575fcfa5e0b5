import {
  type Client,
  ClientApplication,
  ClientUser,
  Events,
  GatewayDispatchEvents,
  type SessionInfo,
  type WebSocketOptions,
} from 'discord.js'
import type { Log } from '#bridge/port/platform.ts'
import type { State } from '#bridge/port/state.ts'

type Manager = Parameters<NonNullable<WebSocketOptions['buildStrategy']>>[0]

/** An event as the gateway sends it. */
export interface Packet {
  readonly t: GatewayDispatchEvents
  readonly s: number
  readonly d: unknown
}

/** Discord keeps a session for some minutes after its connection has ended. */
const SESSION_LIFETIME_MS = 5 * 60_000
const WRITE_EVERY_MS = 1000
/** A session in which nothing happens is stored again, or it would expire. */
const REFRESH_MS = 60_000
/** A press that could not be stored holds the session up so long; then the session is stored before it would expire. */
const PRESS_MS = SESSION_LIFETIME_MS - 2 * REFRESH_MS

/** A session with what discord.js gets from new sessions only: our user and application. The next process resumes it. */
interface StoredSession {
  readonly session: SessionInfo
  readonly user: object
  readonly application: object
}

interface OpenEvent {
  readonly sequence: number
  /** From then on it is given up. */
  readonly until: number
}

interface LiveSession {
  readonly kept: StoredSession
  /** Sequence of the newest event. */
  heard: number
  /** Events that are not stored yet, or never will be: the next process gets them again. */
  readonly open: Set<OpenEvent>
  written: number
  writtenAt: number
}

/**
 * Gateway sessions outlive the process: the next process resumes them from the last event up to which all are stored.
 * Discord then replays what came meanwhile, and no channel has to be read back.
 */
export interface Sessions {
  /** Before these connections are opened. */
  attach(client: Client, manager: Manager): void
  /** Call it for each event, in order. */
  heard(shard: number, packet: Packet): void
  /**
   * Call it when something of the newest event begins, and the result with whether it is stored. `reading`: channels
   * are read back, and until that is done a successor has to begin anew. `press`: its person does not wait for long.
   */
  begin(shard: number, what?: 'reading' | 'press'): (isStored: boolean) => void
  /** Whether the events that arrive now are replayed ones, from before the session was resumed. */
  isReplaying(shard: number): boolean
  /** Stores the sessions for the last time: later events are for the next process. */
  close(): Promise<void>
}

/** @param of key of application and intents: a session of others can't be resumed */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createSessions(state: Pick<State, 'get' | 'set' | 'delete'>, of: string, log: Log): Sessions {
  const running = new Map<number, LiveSession>()
  const newest = new Map<number, SessionInfo>()
  const replaying = new Set<number>()
  let isClosed = false
  const keyOf = (shard: number) => `${of}/${shard}`
  const timer = setInterval(() => void write(), WRITE_EVERY_MS).unref()

  async function write(): Promise<void> {
    for (const [shard, one] of running) {
      let sequence = one.heard
      for (const event of one.open)
        if (event.until < Date.now()) one.open.delete(event)
        else sequence = Math.min(sequence, event.sequence - 1)
      const isQuiet = sequence === one.heard && Date.now() - one.writtenAt > REFRESH_MS
      if (sequence <= 0 || (sequence <= one.written && !isQuiet)) continue
      one.written = sequence
      one.writtenAt = Date.now()
      const { kept } = one
      await attempt(() =>
        state.set(keyOf(shard), { ...kept, session: { ...kept.session, sequence } }, SESSION_LIFETIME_MS),
      )
    }
  }

  /** Without it a successor begins anew: nothing is lost. */
  async function attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      log.warn({ err: error }, 'A Discord session could not be kept: the next start begins a new one')
      return undefined
    }
  }

  const track = (shard: number, kept: StoredSession, written: number) => {
    const { sequence: heard } = kept.session
    running.set(shard, { kept, heard, open: new Set(), written, writtenAt: Date.now() })
  }

  async function restore(client: Client, shard: number, count: number | null): Promise<SessionInfo | null> {
    const kept = (await attempt(() => state.get(keyOf(shard)))) as StoredSession | undefined
    if (kept === undefined || kept.session.shardCount !== count) return null
    introduce(client, kept)
    replaying.add(shard)
    track(shard, kept, kept.session.sequence)
    log.info({ shard }, 'The Discord session of the process before is resumed')
    return kept.session
  }

  function forget(shard: number): void {
    running.delete(shard)
    void attempt(() => state.delete(keyOf(shard)))
  }

  return {
    attach(client, { options }) {
      const retrieveSessionInfo = options.retrieveSessionInfo.bind(options)
      const updateSessionInfo = options.updateSessionInfo.bind(options)
      const asked = new Set<number>()
      const first = async (shard: number) => {
        asked.add(shard)
        const session = await restore(client, shard, options.shardCount)
        if (session !== null) await updateSessionInfo(shard, session)
        return session
      }
      options.retrieveSessionInfo = (shard) => {
        // discord.js opens a lost connection again after its end: it would take the session from the successor.
        if (isClosed) return new Promise(() => {})
        return asked.has(shard) ? retrieveSessionInfo(shard) : first(shard)
      }
      options.updateSessionInfo = (shard, session) => {
        if (session !== null) newest.set(shard, session)
        else if (!isClosed) forget(shard)
        return updateSessionInfo(shard, session)
      }
      // discord.js waits for new sessions before it is ready.
      client.on(Events.ShardResume, () => (client.ws as unknown as { checkShardsReady(): void }).checkShardsReady())
    },
    isReplaying: (shard) => replaying.has(shard),
    heard(shard, { t, s, d }) {
      if (t === GatewayDispatchEvents.Resumed || t === GatewayDispatchEvents.Ready) replaying.delete(shard)
      const session = newest.get(shard)
      if (t === GatewayDispatchEvents.Ready && session !== undefined) {
        const { user, application } = d as StoredSession
        track(shard, { session, user, application }, 0)
      }
      const one = running.get(shard)
      if (one !== undefined) one.heard = Math.max(one.heard, s)
    },
    begin(shard, what) {
      const one = running.get(shard)
      const until = what === 'press' ? Date.now() + PRESS_MS : Infinity
      const event = { sequence: what === 'reading' ? 0 : (one?.heard ?? 0), until }
      one?.open.add(event)
      return (isStored) => void (isStored && one?.open.delete(event))
    },
    async close() {
      clearInterval(timer)
      await write()
      isClosed = true
    },
  }
}

function introduce(client: Client, { user, application }: StoredSession): void {
  if (client.user !== null) return
  Object.assign(client, {
    user: Reflect.construct(ClientUser, [client, user]) as ClientUser,
    application: Reflect.construct(ClientApplication, [client, application]) as ClientApplication,
  })
}
