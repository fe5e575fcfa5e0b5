import type { State } from '#bridge/port/state.ts'
import { createLru } from '#lib/lru.ts'
import { type Fields, text, toFields } from '#adapters/shared/json.ts'
import { LOOKUP_MS } from '../config.ts'
import { homeOf, mentionedIds } from '../inbound/message.ts'
import type { Presence } from './presence.ts'

/** An installation that may take an event. */
export interface Party {
  readonly installation: { readonly workspace: string; readonly userId: string }
  readonly workspace: { readonly presence: Presence }
}

export interface Parties<Found extends Party> {
  /** The installation of this workspace. */
  readonly find: (workspace: string) => Promise<Found | undefined>
  /** The installation of people of this team; it may be that of their organization. */
  readonly findHome: (team: string) => Promise<Found | undefined>
  /** The workspace whose bot this is, as far as this process knows. */
  readonly ownerOf: (userId: string) => string | undefined
  /** The same, asked of the store, where another process may have noted it. */
  readonly askOwner: (userId: string) => Promise<string | undefined>
  /** Which workspace was called into a thread, or is a channel's first: all processes have to choose the same. */
  readonly calls: Pick<State, 'get' | 'set'>
}

/** Where nothing is kept any more, the first message of a thread tells who was called. */
const CALL_MS = 90 * 24 * 3600_000
/** Events that a person caused in a channel. */
const CAUSED = new Set(['message', 'app_mention', 'reaction_added', 'link_shared'])

/** The workspace that was called into a thread last; empty: none. */
function createThreadCalls(calls: Parties<Party>['calls']) {
  const read = async (key: string) => {
    const fields = toFields(await calls.get(key))
    const [workspace, ts] = [fields['workspace'], text(fields, 'ts')]
    return typeof workspace === 'string' && ts !== undefined ? { workspace, ts } : undefined
  }
  return {
    of: (channel: string, thread: string) => read(`thread:${channel}:${thread}`),
    /** @param ts of the message that calls: one that is read late does not replace a later one */
    async note(channel: string, thread: string, ts: string, workspace: string): Promise<void> {
      const key = `thread:${channel}:${thread}`
      const known = await read(key)
      if (known !== undefined && (known.ts > ts || (known.ts === ts && known.workspace === workspace))) return
      await calls.set(key, { workspace, ts }, CALL_MS)
    },
  }
}

const MAX_CHANNELS = 5_000

/**
 * The installation for what is for none of them: the first that Slack named in the channel, as long as it is in it. Slack
 * may name another one with each event.
 */
function createHosts<Found extends Party>({ find, calls }: Parties<Found>) {
  const hosts = createLru<string>(MAX_CHANNELS)
  return async ({ channel, named, leftMs }: Said<Found>): Promise<Found> => {
    const key = `channel:${channel}`
    const home = named.installation.workspace
    const known = hosts.get(channel) ?? text(toFields(await calls.get(key)), 'workspace')
    const host = known === undefined || known === home ? undefined : await find(known)
    const isThere = host !== undefined && (await host.workspace.presence.isIn(channel, leftMs()))
    if (!isThere && known !== home) await calls.set(key, { workspace: home })
    const taker = isThere ? host : named
    hosts.set(channel, taker.installation.workspace)
    return taker
  }
}

/** A message with where it stands, and what it takes to choose. */
interface Said<Found extends Party> {
  readonly wire: Fields
  readonly channel: string
  readonly mentions: readonly string[]
  readonly named: Found
  /** Milliseconds that are left for look-ups. */
  readonly leftMs: () => number
}

/** The workspaces of people and of bots. */
function createOwners<Found extends Party>({ findHome, ownerOf, askOwner }: Parties<Found>) {
  /** Without a look-up for the bot of the installation that Slack names. */
  const knownOwner = (userId: string, { installation }: Found): string | undefined =>
    userId === installation.userId ? installation.workspace : ownerOf(userId)
  const findOwner = async (userId: string | undefined, named: Found): Promise<string | undefined> =>
    userId === undefined ? undefined : (knownOwner(userId, named) ?? askOwner(userId))

  /** The installation of the person's company. */
  async function ownOf(wire: Fields, { named, leftMs }: Said<Found>): Promise<string | undefined> {
    const user = text(wire, 'user')
    const team = homeOf(wire) ?? (user && (await named.workspace.presence.teamOf(user, leftMs())))
    return team === undefined ? undefined : (await findHome(team))?.installation.workspace
  }

  /** The workspace that is mentioned: of several that of the person's own company, else the first by its id. */
  async function mentionedIn(wire: Fields, mentions: readonly string[], said: Said<Found>) {
    const owners = await Promise.all([...new Set(mentions)].map((id) => findOwner(id, said.named)))
    const [first, ...others] = [...new Set(owners.filter((one) => one !== undefined))].toSorted()
    if (first === undefined || others.length === 0) return first
    const own = await ownOf(wire, said)
    return own !== undefined && others.includes(own) ? own : first
  }

  return { knownOwner, findOwner, ownOf, mentionedIn }
}

