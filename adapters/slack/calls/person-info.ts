import { createLru } from '#lib/lru.ts'
import { type Fields, toFields } from '#adapters/shared/json.ts'
import { type Api, type CallPolicy, REPEATABLE_NOW } from '../api.ts'

/** `users.info`, shared by all who want to know of a person within half a minute. */
export interface PersonInfo {
  /** The answer of the last half minute, or a new one. A failure is not kept. */
  recent(user: string, policy: CallPolicy): Promise<Fields>
  forget(user: string): void
}

interface Told {
  readonly info: Promise<Fields>
  readonly policy: CallPolicy
  readonly until: number
}

const CACHE_MS = 30_000
const MAX_PEOPLE = 5_000

export function createPersonInfo(api: Api): PersonInfo {
  const people = createLru<Told>(MAX_PEOPLE)

  function ask(user: string, policy: CallPolicy): Promise<Fields> {
    const info = api
      .call('users.info', (web) => web.users.info({ user, include_locale: true }), policy)
      .then((answer) => toFields(answer.user))
    const told = { info, policy, until: Date.now() + CACHE_MS }
    people.set(user, told)
    info.catch(() => {
      if (people.get(user) === told) people.delete(user)
    })
    return info
  }

  async function recent(user: string, policy: CallPolicy): Promise<Fields> {
    const told = people.get(user)
    if (told === undefined || told.until <= Date.now()) return ask(user, policy)
    // A look-up that gives up early does not speak for those who have time.
    const gaveUp = told.policy === REPEATABLE_NOW && policy !== REPEATABLE_NOW
    return gaveUp ? told.info.catch(() => recent(user, policy)) : told.info
  }

  return { recent, forget: (user) => void people.delete(user) }
}
