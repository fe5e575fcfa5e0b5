import { type Fields, list, text, toFields } from '#adapters/shared/json.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { type Api, type CallPolicy, REPEATABLE, REPEATABLE_NOW } from '../api.ts'
import { notePage, type ReadPace } from '../calls/read-pace.ts'
import { collectPages, threadPages, tsOf } from '../outbound/find-send.ts'

export interface ReadParts {
  readonly api: Api
  /** The user id of the bot. */
  readonly ownId: () => string
  /** Id of the workspace, or of the organization. */
  readonly team: string
  /** Takes a message event as the live path does; `isLate`: it is too old for an answer. */
  readonly deliver: (event: Fields, isLate: boolean) => Promise<void>
  /** Age up to which a missed question is still answered, milliseconds. */
  readonly maxAgeMs: number
  /** Time at which the age of a message is judged, epoch milliseconds. Default now */
  readonly now?: () => number
  readonly pace: ReadPace
  /** Pause after a rate limit on threads, milliseconds: answers read theirs meanwhile. Default 1 min. */
  readonly yieldMs?: number
}

const PAGE_SIZE = 200
const TYPES = 'public_channel,private_channel,mpim,im'
/** A day before the mark: threads with new replies, and edited messages, begin before it. */
const LOOK_BACK_S = 24 * 3600

/** Nobody waits for these calls. */
const ENDLESS = { repeatable: true, patient: 'endless' } as const
/** A job that searches its own message in the channel goes first. */
const OF_CHANNELS: CallPolicy = { ...ENDLESS, yieldMs: 1000 }
const YIELD_MS = 60_000
/** Ten minutes of a channel, while the other channels wait. */
const MAX_SLOW_MESSAGES = 150
/** Two minutes each: answers get the other one. */
const MAX_SLOW_THREADS = 5

const before = (ts: string, seconds: number) => Math.max(0, Number(ts) - seconds).toFixed(6)

/**
 * Messages of the channel, newest first, from a day before the mark on. Where Slack gives one page a minute: at most 150,
 * and of the day before only those of the last page.
 */
async function readRoots(
  { api, pace }: Pick<ReadParts, 'api' | 'pace'>,
  channel: string,
  mark: string,
): Promise<{ readonly roots: readonly Fields[]; readonly isWhole: boolean }> {
  const roots: Fields[] = []
  let cursor: string | undefined
  do {
    const args = { channel, oldest: before(mark, LOOK_BACK_S), limit: PAGE_SIZE, cursor }
    const answer = await api.call('conversations.history', (web) => web.conversations.history(args), OF_CHANNELS)
    roots.push(...(answer.messages ?? []).map(toFields))
    cursor = answer.response_metadata?.next_cursor || undefined
    notePage(pace, answer.messages?.length ?? 0, cursor)
    if (pace.isSlow && roots.some((wire) => tsOf(wire) <= mark)) break
    if (pace.isSlow && roots.length >= MAX_SLOW_MESSAGES) return { roots, isWhole: cursor === undefined }
  } while (cursor !== undefined)
  return { roots, isWhole: true }
}

interface Page {
  readonly response_metadata?: { readonly next_cursor?: string }
}

/** All entries of a list that Slack gives page by page. */
async function listAll(
  ask: (cursor: string | undefined) => Promise<Page>,
  name: 'channels' | 'teams',
): Promise<readonly Fields[]> {
  const found: Fields[] = []
  let cursor: string | undefined
  do {
    const answer = await ask(cursor)
    found.push(...list(toFields(answer), name))
    cursor = answer.response_metadata?.next_cursor
  } while (cursor !== undefined && cursor !== '')
  return found
}

/**
 * The channels of the bot. For an organization Slack lists those of one workspace at a time.
 *
 * @param team of the installation
 */
export async function ownChannels(
  api: Api,
  team: string,
  isRead: (channel: Fields) => boolean,
): Promise<readonly string[]> {
  const channelsOf = (team_id: string | undefined) =>
    listAll((cursor) => {
      const args = { types: TYPES, exclude_archived: true, limit: PAGE_SIZE, cursor, team_id }
      return api.call('users.conversations', (web) => web.users.conversations(args), REPEATABLE)
    }, 'channels')
  const teamsOf = () =>
    listAll(
      (cursor) => api.call('auth.teams.list', (web) => web.auth.teams.list({ limit: PAGE_SIZE, cursor }), REPEATABLE),
      'teams',
    )
  const teams = team.startsWith('E') ? (await teamsOf()).map((one) => text(one, 'id')) : [undefined]
  const found = new Set<string>()
  for (const one of teams)
    for (const channel of await channelsOf(one)) if (isRead(channel)) found.add(text(channel, 'id') ?? '')
  found.delete('')
  return [...found]
}