/**
 * In a channel of several companies that have Footbridge, Slack sends an event once, or for each of them, and names any
 * one of the installations that see it. One of them takes it, always the same: the one that is mentioned; in a thread the
 * one that was called into it; else that of the person's own company; else the channel's first. One that is not in the
 * channel takes nothing.
 */
export function createSharedChannels<Found extends Party>(parties: Parties<Found>) {
  const { find } = parties
  const { knownOwner, findOwner, ownOf, mentionedIn } = createOwners(parties)
  const calls = createThreadCalls(parties.calls)
  const hostOf = createHosts(parties)

  async function calledByRoot(thread: string, said: Said<Found>): Promise<string | undefined> {
    const { wire, channel, named, leftMs } = said
    const parent = await findOwner(text(wire, 'parent_user_id'), named)
    if (parent !== undefined) return parent
    const root = await named.workspace.presence.rootOf(channel, thread, leftMs())
    if (root === undefined) return undefined
    const mentions = mentionedIds(text(root, 'text') ?? '')
    const called = (await findOwner(text(root, 'user'), named)) ?? (await mentionedIn(root, mentions, said))
    await calls.note(channel, thread, thread, called ?? '')
    return called
  }

  /** The one that is mentioned, or that was called into the thread. */
  async function addressee(said: Said<Found>): Promise<string | undefined> {
    const { wire, channel, mentions } = said
    const [thread, ts] = [text(wire, 'thread_ts'), text(wire, 'ts') ?? '']
    const mentioned = await mentionedIn(wire, mentions, said)
    if (mentioned !== undefined) await calls.note(channel, thread ?? ts, ts, mentioned)
    if (mentioned !== undefined || thread === undefined) return mentioned
    const known = await calls.of(channel, thread)
    return known === undefined ? calledByRoot(thread, said) : known.workspace || undefined
  }

  /** Nobody but the installation that Slack names comes into question. An organization's sees all of its teams. */
  function isForOne({ wire, mentions, named }: Said<Found>): boolean {
    const home = named.installation.workspace
    const told = home.startsWith('E') ? undefined : homeOf(wire)
    return [told, ...mentions.map((id) => knownOwner(id, named))].every((one) => one === undefined || one === home)
  }

  /**
   * @param event the inner event, or a message that was read later
   * @param named the installation that Slack names
   * @param isShared Slack says that other companies are in the channel; undefined: it says nothing
   */
  return async (event: unknown, named: Found, isShared: boolean | undefined): Promise<Found> => {
    const fields = toFields(event)
    const channel = text(fields, 'channel') ?? text(toFields(fields['item']), 'channel')
    const [wire, before] = wordings(fields)
    // A program asks for nothing.
    const isCaused = CAUSED.has(text(fields, 'type') ?? '') && text(wire, 'bot_id') === undefined
    if (channel === undefined || !isCaused) return named
    const until = Date.now() + LOOKUP_MS
    const leftMs = () => Math.max(0, until - Date.now())
    const mentions = [wire, before].flatMap((one) => mentionedIds(text(one, 'text') ?? ''))
    const said = { wire, channel, mentions, named, leftMs }
    const { presence } = named.workspace
    if (!(isShared ?? (await presence.isShared(channel, leftMs())) ?? true) && isForOne(said)) return named
    const workspace = (await addressee(said)) ?? (await ownOf(wire, said))
    if (workspace === undefined) return hostOf(said)
    if (workspace === named.installation.workspace) return named
    const taker = await find(workspace)
    return taker !== undefined && (await taker.workspace.presence.isIn(channel, leftMs())) ? taker : named
  }
}

/** A message as it is now, and as it was before a change. A deleted root of a thread becomes a tombstone of Slack. */
function wordings(event: Fields): readonly [now: Fields, before: Fields] {
  const [now, before] = [toFields(event['message']), toFields(event['previous_message'])]
  const subtype = text(event, 'subtype')
  if (subtype === 'message_deleted' || text(now, 'subtype') === 'tombstone') return [before, {}]
  return subtype === 'message_changed' ? [now, before] : [event, {}]
}
