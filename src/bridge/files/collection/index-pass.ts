import { setTimeout as sleep } from 'node:timers/promises'
import { isPlatformFailure } from '#bridge/port/errors.ts'
import type { Clock, Log, Platform, PlatformFile } from '#bridge/port/platform.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import type { Texts } from '#bridge/texts/texts.ts'

export interface IndexPass {
  /**
   * Indexes these files. Resolves with their state once each is at its end, or with the last known state after
   * `deadlineMs`. Requests for one collection share a pass; those that come during a pass wait for the next one.
   */
  ensure(
    collection: string,
    files: readonly string[],
    signal: AbortSignal,
    options?: FollowOptions,
  ): Promise<ReadonlyMap<string, PlatformFile>>
  /** Runs one pass over the collection. Resolves with its file list at the end. */
  run(
    collection: string,
    signal: AbortSignal,
    options?: Pick<FollowOptions, 'onPoll'>,
  ): Promise<readonly PlatformFile[]>
}

interface FollowOptions {
  /** A pass was requested before a restart: requests another only if that one is over or lost. */
  readonly resumed?: boolean
  /** Progress of the whole collection, at each poll. */
  readonly onPoll?: (progress: Progress) => void
}

export interface Progress {
  /** Files at their end, of `total`. */
  readonly done: number
  readonly total: number
  /** The page whose text is being recognized, by file name. */
  readonly reading?: ReadonlyMap<string, { readonly page: number; readonly pages: number }>
}

export interface IndexPassOptions {
  readonly platform: Platform
  readonly clock: Clock
  readonly log: Log
  /** Aborts when the process stops. */
  readonly signal: AbortSignal
  /** Requests within this time share a pass, milliseconds. Default 150. */
  readonly gatherMs?: number
  /** Longest wait for an accepted pass, milliseconds. Default 30 minutes. */
  readonly deadlineMs?: number
  /** A pass without progress for this long is requested again, milliseconds. Default 2 minutes. */
  readonly idleMs?: number
  /** Shortest and longest polling interval, milliseconds. Default 250 and 10,000. */
  readonly pollMs?: readonly [number, number]
}

const MINUTE_MS = 60_000
/** After three passes without a file, a fourth would not index it either. */
const MAX_RETRIES = 2

/** One index pass per collection at a time; requests during a pass share the next one. */
export function createIndexPass(options: IndexPassOptions): IndexPass {
  const { clock, log, deadlineMs = 30 * MINUTE_MS, idleMs = 2 * MINUTE_MS } = options
  const look = createCollectionReader(options)
  const pause = createPause(options)
  const startPass = createPassQueue({ ...options, deadlineMs }, look, pause)

  /** Polls the file list until `isOver` or the deadline. A pass without a sign for `idleMs` is requested again. */
  async function follow(
    collection: string,
    signal: AbortSignal,
    { onPoll }: FollowOptions,
    isOver: (list: readonly PlatformFile[]) => boolean,
  ): Promise<readonly PlatformFile[]> {
    const until = clock() + deadlineMs
    let last: readonly PlatformFile[] = []
    let lastSignAt = clock()
    let retries = 0
    let looks = 0
    for (;;) {
      const list = await look.list(collection, signal)
      if (list !== undefined) {
        last = list
        onPoll?.({ done: list.filter(isAtEnd).length, total: list.length, reading: readingOf(list) })
        if (isOver(list)) return list
      }
      if (clock() > until) return last
      // No answer is a sign too: the collection is locked by the pass.
      if (list === undefined || list.some(isUnderWay)) lastSignAt = clock()
      else if (clock() - lastSignAt > idleMs && retries < MAX_RETRIES) {
        lastSignAt = clock()
        if (await look.isIndexing(collection, list, signal)) continue
        // The pass may have ended between the two requests.
        const now = await look.list(collection, signal)
        if (now !== undefined && isOver(now)) return now
        log.info({ collection }, 'Index pass shows no progress; another one is requested')
        retries += 1
        await startPass(collection)
      }
      await pause(collection, looks, signal)
      looks += 1
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
      const before = following.resumed === true ? await look.list(collection, signal) : undefined
      if (before !== undefined && isOver(before)) return ours(before)
      if (before === undefined || !(await look.isIndexing(collection, before, signal))) await startPass(collection)
      return ours(await follow(collection, signal, following, isOver))
    },
    async run(collection, signal, following = {}) {
      await startPass(collection)
      return follow(collection, signal, following, (list) => list.every(isAtEnd))
    },
  }
}

type CollectionReader = ReturnType<typeof createCollectionReader>

