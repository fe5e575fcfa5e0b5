import type { Cursors, Log } from '#bridge/port/platform.ts'
import type { Fields } from '#adapters/shared/json.ts'
import { createLinePace } from '#bridge/port/outage.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { ownChannels, type ReadParts, readMissed } from './missed-messages.ts'

/** Slack repeats an event that was not acknowledged for five minutes; later messages are read from the channels. */
export interface CatchUp {
  /** Notes that a message was taken: its channel is read from here on after an absence. */
  seen(channel: string, ts: string): void
  /** From here to the end of `run` no mark moves: messages that are taken meanwhile would hide missed ones. */
  hold: () => void
  /** Ends `hold` without reading: nothing was missed. */
  release: () => void
  /**
   * Reads every channel from its mark to now, and those without one from the last reading of all; live events may come
   * meanwhile. Channels that could not be read are tried again in half a minute. Never rejects.
   *
   * @param since first try to connect, epoch milliseconds, where Slack was away during it: on the very first start,
   * earlier messages are not for us. Default now
   */
  run(since?: number): Promise<void>
  /** Writes the marks and tries no more. */
  stop(): Promise<void>
}

interface CatchUpParts extends ReadParts {
  readonly cursors: Pick<Cursors, 'all' | 'set'>
  readonly log: Log
  /** Other workspaces are installed, too. Channels shared with another company are left out: the other installation reads them. */
  readonly isOneOfMany?: boolean
  /** Wait before channels that could not be read are tried again, milliseconds: 30 s. */
  readonly retryMs?: number
}

const RETRY_MS = 30_000
/** Key of the position from which channels without one of their own are read, as in Discord. */
const START = '@start'
/** Slack's clock may be slow, compared with this machine's. */
const SKEW_MS = 10_000
const SAVE_MS = 1000

export const NO_CURSORS: Pick<Cursors, 'all' | 'set'> = { all: async () => [], set: async () => {} }

const SLOW =
  'Slack lets this app read 15 messages a minute, so some messages sent while Footbridge was away were not read: those before `backTo`, and new replies in `threadsLeft` threads. Ask people to repeat these questions and to drop these files again'

const toIso = (ts: string) => new Date(Number(ts) * 1000).toISOString()

const toTs = (ms: number) => (ms / 1000).toFixed(6)

/** How far each channel was read; written at most once a second. */
function createMarks(cursors: CatchUpParts['cursors'], log: Log) {
  const unsaved = new Map<string, string>()
  /** Channels that could not be read: their marks stay, so that the next reading finds the missing messages. */
  const frozen = new Set<string>()
  let isHeld = false
  let timer: NodeJS.Timeout | undefined

  async function save(channel: string, ts: string): Promise<void> {
    try {
      await cursors.set(channel, ts)
    } catch (error) {
      log.warn(
        { err: error, channel },
        'How far a Slack channel was read could not be saved; after a restart it is read again from an older message',
      )
    }
  }

  async function flush(): Promise<void> {
    // While an absence is being read, no mark is saved: after a crash the unread messages would be skipped.
    if (isHeld) return
    clearTimeout(timer)
    timer = undefined
    const batch = [...unsaved]
    unsaved.clear()
    await Promise.all(batch.map(([channel, ts]) => save(channel, ts)))
  }

  function advance(channel: string, ts: string): void {
    if (frozen.has(channel) || (unsaved.get(channel) ?? '') >= ts) return
    unsaved.set(channel, ts)
    timer ??= setTimeout(() => void flush(), SAVE_MS)
  }

  return {
    /** Writes at once. */
    save,
    flush,
    advance,
    /** The stored marks, the newest first, since most is said there; and the start, undefined on the very first one. */
    async load(firstTry: number | undefined, begunAt: string) {
      const all = (await cursors.all()).toSorted((one, other) => Number(other.position) - Number(one.position))
      const stored = all.find(({ channel }) => channel === START)?.position
      const start = stored ?? (firstTry === undefined ? undefined : toTs(firstTry - SKEW_MS))
      if (stored === undefined) await save(START, start ?? begunAt)
      const marked = all.filter(({ channel }) => channel !== START)
      return { start, marked: new Map(marked.map(({ channel, position }) => [channel, position])) }
    },
    freeze(channel: string) {
      frozen.add(channel)
      unsaved.delete(channel)
    },
    thaw: (channel: string) => void frozen.delete(channel),
    hold: () => void (isHeld = true),
    release: () => void (isHeld = false),
  }
}

type Marks = ReturnType<typeof createMarks>

/** Channels without a mark: the first question there may be the one that was missed. */
async function listOthers(
  { api, log, team, isOneOfMany = false }: CatchUpParts,
  marked: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  try {
    const isRead = (channel: Fields) => !(isOneOfMany && channel['is_ext_shared'] === true)
    return (await ownChannels(api, team, isRead)).filter((channel) => !marked.has(channel))
  } catch (error) {
    if (hasCode(error, 'network', 'rate-limited')) throw error
    log.debug({ err: error }, 'Slack does not list the channels of Footbridge')
    return []
  }
}

