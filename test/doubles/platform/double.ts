import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { LIMITS } from '#platform/wire/limits.ts'
import { PROFILES, type ProfileName } from '#platform/wire/profile.ts'
import { formatRateLimit, type RateLimitDictionary } from '#platform/wire/rate-limit.ts'
import { createBehaviour } from './behaviour.ts'
import type { Fault, Operation } from './faults.ts'
import { createLibrary, type StoredCollection } from './library.ts'
import { createRoutes, recordRequest, type RecordedRequest } from './request.ts'

export interface PlatformDoubleOptions {
  readonly profile: ProfileName
  /** Default `double-key-0123456789`. */
  readonly key?: string
  /** Default `alice`. */
  readonly owner?: string
  /** Default `double-model`, `other-model`. */
  readonly models?: readonly string[]
  /** How a pause of a fault is spent. Default: it is really slept. */
  readonly sleep?: (ms: number) => Promise<void>
  /** Default: any free port. */
  readonly port?: number
  readonly now?: () => Date
  /** Requests a minute; the longer windows grow with it. Default: that of the contract. */
  readonly perMinute?: number
}

export interface PlatformDouble {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  readonly key: string
  /** Every request that was read whole, oldest first. */
  readonly requests: readonly RecordedRequest[]
  /** By plain name. */
  readonly collections: ReadonlyMap<string, StoredCollection>
  /** The next request of this operation meets this fault (the next `times`; `Infinity`: all). */
  script(op: Operation, fault: Fault, times?: number): void
  /** Forgets all faults that were not met yet. */
  calm(): void
  /** A locked collection takes requests and never answers. */
  lock(collection: string, locked?: boolean): void
  /** Resolves with the `count`-th request of this operation (default the first), also when it came before. */
  seen(op: Operation, count?: number): Promise<RecordedRequest>
  /** The rest of the quota; counts down with every request, and says 429 only on script. */
  readonly quota: RateLimitDictionary
  /** Breaks every connection that is open now. */
  sever(): void
  close(): Promise<void>
}

/** A platform on loopback that speaks the contract of one profile, keeps what it is given, and misbehaves on script. */
export async function startPlatformDouble(options: PlatformDoubleOptions): Promise<PlatformDouble> {
  const key = options.key ?? 'double-key-0123456789'
  const profile = PROFILES[options.profile]
  const library = createLibrary(options.now ?? (() => new Date()))
  const quota = fullQuota(options.perMinute)
  const script = createScript()
  const journal = createJournal()
  const behave = createBehaviour({
    key,
    sleep: options.sleep ?? ((ms) => sleepFor(ms)),
    quota,
    world: {
      profile,
      library,
      owner: options.owner ?? 'alice',
      models: options.models ?? ['double-model', 'other-model'],
    },
  })
  const route = createRoutes(profile)
  const server = createServer((incoming, response) => {
    const settle = async () => {
      const request = await recordRequest(incoming, response, route)
      if (request === undefined) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Not Found"}')
        return
      }
      spend(quota)
      response.setHeaders(new Map(Object.entries(formatRateLimit(quota))))
      const fault = script.next(request.op)
      journal.add({ ...request, met: fault })
      await behave(request, response, fault)
    }
    settle().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    key,
    quota,
    requests: journal.requests,
    collections: library.collections,
    script: script.add,
    calm: script.clear,
    lock(name, locked = true) {
      const collection = library.collections.get(name)
      if (collection === undefined) throw new Error(`The double has no collection "${name}".`)
      collection.locked = locked
    },
    seen: journal.seen,
    sever: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function createScript() {
  const faults = new Map<Operation, { fault: Fault; times: number }[]>()
  return {
    add: (op: Operation, fault: Fault, times = 1): void => {
      faults.set(op, [...(faults.get(op) ?? []), { fault, times }])
    },
    clear: () => faults.clear(),
    next(op: Operation): Fault | undefined {
      const queue = faults.get(op)
      const first = queue?.[0]
      if (queue === undefined || first === undefined) return undefined
      first.times -= 1
      if (first.times <= 0) queue.shift()
      return first.fault
    },
  }
}

function createJournal() {
  const requests: RecordedRequest[] = []
  const watchers = new Set<() => void>()
  return {
    requests,
    add(request: RecordedRequest) {
      requests.push(request)
      for (const watch of watchers) watch()
    },
    seen: (op: Operation, count = 1): Promise<RecordedRequest> =>
      new Promise((resolve) => {
        const watch = () => {
          const found = requests.filter((request) => request.op === op)[count - 1]
          if (found === undefined) return
          watchers.delete(watch)
          resolve(found)
        }
        watchers.add(watch)
        watch()
      }),
  }
}

function fullQuota(perMinute: number | undefined): RateLimitDictionary {
  const factor = perMinute === undefined ? 1 : perMinute / LIMITS.quota.minute
  const [minute, hour, day, month] = [
    LIMITS.quota.minute * factor,
    LIMITS.quota.hour * factor,
    LIMITS.quota.day * factor,
    LIMITS.quota.month * factor,
  ]
  return {
    limit_minute: minute,
    limit_hour: hour,
    limit_day: day,
    limit_month: month,
    remaining_minute: minute,
    remaining_hour: hour,
    remaining_day: day,
    remaining_month: month,
    reset_seconds: 60,
  }
}

/** Never reaches 0: a test that wants a used-up quota scripts it. */
function spend(quota: RateLimitDictionary) {
  for (const window of ['minute', 'hour', 'day', 'month'] as const) {
    const left = (quota[`remaining_${window}`] ?? 0) - 1
    quota[`remaining_${window}`] = left > 0 ? left : quota[`limit_${window}`]
  }
}
