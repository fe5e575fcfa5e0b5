import { type Fields, list, text, toFields } from '#adapters/shared/json.ts'
import { type Api, REPEATABLE } from '../api.ts'
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
  readonly now?: () => number
}

const PAGE_SIZE = 200
const TYPES = 'public_channel,private_channel,mpim,im'
/** A day before the mark: threads with new replies, and edited messages, begin before it. */
const LOOK_BACK_S = 24 * 3600

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

/** Replies in the threads of these roots that are newer than the mark. */
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

/** The `ts` of the bot's last join, or ''. Between the mark and that join the bot was not in the channel. */
const lastJoin = (roots: readonly Fields[], ownId: string): string =>
  roots
    .filter((wire) => JOINS.has(wire['subtype']) && wire['user'] === ownId)
    .map(tsOf)
    .reduce((newest, ts) => (ts > newest ? ts : newest), '')

/** Reads a channel from its mark to now. Returns how much was found, and the `ts` of the newest message of it. */
export async function readMissed(
  { api, deliver, ownId, maxAgeMs, now = Date.now }: ReadParts,
  channel: string,
  mark: string,
): Promise<{ readonly found: number; readonly newest: string | undefined }> {
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
  const inOrder = missed.toSorted((one, other) => Number(tsOf(one)) - Number(tsOf(other)))
  for (const wire of inOrder) {
    await deliver({ ...wire, type: 'message', channel }, now() - Number(tsOf(wire)) * 1000 > maxAgeMs)
  }
  const newest = inOrder.at(-1)
  return { found: missed.length + edited.length, newest: newest && tsOf(newest) }
}
