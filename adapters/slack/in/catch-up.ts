import type { Cursors, Log } from '../../../src/bridge/port/platform.ts'
import { type Fields, text, toFields } from '../../shared/json.ts'
import { createLinePace } from '../../../src/bridge/port/outage.ts'
import { hasCode } from '../../shared/session.ts'
import { type Api, REPEATABLE } from '../api.ts'
import { collectPages, threadPages, tsOf } from '../out/find-send.ts'

/** Slack repeats an event that nobody took for five minutes; what came after that is read from the channels. */
export interface CatchUp {
  /** Notes that a message was taken: its channel is read from here on after an absence. */
  seen(channel: string, ts: string): void
  /** From here to the end of `run` no mark moves: messages that are taken meanwhile would hide what was missed. */
  hold: () => void
  /** Ends `hold` without reading: nothing was missed. */
  release: () => void
  /**
   * Reads every known channel from its mark to now; live events may come meanwhile. Channels that could not be read are
   * tried again in half a minute. Never rejects.
   */
  run(): Promise<void>
  /** Writes the marks and tries no more. */
  stop(): Promise<void>
}

interface CatchUpParts {
  readonly api: Api
  readonly cursors: Pick<Cursors, 'all' | 'set'>
  readonly log: Log
  /** The user id of the bot. */
  readonly ownId: () => string
  /** Takes a message event as the live path does; `isLate`: it is too old for an answer. */
  readonly deliver: (event: Fields, isLate: boolean) => Promise<void>
  /** Age up to which a missed question is still answered, milliseconds. */
  readonly maxAgeMs: number
  readonly now?: () => number
  /** Wait before channels that could not be read are tried again, milliseconds: 30 s. */
  readonly retryMs?: number
}

const RETRY_MS = 30_000
const PAGE_SIZE = 200
/** A day before the mark: threads with new replies, and edited messages, begin before it. */
const LOOK_BACK_S = 24 * 3600
const SAVE_MS = 1000

export const NO_CURSORS: Pick<Cursors, 'all' | 'set'> = { all: async () => [], set: async () => {} }

const before = (ts: string, seconds: number) => Math.max(0, Number(ts) - seconds).toFixed(6)

/** Newest first, so every page is read before the oldest is known. */
async function* historyPages(api: Api, channel: string, oldest: string): AsyncGenerator<Fields[]> {
  let cursor: string | undefined
  do {
    const args = { channel, oldest, limit: PAGE_SIZE, cursor }
    const answer = await api.call('conversations.history', (web) => web.conversations.history(args), REPEATABLE)
    yield (answer.messages ?? []).map(toFields)
    cursor = answer.response_metadata?.next_cursor
  } while (cursor !== undefined && cursor !== '')
}

/** Replies behind the mark in the threads of these roots. */
async function repliesTo(api: Api, roots: readonly Fields[], channel: string, mark: string): Promise<Fields[]> {
  const found: Fields[] = []
  for (const root of roots) {
    if ((text(root, 'latest_reply') ?? '') <= mark) continue
    const conversation = { adapter: 'slack', workspace: '', channel, thread: tsOf(root), direct: false }
    const replies = await collectPages(threadPages(api, conversation, { oldest: mark }, true), ['not-found'])
    found.push(...replies.filter((wire) => tsOf(wire) !== tsOf(root)))
  }
  return found
}

const JOINS: ReadonlySet<unknown> = new Set(['channel_join', 'group_join'])

/** The `ts` of the bot's last join, or ''. What was said between the mark and that join was said without the bot. */
const lastJoin = (roots: readonly Fields[], ownId: string): string =>
  roots
    .filter((wire) => JOINS.has(wire['subtype']) && wire['user'] === ownId)
    .map(tsOf)
    .reduce((newest, ts) => (ts > newest ? ts : newest), '')