/** Reads the state of a collection during a pass, when it may not answer. */
function createCollectionReader({ platform: { files, collections }, log, signal: end }: IndexPassOptions) {
  // Files of one pass look at the same list at the same times: together they cost the quota one request.
  const lists = new Map<string, Promise<readonly PlatformFile[] | undefined>>()

  /** Undefined: no answer now. */
  async function undefinedIfBusy<Result>(collection: string, ask: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await ask()
    } catch (error) {
      if (!isPlatformFailure(error) || !PASSING.has(error.code)) throw error
      log.debug({ err: error, collection }, 'Collection did not answer during its index pass')
      return undefined
    }
  }

  return {
    list(collection: string, signal: AbortSignal): Promise<readonly PlatformFile[] | undefined> {
      const known = lists.get(collection)
      if (known !== undefined) return unlessAborted(known, signal)
      const asked = undefinedIfBusy(collection, () => files.list(collection, { signal: end }))
      const forget = () => void (lists.get(collection) === asked && lists.delete(collection))
      lists.set(collection, asked)
      asked.then(forget, forget)
      return unlessAborted(asked, signal)
    },
    /** Later callers start a new request: one under way may lack a new file. */
    renew: (collection: string) => void lists.delete(collection),
    /** Some platforms show a pass on the files, others only on the collection. */
    async isIndexing(collection: string, list: readonly PlatformFile[], signal: AbortSignal): Promise<boolean> {
      if (list.some(isUnderWay)) return true
      const record = await undefinedIfBusy(collection, () => collections.get(collection, { signal }))
      return record === undefined || isRunning(record.index?.status)
    },
  }
}

async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Waits between two polls, twice as long each time. Equal waits for one collection end together, at the first one's end. */
function createPause({ pollMs: [first, longest] = [250, 10_000], signal: end }: IndexPassOptions) {
  const pauses = new Map<string, Promise<void>>()
  return (collection: string, looks: number, signal: AbortSignal): Promise<void> => {
    const pauseMs = Math.min(first * 2 ** Math.min(looks, 30), longest)
    const key = `${pauseMs} ${collection}`
    const shared = pauses.get(key) ?? sleep(pauseMs, undefined, { signal: end })
    if (!pauses.has(key)) {
      pauses.set(key, shared)
      const forget = () => void pauses.delete(key)
      shared.then(forget, forget)
    }
    return unlessAborted(shared, signal)
  }
}

/** Starts passes: requests join the pass that has not begun, which begins once the previous one was accepted. */
function createPassQueue(
  { platform, clock, log, signal, deadlineMs, gatherMs = 150 }: IndexPassOptions & { readonly deadlineMs: number },
  look: CollectionReader,
  pause: ReturnType<typeof createPause>,
): (collection: string) => Promise<void> {
  const running = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, Promise<void>>()

  async function trigger(collection: string): Promise<void> {
    const until = clock() + deadlineMs
    let looks = 0
    while (looks === 0 || clock() <= until) {
      const outcome = await platform.collections.generateIndex(collection, { signal })
      if (outcome !== 'running') return look.renew(collection)
      // Another program's pass may not include our files: after it, one more is requested.
      if (looks === 0) log.info({ collection }, 'Another index pass is running; waiting for its end')
      // Checked before each request: one sent during a running pass may collide with it.
      do {
        await pause(collection, looks, signal)
        looks += 1
      } while (clock() <= until && (await isStillRunning(collection)))
    }
  }

  async function isStillRunning(collection: string): Promise<boolean> {
    const list = await look.list(collection, signal)
    return list === undefined || look.isIndexing(collection, list, signal)
  }

  async function begin(collection: string, before: Promise<unknown> | undefined): Promise<void> {
    await before?.catch(() => undefined)
    await sleep(gatherMs)
    waiting.delete(collection)
    const begun = trigger(collection)
    running.set(collection, begun)
    return begun
  }

  return (collection) => {
    const joined = waiting.get(collection) ?? begin(collection, running.get(collection))
    if (!waiting.has(collection)) waiting.set(collection, joined)
    return joined
  }
}

const PASSING: ReadonlySet<string> = new Set(['locked', 'timeout', 'unreachable', 'server', 'rate-limited'])

const isRunning = (status: string | undefined) => status === 'PENDING' || status === 'PROCESSING'
const isUnderWay = ({ index }: PlatformFile) => isRunning(index?.status)

// A file that vanished is at its end too; NOT_INDEXED right after the request is a stale state.
function isAtEnd(file: PlatformFile | undefined): boolean {
  return file === undefined || file.index?.status === 'INDEXED' || file.index?.status === 'ERROR'
}

const readingOf = (list: readonly PlatformFile[]) =>
  new Map(list.flatMap(({ name, index }) => (index?.progress === undefined ? [] : [[name, index.progress]])))

/** Error texts of the embedded platform after which the same file fails again, except for a timeout. */
const ASKS_FOR_ANOTHER =
  /^(?!.*takes too long).*\b(?:send it again|upload the parts|scan it anew, larger and upright|holds no text to search)\b/

/** Final state of a file record, from the platform's state after the pass. */
export function indexOutcome(
  file: PlatformFile | undefined,
  texts: Texts,
): Pick<FileRecord, 'state' | 'note' | 'permanent'> {
  const index = file?.index
  if (index?.status === 'INDEXED' && index.chunks > 0) {
    const { error: note } = index
    return note === undefined ? { state: 'ready' } : { state: 'ready', note }
  }
  if (index?.status === 'INDEXED') return { state: 'failed', note: texts.noChunks }
  if (index?.status === 'ERROR') {
    const { error: note = texts.noChunks } = index
    return ASKS_FOR_ANOTHER.test(note) ? { state: 'failed', note, permanent: true } : { state: 'failed', note }
  }
  return { state: 'failed', note: file === undefined ? texts.files.vanished : texts.indexSlow }
}
