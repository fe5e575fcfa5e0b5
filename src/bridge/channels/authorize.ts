import { createLru } from '../../lib/lru.ts'
import type { Adapter, ChannelFacts } from '../port/adapter.ts'
import { channelKey, type ConversationRef, type PersonKind } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import type { Preferences } from '../port/records.ts'
import { administers } from './permissions.ts'
import type { Settings } from './settings.ts'

/** A wish of a person: a question, new knowledge, a button, a command, a shortcut, their overview. */
export type Act = 'ask' | 'drop' | 'press' | 'command' | 'shortcut' | 'home'

/** Why not. `frozen`: the channel was opened to more people; `unknown`: the chat service does not tell. */
export type Denial = Exclude<PersonKind, 'member'> | 'admins' | 'frozen' | 'unknown'

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

/** Each question asks for the reach: a call before the model, which may be as old as this. */
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
    const now = await recentReach(adapter, conversation)
    if (now === undefined) return undefined
    const key = channelKey(conversation)
    const before = await preferences.get(key, REACH)
    if (before !== undefined && isWider(now, before)) return true
    if (before !== now) await preferences.set(key, REACH, now)
    return false
  }

  async function denialByKind({ adapter, log }: Asking, wish: Wish): Promise<Denial | undefined> {
    const { conversation, personId, act } = wish
    const [kind, chosen] = await Promise.all([
      adapter.kindOf === undefined ? ('member' as const) : adapter.kindOf(conversation, personId),
      settings.of(conversation),
    ])
    if (kind === undefined) return 'unknown'
    if (kind !== 'member') {
      const access = chosen[kind] ?? 'nothing'
      if (access === 'nothing' || (access === 'ask' && act === 'drop')) return kind
    }
    const isHeldBack = act === 'drop' && chosen.drops === 'admins'
    return isHeldBack && !(await administers({ admins }, { adapter, log }, conversation, personId))
      ? 'admins'
      : undefined
  }

  return {
    async denial(asking, wish) {
      const [denial, isFrozen] = await Promise.all([
        denialByKind(asking, wish),
        wish.act === 'home' ? false : frozen(asking.adapter, wish.conversation),
      ])
      if (denial !== undefined) return denial
      if (isFrozen === undefined) return 'unknown'
      return isFrozen && wish.act !== 'drop' ? 'frozen' : undefined
    },
    isFrozen: async (adapter, conversation) => adapter !== undefined && (await frozen(adapter, conversation)) !== false,
    async open(adapter, conversation) {
      const now = await reachNow(adapter, conversation)
      if (now !== undefined) await preferences.set(channelKey(conversation), REACH, now)
    },
  }
}
