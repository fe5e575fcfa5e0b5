import type { EventEmitter } from 'node:events'
import {
  Client,
  CloseCodes,
  DefaultRestOptions,
  Events,
  Options,
  type RESTOptions,
  SimpleShardingStrategy,
  type WebSocketOptions,
} from 'discord.js'
import { AdapterError } from '../../../src/bridge/port/errors.ts'
import type { Sharing } from '../../../src/bridge/port/store.ts'
import { type DiscordAdapterOptions, type DiscordTimes, UPLOAD_FACTOR } from '../config.ts'
import { toStartError } from '../errors.ts'
import type { RateLimitMemory } from '../rest.ts'
import { INTENTS } from '../set-up.ts'
import type { Sessions } from './sessions.ts'

const DISCORD_RPS = 50
/** A little over the second of Discord's limit: timers may fire early. */
const RPS_WINDOW_MS = 1005
/** Interactions do not count. https://discord.com/developers/docs/topics/rate-limits#global-rate-limit */
const UNCOUNTED = /\/(?:interactions|webhooks)\//
/** A late deletion does no harm. */
const SENDING_METHODS = new Set(['POST', 'PATCH'])

/**
 * A sliding rate limit of `perSecond` requests. A place is free again a second after the response, not the request:
 * Discord has counted the request by then, however long it was on its way, so no window has more.
 */
function createPace(perSecond: number) {
  const waiting: (() => void)[] = []
  let free = perSecond
  const release = () => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  return {
    /** In order. */
    async enter(): Promise<void> {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
    },
    leave: () => void setTimeout(release, RPS_WINDOW_MS).unref(),
  }
}

/**
 * The shared pace of several processes: a burst of an eighth of the limit after a pause, then three quarters of it spread
 * over the second. The rest is a margin for requests that leave late.
 */
const sharedPace = (perSecond: number) => ({ everyMs: 1000 / (perSecond * 0.76), burst: Math.floor(perSecond / 8) })

/** Replaces discord.js's own global limit, which has fixed windows: across the end of one, twice the limit would pass. */
function paced(
  { globalRequestsPerSecond: perSecond = DISCORD_RPS, assertAlive, pacer }: DiscordAdapterOptions,
  attemptMs: number,
  limited: RateLimitMemory,
): RESTOptions['makeRequest'] {
  const pace = createPace(perSecond)
  const waitForAll = pacer?.('discord request', sharedPace(perSecond))
  async function enter(): Promise<void> {
    limited.waiting += 1
    try {
      // Before a place is taken: who waits for the others must not keep it.
      await waitForAll?.()
      await pace.enter()
    } finally {
      limited.waiting -= 1
    }
  }
  return async (url, init) => {
    const isCounted = !UNCOUNTED.test(url)
    if (isCounted) await enter()
    try {
      if (isCounted && SENDING_METHODS.has(init.method ?? '')) await assertAlive?.()
      const late = AbortSignal.timeout(init.body instanceof FormData ? attemptMs * UPLOAD_FACTOR : attemptMs)
      const signal = init.signal instanceof AbortSignal ? AbortSignal.any([init.signal, late]) : late
      return await DefaultRestOptions.makeRequest(url, { ...init, signal })
    } finally {
      if (isCounted) pace.leave()
    }
  }
}

/** discord.js takes its listener off a connection that is still being opened: its failure would end the process. */
class Sharding extends SimpleShardingStrategy {
  readonly #areKept: boolean

  constructor(manager: ConstructorParameters<typeof SimpleShardingStrategy>[0], areKept: boolean) {
    super(manager)
    this.#areKept = areKept
  }

