import { setTimeout as delay } from 'node:timers/promises'
import { EngineError } from '../errors.ts'
import type { CollectionRow } from '../storage/catalog.ts'
import type { PassHold } from '../storage/types.ts'
import { type PassParts, type PassResult, runPass } from './run-pass.ts'

/** Index passes: one at a time for a collection; a pass continues when its caller leaves. */
export interface Passes {
  /** @throws {EngineError} `conflict` while one runs. */
  start(collection: CollectionRow): Promise<PassResult>
  /** Whether a pass runs in any process. */
  isRunning(collection: CollectionRow): Promise<boolean>
  /**
   * Runs a change while no pass runs; a pass requested meanwhile waits for its end.
   *
   * @throws {EngineError} `locked` when passes ran for `writeWaitMs`.
   */
  change<Result>(collectionId: number, work: () => Promise<Result>): Promise<Result>
  /** Stops the passes; the next one resumes the rest. */
  close(): Promise<void>
}

const toConflict = (collection: CollectionRow) =>
  new EngineError('conflict', `An index pass of ${collection.name} is running already: wait for its end.`, {
    reason: 'pass_running',
  })

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
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

  /** Several passes of this process may follow each other: the waiting time covers all of them. */
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
    // Recorded at once: other processes see the pass from here on.
    await catalog.collections.passStarted(collection.id, startedAt)
    await Promise.allSettled(changes)
    const signal = AbortSignal.any([stop.signal, hold.lost])
    await hold.whenAlone(signal)
    const result = await runPass(parts, collection, signal)
    await catalog.collections.passEnded(collection.id, clock())
    log.info({ collection: collection.name, ...result, durationMs: clock() - startedAt }, 'Index pass ended')
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
        log.error({ err: error, collection: collection.name }, 'Index pass failed: trigger it again')
      })
      return started
    },
    async change(collectionId, work) {
      const since = performance.now()
      // No `await` may come between this check and `changing.set`: a pass that starts now waits for the change.
      while (running.has(collectionId)) await waitForPasses(collectionId)
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

/**
 * Runs a pass over each collection with files that an earlier version indexed, one after the other. Never rejects.
 *
 * @param isStopped true once the engine closes
 */
export async function renewIndexes(
  { catalog, index, log }: PassParts,
  passes: Passes,
  isStopped: () => boolean,
): Promise<void> {
  try {
    // oxlint-disable no-await-in-loop -- one after the other: questions come first
    for (const collection of await catalog.collections.all()) {
      if (isStopped()) return
      const files = (await catalog.files.list(collection.id)).filter((file) => file.status === 'INDEXED')
      const outdated = files.length === 0 ? [] : await index.outdated(collection.indexName, files)
      if (outdated.length === 0 || isStopped()) continue
      log.info({ collection: collection.name, files: outdated.length }, 'Files of an earlier version are indexed anew')
      // Its failure is logged by the pass.
      await passes.start(collection).catch(() => undefined)
    }
    // oxlint-enable no-await-in-loop
  } catch (error) {
    if (!isStopped()) log.warn({ err: error }, 'Indexes of an earlier version stay as they are: restart to try again')
  }
}
