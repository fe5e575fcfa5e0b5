import { randomUUID } from 'node:crypto'
import type { RESTOptions } from 'discord.js'
import type { Log } from '#bridge/port/platform.ts'
import { createLinePace } from '#bridge/port/outage.ts'
import type { State } from '#bridge/port/state.ts'

type MakeRequest = RESTOptions['makeRequest']

/** Discord blocks an address after this many refused requests in ten minutes. https://docs.discord.com/developers/topics/rate-limits */
const MAX_REFUSED = 10_000
/** With fewer left, only answers that have begun go on. */
const MIN_LEFT = 2000
const WINDOW_MS = 600_000
const SLICE_MS = 60_000
/** Least time between two looks at the counts of other processes, and between two writes of the own ones. */
const LOOK_MS = 5000
/** The log tells of each 500 refusals of this process within ten minutes. */
const WARN_EVERY = 500
const REFUSED: ReadonlySet<number> = new Set([401, 403, 429])

/** A minute later the count may be lower. */
const AGAIN_MS = 60_000
/** A message that grows in this channel, since its last edit. */
const GROWING_MS = 60_000

interface RefusalsOptions {
  readonly log: Log
  /** The counts of all processes; absent: there is one. */
  readonly counts?: Pick<State, 'get' | 'set' | 'keys'>
  /** Default `Date.now`. */
  readonly clock?: () => number
}

/** Number of refusals, by the minute since the epoch in which they came. */
type Slices = ReadonlyMap<number, number>

/** @param oldest the first minute that counts */
function sumOf(slices: Slices, oldest: number): number {
  let sum = 0
  for (const [minute, count] of slices) if (minute >= oldest) sum += count
  return sum
}

const minuteOf = (time: number) => Math.floor(time / SLICE_MS)

/** Counts refused requests over ten minutes, those of other processes too. */
function createCount({ log, counts, clock = Date.now }: RefusalsOptions) {
  const own = new Map<number, number>()
  const oldest = () => minuteOf(clock() - WINDOW_MS)
  const ownCount = () => sumOf(own, oldest())
  const shared = counts && createSharedCount({ log, counts, clock }, own)
  return {
    add(): void {
      const minute = minuteOf(clock())
      own.set(minute, (own.get(minute) ?? 0) + 1)
      for (const known of own.keys()) if (known < oldest()) own.delete(known)
      const count = ownCount()
      if (count % WARN_EVERY === 0)
        log.warn({ count }, 'Discord refused many requests: check the permissions of Footbridge')
      shared?.publish()
    },
    /** Resolves when the counts of other processes are known to the minute. */
    look: () => shared?.look(),
    left: () => MAX_REFUSED - ownCount() - (shared === undefined ? 0 : sumOf(shared.others(), oldest())),
  }
}

/** The counts of all processes: the store is read and written once in `LOOK_MS` at most, whatever is asked. */
function createSharedCount({ log, counts, clock }: Required<RefusalsOptions>, own: Slices) {
  const id = randomUUID()
  const lines = createLinePace()
  let others: Slices = new Map()
  let lookedAt = -Infinity
  let knownAt = -Infinity
  let looking: Promise<void> | undefined
  let wroteAt = -Infinity
  let later: NodeJS.Timeout | undefined

  const telling = (work: Promise<void>) =>
    work.catch((error: unknown) => {
      if (lines.isDue())
        log.warn(
          { err: error },
          'The refused requests of other processes to Discord could not be counted; check the database',
        )
    })

  async function read(): Promise<void> {
    const startedAt = clock()
    const keys = (await counts.keys()).filter((key) => key !== id)
    const found = new Map<number, number>()
    for (const slices of await Promise.all(keys.map((key) => counts.get(key))))
      for (const [minute, count] of Object.entries((slices ?? {}) as Record<string, number>))
        found.set(Number(minute), (found.get(Number(minute)) ?? 0) + count)
    others = found
    knownAt = startedAt
  }

  function publish(): void {
    if (clock() - wroteAt < LOOK_MS) {
      later ??= setTimeout(() => {
        later = undefined
        publish()
      }, LOOK_MS).unref()
      return
    }
    wroteAt = clock()
    void telling(counts.set(id, Object.fromEntries(own), WINDOW_MS + SLICE_MS))
  }

  return {
    publish,
    others: () => others,
    look(): Promise<void> | undefined {
      if (clock() - lookedAt >= LOOK_MS) {
        lookedAt = clock()
        looking = telling(read()).finally(() => void (looking = undefined))
      }
      return clock() - knownAt < SLICE_MS ? undefined : looking
    },
  }
}

const CHANNEL = /\/channels\/(\d+)\/messages(?:\/|$|\?)/

/**
 * Edits, deletions, answers to commands and presses, messages in a channel where an answer grows, and requests that a
 * start needs.
 */
function createGoingOn(clock: () => number) {
  /** Channels with the time of their last edit, the oldest first. */
  const growing = new Map<string, number>()
  const note = (channel: string, now: number) => {
    growing.delete(channel)
    growing.set(channel, now)
  }
  const forgetOld = (now: number) => {
    for (const [channel, at] of growing) {
      if (now - at <= GROWING_MS) return
      growing.delete(channel)
    }
  }
  return (url: string, method = 'GET'): boolean => {
    const channel = CHANNEL.exec(url)?.[1]
    const now = clock()
    if (method === 'PATCH' && channel !== undefined) note(channel, now)
    forgetOld(now)
    if (method === 'PATCH' || method === 'DELETE' || /\/(?:interactions|webhooks|gateway)\//.test(url)) return true
    return method === 'POST' && channel !== undefined && growing.has(channel)
  }
}

/**
 * Counts what Discord refuses (401, 403, 429 except those of a limit that others share). If few are left until it may
 * block the address, only edits, deletions, answers to commands and the rest of answers that have begun are sent: other
 * requests are answered here, with a 429 that says when to try again.
 */
export function withRefusals(send: MakeRequest, options: RefusalsOptions): MakeRequest {
  const { log, clock = Date.now } = options
  const count = createCount(options)
  const isGoingOn = createGoingOn(clock)
  const lines = createLinePace()
  return async (url, init) => {
    const goesOn = isGoingOn(url, init.method ?? 'GET')
    if (!goesOn) await count.look()
    const left = count.left()
    if (left < MIN_LEFT) {
      if (lines.isDue())
        log.error(
          { left },
          'Discord refused thousands of requests in ten minutes and may block this address. Footbridge sends only edits, deletions, answers to commands and the rest of answers that have begun. Check its permissions',
        )
      if (!goesOn) return refusal()
    }
    const response = await send(url, init)
    const isShared = response.headers.get('x-ratelimit-scope') === 'shared'
    if (REFUSED.has(response.status) && !isShared) count.add()
    return response
  }
}

const refusal = () =>
  new Response('{"message": "Too many requests were refused by Discord."}', {
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': String(AGAIN_MS / 1000) },
  }) as unknown as Awaited<ReturnType<MakeRequest>>
