import type { ChannelRecord, Channels, Preferences } from '#bridge/port/records.ts'
import { createLru } from '#lib/lru.ts'
import type { Sql } from '#sql/sql.ts'

/** A change by another process is seen within this time. */
const CACHE_MS = 200
/** The same for values whose changes are announced; an announcement may be lost in an outage. */
const ANNOUNCED_CACHE_MS = 30_000
/** A process that found itself alone announces nothing until it has counted again. */
const UNCOUNTED_MS = 3000

/** How long values whose changes are announced are kept, in a process that joined now. */
export function createKeptMs(): () => number {
  const joinedAt = Date.now()
  return () => (Date.now() - joinedAt > UNCOUNTED_MS ? ANNOUNCED_CACHE_MS : CACHE_MS)
}

/** The other processes on the same tables. */
export interface OtherProcesses {
  /** Tells them that the values of this key have changed. */
  readonly announce: (key: string) => Promise<void>
  /** How long a value is cached, milliseconds: one of them may change it. */
  readonly keptMs: () => number
}

const NOBODY: OtherProcesses = { announce: async () => undefined, keptMs: () => Infinity }

const MAX_KNOWN = 5000

const createMemory = <Value>() => createLru<{ readonly until: number; readonly value: Promise<Value> }>(MAX_KNOWN)

/** A cache of values that were read before, and of reads under way. */
function createCache<Value>(keptMs: (key: string) => number) {
  let known = createMemory<Value>()
  const forget = (key: string) => void known.delete(key)
  const learn = (key: string, value: Promise<Value>) => {
    known.set(key, { until: Date.now() + keptMs(key), value })
    value.catch(() => forget(key))
    return value
  }
  return {
    learn,
    forget,
    forgetAll: () => void (known = createMemory()),
    read(key: string, ask: () => Promise<Value>): Promise<Value> {
      const found = known.get(key)
      return found !== undefined && found.until > Date.now() ? found.value : learn(key, ask())
    },
    async change(key: string, write: () => Promise<void>): Promise<void> {
      try {
        forget(key)
        await write()
      } finally {
        // A read may have begun meanwhile.
        forget(key)
      }
    },
  }
}

/** Stops of a job are set for the process that reads them next. */
const isOfJob = (scope: string) => scope.startsWith('job:')

/** Preferences are read a dozen times for one answer, and for most messages: all of a scope at once. */
export function createCachedPreferences(
  preferences: Preferences,
  { all }: Pick<Sql, 'all'>,
  { announce, keptMs }: OtherProcesses = NOBODY,
): Preferences & { forget(scope: string): void; forgetAll(): void } {
  const cache = createCache<ReadonlyMap<unknown, unknown>>((scope) => (isOfJob(scope) ? CACHE_MS : keptMs()))
  const load = async (scope: string) => {
    const rows = await all('SELECT name, value FROM preference WHERE scope = ?', scope)
    return new Map(rows.map(({ name, value }) => [name, value]))
  }
  return {
    get: (scope, name) =>
      cache
        .read(scope, () => load(scope))
        .then((values) => {
          const value = values.get(name)
          return typeof value === 'string' ? value : undefined
        }),
    async set(scope, name, value) {
      await cache.change(scope, () => preferences.set(scope, name, value))
      if (!isOfJob(scope)) await announce(scope)
    },
    forget: (scope) => cache.forget(scope),
    forgetAll: () => cache.forgetAll(),
  }
}

/** A channel is read by its key and by its collection, several times for one answer. */
export function createCachedChannels(
  channels: Channels,
  { announce, keptMs }: OtherProcesses = NOBODY,
): Channels & { forget(key: string): void; forgetAll(): void } {
  const cache = createCache<Awaited<ReturnType<Channels['get']>>>(keptMs)
  const keys = createLru<string>(MAX_KNOWN)
  const note = (record: ChannelRecord | undefined) => {
    if (record !== undefined) keys.set(record.collection, record.key)
    return record
  }
  const ask = async (key: string) => note(await channels.get(key))
  const get = (key: string) => cache.read(key, () => ask(key))
  return {
    ...channels,
    get: (key, when) => (when === 'now' ? cache.learn(key, ask(key)) : get(key)),
    async ofCollection(collection) {
      const key = keys.get(collection)
      const known = key === undefined ? undefined : await get(key)
      return known?.collection === collection ? known : note(await channels.ofCollection(collection))
    },
    async put(record) {
      note(record)
      // Cached from now on: an announcement of another process meanwhile clears it.
      await cache.learn(
        record.key,
        channels.put(record).then(() => record),
      )
      await announce(record.key)
    },
    forget: (key) => cache.forget(key),
    forgetAll: () => cache.forgetAll(),
  }
}
