import { setTimeout as delay } from 'node:timers/promises'
import type { IndexSource } from '../chunk/document.ts'
import type { Converter } from '../convert/converter.ts'
import { EngineError, errorText } from '../errors.ts'
import type { Catalog, CollectionRow, FileRow } from '../storage/catalog.ts'
import type { Blobs, IndexStore, PassHold, PassLocks } from '../storage/types.ts'
import type { EngineClock, EngineLog } from '../types.ts'
import type { Embedder } from './embedder.ts'
import { toGroups } from './run-pass.ts'

export interface PassResult {
  /** Files that this pass put into the index. */
  readonly indexed: number
  readonly failed: number
  readonly chunks: number
}

/** Index passes: one at a time a collection; a pass goes on when its caller leaves. */
export interface Passes {
  /** @throws {EngineError} `conflict` while one runs. */
  start(collection: CollectionRow): Promise<PassResult>
  /** In whatever process. */
  isRunning(collection: CollectionRow): Promise<boolean>
  /**
   * Makes a change while no pass runs; a pass that is asked for meanwhile waits for its end.
   *
   * @throws {EngineError} `locked` when passes ran for `writeWaitMs`.
   */
  change<Result>(collectionId: number, work: () => Promise<Result>): Promise<Result>
  /** Stops the passes; the next one takes up what is left. */
  close(): Promise<void>
}

export interface PassParts {
  readonly catalog: Catalog
  readonly blobs: Blobs
  readonly converter: Converter
  readonly index: IndexStore
  /** Absent: no vectors. */
  readonly embedder?: Embedder | undefined
  readonly locks: PassLocks
  readonly log: EngineLog
  readonly clock: EngineClock
  readonly writeWaitMs: number
}

const toConflict = (collection: CollectionRow) =>
  new EngineError('conflict', `An index pass of ${collection.name} is running already: wait for its end.`, {
    reason: 'pass_running',
  })

export function createPasses(parts: PassParts): Passes {
  const { catalog, locks, clock, log } = parts
  const running = new Map<number, Promise<PassResult>>()
  const changing = new Map<number, Set<Promise<unknown>>>()
  const stop = new AbortController()

  const toLocked = () =>
    new EngineError('locked', 'The collection is being indexed: try again in a few seconds.', {
      retryAfterMs: parts.writeWaitMs,
      reason: 'pass_running',
    })

  /** One pass of this process may follow another: the time counts for all of them together. */
  async function waitForPasses(collectionId: number): Promise<void> {
    if (!running.has(collectionId)) return
    const giveUp = new AbortController()
    const late = delay(parts.writeWaitMs, 'late' as const, { signal: giveUp.signal }).catch(() => undefined)
    try {
      for (let one = running.get(collectionId); one !== undefined; one = running.get(collectionId)) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
        if ((await Promise.race([one.then(String, String), late])) === 'late') throw toLocked()
      }
    } finally {
      giveUp.abort()
    }
  }

  async function changeAlone<Result>(
    collectionId: number,
    waitMs: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const done = await locks.change(collectionId, waitMs)
    if (done === undefined) throw toLocked()
    try {
      return await work()
    } finally {
      await done()
    }
  }

  async function passAlone(collection: CollectionRow, hold: PassHold, changes: readonly Promise<unknown>[]) {
    const startedAt = clock()
    // At once: from here on other processes see it.
    await catalog.collections.passStarted(collection.id, startedAt)
    await Promise.allSettled(changes)
    const signal = AbortSignal.any([stop.signal, hold.lost])
    await hold.whenAlone(signal)
    const result = await pass(parts, collection, signal)
    await catalog.collections.passEnded(collection.id, clock())
    log.info({ collection: collection.name, ...result, durationMs: clock() - startedAt }, 'index pass ended')
    return result
  }

  async function run(collection: CollectionRow, changes: readonly Promise<unknown>[]): Promise<PassResult> {
    try {
      const hold = await locks.pass(collection.id)
      if (hold === undefined) throw toConflict(collection)
      try {
        return await passAlone(collection, hold, changes)
      } finally {
        await hold.release()
      }
    } finally {
      running.delete(collection.id)
    }
  }

  return {
    isRunning: async ({ id, passStartedAt }) =>
      running.has(id) || (passStartedAt !== null && (await locks.isElsewhere(id))),
    start(collection) {
      if (running.has(collection.id)) return Promise.reject(toConflict(collection))
      const started = run(collection, [...(changing.get(collection.id) ?? [])])
      running.set(collection.id, started)
      // The caller may be gone by the time that it fails.
      started.catch((error: unknown) => {
        if (error instanceof EngineError && error.code === 'conflict') return
        log.error({ err: error, collection: collection.name }, 'index pass failed')
      })
      return started
    },
    async change(collectionId, work) {
      const since = performance.now()
      await waitForPasses(collectionId)
      const left = Math.max(0, parts.writeWaitMs - (performance.now() - since))
      const change = changeAlone(collectionId, left, work)
      const changes = changing.get(collectionId) ?? new Set()
      changing.set(collectionId, changes.add(change))
      try {
        return await change
      } finally {
        changes.delete(change)
        if (changes.size === 0) changing.delete(collectionId)
      }
    },
    async close() {
      stop.abort(new EngineError('closed', 'Footbridge stopped during the index pass.'))
      await Promise.allSettled(running.values())
    },
  }
}

