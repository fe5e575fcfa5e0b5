import { setTimeout as delay } from 'node:timers/promises'
import type { Catalog, CollectionRow, FileRow } from './catalog/catalog.ts'
import type { Blobs } from './blobs.ts'
import type { Converter } from './convert/converter.ts'
import { EngineError, errorText } from './errors.ts'
import type { IndexStore } from './index/client.ts'
import type { Embedder } from './index/embedder.ts'
import type { IndexSource } from './index/protocol.ts'
import type { EngineClock, EngineLog } from './ports.ts'

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
  isRunning(collectionId: number): boolean
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
  readonly log: EngineLog
  readonly clock: EngineClock
  readonly writeWaitMs: number
}

export function createPasses(parts: PassParts): Passes {
  const running = new Map<number, Promise<PassResult>>()
  const changing = new Map<number, Set<Promise<unknown>>>()
  const stop = new AbortController()

  async function pass(collection: CollectionRow): Promise<PassResult> {
    const { catalog, index, log, clock } = parts
    const startedAt = clock()
    await catalog.collections.passStarted(collection.id, startedAt)
    const files = await catalog.files.list(collection.id)
    // Chunks of a file that was removed or replaced while a process died.
    await index.keep(
      collection.indexName,
      files.filter((file) => file.status === 'INDEXED'),
    )
    let failed = 0
    let indexed = 0
    let chunks = 0
    for (const file of await catalog.files.pending(collection.id)) {
      if (stop.signal.aborted) throw new EngineError('closed', 'Footbridge stopped during the index pass.')
      const outcome = await indexFile(parts, collection, file, stop.signal)
      await catalog.files.indexed(file, outcome)
      if ('error' in outcome) failed += 1
      else {
        indexed += 1
        chunks += outcome.chunks
      }
    }
    await parts.embedder?.fill(collection.indexName, stop.signal)
    await catalog.collections.passEnded(collection.id, clock())
    log.info(
      { collection: collection.name, indexed, failed, chunks, durationMs: clock() - startedAt },
      'index pass ended',
    )
    return { indexed, failed, chunks }
  }

  /** One pass may follow another: the time counts for all of them together. */
  async function waitForPasses(collectionId: number): Promise<void> {
    if (!running.has(collectionId)) return
    const giveUp = new AbortController()
    const late = delay(parts.writeWaitMs, 'late' as const, { signal: giveUp.signal }).catch(() => undefined)
    try {
      for (let run = running.get(collectionId); run !== undefined; run = running.get(collectionId)) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
        if ((await Promise.race([run.then(String, String), late])) !== 'late') continue
        throw new EngineError('locked', 'The collection is being indexed: try again in a few seconds.', {
          retryAfterMs: parts.writeWaitMs,
          reason: 'pass_running',
        })
      }
    } finally {
      giveUp.abort()
    }
  }

  return {
    isRunning: (collectionId) => running.has(collectionId),
    start(collection) {
      if (running.has(collection.id)) {
        const sentence = `An index pass of ${collection.name} is running already: wait for its end.`
        return Promise.reject(new EngineError('conflict', sentence, { reason: 'pass_running' }))
      }
      const changes = [...(changing.get(collection.id) ?? [])]
      const run = Promise.allSettled(changes)
        .then(() => pass(collection))
        .finally(() => running.delete(collection.id))
      running.set(collection.id, run)
      // The caller may be gone by the time that it fails.
      run.catch((error: unknown) => {
        parts.log.error({ err: error, collection: collection.name }, 'index pass failed')
      })
      return run
    },
    async change(collectionId, work) {
      await waitForPasses(collectionId)
      const run = work()
      const changes = changing.get(collectionId) ?? new Set()
      changing.set(collectionId, changes.add(run))
      try {
        return await run
      } finally {
        changes.delete(run)
        if (changes.size === 0) changing.delete(collectionId)
      }
    },
    async close() {
      stop.abort()
      await Promise.allSettled(running.values())
    },
  }
}

type Outcome = { readonly chunks: number } | { readonly error: string }

/** The engine goes, not the file: the next pass takes it up. */
const isStopping = (error: unknown) =>
  error instanceof EngineError && (error.code === 'closed' || error.code === 'aborted')

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
  const path = blobs.path(file.blob)
  try {
    if (file.format !== 'pdf') return await put({ kind: file.format, path })
    const pages = await converter.convertPdf(path, signal)
    try {
      return await put({ kind: 'pages', path: pages.path })
    } finally {
      await pages.done()
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
