import type { KeyedMutex } from '#lib/keyed-mutex.ts'
import { channelKey, workspaceKey } from '../port/keys.ts'
import type { PersonKind } from '../port/author.ts'
import type { ConversationRef } from '../port/message.ts'
import type { Preferences } from '../port/records.ts'

/** Rights of guests, people of other companies or bots: none, questions only, or those of members. */
export type AccessLevel = 'nothing' | 'ask' | 'all'

/** Choices of administrators for a channel or a workspace. Absent: the default. */
export interface ChannelSettings extends Readonly<Partial<Record<Exclude<PersonKind, 'member'>, AccessLevel>>> {
  /**
   * Messages that are answered. Default `usual`: mentions, and follow-ups in a conversation. `mentions`: nothing else.
   * `questions`: every question that the files answer. `threads`: only inside threads.
   */
  readonly listens?: 'usual' | 'mentions' | 'questions' | 'threads'
  /** Language of sentences and answers, BCP 47; default: that of the person. */
  readonly language?: string
  /** People who may add files. Default `everybody`. */
  readonly drops?: 'everybody' | 'admins'
  /**
   * Ids of roles with the rights of administrators: add files where `drops` is `admins`, change files of others, change
   * settings.
   */
  readonly dropRoles?: readonly string[]
  readonly forgetRoles?: readonly string[]
  readonly configureRoles?: readonly string[]
  /** Rights of single programs, by one of their ids, the last given last; those of the others are `bot`. */
  readonly programs?: Readonly<Record<string, AccessLevel>>
  /** When these programs, or all of them (`bot`), were admitted, ISO 8601. Their earlier messages are not heard. */
  readonly admitted?: Readonly<Record<string, string>>
  /** A summary each week. Default false. */
  readonly digest?: boolean
}

/** The rights of a program: those that one of its ids was given last, else those of all programs. */
export const programAccess = (settings: ChannelSettings, ids: readonly string[]): AccessLevel =>
  rightOf(settings, ids)[1]

const rightOf = ({ programs = {}, bot = 'nothing' }: ChannelSettings, ids: readonly string[]) =>
  Object.entries(programs).findLast(([id]) => ids.includes(id)) ?? (['bot', bot] as const)

/** Whether a program may be heard with what it wrote at this time, which may be read long after. */
export function isAdmitted(settings: ChannelSettings, ids: readonly string[], sentAt: string): boolean {
  const [key, access] = rightOf(settings, ids)
  const since = settings.admitted?.[key]
  return access !== 'nothing' && (since === undefined || Date.parse(sentAt) >= Date.parse(since))
}

export interface Settings {
  /** Settings of the channel, where absent those of its workspace. */
  of(conversation: ConversationRef): Promise<ChannelSettings>
  /**
   * Changes a channel's settings; `undefined` in `change` resets one to the workspace's.
   *
   * @param at when somebody said so, ISO 8601; absent: now
   */
  change(conversation: ConversationRef, change: ChannelSettings, at?: string): Promise<void>
  /** Channels that want a summary each week. */
  withDigest(): Promise<readonly ConversationRef[]>
  changeWorkspace(conversation: ConversationRef, change: ChannelSettings, at?: string): Promise<void>
}

const NAME = 'settings'
const NONE: ChannelSettings = Object.freeze({})
const DIGEST = 'digest'
const workspaceScope = (conversation: ConversationRef) => `workspace:${workspaceKey(conversation)}`

/** Scope of a person's own choices. */
export const personScope = ({ adapter }: Pick<ConversationRef, 'adapter'>, personId: string): string =>
  `person:${adapter}:${personId}`

/** Programs are changed one by one, those of the change come last; everything else is replaced. */
function merge(before: ChannelSettings, change: ChannelSettings): ChannelSettings {
  const admitted = change.admitted && { ...before.admitted, ...change.admitted }
  const merged = { ...before, ...change, ...(admitted === undefined ? {} : { admitted }) }
  const { programs } = change
  if (programs === undefined || before.programs === undefined) return merged
  const others = Object.entries(before.programs).filter(([id]) => !Object.hasOwn(programs, id))
  return { ...merged, programs: { ...Object.fromEntries(others), ...programs } }
}

const rightsIn = ({ programs, bot = 'nothing' }: ChannelSettings) => ({ ...programs, bot })

/** The change with the time for each program that it admits. */
function withTimes(before: ChannelSettings, change: ChannelSettings, at: string): ChannelSettings {
  const had: Readonly<Record<string, AccessLevel>> = rightsIn(before)
  const admitted = Object.entries(rightsIn(change))
    .filter(([id, level]) => level !== 'nothing' && (had[id] ?? 'nothing') === 'nothing')
    .map(([id]) => [id, at] as const)
  return admitted.length === 0 ? change : { ...change, admitted: Object.fromEntries(admitted) }
}

const read = (stored: string | undefined) => (stored === undefined ? NONE : (JSON.parse(stored) as ChannelSettings))

/** @param lock a change is read, made and written as a whole */
export function createSettings(preferences: Preferences, lock: KeyedMutex): Settings {
  const load = (scope: string): Promise<ChannelSettings> => preferences.get(scope, NAME).then(read)
  const store = (scope: string, change: ChannelSettings, at = new Date().toISOString()) =>
    lock(scope, async () => {
      const before = await load(scope)
      await preferences.set(scope, NAME, JSON.stringify(merge(before, withTimes(before, change, at))))
    })
  const withDigest = async () => JSON.parse((await preferences.get(DIGEST, NAME)) ?? '[]') as readonly ConversationRef[]
  return {
    async of(conversation) {
      // Both are nearly always known: they are read one after the other.
      const own = await load(channelKey(conversation))
      const all = await load(workspaceScope(conversation))
      return own === NONE ? all : merge(all, own)
    },
    async change(conversation, change, at) {
      await store(channelKey(conversation), change, at)
      if (change.digest === undefined) return
      const { thread: _, ...channel } = conversation
      await lock(DIGEST, async () => {
        const others = (await withDigest()).filter((other) => channelKey(other) !== channelKey(conversation))
        await preferences.set(DIGEST, NAME, JSON.stringify(change.digest === true ? [...others, channel] : others))
      })
    },
    withDigest,
    changeWorkspace: (conversation, change, at) => store(workspaceScope(conversation), change, at),
  }
}
