import { DefaultRestOptions, type RESTOptions } from 'discord.js'
import { isSlowMode } from './errors.ts'

type MakeRequest = RESTOptions['makeRequest']
type Received = Awaited<ReturnType<MakeRequest>>

/** First pause after a page or a 429 that says nothing of how long, and after one that says 0 s. */
const SILENT_MS = 5_000
const ZERO_MS = 1_000
/** Longest pause, unless an eighth of the block is longer: a question waits less than a minute after a short block. */
const MAX_SHORT_PAUSE_MS = 40_000
const MAX_PAUSE_MS = 15 * 60_000
/** Pauses are up to a quarter longer, so that the processes of one address do not try together. */
const SPREAD = 0.25

interface BlockOptions {
  /** Default `Date.now`. */
  readonly clock?: () => number
  /** Spreads the pauses of several processes; default `Math.random`. */
  readonly chance?: () => number
  /** A longer slow mode is a failure; default: none is. */
  readonly maxWaitMs?: number
}

/**
 * Cloudflare, in front of Discord, blocks an address with a 429 that is a page ("error code: 1015"), mostly without
 * Retry-After, and counts on while requests come. discord.js repeats such a request at once, without end
 * (openclaw#74489). Here all requests of the bot pause, and after each pause one alone tries: the others see its outcome
 * first. A pause grows from 5 s to 15 minutes; from 1 s where Discord itself says 0. A 429 of Discord that leaves out how
 * long is for its route alone.
 *
 * A request in a pause is answered here, with a 429 that says how long, so that discord.js waits or gives it up.
 */
export function withBlock(
  send: MakeRequest = DefaultRestOptions.makeRequest,
  { clock = Date.now, chance = Math.random, maxWaitMs = Number.POSITIVE_INFINITY }: BlockOptions = {},
): MakeRequest {
  let since: number | undefined
  let until = 0
  let pauses = 0
  let trial: Promise<unknown> | undefined

  function block({ firstMs, leastMs = 0 }: Silence): number {
    const now = clock()
    // Requests that were on their way together are one refusal.
    if (now < until) return until - now
    since ??= now
    const longest = Math.min(Math.max(MAX_SHORT_PAUSE_MS, (now - since) / 8), MAX_PAUSE_MS)
    const pauseMs = Math.max(leastMs, Math.min(firstMs * 2 ** pauses, longest / (1 + SPREAD)))
    until = now + Math.ceil(pauseMs * (1 + chance() * SPREAD))
    pauses += 1
    return until - now
  }

  async function tryOnce(...request: Parameters<MakeRequest>): ReturnType<MakeRequest> {
    const response = await send(...request)
    const read = response.status === 429 ? await readRefusal(response, maxWaitMs) : response
    if ('firstMs' in read) return refusal(block(read))
    since = undefined
    pauses = 0
    return read
  }

  return async (...request) => {
    while (since !== undefined) {
      if (clock() < until) return refusal(until - clock())
      if (trial === undefined) {
        trial = tryOnce(...request)
        try {
          return (await trial) as Received
        } finally {
          trial = undefined
        }
      }
      await trial.catch(() => undefined)
    }
    return tryOnce(...request)
  }
}

/** A 429 for the whole bot, and its pauses. */
interface Silence {
  readonly firstMs: number
  readonly leastMs?: number
}

/**
 * @returns a response: discord.js waits for as long as it says, on its route alone unless it is for the whole bot; of a 429
 * that is too long it tells no code, so slow mode is a 400 then
 */
async function readRefusal(response: Received, maxWaitMs: number): Promise<Received | Silence> {
  const { headers } = response
  const body = await response.text()
  const headerMs = msOf(headers.get('retry-after'))
  if (headers.get('content-type')?.includes('json') !== true)
    return { firstMs: SILENT_MS, leastMs: Math.max(0, headerMs ?? 0) }
  const { retry_after: told, global: isGlobal, code } = toldIn(body)
  const bodyMs = msOf(told) ?? msOf(headers.get('x-ratelimit-reset-after')) ?? 0
  if (headerMs === 0 && bodyMs <= 0) return { firstMs: ZERO_MS }
  const waitMs = [headerMs, bodyMs].find((ms) => ms !== undefined && ms > 0) ?? SILENT_MS
  const status = isSlowMode(code) && waitMs > maxWaitMs ? 400 : 429
  const whole = isGlobal === true ? { 'x-ratelimit-global': 'true' } : {}
  const passed = { ...Object.fromEntries(headers), ...whole, 'retry-after': String(waitMs / 1000) }
  return new Response(body, { status, headers: passed })
}

/** @param seconds as a header or a body has them; undefined: no time is told */
function msOf(seconds: unknown): number | undefined {
  const ms = seconds === null || seconds === '' ? Number.NaN : Number(seconds) * 1000
  return Number.isFinite(ms) ? ms : undefined
}

function toldIn(body: string): Readonly<Record<string, unknown>> {
  try {
    return { ...(JSON.parse(body) as object) }
  } catch {
    return {}
  }
}

/** As Discord's own for all requests of a bot. https://discord.com/developers/docs/topics/rate-limits */
const refusal = (ms: number) =>
  new Response('{"message": "Discord refuses all requests for now."}', {
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': String(ms / 1000), 'x-ratelimit-global': 'true' },
  }) as unknown as Received
