import type { State } from '#bridge/port/state.ts'
import { createLru } from '#lib/lru.ts'
import { type Fields, text, toFields } from '#adapters/shared/json.ts'
import { waitAtMost } from '#adapters/shared/session.ts'
import { LOOKUP_MS } from '../config.ts'
import { filesIn } from '../inbound/forward.ts'
import { homeOf, mentionedIds } from '../inbound/message.ts'
import type { Presence } from './presence.ts'

/** An installation that may take an event. */
export interface Candidate {
  readonly installation: { readonly workspace: string; readonly userId: string }
  readonly workspace: { readonly presence: Presence }
}

export interface Candidates<Found extends Candidate> {
  /** The installation of this workspace. */
  readonly find: (workspace: string) => Promise<Found | undefined>
  /** The installation of people of this team; it may be that of their organization. */
  readonly findHome: (team: string) => Promise<Found | undefined>
  /** The workspace whose bot this is, as far as this process knows. */
  readonly ownerOf: (userId: string) => string | undefined
  /** The same, asked of the store, where another process may have noted it. */
  readonly askOwner: (userId: string) => Promise<string | undefined>
  /** Which workspace is a channel's first: all processes have to choose the same. */
  readonly hosts: Pick<State, 'get' | 'set'>
}

/** Ids of the author of a message and of those it mentions. */
const idsIn = (wire: Fields): readonly string[] => [text(wire, 'user') ?? '', ...mentionedIds(text(wire, 'text') ?? '')]

/** Events that a person caused in a channel. */
const CAUSED = new Set(['message', 'app_mention', 'reaction_added', 'link_shared'])
const MAX_CHANNELS = 5_000
const MAX_THREADS = 5_000

/** An act of a person in a channel, with the installation that Slack names. */
interface Said<Found extends Candidate> {
  readonly channel: string
  readonly wire: Fields
  /** Ids that the text mentions, in order; of an edit, those of the earlier text first. */
  readonly mentions: readonly string[]
  readonly named: Found
  /** Milliseconds that are left for look-ups. */
  readonly leftMs: () => number
}

/**
 * In a channel of several companies that have Footbridge, Slack sends an event once, or for each of them, and names any
 * one of the installations that see it. One of them takes it, always the same: the first that the message mentions; of
 * a reply that mentions none, the one of the first message of its thread; else that of the person's own company. One
 * that is not in the channel takes nothing. An unaddressed message of a third company is for the channel's first.
 */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createSharedChannels<Found extends Candidate>(candidates: Candidates<Found>) {
  const { find, findHome, ownerOf, askOwner } = candidates
  const hostOf = createHosts(candidates)
  /** Ids in the first message of each thread. */
  const roots = createLru<Promise<readonly string[] | undefined>>(MAX_THREADS)

  /** Without a look-up for the bot of the installation that Slack names. */
  const knownOwner = (userId: string, { installation }: Found): string | undefined =>
    userId === installation.userId ? installation.workspace : ownerOf(userId)

  /** The first installation of which one of these is the bot. */
  async function firstOf(ids: readonly string[], named: Found): Promise<string | undefined> {
    const owners = await Promise.all(ids.map(async (id) => knownOwner(id, named) ?? askOwner(id)))
    return owners.find((owner) => owner !== undefined)
  }

  /** Ids in the first message of a thread; undefined: Slack does not tell now. */
  function rootIds({ channel, named, leftMs }: Said<Found>, thread: string): Promise<readonly string[] | undefined> {
    const key = `${channel}:${thread}`
    const ids = roots.get(key) ?? named.workspace.presence.rootOf(channel, thread).then((root) => root && idsIn(root))
    roots.set(key, ids)
    void ids.then((told) => told === undefined && roots.delete(key))
    return waitAtMost(leftMs(), ids)
  }

  /** The installation that wrote the first message of the thread, or that it mentions. */
  async function ofThread(said: Said<Found>): Promise<string | undefined> {
    const thread = text(said.wire, 'thread_ts')
    if (thread === undefined) return undefined
    const parent = await firstOf([text(said.wire, 'parent_user_id') ?? ''], said.named)
    if (parent !== undefined) return parent
    return firstOf((await rootIds(said, thread)) ?? [], said.named)
  }

  async function ofPerson({ wire, named, leftMs }: Said<Found>): Promise<string | undefined> {
    const user = text(wire, 'user')
    const team = homeOf(wire) ?? (user && (await named.workspace.presence.teamOf(user, leftMs())))
    return team === undefined ? undefined : (await findHome(team))?.installation.workspace
  }

  /** Only the installation that Slack names is possible. An organization's sees all of its teams. */
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
    const said = readEvent(event, named)
    if (said === undefined) return named
    const { presence } = named.workspace
    const { channel, wire, mentions, leftMs } = said
    if (!(isShared ?? (await presence.isShared(channel, leftMs())) ?? true) && isForOne(said)) return named
    const { ts, thread_ts: thread = ts } = wire
    // It may begin a thread: its replies need no look-up.
    if (typeof ts === 'string' && thread === ts) roots.set(`${channel}:${ts}`, Promise.resolve(idsIn(wire)))
    const workspace = (await firstOf(mentions, named)) ?? (await ofThread(said)) ?? (await ofPerson(said))
    if (workspace === undefined) return hostOf(said)
    if (workspace === named.installation.workspace) return named
    const taker = await find(workspace)
    return taker !== undefined && (await taker.workspace.presence.isIn(channel, leftMs())) ? taker : named
  }
}

/** The first installation that Slack named in a channel, as long as it is in it. Slack may name another with each event. */
function createHosts<Found extends Candidate>({ find, hosts: store }: Candidates<Found>) {
  const hosts = createLru<string>(MAX_CHANNELS)
  return async ({ channel, named, leftMs }: Said<Found>): Promise<Found> => {
    const key = `channel:${channel}`
    const home = named.installation.workspace
    const known = hosts.get(channel) ?? text(toFields(await store.get(key)), 'workspace')
    const host = known === undefined || known === home ? undefined : await find(known)
    const isThere = host !== undefined && (await host.workspace.presence.isIn(channel, leftMs()))
    if (!isThere && known !== home) await store.set(key, { workspace: home })
    const taker = isThere ? host : named
    hosts.set(channel, taker.installation.workspace)
    return taker
  }
}

/** Undefined: nobody caused it, or in no channel. A program without a mention or files asks for nothing. */
function readEvent<Found extends Candidate>(event: unknown, named: Found): Said<Found> | undefined {
  const fields = toFields(event)
  const channel = text(fields, 'channel') ?? text(toFields(fields['item']), 'channel')
  const [wire, before] = wordings(fields)
  if (channel === undefined || !CAUSED.has(text(fields, 'type') ?? '')) return undefined
  const until = Date.now() + LOOKUP_MS
  const mentions = [before, wire].flatMap((one) => mentionedIds(text(one, 'text') ?? ''))
  if (text(wire, 'bot_id') !== undefined && mentions.length === 0 && filesIn(wire).length === 0) return undefined
  return { channel, wire, mentions, named, leftMs: () => Math.max(0, until - Date.now()) }
}

/** A message as it is now, and as it was before a change. A deleted root of a thread becomes a tombstone of Slack. */
function wordings(event: Fields): readonly [now: Fields, before: Fields] {
  const [now, before] = [toFields(event['message']), toFields(event['previous_message'])]
  const subtype = text(event, 'subtype')
  if (subtype === 'message_deleted' || text(now, 'subtype') === 'tombstone') return [before, {}]
  return subtype === 'message_changed' ? [now, before] : [event, {}]
}
