import { createLru } from '#lib/lru.ts'
import { plainName } from '#lib/unicode.ts'
import { type Fields, text, toFields } from '#adapters/shared/json.ts'
import { waitAtMost } from '#adapters/shared/session.ts'
import { type Api, type CallPolicy, REPEATABLE, REPEATABLE_NOW } from './api.ts'
import type { PersonInfo } from './calls/person-info.ts'

export interface Person {
  readonly name: string
  readonly language?: string
  /** IANA name. */
  readonly timeZone?: string
  /** Home team; differs from ours for a guest of a shared channel. */
  readonly team?: string
  /** Another program. */
  readonly bot: boolean
}

/** Names of people and channels. Needs `users:read` and `channels:read`; without them, ids are shown. */
export interface Directory {
  /** Undefined when Slack does not tell in time. Never throws. */
  find(id: string, withinMs: number): Promise<Person | undefined>
  /** Asks Slack, also where it did not tell a moment ago. Never throws. */
  ask(id: string): Promise<Person | undefined>
  forget(id: string): void
  /** Stores the team of this person from an event. */
  rememberTeam(id: string, team: string): void
  team(id: string): string | undefined
  /** Undefined when Slack does not tell in time. Never throws. */
  channelName(id: string, withinMs: number): Promise<string | undefined>
}

const PERSON_CACHE_MS = 3_600_000
const FAILURE_CACHE_MS = 60_000
const MAX_PEOPLE = 5_000
const MAX_CHANNELS = 500

const toPerson = (user: Fields): Person => {
  const profile = toFields(user['profile'])
  const name =
    text(profile, 'display_name') ?? text(profile, 'real_name') ?? text(user, 'real_name') ?? text(user, 'name')
  return {
    name: plainName(name ?? '') || (text(user, 'id') ?? ''),
    language: text(user, 'locale'),
    timeZone: text(user, 'tz'),
    team: text(user, 'team_id'),
    bot: user['is_bot'] === true || user['is_workflow_bot'] === true,
  }
}

export function createDirectory(api: Api, infos: PersonInfo): Directory {
  const people = createLru<{ readonly person: Promise<Person | undefined>; until: number }>(MAX_PEOPLE)
  const teams = createLru<string>(MAX_PEOPLE)
  const channels = createLru<string>(MAX_CHANNELS)

  function lookUp(id: string): Promise<Person | undefined> {
    const known = people.get(id)
    return known !== undefined && known.until > Date.now() ? known.person : request(id, REPEATABLE_NOW)
  }

  function request(id: string, policy: CallPolicy): Promise<Person | undefined> {
    const person = infos
      .recent(id, policy)
      .then(toPerson)
      .catch(() => {
        entry.until = Date.now() + FAILURE_CACHE_MS
        return undefined
      })
    const entry = { person, until: Date.now() + PERSON_CACHE_MS }
    people.set(id, entry)
    return person
  }

  async function askName(channel: string): Promise<string | undefined> {
    const answer = await api.call('conversations.info', (web) => web.conversations.info({ channel }), REPEATABLE)
    const name = text(toFields(answer.channel), 'name')
    if (name !== undefined) channels.set(channel, name)
    return name
  }

  return {
    find: (id, withinMs) => waitAtMost(withinMs, lookUp(id)),
    async ask(id) {
      return (await people.get(id)?.person) ?? request(id, REPEATABLE)
    },
    forget: (id) => void people.delete(id),
    rememberTeam: (id, team) => teams.set(id, team),
    team: (id) => teams.get(id),
    channelName: async (id, withinMs) =>
      channels.get(id) ??
      waitAtMost(
        withinMs,
        askName(id).catch(() => undefined),
      ),
  }
}
