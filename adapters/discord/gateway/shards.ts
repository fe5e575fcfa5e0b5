import { SimpleShardingStrategy, type WebSocketOptions, WebSocketShardStatus } from 'discord.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { AdapterError } from '#bridge/port/errors.ts'
import { pauseBefore } from '#bridge/port/outage.ts'
import type { Sharing } from '#bridge/port/store.ts'
import type { DiscordTimes } from '../config.ts'

type Manager = Parameters<NonNullable<WebSocketOptions['buildStrategy']>>[0]

/** The end of a connection that the other side does not confirm. */
const CLOSE_MS = 3000
/** A connection counts as stable after this many times the first pause: only then does the back-off begin anew. */
const STABLE_PAUSES = 60
/** Attempts at the host of a session before the general one is tried. */
const MAX_UNHEARD = 3

/** The socket of a shard, which discord.js keeps to itself. */
interface Socket {
  readonly readyState: number
  terminate(): void
  on(event: 'error', listener: () => void): void
}
const OPEN = 1

/** A shard of @discordjs/ws: discord.js exports a class of its own under that name. */
interface Shard {
  readonly status: WebSocketShardStatus
  readonly connection: Socket | null
  destroy: (how?: { readonly recover?: unknown }) => Promise<void>
}

/** The manager of @discordjs/ws hears the events of its shards. */
interface ShardEvents {
  on(event: 'hello' | 'ready' | 'resumed' | 'dispatch', listener: (event: { readonly shardId: number }) => void): void
}

interface Attempts {
  /** Attempts since the last stable connection. */
  count: number
  /** Attempts in a row that got no HELLO. */
  unheard: number
  readyAt: number | undefined
  isResume: boolean
  /** Ends an attempt that gets no HELLO, or a resume that gets no event. */
  late: NodeJS.Timeout | undefined
}

export interface ShardingOptions {
  readonly times: Pick<DiscordTimes, 'helloMs' | 'readyMs' | 'reconnectMs'>
  /** Aborts when this client is given up: nothing of it connects any more. */
  readonly life: AbortSignal
  /** The first connection of this client can't be opened: it is given up, and the next try has a client of its own. */
  readonly onUnreached: (error: Error) => void
  /** Called before a connection is opened again. */
  readonly onRetry: (shard: number) => void
}

/**
 * discord.js opens a lost connection again after half a second, for ever; it waits a minute for a HELLO; it goes on with a
 * client that was destroyed while it slept or while a handshake was under way. Here each attempt passes a gate: it waits
 * its back-off, and a client that is given up never passes.
 */
export class Sharding extends SimpleShardingStrategy {
  readonly #options: ShardingOptions
  readonly #attempts = new Map<number, Attempts>()
  #wasReady = false

  constructor(manager: Manager, options: ShardingOptions) {
    super(manager)
    this.#options = options
    const retrieveSessionInfo = manager.options.retrieveSessionInfo.bind(manager.options)
    manager.options.retrieveSessionInfo = async (id) => {
      const shard = this.#shards.get(id)
      // discord.js asks for the session before it opens a connection, and for each event.
      const isOpening = shard === undefined || shard.status === WebSocketShardStatus.Idle
      if (isOpening) await this.#pass(id, shard)
      const session = await retrieveSessionInfo(id)
      if (isOpening) this.#of(id).isResume = session !== null
      if (!isOpening || session === null || this.#of(id).unheard < MAX_UNHEARD) return session
      // The host of a session may be gone for good: the general one takes a resume, too.
      const { url } = await manager.fetchGatewayInformation()
      return { ...session, resumeURL: url }
    }
    const events = manager as unknown as ShardEvents
    manager.options.readyTimeout = options.times.readyMs
    events.on('hello', ({ shardId }) => this.#hello(shardId, manager))
    events.on('dispatch', ({ shardId }) => void this.#of(shardId).late?.refresh())
    for (const event of ['ready', 'resumed'] as const)
      events.on(event, ({ shardId }) => {
        const attempts = this.#of(shardId)
        this.#wasReady = true
        attempts.readyAt = Date.now()
        this.#settle(attempts)
      })
  }

  get #shards() {
    return (this as unknown as { readonly shards: Map<number, Shard> }).shards
  }

  #of(id: number): Attempts {
    const known = this.#attempts.get(id) ?? {
      count: 0,
      unheard: 0,
      readyAt: undefined,
      isResume: false,
      late: undefined,
    }
    this.#attempts.set(id, known)
    return known
  }

