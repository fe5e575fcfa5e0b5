import { setTimeout as sleep } from 'node:timers/promises'
import { isPlatformFailure } from './failures.ts'
import type { Clock, Log, Platform, PlatformFile } from './ports.ts'

export interface IndexPass {
  /**
   * Has these files indexed and resolves with their state once each is at its end, or with what is known when `deadlineMs`
   * has passed. Requests for one collection share passes: one runs, whoever comes meanwhile waits for the next.
   */
  ensure(
    collection: string,
    files: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, PlatformFile>>
}

interface Options {
  readonly platform: Platform
  readonly clock: Clock
  readonly log: Log
  /** Ends passes that nobody will wait for any more: the process stops. */
  readonly signal: AbortSignal
  /** Drops within this time share a pass, milliseconds. */
  readonly gatherMs?: number
  /** Until when an accepted pass is waited for, milliseconds. */
  readonly deadlineMs?: number
  /** First and longest time between two looks at the file list, milliseconds. */
  readonly pollMs?: readonly [number, number]
}

const MINUTE = 60_000

/** One index pass a collection at a time; drops meanwhile are gathered into the next. */
export function createIndexPass(options: Options): IndexPass {
  const { platform, clock, log, signal: stopping, gatherMs = 150, deadlineMs = 30 * MINUTE } = options
  const [firstPollMs, longestPollMs] = options.pollMs ?? [250, 10_000]
  const running = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, Promise<void>>()

  /** Joins the pass that has not begun yet; each begins when the one before it is over. */
  function nextPass(collection: string): Promise<void> {
    const joined = waiting.get(collection)
    if (joined !== undefined) return joined
    const before = running.get(collection) ?? Promise.resolve()
    const pass = before
      .catch(() => undefined)
      .then(() => sleep(gatherMs))
      .then(() => {
        waiting.delete(collection)
        const begun = trigger(collection)
        running.set(collection, begun)
        return begun
      })
    waiting.set(collection, pass)
    return pass
  }

  async function trigger(collection: string): Promise<void> {
    const until = clock() + deadlineMs
    let waitMs = firstPollMs
    let isRunning = false
    while (!isRunning || clock() <= until) {
      const outcome = await platform.collections.generateIndex(collection, { signal: stopping })
      if (outcome !== 'running') return
      // Somebody else's pass may not include our files: wait for its end, then ask for one more.
      if (!isRunning) log.info({ collection }, 'Another index pass is under way; waiting for its end')
      isRunning = true
      do {
        await sleep(waitMs, undefined, { signal: stopping })
        waitMs = Math.min(waitMs * 2, longestPollMs)
      } while (clock() <= until && (await isIndexing(collection)))
    }
  }

  /** Looked up in the list: a trigger sent into a running pass may collide with it. */
  async function isIndexing(collection: string): Promise<boolean> {
    const files = await read(collection, stopping)
    return files?.some(({ index }) => index?.status === 'PENDING' || index?.status === 'PROCESSING') ?? true
  }

  async function look(collection: string, files: readonly string[], signal: AbortSignal) {
    const list = await read(collection, signal)
    return list && new Map(list.filter(({ name }) => files.includes(name)).map((file) => [file.name, file]))
  }

  async function read(collection: string, signal: AbortSignal): Promise<readonly PlatformFile[] | undefined> {
    try {
      return await platform.files.list(collection, { signal })
    } catch (error) {
      // A collection that is being indexed may leave requests unanswered: look again later.
      if (!isPlatformFailure(error) || !PASSING.has(error.code)) throw error
      log.debug({ err: error, collection }, 'The file list did not answer while indexing')
      return undefined
    }
  }

  return {
    async ensure(collection, files, signal) {
      await nextPass(collection)
      const until = clock() + deadlineMs
      let waitMs = firstPollMs
      let last: ReadonlyMap<string, PlatformFile> = new Map()
      for (;;) {
        const seen = await look(collection, files, signal)
        if (seen !== undefined) last = seen
        if (seen !== undefined && files.every((name) => isAtEnd(seen.get(name)))) return seen
        if (clock() > until) return last
        await sleep(waitMs, undefined, { signal })
        waitMs = Math.min(waitMs * 2, longestPollMs)
      }
    },
  }
}

const PASSING: ReadonlySet<string> = new Set(['locked', 'timeout', 'unreachable', 'server', 'rate-limited'])

// A file that vanished is at its end too; NOT_INDEXED right after the trigger is an old reading, not an end.
function isAtEnd(file: PlatformFile | undefined): boolean {
  return file === undefined || file.index?.status === 'INDEXED' || file.index?.status === 'ERROR'
}
