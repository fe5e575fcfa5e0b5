import { createHash } from 'node:crypto'
import type { PersonRef, TokenInfo } from '#bridge/port/person-access.ts'
import type { State } from '#bridge/port/state.ts'

/** A token as it is kept, or a program that signed in. */
export interface Entry extends Omit<TokenInfo, 'usedAt'> {
  readonly person: PersonRef
  /** The message that shows the token. */
  readonly sendId?: string | undefined
  /** The address that the tokens are for; absent for a token that a person made. */
  readonly resource?: string
}

export const MAX_TOKENS = 20
export const LIFETIME_MS = 365 * 86_400_000
/** A use within this time of the last one is not noted. */
const NOTED_MS = 3_600_000
const TAG_LENGTH = 16

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Begins every token of one person, so that they are found by it; it tells nothing of the person. */
export const tagOf = ({ adapter, workspace, personId }: PersonRef): string =>
  hashOf(JSON.stringify(['person', adapter, workspace, personId])).slice(0, TAG_LENGTH)

/** The key of a note on an entry begins like this; it ends with the key of the entry. */
const USED = 'used'

/** The entries of people in the state, and what belongs to them. */
export function createEntries(state: State) {
  const get = async (key: string) => (await state.get(key)) as Entry | undefined
  const usedAt = async (key: string) => (await state.get(`${USED} ${key}`)) as number | undefined

  async function all(isWanted: (key: string) => boolean) {
    const keys = (await state.keys()).filter((key) => !key.includes(' ') && isWanted(key))
    const entries = await Promise.all(keys.map(async (key) => [key, await get(key)] as const))
    return entries.flatMap(([key, entry]) => (entry === undefined ? [] : [[key, entry] as const]))
  }

  const allOf = (person: PersonRef) => all((key) => key.startsWith(`${tagOf(person)}.`))

  return {
    get,
    all,
    usedAt,
    allOf,
    /** Oldest first, without programs whose refresh token has expired. */
    async of(person: PersonRef) {
      const keys = await state.keys()
      const isLasting = (entry: string) => keys.some((key) => key.startsWith(`refresh ${entry} `))
      const entries = (await allOf(person)).filter(([key, { resource }]) => resource === undefined || isLasting(key))
      return entries.toSorted(([, one], [, other]) => one.createdAt - other.createdAt)
    },
    /** Ends entries with all that belongs to them; false: none of them was there. */
    async end(keys: readonly string[]): Promise<boolean> {
      const ended = await Promise.all(keys.map((key) => state.delete(key)))
      const gone = new Set(keys.filter((_, index) => ended[index]))
      if (gone.size === 0) return false
      const theirs = (await state.keys()).filter((other) => gone.has(other.split(' ')[1] ?? ''))
      await Promise.all(theirs.map((other) => state.delete(other)))
      return true
    },
    /** Ends the codes of all people: one that somebody waits for is asked for again, and none lasts longer than a minute. */
    async endCodes(): Promise<void> {
      const codes = (await state.keys()).filter((key) => key.startsWith('code '))
      await Promise.all(codes.map((key) => state.delete(key)))
    },
    /** Notes that it was used; its owner may have ended it meanwhile. */
    async note(key: string, now: number): Promise<void> {
      if (now - ((await usedAt(key)) ?? 0) <= NOTED_MS) return
      await state.set(`${USED} ${key}`, now, LIFETIME_MS)
      if ((await state.get(key)) === undefined) await state.delete(`${USED} ${key}`)
    },
  }
}
