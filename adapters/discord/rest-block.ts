import { DefaultRestOptions, type RESTOptions } from 'discord.js'

type MakeRequest = RESTOptions['makeRequest']

/** First pause after a 429 that says nothing of how long, and after one that says 0 s. */
const SILENT_MS = 5_000
const ZERO_MS = 1_000
/** Longest pause, unless an eighth of the block is longer: a question waits less than a minute after a short block. */
const MAX_SHORT_PAUSE_MS = 40_000
const MAX_PAUSE_MS = 15 * 60_000

/**
 * Cloudflare, in front of Discord, blocks an address with a 429 without Retry-After (its page is "error code: 1015"), and
 * counts on while requests come. discord.js repeats such a request at once, without end (openclaw#74489). Here all requests
 * of the bot pause, and after each pause one alone tries: the others see its outcome first. A pause grows from 5 s to 15
 * minutes; from 1 s where Retry-After is 0.
 *
 * A request in a pause is answered here, with a 429 that says how long, so that discord.js waits or gives it up.
 */
export function withBlock(
  send: MakeRequest = DefaultRestOptions.makeRequest,
  clock: () => number = Date.now,
): MakeRequest {
  let since: number | undefined
  let until = 0
  let pauses = 0
  let trial: Promise<unknown> | undefined

  function block(firstMs: number): number {
    const now = clock()
    // Requests that were on their way together are one refusal.
    if (now < until) return until - now
    since ??= now
    const longest = Math.min(Math.max(MAX_SHORT_PAUSE_MS, (now - since) / 8), MAX_PAUSE_MS)
    until = now + Math.ceil(Math.min(firstMs * 2 ** pauses * (1 + Math.random() / 4), longest))
    pauses += 1
    return until - now
  }

  async function tryOnce(...request: Parameters<MakeRequest>): ReturnType<MakeRequest> {
    const response = await send(...request)
    const firstMs = response.status === 429 ? silenceOf(response.headers) : undefined
    if (firstMs === undefined) {
      since = undefined
      pauses = 0
      return response
    }
    await response.arrayBuffer()
    return refusal(block(firstMs))
  }

  return async (...request) => {
    while (since !== undefined) {
      if (clock() < until) return refusal(until - clock())
      if (trial === undefined) {
        trial = tryOnce(...request)
        try {
          return (await trial) as Awaited<ReturnType<MakeRequest>>
        } finally {
          trial = undefined
        }
      }
      await trial.catch(() => undefined)
    }
    return tryOnce(...request)
  }
}

/** The first pause of a 429 that gives no time to wait; undefined: it gives one, which discord.js waits. */
function silenceOf(headers: { get(name: string): string | null }): number | undefined {
  const told = headers.get('retry-after') ?? headers.get('x-ratelimit-reset-after')
  const seconds = told === null || told.trim() === '' ? Number.NaN : Number(told)
  if (seconds > 0 && Number.isFinite(seconds) && headers.get('retry-after') !== null) return undefined
  return seconds >= 0 && Number.isFinite(seconds) ? Math.max(ZERO_MS, seconds * 1000) : SILENT_MS
}

/** As Discord's own for all requests of a bot. https://discord.com/developers/docs/topics/rate-limits */
const refusal = (ms: number) =>
  new Response('{"message": "Discord refuses all requests for now."}', {
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': String(ms / 1000), 'x-ratelimit-global': 'true' },
  }) as unknown as Awaited<ReturnType<MakeRequest>>