  override async destroy(how?: Parameters<SimpleShardingStrategy['destroy']>[0]): Promise<void> {
    const { shards } = this as unknown as { readonly shards: Map<number, { readonly connection: EventEmitter | null }> }
    for (const { connection } of shards.values()) connection?.on('error', () => {})
    // Discord ends a session whose connection is closed with 1000.
    await super.destroy(this.#areKept ? { ...how, code: CloseCodes.Resuming } : how)
  }
}

/** Discord lets a bot begin one session of each group of shards in five seconds, whatever process begins it. */
function identifying(pacer: Sharing['pacer'], everyMs: number): WebSocketOptions {
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

function shardsOf({ shards }: DiscordAdapterOptions) {
  if (shards === undefined) return { shards: 'auto' as const }
  const { first, last, count } = shards
  return { shards: Array.from({ length: last - first + 1 }, (_, index) => first + index), shardCount: count }
}

interface ClientParts {
  readonly times: DiscordTimes
  readonly limited: RateLimitMemory
  readonly sessions?: Sessions
}

/**
 * The client caches guilds, channels and roles, but no messages: what we need is read from each event, so nothing
 * depends on the cache (direct messages, edits and deletions of uncached messages included).
 */
export function createClient(options: DiscordAdapterOptions, { times, limited, sessions }: ClientParts): Client {
  const client: Client = new Client({
    intents: INTENTS,
    // One process carries all shards that Discord recommends (needed from 2,500 guilds on), or its range of them.
    ...shardsOf(options),
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      ReactionManager: 0,
      PresenceManager: 0,
      GuildMemberManager: { maxSize: 100, keepOverLimit: (member) => member.id === member.client.user.id },
      UserManager: { maxSize: 100, keepOverLimit: (user) => user.id === user.client.user.id },
    }),
    ws: {
      buildStrategy(manager) {
        sessions?.attach(client, manager)
        return new Sharding(manager, sessions !== undefined)
      },
      ...identifying(options.pacer, times.identifyMs),
    },
    allowedMentions: { parse: [], repliedUser: false },
    enforceNonce: true,
    failIfNotExists: false,
    rest: {
      ...(options.apiUrl === undefined ? {} : { api: options.apiUrl }),
      globalRequestsPerSecond: options.globalRequestsPerSecond ?? DISCORD_RPS,
      // An attempt begins when it is its turn: `paced` ends it in its time.
      timeout: times.callMs * UPLOAD_FACTOR,
      makeRequest: paced(options, times.attemptMs, limited),
      // Done by `rest.ts`, with a pause between two attempts.
      retries: 0,
      rejectOnRateLimit: ({ retryAfter }) => {
        limited.until = Math.max(limited.until, Date.now() + retryAfter)
        const isTooLong = retryAfter > times.rateLimitWaitMs
        if (!isTooLong) options.onRateWait?.(retryAfter)
        return isTooLong
      },
      // 10,000 refused requests in 10 minutes block our IP address.
      invalidRequestWarningInterval: 500,
    },
  })
  return client
}

/** discord.js closes a client once: after a failed login, the next connection would stay open. */
export async function close(client: Client): Promise<void> {
  Object.assign(client.ws, { destroyed: false })
  await client.destroy()
}

/**
 * Resolves when events flow from every guild.
 *
 * @param signal aborts when the adapter stops; its reason is thrown
 */
export async function login(client: Client, token: string, times: DiscordTimes, signal: AbortSignal): Promise<void> {
  const ready = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<never>()
  const onReady = () => ready.resolve()
  const onStop = () => ended.reject(signal.reason)
  const onLate = () =>
    ended.reject(new AdapterError('network', 'Discord did not let Footbridge in within its time. Try again later.'))
  client.once(Events.ClientReady, onReady)
  signal.addEventListener('abort', onStop, { once: true })
  const timer = setTimeout(onLate, times.startMs)
  const connecting = client.login(token)
  try {
    await Promise.race([Promise.all([connecting, ready.promise]), ended.promise])
  } catch (error) {
    await close(client)
    // It may have been on its way.
    if (signal.aborted) void connecting.then(() => close(client)).catch(() => undefined)
    throw toStartError(error)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onStop)
    client.off(Events.ClientReady, onReady)
  }
}
