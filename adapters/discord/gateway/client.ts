import { Client, Events, Options, type RESTOptions } from 'discord.js'
import { AdapterError } from '#bridge/port/errors.ts'
import { type DiscordAdapterOptions, type DiscordTimes, UPLOAD_FACTOR } from '../config.ts'
import { toStartError } from '../errors.ts'
import type { RateLimitMemory } from '../rest.ts'
import { INTENTS, WITHOUT_CONTENT_INTENTS } from '../set-up.ts'
import type { MessageContent } from './message-content.ts'
import { createRequests, DISCORD_RPS } from './requests.ts'
import { identifying, Sharding } from './shards.ts'

function shardsOf({ shards }: DiscordAdapterOptions) {
  if (shards === undefined) return { shards: 'auto' as const }
  const { first, last, count } = shards
  return { shards: Array.from({ length: last - first + 1 }, (_, index) => first + index), shardCount: count }
}

interface ConnectionParts {
  readonly times: DiscordTimes
  readonly limited: RateLimitMemory
  readonly content: Pick<MessageContent, 'isAsked'>
  /** The same for all clients of the bot, one after the other: a refusal by Discord counts for the next client, too. */
  readonly makeRequest: RESTOptions['makeRequest']
}

/** A client of discord.js for one try to connect: after a failure, it is closed whole and another one takes its place. */
export interface Connection {
  readonly client: Client
  /**
   * Resolves when events flow from every guild.
   *
   * @param signal aborts when the adapter stops; its reason is thrown
   */
  login(token: string, signal: AbortSignal): Promise<void>
  /** Called before a lost connection is opened again. */
  onRetry(listener: (shard: number) => void): void
  close(): Promise<void>
}

/** The connections of one adapter, one after the other. */
export function createConnections(options: DiscordAdapterOptions, parts: Omit<ConnectionParts, 'makeRequest'>) {
  const makeRequest = createRequests(options, parts.times, parts.limited)
  let wasTried = false
  let current = createConnection(options, { ...parts, makeRequest })
  return {
    client: () => current.client,
    current: () => current,
    /** For a try to connect. */
    next(): Connection {
      if (wasTried) current = createConnection(options, { ...parts, makeRequest })
      wasTried = true
      return current
    },
    close: () => current.close(),
  }
}

function createConnection(options: DiscordAdapterOptions, parts: ConnectionParts): Connection {
  const { times } = parts
  const life = new AbortController()
  const unreached = Promise.withResolvers<never>()
  unreached.promise.catch(() => undefined)
  let retried: ((shard: number) => void) | undefined
  const client = createClient(options, parts, {
    life: life.signal,
    onUnreached: unreached.reject,
    onRetry: (shard) => retried?.(shard),
  })
  client.on(Events.Error, (error) =>
    options.log.warn({ err: error }, 'The Discord library failed: restart Footbridge if this stays'),
  )

  async function close(): Promise<void> {
    life.abort()
    // discord.js closes a client once: a connection that was opened since would stay.
    Object.assign(client.ws, { destroyed: false })
    await client.destroy()
  }

  return {
    client,
    close,
    onRetry: (listener) => void (retried = listener),
    async login(token, signal) {
      const ready = Promise.withResolvers<void>()
      const ended = Promise.withResolvers<never>()
      const onStop = () => ended.reject(signal.reason)
      const onLate = () =>
        ended.reject(new AdapterError('network', 'Discord did not let Footbridge in within its time. Try again later.'))
      client.once(Events.ClientReady, () => ready.resolve())
      signal.addEventListener('abort', onStop, { once: true })
      const timer = setTimeout(onLate, times.startMs)
      const connecting = client.login(token)
      try {
        await Promise.race([Promise.all([connecting, ready.promise]), ended.promise, unreached.promise])
      } catch (error) {
        await close()
        // It may have been on its way.
        void connecting.then(close).catch(() => undefined)
        throw toStartError(error)
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', onStop)
      }
    },
  }
}

/**
 * The client caches guilds, channels and roles, but no messages: the needed fields are read from each event, so nothing
 * depends on the cache (direct messages, edits and deletions of uncached messages included).
 */
function createClient(
  options: DiscordAdapterOptions,
  { times, limited, content, makeRequest }: ConnectionParts,
  events: Pick<ConstructorParameters<typeof Sharding>[1], 'life' | 'onUnreached' | 'onRetry'>,
): Client {
  const client: Client = new Client({
    intents: content.isAsked() ? INTENTS : WITHOUT_CONTENT_INTENTS,
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
      buildStrategy: (manager) => new Sharding(manager, { ...events, times }),
      ...identifying(options.pacer, times.identifyMs),
    },
    allowedMentions: { parse: [], repliedUser: false },
    enforceNonce: true,
    waitGuildTimeout: times.guildsMs,
    failIfNotExists: false,
    rest: {
      ...(options.apiUrl === undefined ? {} : { api: options.apiUrl }),
      globalRequestsPerSecond: options.globalRequestsPerSecond ?? DISCORD_RPS,
      // An attempt begins when it is its turn: `paced` ends it in its time.
      timeout: times.callMs * UPLOAD_FACTOR,
      makeRequest,
      // Done by `rest.ts`, with a pause between two attempts.
      retries: 0,
      rejectOnRateLimit: ({ retryAfter }) => {
        limited.until = Math.max(limited.until, Date.now() + retryAfter)
        const isTooLong = retryAfter > times.rateLimitWaitMs
        if (!isTooLong) options.onRateWait?.(retryAfter)
        return isTooLong
      },
    },
  })
  return client
}
