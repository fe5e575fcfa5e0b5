import { setTimeout as sleep } from 'node:timers/promises'
import { type APIMessage, type Client, type RawFile, Routes } from 'discord.js'
import { AdapterError } from '#bridge/port/errors.ts'
import { type DiscordTimes, UPLOAD_FACTOR } from './config.ts'
import { isTransient, toAdapterError } from './errors.ts'

const DISCORD_EPOCH = 1_420_070_400_000

/** Time of a snowflake id, milliseconds since 1970. */
export const timeOf = (id: string): number => Number(BigInt(id) >> 22n) + DISCORD_EPOCH
/** @param time milliseconds since 1970; undefined: the lowest id */
export const idAt = (time = DISCORD_EPOCH): string => (BigInt(Math.max(0, time - DISCORD_EPOCH)) << 22n).toString()
/** Ids are whole numbers without leading zeros. */
export const isNewer = (id: string, than: string): boolean =>
  id.length === than.length ? id > than : id.length > than.length

/** With more waiting requests the bot is busy: a fifth of a second at Discord's limit. */
const MAX_WAITING = 10

type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'
type Route = `/${string}`

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string>>
  /** False: no `Authorization` header (interaction callbacks carry their own token). */
  readonly auth?: boolean
  readonly files?: readonly RawFile[]
  /** False: one attempt only. */
  readonly retry?: boolean
}

export interface RateLimitMemory {
  /** When the newest 429 or exhausted bucket ends, milliseconds since the epoch. */
  until: number
  /** Requests that wait for their turn within the limit of the whole bot. */
  waiting: number
}

/** REST calls with a deadline; failures are `AdapterError`s. */
export interface Rest {
  get<Body>(route: Route, options?: RequestOptions): Promise<Body>
  post<Body>(route: Route, body: unknown, options?: RequestOptions): Promise<Body>
  patch<Body>(route: Route, body: unknown, options?: RequestOptions): Promise<Body>
  put(route: Route, body: unknown): Promise<unknown>
  delete(route: Route, options?: RequestOptions): Promise<void>
  /** Messages of a channel, oldest first. */
  messages(channel: string, query: Readonly<Record<string, string>>): Promise<APIMessage[]>
  /** Whether requests wait for each other: optional ones should be left out. */
  isBusy(): boolean
  /** Resolves when no call is running. */
  settled(): Promise<void>
}

interface RestOptions {
  readonly client: () => Client
  readonly times: DiscordTimes
  readonly limited: RateLimitMemory
  readonly onUnauthorized: (error: Error) => void
}

/**
 * discord.js handles the rate limits; three things are added. It repeats a 5xx without a pause (4 attempts in 4 ms), so
 * attempts are spaced here. It waits for any 429 without limit, so a call has a deadline. And running calls can be
 * awaited before the client is destroyed.
 */
export function createRest(options: RestOptions): Rest {
  const { times, limited } = options
  const running = new Set<Promise<unknown>>()

  async function run(method: Method, route: Route, body: unknown, how: RequestOptions): Promise<unknown> {
    const write = method !== 'get'
    const deadline = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => {
          reject(lateError(write, limited.until - Date.now()))
          deadline.abort()
        },
        how.files === undefined ? times.callMs : times.callMs * UPLOAD_FACTOR,
      )
    })
    try {
      return await Promise.race([attempt(options, method, route, { ...how, body, signal: deadline.signal }), late])
    } catch (error) {
      const failure = toAdapterError(error, { write })
      if (failure.code === 'unauthorized') options.onUnauthorized(failure)
      throw failure
    } finally {
      clearTimeout(timer)
    }
  }

  function track<Body>(method: Method, route: Route, body: unknown, how: RequestOptions = {}): Promise<Body> {
    const call = run(method, route, body, how)
    running.add(call)
    const forget = () => running.delete(call)
    call.then(forget, forget)
    return call as Promise<Body>
  }

  return {
    get: (route, how) => track('get', route, undefined, how),
    post: (route, body, how) => track('post', route, body, how),
    patch: (route, body, how) => track('patch', route, body, how),
    put: (route, body) => track('put', route, body),
    delete: (route, how) => track('delete', route, undefined, how),
    async messages(channel, query) {
      const page = await track<APIMessage[]>('get', Routes.channelMessages(channel), undefined, { query })
      // Discord returns the newest first, also with `after`.
      return page.toSorted((a, b) => (isNewer(a.id, b.id) ? 1 : -1))
    },
    isBusy: () => limited.waiting > MAX_WAITING,
    async settled() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

/** One call, repeated after a pause if Discord or the connection failed. */
async function attempt(
  { client, times }: RestOptions,
  method: Method,
  route: Route,
  how: RequestOptions & { readonly body: unknown; readonly signal: AbortSignal },
): Promise<unknown> {
  const waits = how.retry === false ? [] : times.retriesMs
  const { body, query, auth, files, signal } = how
  for (let count = 0; ; count += 1) {
    try {
      return await client().rest[method](route, {
        signal,
        body,
        query: query && new URLSearchParams(query),
        auth,
        files: files && [...files],
      })
    } catch (error) {
      const wait = waits[count]
      if (wait === undefined || signal.aborted || !isTransient(error)) throw error
      await sleep(wait)
    }
  }
}

function lateError(write: boolean, limitedForMs: number): AdapterError {
  if (limitedForMs > 0) {
    return new AdapterError('rate-limited', 'Discord keeps Footbridge waiting (429). Try again in a minute.', {
      retryAfterMs: limitedForMs,
    })
  }
  return new AdapterError(write ? 'ambiguous' : 'network', 'Discord did not answer in time. Try again in a moment.')
}