/** Reads a channel from its mark on. Gives false where it is to be tried again. */
async function readOn(
  parts: CatchUpParts & { readonly tell: Log['warn'] },
  marks: Marks,
  channel: string,
  mark: string,
): Promise<boolean> {
  try {
    const { found, newest, newestRoot, backTo, threadsLeft } = await readMissed(parts, channel, mark)
    marks.thaw(channel)
    // The mark passes messages that ask for nothing, too. Otherwise they would be read again each time.
    if (newest !== undefined) marks.advance(channel, newest)
    // A page takes a minute: after a restart this channel is not read once more. Messages that came while its threads were
    // read are not passed.
    if (newestRoot !== undefined && parts.pace.isSlow) await marks.save(channel, newestRoot)
    if (backTo !== undefined || threadsLeft > 0)
      parts.log.warn({ channel, from: toIso(mark), backTo: toIso(backTo ?? mark), threadsLeft }, SLOW)
    if (found > 0) parts.log.info({ channel, found }, 'Messages missed in a Slack channel were read')
    return true
  } catch (error) {
    marks.freeze(channel)
    const isClosed = hasCode(error, 'forbidden', 'not-found')
    if (isClosed) parts.log.debug({ channel }, 'A Slack channel is not open to Footbridge any more')
    else parts.tell({ err: error, channel }, 'A Slack channel could not be read up to now; it is tried again')
    return isClosed
  }
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createCatchUp(parts: CatchUpParts): CatchUp {
  const { cursors, log, now = Date.now } = parts
  const marks = createMarks(cursors, log)
  /** Channels that were read since the last absence: the next try leaves them out. */
  const done = new Set<string>()
  const lines = createLinePace()
  /** Not every channel was tried since the last absence: no mark moves until then. */
  let isOwed = false
  let running: Promise<void> | undefined
  let isAskedAgain = false
  let isStopped = false
  let firstTry: number | undefined
  let begunAt = ''
  /** Start of the reading, epoch milliseconds: a question does not age while it waits for Slack's pace. */
  let judgedAt = now()
  let retry: NodeJS.Timeout | undefined

  const tell: Log['warn'] = (fields, message) => void (!isStopped && lines.isDue() && log.warn(fields, message))

  /** Another absence has ended meanwhile, so the most used channels come first again; or we stop. */
  const isCut = () => isAskedAgain || isStopped

  /** Gives false where something is to be tried again. */
  async function readEach(channels: Iterable<string>, markOf: (channel: string) => string): Promise<boolean> {
    let isDone = true
    for (const channel of channels) {
      if (isCut()) return false
      if (done.has(channel)) continue
      if (await readOn({ ...parts, tell, now: () => judgedAt }, marks, channel, markOf(channel))) done.add(channel)
      else isDone = false
    }
    return isDone
  }

  /** Gives false where something is to be tried again. */
  async function readAll(): Promise<boolean> {
    const { start, marked } = await marks.load(firstTry, begunAt)
    const areMarkedDone = await readEach(marked.keys(), (channel) => marked.get(channel) ?? '')
    if (isCut()) return false
    const others = start === undefined ? [] : await listOthers(parts, marked)
    const isDone = (await readEach(others, () => start ?? '')) && areMarkedDone
    if (isCut()) return false
    isOwed = false
    marks.release()
    if (isDone && start !== undefined) await marks.save(START, begunAt)
    return isDone
  }

  async function readUntilDone(): Promise<void> {
    clearTimeout(retry)
    let isDone: boolean
    do {
      if (isAskedAgain) {
        done.clear()
        begunAt = toTs(now() - SKEW_MS)
      }
      isAskedAgain = false
      judgedAt = now()
      marks.hold()
      isDone = await readAll().catch((error: unknown) => {
        tell(
          { err: error },
          'Messages missed in Slack could not be read, since marks or channels could not be listed; it is tried again. Check database and network',
        )
        return false
      })
    } while (isAskedAgain)
    if (!isDone && !isStopped) retry = setTimeout(() => void begin(), parts.retryMs ?? RETRY_MS).unref()
    await marks.flush()
  }

  const begin = () => (running ??= readUntilDone().finally(() => (running = undefined)))

  return {
    seen: marks.advance,
    hold: marks.hold,
    release() {
      if (running !== undefined || isOwed) return
      marks.release()
      void marks.flush()
    },
    run(since) {
      firstTry ??= since
      isAskedAgain = true
      isOwed = true
      return begin()
    },
    stop() {
      isStopped = true
      clearTimeout(retry)
      return marks.flush()
    },
  }
}
