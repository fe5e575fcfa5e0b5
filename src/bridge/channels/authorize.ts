import { createLru } from '../../lib/lru.ts'
import type { JobContext } from '../delivery/job-context.ts'
import type { Adapter, ChannelFacts } from '../port/adapter.ts'
import { channelKey, type ConversationRef, type PersonKind } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import type { FileRecord, Preferences } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import { administers, certainly } from './permissions.ts'
import type { Settings } from './settings.ts'

/** A wish of a person: a question, new knowledge, a button, a command, a shortcut, their overview; to change files of others. or settings. */
export type Act = 'ask' | 'drop' | 'press' | 'command' | 'shortcut' | 'home' | 'forget' | 'configure'

/** Acts that administrators may leave to roles. */
const ROLES_FOR = { drop: 'dropRoles', forget: 'forgetRoles', configure: 'configureRoles' } as const
const isHeld = (act: Act): act is keyof typeof ROLES_FOR => Object.hasOwn(ROLES_FOR, act)
/** They show no knowledge, so they are allowed while it is closed. */
const WITHOUT_KNOWLEDGE: readonly Act[] = ['home', 'forget', 'configure']

/**
 * Why not. `frozen`: the channel was opened to more people; `stranger`: they may not read it; `unknown`: the chat
 * service does not tell.
 */
export type Denial = Exclude<PersonKind, 'member'> | 'admins' | 'frozen' | 'stranger' | 'unknown'

export interface Wish {
  readonly conversation: ConversationRef
  readonly personId: string
  readonly act: Act
}

interface Asking {
  readonly adapter: Adapter
  readonly log: Log
}

/** The one policy for messages, edits, buttons, commands, reactions and what is caught up on. */
export interface Authority {
  /** Undefined: allowed. @throws {AdapterError} when the chat service can't be asked now */
  denial(asking: Asking, wish: Wish): Promise<Denial | undefined>
  /** Whether more people may read the channel than when it got its knowledge, and nobody confirmed that. */
  isFrozen(adapter: Adapter | undefined, conversation: ConversationRef): Promise<boolean>
  /** The reach of this channel is asked for anew. */
  forget(conversation: ConversationRef): void
  /** An administrator opens the channel's knowledge to those who may read it now. */
  open(adapter: Adapter, conversation: ConversationRef): Promise<void>
}

/** How many may read a channel, as stored. */
const REACHES = ['private', 'public', 'shared'] as const
type Reach = (typeof REACHES)[number]
const REACH = 'reach'

export const reachOf = ({ isPublic, isShared = false }: ChannelFacts): Reach =>
  isShared ? 'shared' : isPublic ? 'public' : 'private'

export const isWider = (reach: string, than: string): boolean =>
  REACHES.findIndex((one) => one === reach) > REACHES.findIndex((one) => one === than)

/** Each question asks for the reach, a call before the model: an answer counts so long, unless an event tells of a change. */
export const REACH_KEPT_MS = 30_000
const MAX_CHANNELS = 5_000

