import { createLru } from '#lib/lru.ts'
import type { JobContext } from '../delivery/job-context.ts'
import type { Adapter, ChannelFacts } from '../port/adapter.ts'
import { channelKey } from '../port/keys.ts'
import type { PersonKind } from '../port/author.ts'
import type { ConversationRef } from '../port/message.ts'
import type { FileRecord, Preferences } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import { administers, type AdapterAndLog, isConfirmed } from './permissions.ts'
import { programAccess, type Settings } from './settings.ts'

/**
 * An action that needs a permission. `ask`: a question. `drop`: to add files. `press`: a button. `command`, `shortcut`,
 * `home`: the person's overview. `forget`: to change files of others. `configure`: to change settings.
 */
export type Act = 'ask' | 'drop' | 'press' | 'command' | 'shortcut' | 'home' | 'forget' | 'configure'

/** Acts that administrators may delegate to roles, with the setting that lists the roles. */
const ROLES_FOR = { drop: 'dropRoles', forget: 'forgetRoles', configure: 'configureRoles' } as const
const isDelegable = (act: Act): act is keyof typeof ROLES_FOR => Object.hasOwn(ROLES_FOR, act)
/** Acts that show no file content: they are allowed while the channel is frozen. */
const WITHOUT_KNOWLEDGE: readonly Act[] = ['home', 'forget', 'configure']

/**
 * The reason of a refusal. `frozen`: more people may read the channel than before. `stranger`: the person may not read
 * it. `unknown`: the chat service does not tell.
 */
export type Denial = Exclude<PersonKind, 'member'> | 'admins' | 'frozen' | 'stranger' | 'unknown'

export interface AccessRequest {
  readonly conversation: ConversationRef
  readonly personId: string
  /** `Author.programIds` */
  readonly programIds?: readonly string[]
  readonly act: Act
}

/** The one access policy for messages, edits, buttons, commands, reactions, and events that arrive late. */
export interface Authority {
  /** Undefined: allowed. @throws {AdapterError} when the chat service can't be asked now */
  denial(service: AdapterAndLog, request: AccessRequest): Promise<Denial | undefined>
  /** Begins the requests to the chat service, so that `denial` finds them under way. */
  lookAhead(adapter: Adapter, request: Omit<AccessRequest, 'act'>): void
  /** Whether more people may read the channel now than when its files were dropped, and no administrator has confirmed it. */
  isFrozen(adapter: Adapter | undefined, conversation: ConversationRef): Promise<boolean>
  /** The channel as the chat service describes it, at most half a minute old. */
  factsOf(adapter: Adapter, conversation: ConversationRef): Promise<ChannelFacts | undefined>
  /** Clears the cached visibility of this channel: the next check asks the chat service. */
  forget(conversation: ConversationRef): void
  /** Stores an administrator's decision: whoever may read the channel now may read its files. */
  open(adapter: Adapter, conversation: ConversationRef): Promise<void>
}

/** Visibilities of a channel, from few people to many. Stored as a preference under the old name `reach`. */
const VISIBILITIES = ['private', 'public', 'shared'] as const
type Visibility = (typeof VISIBILITIES)[number]
const VISIBILITY = 'reach'

export const visibilityOf = ({ isPublic, isShared = false }: ChannelFacts): Visibility =>
  isShared ? 'shared' : isPublic ? 'public' : 'private'

export const isWider = (reach: string, than: string): boolean =>
  VISIBILITIES.findIndex((one) => one === reach) > VISIBILITIES.findIndex((one) => one === than)

/** How long a visibility is cached, since every question needs it. An event of a change clears it earlier. */
export const VISIBILITY_CACHE_MS = 30_000
const MAX_CHANNELS = 5_000

