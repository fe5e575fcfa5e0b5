import { Client, Events, Options } from 'discord.js'
import { AdapterError } from '../../src/bridge/port/errors.ts'
import type { Log } from '../../src/bridge/port/platform.ts'
import type { DiscordAdapterOptions, DiscordTimes } from './config.ts'
import { closeSentence, toStartError } from './errors.ts'
import type { RateLimitMemory } from './rest.ts'
import { INTENTS } from './set-up.ts'

/**
 * The client caches guilds, channels and roles, but no messages: what we need is read from each event, so nothing
 * depends on the cache (direct messages, edits and deletions of uncached messages included).
 */
export function createClient(options: DiscordAdapterOptions, times: DiscordTimes, limited: RateLimitMemory): Client {
  return new Client({
    intents: INTENTS,
    // One process carries all shards that Discord recommends (needed from 2,500 guilds on).
    shards: 'auto',
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      ReactionManager: 0,
      PresenceManager: 0,
      GuildMemberManager: { maxSize: 100, keepOverLimit: (member) => member.id === member.client.user.id },
      UserManager: { maxSize: 100, keepOverLimit: (user) => user.id === user.client.user.id },
    }),
    allowedMentions: { parse: [], repliedUser: false },
    enforceNonce: true,
    failIfNotExists: false,
    rest: {
      ...(options.apiUrl === undefined ? {} : { api: options.apiUrl }),
      globalRequestsPerSecond: options.globalRequestsPerSecond ?? 50,
      timeout: times.attemptMs,
      // Done by `rest.ts`, with a pause between two attempts.
      retries: 0,
      rejectOnRateLimit: ({ retryAfter }) => {
        limited.until = Math.max(limited.until, Date.now() + retryAfter)
        return retryAfter > times.rateLimitWaitMs
      },
      // 10,000 refused requests in 10 minutes block our IP address.
      invalidRequestWarningInterval: 500,
    },
  })
}

/** Resolves when events flow from every guild. */
export async function login(client: Client, token: string, times: DiscordTimes): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const ready = new Promise<void>((resolve) => client.once(Events.ClientReady, () => resolve()))
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new AdapterError('network', 'Discord did not let Footbridge in within its time. Try again later.'))
    }, times.startMs)
  })
  try {
    await Promise.race([Promise.all([client.login(token), ready]), late])
  } catch (error) {
    await client.destroy()
    throw toStartError(error)
  } finally {
    clearTimeout(timer)
  }
}

/** Logs the state of the connection; a permanent loss goes to `onFatal`. */
export function watchConnection(
  client: Client,
  options: { readonly log: Log; readonly lostMs: number; readonly onFatal: (error: Error) => void },
): void {
  const { log, onFatal } = options
  let lostAt: number | undefined
  let alarm: NodeJS.Timeout | undefined
  const back = (message: string) => {
    clearTimeout(alarm)
    if (lostAt !== undefined) log.info({ awayMs: Date.now() - lostAt }, message)
    lostAt = undefined
  }
  client.on(Events.Error, (error) => log.warn({ err: error }, 'discord.js reported an error'))
  client.on(Events.ShardError, (error) => log.warn({ err: error }, 'The Discord gateway connection failed'))
  client.on(Events.ShardReconnecting, () => {
    if (lostAt !== undefined) return
    lostAt = Date.now()
    log.warn({}, 'The Discord gateway connection was lost; reconnecting')
    // discord.js retries forever without a word: without this line a dead connection looks healthy.
    alarm = setTimeout(() => {
      log.error({}, 'Discord has been unreachable for a while; questions asked there wait. Check the network')
    }, options.lostMs)
    alarm.unref()
  })
  client.on(Events.ShardResume, () => back('The Discord gateway connection is back; nothing was missed'))
  client.on(Events.ShardReady, () => back('The Discord gateway connection is back with a new session'))
  client.on(Events.ShardDisconnect, ({ code }) => onFatal(closeSentence(code)))
  client.on(Events.Invalidated, () => onFatal(closeSentence(4004)))
  client.rest.on('invalidRequestWarning', ({ count, remainingTime }) => {
    log.warn({ count, remainingTime }, 'Discord refused many requests: check the permissions of Footbridge')
  })
}
