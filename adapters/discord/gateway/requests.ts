import { DefaultRestOptions, type RESTOptions } from 'discord.js'
import { type DiscordAdapterOptions, type DiscordTimes, UPLOAD_FACTOR } from '../config.ts'
import { type RateLimitMemory } from '../rest.ts'
import { withBlock } from '../rest-block.ts'
import { withRefusals } from './refusals.ts'

export const DISCORD_RPS = 50
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
  { attemptMs }: Pick<DiscordTimes, 'attemptMs' | 'rateLimitWaitMs'>,
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

/** Sends the requests of the bot, in its pace; a refusal by Discord counts for the next client, too. */
export const createRequests = (...parts: Parameters<typeof paced>): RESTOptions['makeRequest'] => {
  const [{ log, refusals: counts }, { rateLimitWaitMs: maxWaitMs }] = parts
  return withBlock(withRefusals(paced(...parts), { log, counts }), { maxWaitMs })
}