/** Asks the chat service. Undefined: it does not tell. */
const fetchFacts = async (adapter: Adapter, conversation: ConversationRef): Promise<ChannelFacts | undefined> =>
  adapter.describeChannel({ ...conversation, thread: undefined }, true)

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createAuthority(services: {
  readonly admins: ReadonlySet<string>
  readonly settings: Pick<Settings, 'of'>
  readonly preferences: Preferences
}): Authority {
  const { admins, settings, preferences } = services
  const recent = createLru<{ readonly facts: Promise<ChannelFacts | undefined>; readonly until: number }>(MAX_CHANNELS)

  /** Concurrent callers share one request; a failure is not cached. */
  function recentFacts(adapter: Adapter, conversation: ConversationRef): Promise<ChannelFacts | undefined> {
    const key = channelKey(conversation)
    const known = recent.get(key)
    if (known !== undefined && known.until > Date.now()) return known.facts
    const facts = fetchFacts(adapter, conversation)
    recent.set(key, { facts, until: Date.now() + VISIBILITY_CACHE_MS })
    facts.catch(() => recent.delete(key))
    return facts
  }

  /** Undefined: unknown. Stores a narrower visibility too, so that a later widening is noticed. */
  async function frozen(adapter: Adapter, conversation: ConversationRef): Promise<boolean | undefined> {
    if (conversation.direct) return false
    const key = channelKey(conversation)
    const [facts, before] = await Promise.all([recentFacts(adapter, conversation), preferences.get(key, VISIBILITY)])
    if (facts === undefined) return undefined
    const now = visibilityOf(facts)
    if (before !== undefined && isWider(now, before)) return true
    if (before !== now) await preferences.set(key, VISIBILITY, now)
    return false
  }

  /** Whether this person administers the channel, or holds a role to which the act was delegated. */
  async function isAdminOrHoldsRole(
    service: AdapterAndLog,
    { conversation, personId }: AccessRequest,
    roles: readonly string[] = [],
  ) {
    if (await administers({ admins }, service, conversation, personId)) return true
    return roles.length > 0 && isConfirmed(service.adapter.roles?.holds(conversation, personId, roles), service.log)
  }

  async function denialByKind({ adapter, log }: AdapterAndLog, request: AccessRequest): Promise<Denial | undefined> {
    const { conversation, personId, programIds, act } = request
    const askKind = () => adapter.people?.kindOf(conversation, personId) ?? ('member' as const)
    const [kind, chosen] = await Promise.all([
      // A webhook is known to no chat service as a person.
      programIds === undefined ? askKind() : ('bot' as const),
      settings.of(conversation),
    ])
    if (kind === undefined) return 'unknown'
    if (kind === 'stranger') return kind
    if (kind !== 'member') {
      const ids = [personId, ...(programIds ?? [])]
      const access = kind === 'bot' ? programAccess(chosen, ids) : (chosen[kind] ?? 'nothing')
      if (access === 'nothing' || (access === 'ask' && act === 'drop')) return kind
      // The administrator who admitted the program has allowed it to add files.
      if (kind === 'bot' && act === 'drop') return undefined
    }
    if (!isDelegable(act) || (act === 'drop' && chosen.drops !== 'admins')) return undefined
    return (await isAdminOrHoldsRole({ adapter, log }, request, chosen[ROLES_FOR[act]])) ? undefined : 'admins'
  }

  return {
    async denial(service, request) {
      const [denial, isFrozen] = await Promise.all([
        denialByKind(service, request),
        WITHOUT_KNOWLEDGE.includes(request.act) ? false : frozen(service.adapter, request.conversation),
      ])
      if (denial !== undefined) return denial
      if (isFrozen === undefined) return 'unknown'
      return isFrozen && request.act !== 'drop' ? 'frozen' : undefined
    },
    lookAhead(adapter, { conversation, personId }) {
      const looks = [
        async () => adapter.people?.kindOf(conversation, personId),
        async () => (conversation.direct ? undefined : recentFacts(adapter, conversation)),
      ]
      for (const look of looks) look().catch(() => undefined)
    },
    isFrozen: async (adapter, conversation) => adapter !== undefined && (await frozen(adapter, conversation)) !== false,
    factsOf: recentFacts,
    forget: (conversation) => void recent.delete(channelKey(conversation)),
    async open(adapter, conversation) {
      const facts = await fetchFacts(adapter, conversation)
      if (facts !== undefined) await preferences.set(channelKey(conversation), VISIBILITY, visibilityOf(facts))
    },
  }
}

export type WithAuthority = { readonly authority: Pick<Authority, 'denial'> }

/** Whether the author may change the settings of this channel. */
export async function mayConfigure(
  { authority }: WithAuthority,
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
  services: WithAuthority & { readonly store: Pick<Store, 'channels'> },
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