/** Reads a channel from its mark to now. Returns how much was found. */
async function read(
  { api, deliver, ownId, maxAgeMs, now = Date.now }: CatchUpParts,
  channel: string,
  mark: string,
): Promise<number> {
  const roots = await collectPages(historyPages(api, channel, before(mark, LOOK_BACK_S)), [])
  const join = lastJoin(roots, ownId())
  const from = join > mark ? join : mark
  const replies = await repliesTo(api, roots, channel, from)
  const missed = [...roots, ...replies].filter((wire) => tsOf(wire) > from)
  const edited = roots.filter((wire) => tsOf(wire) <= mark && (text(toFields(wire['edited']), 'ts') ?? '') > from)
  for (const wire of edited) {
    const change = { type: 'message', subtype: 'message_changed', channel, message: wire, previous_message: {} }
    await deliver(change, now() - Number(tsOf(wire)) * 1000 > maxAgeMs)
  }
  for (const wire of missed.toSorted((one, other) => Number(tsOf(one)) - Number(tsOf(other)))) {
    await deliver({ ...wire, type: 'message', channel }, now() - Number(tsOf(wire)) * 1000 > maxAgeMs)
  }
  return missed.length + edited.length
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createCatchUp(parts: CatchUpParts): CatchUp {
  const { cursors, log } = parts
  const unsaved = new Map<string, string>()
  /** Channels that could not be read: their marks stay, so that the next start finds what is missing. */
  const held = new Set<string>()
  const lines = createLinePace()
  let isReading = false
  let running: Promise<void> | undefined
  let isAskedAgain = false
  let retry: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined

  const hold = () => void (isReading = true)

  async function flush(): Promise<void> {
    // A crash meanwhile must not leave a mark behind which nothing was read.
    if (isReading) return
    clearTimeout(timer)
    timer = undefined
    const batch = [...unsaved]
    unsaved.clear()
    await Promise.all(batch.map(([channel, ts]) => save(channel, ts)))
  }

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

  /** Gives false where it is to be tried again. */
  async function readOn(channel: string, mark: string): Promise<boolean> {
    try {
      const found = await read(parts, channel, mark)
      held.delete(channel)
      if (found > 0) log.info({ channel, found }, 'Messages missed in a Slack channel were read')
      return true
    } catch (error) {
      held.add(channel)
      unsaved.delete(channel)
      const isClosed = hasCode(error, 'forbidden', 'not-found')
      if (isClosed) log.debug({ channel }, 'A Slack channel is not open to Footbridge any more')
      else if (lines.isDue())
        log.warn({ err: error, channel }, 'A Slack channel could not be read up to now; it is tried again')
      return isClosed
    }
  }

  async function readAll(): Promise<void> {
    hold()
    const marks = await cursors.all().catch((error: unknown) => {
      log.warn(
        { err: error },
        'Messages missed in Slack could not be read, since it is not known from where; the next start tries again. Check disk and database',
      )
    })
    // The marks stay as they are then: what was missed lies behind them.
    if (marks === undefined) return
    let isDone = true
    for (const { channel, position } of marks) isDone = (await readOn(channel, position)) && isDone
    release()
    clearTimeout(retry)
    if (!isDone) retry = setTimeout(() => void run(), parts.retryMs ?? RETRY_MS).unref()
    await flush()
  }

  const release = () => void (isReading = false)

  async function readUntilDone(): Promise<void> {
    do {
      isAskedAgain = false
      await readAll()
    } while (isAskedAgain)
  }

  function run(): Promise<void> {
    if (running !== undefined) isAskedAgain = true
    running ??= readUntilDone().finally(() => (running = undefined))
    return running
  }

  return {
    seen(channel, ts) {
      if (held.has(channel) || (unsaved.get(channel) ?? '') >= ts) return
      unsaved.set(channel, ts)
      timer ??= setTimeout(() => void flush(), SAVE_MS)
    },
    hold,
    release() {
      if (running !== undefined) return
      release()
      void flush()
    },
    run,
    stop() {
      clearTimeout(retry)
      return flush()
    },
  }
}