/** Replies in the thread of this root that are newer than the mark. */
async function repliesTo(
  { api, pace }: Pick<ReadParts, 'api' | 'pace'>,
  root: Fields,
  channel: string,
  mark: string,
  policy: CallPolicy,
): Promise<Fields[]> {
  const conversation = { adapter: 'slack', workspace: '', channel, thread: tsOf(root), direct: false }
  const pages = threadPages(api, conversation, { oldest: mark }, policy, pace)
  return (await collectPages(pages, ['not-found'])).filter((wire) => tsOf(wire) !== tsOf(root))
}

const JOINS: ReadonlySet<unknown> = new Set(['channel_join', 'group_join'])

/** The `ts` of the bot's last join, or ''. Between the mark and that join the bot was not in the channel. */
const lastJoin = (roots: readonly Fields[], ownId: string): string =>
  roots
    .filter((wire) => JOINS.has(wire['subtype']) && wire['user'] === ownId)
    .map(tsOf)
    .reduce((newest, ts) => (ts > newest ? ts : newest), '')

/** Reads threads until Slack asks for a pause; `rest`: those that were not read. */
async function readThreadsAtOnce(parts: ReadParts, threads: readonly Fields[], channel: string, from: string) {
  const replies: Fields[] = []
  for (const [index, root] of threads.entries()) {
    try {
      replies.push(...(await repliesTo(parts, root, channel, from, REPEATABLE_NOW)))
    } catch (error) {
      if (!hasCode(error, 'rate-limited')) throw error
      return { replies, rest: threads.slice(index) }
    }
  }
  return { replies, rest: [] }
}

export interface Missed {
  /** Messages, replies and edits. */
  readonly found: number
  /** The `ts` of the newest. */
  readonly newest: string | undefined
  /** The `ts` of the newest outside of threads: replies may be read minutes after the channel. */
  readonly newestRoot: string | undefined
  /** The `ts` from which on all was read, where Slack let this app read no further back. */
  readonly backTo: string | undefined
  /** Threads with new replies that were left out for the same reason. */
  readonly threadsLeft: number
}

/** Reads a channel from its mark to now. */
export async function readMissed(parts: ReadParts, channel: string, mark: string): Promise<Missed> {
  const { deliver, ownId, maxAgeMs, now = Date.now, pace, yieldMs = YIELD_MS } = parts
  const isLate = (wire: Fields) => now() - Number(tsOf(wire)) * 1000 > maxAgeMs
  async function deliverAll(missed: readonly Fields[]): Promise<readonly string[]> {
    const inOrder = missed.toSorted((one, other) => Number(tsOf(one)) - Number(tsOf(other)))
    for (const wire of inOrder) await deliver({ ...wire, type: 'message', channel }, isLate(wire))
    return inOrder.map(tsOf)
  }

  const { roots, isWhole } = await readRoots(parts, channel, mark)
  const join = lastJoin(roots, ownId())
  const from = join > mark ? join : mark
  const edited = roots.filter((wire) => tsOf(wire) <= mark && (text(toFields(wire['edited']), 'ts') ?? '') > from)
  for (const wire of edited) {
    const change = { type: 'message', subtype: 'message_changed', channel, message: wire, previous_message: {} }
    await deliver(change, isLate(wire))
  }
  const threads = roots.filter((wire) => (text(wire, 'latest_reply') ?? '') > from)
  const { replies, rest } = await readThreadsAtOnce(parts, threads, channel, from)
  const told = [...(await deliverAll([...roots, ...replies].filter((wire) => tsOf(wire) > from)))]
  // The messages of the channel do not wait for threads that take minutes.
  const read = pace.isSlow ? rest.slice(0, MAX_SLOW_THREADS) : rest
  for (const root of read) {
    const late = await repliesTo(parts, root, channel, from, { ...ENDLESS, yieldMs })
    told.push(...(await deliverAll(late.filter((wire) => tsOf(wire) > from))))
  }
  return {
    found: told.length + edited.length,
    newest: told.toSorted().at(-1),
    newestRoot: roots
      .map(tsOf)
      .filter((ts) => ts > from)
      .toSorted()
      .at(-1),
    backTo: isWhole ? undefined : roots.map(tsOf).toSorted()[0],
    threadsLeft: rest.length - read.length,
  }
}
