import { setTimeout as sleep } from 'node:timers/promises'
import { isPlatformFailure } from '../../texts/failure-sentence.ts'
import type { Clock, Log, Platform, PlatformFile } from '../../port/platform.ts'

export interface IndexPass {
  /**
   * Has these files indexed and resolves with their state once each is at its end, or with what is known when `deadlineMs`
   * has passed. Requests for one collection share passes: one runs, whoever comes meanwhile waits for the next.
   */
  ensure(
    collection: string,
    files: readonly string[],
    signal: AbortSignal,
    options?: Following,
  ): Promise<ReadonlyMap<string, PlatformFile>>
  /** One pass over the collection, to its end, for no file in particular. Resolves with the list as it stands then. */
  run(
    collection: string,
    signal: AbortSignal,
    options?: Pick<Following, 'onLook'>,
  ): Promise<readonly PlatformFile[]>
}

export interface Following {
  /** A pass for these files was asked for before a restart: looks first whether it is over or goes on, and asks for none then. */
  readonly resumed?: boolean
  /** How far the whole collection is, at each look. */
  readonly onLook?: (progress: Progress) => void
}

export interface Progress {
  /** Files at their end, of `total`. */
  readonly done: number
  readonly total: number
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
  /** A pass of which nothing was seen for so long was lost on its way, and is asked for again; milliseconds. */
  readonly idleMs?: number
  /** First and longest time between two looks at the file list, milliseconds. */
  readonly pollMs?: readonly [number, number]
}

const MINUTE = 60_000
/** A file that three passes leave aside is left aside for a reason that a fourth does not change. */
const ASK_AGAIN = 2

/** One index pass a collection at a time; drops meanwhile are gathered into the next. */
export function createIndexPass(options: Options): IndexPass {
  const { platform, clock, log, signal: stopping, gatherMs = 150, deadlineMs = 30 * MINUTE } = options
  const { idleMs = 2 * MINUTE } = options
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

  /** Looked up first: a trigger sent into a running pass may collide with it. */
  async function isIndexing(collection: string): Promise<boolean> {
    const list = await read(collection, stopping)
    return list === undefined || goesOn(collection, list, stopping)
  }

  /** Some platforms show a pass on the files, some on the collection alone. */
  async function goesOn(
    collection: string,
    list: readonly PlatformFile[],
    signal: AbortSignal,
  ): Promise<boolean> {
    if (list.some(isUnderWay)) return true
    const record = await patiently(collection, () => platform.collections.get(collection, { signal }))
    return record === undefined || isRunning(record.index?.status)
  }

  async function read(collection: string, signal: AbortSignal): Promise<readonly PlatformFile[] | undefined> {
    return patiently(collection, () => platform.files.list(collection, { signal }))
  }

  /** Undefined: no answer now. */
  async function patiently<Result>(
    collection: string,
    ask: () => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await ask()
    } catch (error) {
      // A collection that is being indexed may leave requests unanswered: look again later.
      if (!isPlatformFailure(error) || !PASSING.has(error.code)) throw error
      log.debug({ err: error, collection }, 'A collection did not answer while indexing')
      return undefined
    }
  }

  /**
   * Looks at the list until `isOver` or the time is. Where a pass that may have been accepted (504, silence) shows no sign
   * for `idleMs`, it is asked for again.
   */
  async function follow(
    collection: string,
    signal: AbortSignal,
    { onLook }: Following,
    isOver: (list: readonly PlatformFile[]) => boolean,
  ): Promise<readonly PlatformFile[]> {
    const until = clock() + deadlineMs
    let waitMs = firstPollMs
    let last: readonly PlatformFile[] = []
    let lastSignAt = clock()
    let askedAgain = 0
    for (;;) {
      const list = await read(collection, signal)
      if (list !== undefined) {
        last = list
        onLook?.({ done: list.filter(isAtEnd).length, total: list.length })
        if (isOver(list)) return list
      }
      if (clock() > until) return last
      // No answer is a sign, too: of a collection that is locked.
      if (list === undefined || list.some(isUnderWay)) lastSignAt = clock()
      else if (clock() - lastSignAt > idleMs && askedAgain < ASK_AGAIN) {
        lastSignAt = clock()
        if (await goesOn(collection, list, signal)) continue
        // The pass may have ended between the two looks.
        const now = await read(collection, signal)
        if (now !== undefined && isOver(now)) return now
        log.info({ collection }, 'Nothing is seen of the index pass that was asked for; asking again')
        askedAgain += 1
        await nextPass(collection)
      }
      await sleep(waitMs, undefined, { signal })
      waitMs = Math.min(waitMs * 2, longestPollMs)
    }
  }

  return {
    async ensure(collection, files, signal, following = {}) {
      const ours = (list: readonly PlatformFile[]) =>
        new Map(list.filter(({ name }) => files.includes(name)).map((file) => [file.name, file]))
      const isOver = (list: readonly PlatformFile[]) => {
        const seen = ours(list)
        return files.every((name) => isAtEnd(seen.get(name)))
      }
      const before = following.resumed === true ? await read(collection, signal) : undefined
      if (before !== undefined && isOver(before)) return ours(before)
      if (before === undefined || !(await goesOn(collection, before, signal))) await nextPass(collection)
      return ours(await follow(collection, signal, following, isOver))
    },
    async run(collection, signal, following = {}) {
      await nextPass(collection)
      return follow(collection, signal, following, (list) => list.every(isAtEnd))
    },
  }
}

const PASSING: ReadonlySet<string> = new Set(['locked', 'timeout', 'unreachable', 'server', 'rate-limited'])

const isRunning = (status: string | undefined) => status === 'PENDING' || status === 'PROCESSING'
const isUnderWay = ({ index }: PlatformFile) => isRunning(index?.status)

// A file that vanished is at its end too; NOT_INDEXED right after the trigger is an old reading, not an end.
function isAtEnd(file: PlatformFile | undefined): boolean {
  return file === undefined || file.index?.status === 'INDEXED' || file.index?.status === 'ERROR'
}