async function pass(parts: PassParts, collection: CollectionRow, signal: AbortSignal): Promise<PassResult> {
  const { catalog, index } = parts
  signal.throwIfAborted()
  const files = await catalog.files.list(collection.id)
  // Chunks of a file that was removed or replaced while a process died.
  await index.keep(
    collection.indexName,
    files.filter((file) => file.status === 'INDEXED'),
  )
  let failed = 0
  let indexed = 0
  let chunks = 0
  for (const group of toGroups(await catalog.files.pending(collection.id), index.filesAtOnce ?? 1)) {
    signal.throwIfAborted()
    // All of them come to their end before the pass does, also where one of them ends it.
    const results = await Promise.allSettled(
      group.map(async (file) => {
        const outcome = await indexFile(parts, collection, file, signal)
        // Each for itself: PostgreSQL then waits for the disk once for several.
        await catalog.files.indexed(file, outcome)
        return outcome
      }),
    )
    for (const result of results) {
      if (result.status === 'rejected') throw result.reason
      const outcome = result.value
      if ('error' in outcome) failed += 1
      else {
        indexed += 1
        chunks += outcome.chunks
      }
    }
  }
  await parts.embedder?.fill(collection.indexName, signal)
  return { indexed, failed, chunks }
}

type Outcome = { readonly chunks: number } | { readonly error: string }

/** The engine or its database goes, not the file: the next pass takes it up. */
const isStopping = (error: unknown) =>
  error instanceof EngineError && ['closed', 'aborted', 'unavailable'].includes(error.code)

/** One file into the index. A fault of the file is its outcome; a fault of ours ends the pass. */
async function indexFile(
  { blobs, converter, index, log }: PassParts,
  collection: CollectionRow,
  file: FileRow,
  signal: AbortSignal,
): Promise<Outcome> {
  const put = async (source: IndexSource): Promise<Outcome> => {
    const request = { id: file.id, revision: file.revision, name: file.name, source }
    const { chunks } = await index.put(collection.indexName, request)
    return chunks === 0
      ? { error: 'The file holds no text to search, perhaps only front matter.' }
      : { chunks }
  }
  async function read(path: string): Promise<Outcome> {
    if (file.format !== 'pdf') return put({ kind: file.format, path })
    const pages = await converter.convertPdf(path, signal, `collection ${collection.id}`)
    try {
      return await put({ kind: 'pages', path: pages.path })
    } finally {
      await pages.done()
    }
  }
  try {
    const local = await blobs.local(file.blob)
    try {
      return await read(local.path)
    } finally {
      await local.done()
    }
  } catch (error) {
    if (signal.aborted || isStopping(error)) throw error
    // Not an alarm: the state of the file says why, to whoever had it indexed.
    log.info({ err: error, collection: collection.name, file: file.name }, 'file could not be indexed')
    return {
      error: error instanceof EngineError ? error.message : `The file cannot be indexed: ${errorText(error)}`,
    }
  }
}
