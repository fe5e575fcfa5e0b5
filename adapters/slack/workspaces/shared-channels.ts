import { createLru } from '../../../src/lib/lru.ts'
import { type Fields, text, toFields } from '../../shared/json.ts'
import { hasCode } from '../../shared/session.ts'
import { type Api, REPEATABLE, REPEATABLE_NOW } from '../api.ts'
import { LOOKUP_MS } from '../config.ts'
import type { Directory } from '../directory.ts'
import { homeOf, mentionedIds } from '../in/message.ts'

/** An installation's view of a channel that it shares with other companies. */
export interface Presence {
  /** Whether it is in this channel; at most half a minute old. @throws {AdapterError} Slack can't be asked now. */
  isIn(channel: string): Promise<boolean>
  /** The first message of a thread; undefined: Slack does not tell now. */
  rootOf(channel: string, thread: string): Promise<Fields | undefined>
  /** The team of a person; undefined: Slack does not tell now. */
  teamOf(user: string): Promise<string | undefined>
}

/** An installation that may take an event. */
export interface Party {
  readonly installation: { readonly workspace: string; readonly userId: string }
  readonly workspace: { readonly presence: Presence }
}

interface Parties<Found extends Party> {
  /** The installation of this workspace. */
  readonly find: (workspace: string) => Promise<Found | undefined>
  /** The workspace whose bot this is. */
  readonly ownerOf: (userId: string) => string | undefined
}

const KEPT_MS = 30_000
const MAX_CHANNELS = 1_000
const MAX_THREADS = 5_000
/** Events that a person caused in a channel. */
const CAUSED = new Set(['message', 'app_mention', 'reaction_added', 'link_shared'])

export function createPresence(api: Api, directory: Pick<Directory, 'find'>): Presence {
  const channels = createLru<{ readonly isIn: Promise<boolean>; readonly until: number }>(MAX_CHANNELS)

  async function ask(channel: string): Promise<boolean> {
    try {
      const answer = await api.call('conversations.info', (web) => web.conversations.info({ channel }), REPEATABLE)
      return toFields(answer.channel)['is_member'] === true
    } catch (error) {
      if (hasCode(error, 'not-found', 'forbidden')) return false
      throw error
    }
  }

  return {
    isIn(channel) {
      const known = channels.get(channel)
      if (known !== undefined && known.until > Date.now()) return known.isIn
      const isIn = ask(channel)
      channels.set(channel, { isIn, until: Date.now() + KEPT_MS })
      isIn.catch(() => channels.delete(channel))
      return isIn
    },
    async rootOf(channel, ts) {
      const args = { channel, ts, limit: 1 }
      const answer = await api
        .call('conversations.replies', (web) => web.conversations.replies(args), REPEATABLE_NOW)
        .catch(() => undefined)
      return answer?.messages?.map(toFields).find((wire) => text(wire, 'ts') === ts)
    },
    teamOf: async (user) => (await directory.find(user, LOOKUP_MS))?.team,
  }
}

/**
 * In a channel of several companies that have Footbridge, Slack sends an event once, or for each of them, and names any
 * one of the installations that see it. One of them takes it, always the same: the one that is mentioned; in a thread the
 * one that was called into it; else that of the person's own company. One that is not in the channel takes nothing.
 */
export function createSharedChannels<Found extends Party>({ find, ownerOf }: Parties<Found>) {
  /** The workspace that was mentioned in a thread; empty: none. */
  const threads = createLru<string>(MAX_THREADS)

  const ownerFor =
    ({ installation }: Found) =>
    (userId: string): string | undefined =>
      userId === installation.userId ? installation.workspace : ownerOf(userId)

  /** The workspace that is mentioned: of several that of the person's own company, else the one that Slack names. */
  function mentionedIn(markup: string, own: string | undefined, named: Found): string | undefined {
    const workspaces = mentionedIds(markup).map(ownerFor(named))
    return (
      [own, named.installation.workspace].find((one) => one !== undefined && workspaces.includes(one)) ??
      workspaces.find(Boolean)
    )
  }

  async function calledInto(channel: string, thread: string, named: Found): Promise<string | undefined> {
    const key = `${channel}:${thread}`
    const known = threads.get(key)
    if (known !== undefined) return known === '' ? undefined : known
    const root = await named.workspace.presence.rootOf(channel, thread)
    const called = root && mentionedIn(text(root, 'text') ?? '', homeOf(root), named)
    if (root !== undefined) threads.set(key, called ?? '')
    return called
  }

  async function addressee(wire: Fields, channel: string, mentioned: string | undefined, named: Found) {
    const thread = text(wire, 'thread_ts')
    if (mentioned !== undefined) threads.set(`${channel}:${thread ?? text(wire, 'ts') ?? ''}`, mentioned)
    if (mentioned !== undefined || thread === undefined) return mentioned
    return ownerFor(named)(text(wire, 'parent_user_id') ?? '') ?? calledInto(channel, thread, named)
  }

  /**
   * @param event the inner event, or a message that was read later
   * @param named the installation that Slack names
   * @param isShared Slack says that other companies are in the channel
   */
  return async (event: unknown, named: Found, isShared: boolean): Promise<Found> => {
    const fields = toFields(event)
    const home = named.installation.workspace
    const channel = text(fields, 'channel') ?? text(toFields(fields['item']), 'channel')
    if (channel === undefined || !CAUSED.has(text(fields, 'type') ?? '')) return named
    const [wire, before] = wordings(fields)
    const told = homeOf(wire)
    const mentioned = mentionedIn([wire, before].map((one) => text(one, 'text') ?? '').join(' '), told, named)
    if (!isShared && [told, mentioned].every((one) => one === undefined || one === home)) return named
    const user = text(wire, 'user')
    const own = told ?? (user && (await named.workspace.presence.teamOf(user)))
    const workspace = (await addressee(wire, channel, mentioned, named)) ?? own ?? home
    const taker = workspace === home ? undefined : await find(workspace)
    return taker !== undefined && (await taker.workspace.presence.isIn(channel)) ? taker : named
  }
}

/** A message as it is now, and as it was before a change. */
function wordings(event: Fields): readonly [now: Fields, before: Fields] {
  const before = toFields(event['previous_message'])
  if (text(event, 'subtype') === 'message_deleted') return [before, {}]
  return text(event, 'subtype') === 'message_changed' ? [toFields(event['message']), before] : [event, {}]
}
