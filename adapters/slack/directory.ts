import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from './api.ts'
import { text, toFields } from '../shared/json.ts'

export interface Person {
  readonly name: string
  readonly language?: string
  /** Home team; a guest from a shared channel has another one than ours. */
  readonly team?: string
  /** Another program. */
  readonly bot: boolean
}

/** Who is who. Needs `users:read`; without it people go by their ids. */
export interface Directory {
  /** Undefined when Slack does not tell in time. Never throws. */
  find(id: string, withinMs: number): Promise<Person | undefined>
  /** An event said to which team this person belongs. */
  rememberTeam(id: string, team: string): void
  team(id: string): string | undefined
}

const keptMs = 3_600_000
const failureKeptMs = 60_000
const most = 5_000

const toPerson = (answer: unknown): Person => {
  const user = toFields(toFields(answer)['user'])
  const profile = toFields(user['profile'])
  const name =
    text(profile, 'display_name') ??
    text(profile, 'real_name') ??
    text(user, 'real_name') ??
    text(user, 'name')
  const language = text(user, 'locale')
  const team = text(user, 'team_id')
  return {
    name: name ?? text(user, 'id') ?? '',
    ...(language === undefined ? {} : { language }),
    ...(team === undefined ? {} : { team }),
    bot: user['is_bot'] === true,
  }
}

/** The oldest entry makes room. */
export function remember<K, V>(map: Map<K, V>, key: K, value: V, limit: number): void {
  map.delete(key)
  map.set(key, value)
  const oldest = map.size > limit ? map.keys().next() : undefined
  if (oldest?.done === false) map.delete(oldest.value)
}

export function createDirectory(api: Api): Directory {
  const people = new Map<string, { readonly person: Promise<Person | undefined>; until: number }>()
  const teams = new Map<string, string>()

  function look(id: string): Promise<Person | undefined> {
    const known = people.get(id)
    if (known !== undefined && known.until > Date.now()) return known.person
    const person = api
      .call('users.info', (web) => web.users.info({ user: id, include_locale: true }), {
        repeatable: true,
        patient: false,
      })
      .then(toPerson)
      .catch(() => {
        entry.until = Date.now() + failureKeptMs
        return undefined
      })
    const entry = { person, until: Date.now() + keptMs }
    remember(people, id, entry, most)
    return person
  }

  return {
    find: async (id, withinMs) => Promise.race([look(id), sleep(withinMs, undefined, { ref: false })]),
    rememberTeam: (id, team) => remember(teams, id, team, most),
    team: (id) => teams.get(id),
  }
}
