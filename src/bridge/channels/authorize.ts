import { createLru } from '../../lib/lru.ts'
import type { JobContext } from '../delivery/job-context.ts'
import type { Adapter, ChannelFacts } from '../port/adapter.ts'
import { channelKey, type ConversationRef, type PersonKind } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import type { FileRecord, Preferences } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import { administers, certainly } from './permissions.ts'
import type { Settings } from './settings.ts'

/**
 * An action that needs a permission. `ask`: a question. `drop`: to add files. `press`: a button. `command`, `shortcut`,
 * `home`: the person's overview. `forget`: to change files of others. `configure`: to change settings.
 */
export type Act = 'ask' | 'drop' | 'press' | 'command' | 'shortcut' | 'home' | 'forget' | 'configure'

/** Acts that administrators may delegate to roles, with the setting that lists the roles. */
const ROLES_FOR = { drop: 'dropRoles', forget: 'forgetRoles', configure: 'configureRoles' } as const
const isHeld = (act: Act): act is keyof typeof ROLES_FOR => Object.hasOwn(ROLES_FOR, act)
/** Acts that show no file content: they are allowed while the channel is frozen. */
const WITHOUT_KNOWLEDGE: readonly Act[] = ['home', 'forget', 'configure']

/**
 * The reason of a refusal. `frozen`: more people may read the channel than before. `stranger`: the person may not read
 * it. `unknown`: the chat service does not tell.
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

/** The one access policy for messages, edits, buttons, commands, reactions, and events that arrive late. */
export interface Authority {
  /** Undefined: allowed. @throws {AdapterError} when the chat service can't be asked now */
  denial(asking: Asking, wish: Wish): Promise<Denial | undefined>
  /** Whether more people may read the channel now than when its files were dropped, and no administrator has confirmed it. */
  isFrozen(adapter: Adapter | undefined, conversation: ConversationRef): Promise<boolean>
  /** Clears the cached visibility of this channel: the next check asks the chat service. */
  forget(conversation: ConversationRef): void
  /** Stores an administrator's decision: whoever may read the channel now may read its files. */
  open(adapter: Adapter, conversation: ConversationRef): Promise<void>
}

/** Who may read a channel, from few people to many. Stored as a preference under the old name `reach`. */
const REACHES = ['private', 'public', 'shared'] as const
type Reach = (typeof REACHES)[number]
const REACH = 'reach'

export const reachOf = ({ isPublic, isShared = false }: ChannelFacts): Reach =>
  isShared ? 'shared' : isPublic ? 'public' : 'private'

export const isWider = (reach: string, than: string): boolean =>
  REACHES.findIndex((one) => one === reach) > REACHES.findIndex((one) => one === than)

/** How long a visibility is cached, since every question needs it. An event of a change clears it earlier. */
export const REACH_KEPT_MS = 30_000
const MAX_CHANNELS = 5_000

/** Asks the chat service. Undefined: it does not tell. */
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

  /** Concurrent callers share one request; a failure is not cached. */
  function recentReach(adapter: Adapter, conversation: ConversationRef): Promise<Reach | undefined> {
    const key = channelKey(conversation)
    const known = reaches.get(key)
    if (known !== undefined && known.until > Date.now()) return known.reach
    const reach = reachNow(adapter, conversation)
    reaches.set(key, { reach, until: Date.now() + REACH_KEPT_MS })
    reach.catch(() => reaches.delete(key))
    return reach
  }

  /** Undefined: unknown. Stores a narrower visibility too, so that a later widening is noticed. */
  async function frozen(adapter: Adapter, conversation: ConversationRef): Promise<boolean | undefined> {
    if (conversation.direct) return false
    const key = channelKey(conversation)
    const [now, before] = await Promise.all([recentReach(adapter, conversation), preferences.get(key, REACH)])
    if (now === undefined) return undefined
    if (before !== undefined && isWider(now, before)) return true
    if (before !== now) await preferences.set(key, REACH, now)
    return false
  }

  /** Whether this person administers the channel, or holds a role to which the act was delegated. */
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
 * Whether the author dropped one of these files, or may change files of others. That right is needed in the channel that
 * owns the collection, too: a channel that is only linked to it is not enough.
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