  #hello(id: number, { options }: Manager): void {
    const attempts = this.#of(id)
    attempts.unheard = 0
    this.#settle(attempts)
    if (!attempts.isResume) return
    // discord.js waits for the answer to a RESUME without end.
    attempts.late = setTimeout(() => {
      void options.updateSessionInfo(id, null)
      this.#shards.get(id)?.connection?.terminate()
    }, this.#options.times.readyMs)
    attempts.late.unref()
  }

  #settle(attempts: Attempts): void {
    clearTimeout(attempts.late)
    attempts.late = undefined
  }

  async #pass(id: number, shard: Shard | undefined): Promise<void> {
    const { life, times, onUnreached, onRetry } = this.#options
    const attempts = this.#of(id)
    this.#settle(attempts)
    if (shard === undefined || life.aborted) return never()
    if (attempts.unheard > 0 && !this.#wasReady) {
      onUnreached(new AdapterError('network', 'The Discord gateway could not be reached. Check the network.'))
      return never()
    }
    if (attempts.readyAt !== undefined) {
      if (Date.now() - attempts.readyAt > times.reconnectMs * STABLE_PAUSES) attempts.count = 0
      attempts.readyAt = undefined
      attempts.count = Math.max(attempts.count, 1)
    }
    if (attempts.count > 0) onRetry(id)
    const pauseMs = pauseBefore(attempts.count - 1, times.reconnectMs)
    attempts.count += 1
    attempts.unheard += 1
    await sleep(pauseMs, undefined, { signal: life }).catch(never)
    if (life.aborted) return never()
    attempts.late = setTimeout(() => shard.connection?.terminate(), times.helloMs)
    attempts.late.unref()
    // The client may be given up in the moment in which this connection is opened.
    setImmediate(() => life.aborted && shard.connection?.terminate())
  }

  override async spawn(ids: number[]): Promise<void> {
    await super.spawn(ids)
    for (const shard of this.#shards.values()) {
      const destroy = shard.destroy.bind(shard)
      shard.destroy = (how) => {
        // discord.js would go on with a client that is given up, and take from our end the listener that it waits for.
        if (this.#options.life.aborted && how?.recover !== undefined) return never()
        const socket = shard.connection
        // A dead peer would be waited for half a minute.
        setTimeout(() => socket?.terminate(), CLOSE_MS).unref()
        return destroy(how)
      }
    }
  }

  override async destroy(how?: Parameters<SimpleShardingStrategy['destroy']>[0]): Promise<void> {
    for (const shard of this.#shards.values()) {
      const socket = shard.connection
      // discord.js takes its listener off a connection that is still being opened: its failure would end the process.
      socket?.on('error', () => {})
      if (socket?.readyState !== OPEN) socket?.terminate()
    }
    for (const attempts of this.#attempts.values()) this.#settle(attempts)
    await super.destroy(how)
  }
}

const never = () => new Promise<never>(() => {})

/** Discord lets a bot begin one session of each group of shards in five seconds, whatever process begins it. */
export function identifying(pacer: Sharing['pacer'], everyMs: number): WebSocketOptions {
  if (pacer === undefined) return {}
  return {
    async buildIdentifyThrottler(manager) {
      const { session_start_limit: limit } = await manager.fetchGatewayInformation()
      const groups = Array.from({ length: limit.max_concurrency }, (_, group) =>
        pacer(`discord identify ${group}`, { everyMs }),
      )
      return {
        async waitForIdentify(shard, signal) {
          await groups[shard % groups.length]?.()
          signal.throwIfAborted()
        },
      }
    },
  }
}