/** Undefined: the service does not tell. */
async function reachNow(adapter: Adapter, conversation: ConversationRef): Promise<Reach | undefined> {
  if (adapter.about === undefined) return 'private'
  const facts = await adapter.about({ ...conversation, thread: undefined })
  return facts && reachOf(facts)
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createAuthority(services: {
  readonly admins: ReadonlySet<string>
  readonly settings: Pick<Settings, 'of'>
  readonly preferences: Preferences
}): Authority {
  const { admins, settings, preferences } = services
  const reaches = createLru<{ readonly reach: Promise<Reach | undefined>; readonly until: number }>(MAX_CHANNELS)

  /** One call for all who ask meanwhile; a failure is not kept. */
  function recentReach(adapter: Adapter, conversation: ConversationRef): Promise<Reach | undefined> {
    const key = channelKey(conversation)
    const known = reaches.get(key)
    if (known !== undefined && known.until > Date.now()) return known.reach
    const reach = reachNow(adapter, conversation)
    reaches.set(key, { reach, until: Date.now() + REACH_KEPT_MS })
    reach.catch(() => reaches.delete(key))
    return reach
  }

  /** Undefined: unknown. A channel that was narrowed keeps that, so that opening it again is noticed. */
  async function frozen(adapter: Adapter, conversation: ConversationRef): Promise<boolean | undefined> {
    if (conversation.direct) return false
    const key = channelKey(conversation)
    const [now, before] = await Promise.all([recentReach(adapter, conversation), preferences.get(key, REACH)])
    if (now === undefined) return undefined
    if (before !== undefined && isWider(now, before)) return true
    if (before !== now) await preferences.set(key, REACH, now)
    return false
  }

  /** Whether this person administers the channel, or holds a role to which its administrators left the act. */
  async function isEntrusted(asking: Asking, { conversation, personId }: Wish, roles: readonly string[] = []) {
    if (await administers({ admins }, asking, conversation, personId)) return true
    return roles.length > 0 && certainly(asking.adapter.holdsRole?.(conversation, personId, roles), asking.log)
  }

  async function denialByKind({ adapter, log }: Asking, wish: Wish): Promise<Denial | undefined> {
    const { conversation, personId, act } = wish
    const [kind, chosen] = await Promise.all([
      adapter.kindOf === undefined ? ('member' as const) : adapter.kindOf(conversation, personId),
      settings.of(conversation),
    ])
    if (kind === undefined) return 'unknown'
    if (kind === 'stranger') return kind
    if (kind !== 'member') {
      const access = chosen[kind] ?? 'nothing'
      if (access === 'nothing' || (access === 'ask' && act === 'drop')) return kind
    }
    if (!isHeld(act) || (act === 'drop' && chosen.drops !== 'admins')) return undefined
    return (await isEntrusted({ adapter, log }, wish, chosen[ROLES_FOR[act]])) ? undefined : 'admins'
  }

  return {
    async denial(asking, wish) {
      const [denial, isFrozen] = await Promise.all([
        denialByKind(asking, wish),
        WITHOUT_KNOWLEDGE.includes(wish.act) ? false : frozen(asking.adapter, wish.conversation),
      ])
      if (denial !== undefined) return denial
      if (isFrozen === undefined) return 'unknown'
      return isFrozen && wish.act !== 'drop' ? 'frozen' : undefined
    },
    isFrozen: async (adapter, conversation) => adapter !== undefined && (await frozen(adapter, conversation)) !== false,
    forget: (conversation) => void reaches.delete(channelKey(conversation)),
    async open(adapter, conversation) {
      const now = await reachNow(adapter, conversation)
      if (now !== undefined) await preferences.set(channelKey(conversation), REACH, now)
    },
  }
}

type Deciding = { readonly authority: Pick<Authority, 'denial'> }

/** Whether the author may change the settings of this channel. */
export async function mayConfigure(
  { authority }: Deciding,
  ctx: JobContext,
  conversation: ConversationRef,
): Promise<boolean> {
  return (await authority.denial(ctx, { conversation, personId: ctx.author.id, act: 'configure' })) === undefined
}

/**
 * Whether the author dropped one of these files, or may change files of others in the channel that owns them. Who may in a
 * channel that only links to the collection may not.
 */
export async function mayChange(
  services: Deciding & { readonly store: Pick<Store, 'channels'> },
  ctx: JobContext,
  files: readonly FileRecord[],
): Promise<boolean> {
  const { adapter, author, conversation } = ctx
  const isOwn = files.some(
    ({ droppedBy, channel }) => droppedBy === author.id && channel.startsWith(`${adapter.name}:`),
  )
  if (isOwn) return true
  const mayIn = async (place: ConversationRef) =>
    (await services.authority.denial(ctx, { conversation: place, personId: author.id, act: 'forget' })) === undefined
  if (!(await mayIn(conversation))) return false
  const here = channelKey(conversation)
  const elsewhere = files.filter(({ channel }) => channel !== here).map(({ collection }) => collection)
  for (const collection of new Set(elsewhere)) {
    const owner = await services.store.channels.ofCollection(collection)
    if (owner !== undefined && owner.key !== here && !(await mayIn(owner.conversation))) return false
  }
  return true
}
