import { createHash, randomBytes } from 'node:crypto'
import type { AccessTokens, PersonRef, TokenInfo } from '#bridge/port/person-access.ts'
import type { Clock } from '#bridge/port/platform.ts'
import type { State } from '#bridge/port/state.ts'

/** Tokens of people, and whose each is. */
export interface Tokens extends AccessTokens {
  /** Undefined: unknown, revoked or expired. */
  find(token: string): Promise<{ readonly person: PersonRef; readonly name: string } | undefined>
}

interface Stored extends Omit<TokenInfo, 'usedAt'> {
  readonly person: PersonRef
  readonly sendId?: string | undefined
}

const FORM = /^fbt-([\w-]{16})([\w-]{43})$/
const TAG_LENGTH = 16
const SECRET_BYTES = 32
const MAX_TOKENS = 20
const MAX_NAME_CHARS = 60
const LIFETIME_MS = 365 * 86_400_000
/** Entries that tell when a token was used. */
const USED = 'used '
/** A use within this time of the last one is not noted. */
const NOTED_MS = 3_600_000

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Begins every token of one person, so that they are found by it; it tells nothing of the person. */
const tagOf = ({ adapter, workspace, personId }: PersonRef) =>
  hashOf(JSON.stringify(['person', adapter, workspace, personId])).slice(0, TAG_LENGTH)

const keyOf = (tag: string, token: string) => `${tag}.${hashOf(token)}`

async function tokensOf(state: State, isWanted: (key: string) => boolean) {
  const keys = (await state.keys()).filter((key) => !key.startsWith(USED) && isWanted(key))
  const tokens = await Promise.all(
    keys.map(async (key) => [key, (await state.get(key)) as Stored | undefined] as const),
  )
  return tokens.flatMap(([key, token]) => (token === undefined ? [] : [[key, token] as const]))
}

/** Tokens are 256 random bits; a plain hash of each is kept, by which it is found. */
export function createTokens(state: State, address: string, clock: Clock = Date.now): Tokens {
  const usedAt = async (key: string) => (await state.get(`${USED}${key}`)) as number | undefined

  async function ofPerson(person: PersonRef) {
    const tokens = await tokensOf(state, (key) => key.startsWith(`${tagOf(person)}.`))
    return tokens.toSorted(([, one], [, other]) => one.createdAt - other.createdAt)
  }

  /** Notes that a token was used; its owner may have ended it meanwhile. */
  async function note(key: string, now: number, lifetimeMs: number): Promise<void> {
    if (now - ((await usedAt(key)) ?? 0) <= NOTED_MS) return
    await state.set(`${USED}${key}`, now, lifetimeMs)
    if ((await state.get(key)) === undefined) await state.delete(`${USED}${key}`)
  }

  async function end(key: string): Promise<boolean> {
    const isEnded = await state.delete(key)
    await state.delete(`${USED}${key}`)
    return isEnded
  }

  return {
    address,
    async make({ adapter, workspace, personId }, wanted, sendId) {
      const person = { adapter, workspace, personId }
      const name = wanted.trim().slice(0, MAX_NAME_CHARS)
      const all = await ofPerson(person)
      const unseen = all.filter(([, one]) => sendId !== undefined && one.sendId === sendId)
      await Promise.all(unseen.map(([key]) => end(key)))
      const known = all.filter((one) => !unseen.includes(one))
      if (name === '' || known.length >= MAX_TOKENS || known.some(([, one]) => isNamed(one, name))) return undefined
      const tag = tagOf(person)
      const token = `fbt-${tag}${randomBytes(SECRET_BYTES).toString('base64url')}`
      const stored: Stored = { person, name, createdAt: clock(), sendId }
      await state.set(keyOf(tag, token), stored, LIFETIME_MS)
      return token
    },
    async list(person) {
      const tokens = await ofPerson(person)
      return Promise.all(
        tokens.map(async ([key, { name, createdAt }]) => ({ name, createdAt, usedAt: await usedAt(key) })),
      )
    },
    async revoke(person, name) {
      const [key] = (await ofPerson(person)).find(([, one]) => isNamed(one, name)) ?? []
      return key !== undefined && end(key)
    },
    async forgetWorkspace(adapter, workspace) {
      const tokens = await tokensOf(state, () => true)
      const theirs = tokens.filter(([, { person }]) => person.adapter === adapter && person.workspace === workspace)
      await Promise.all(theirs.map(([key]) => end(key)))
    },
    async find(token) {
      const [, tag = ''] = FORM.exec(token) ?? []
      const key = keyOf(tag, token)
      const stored = tag === '' ? undefined : ((await state.get(key)) as Stored | undefined)
      if (stored === undefined) return undefined
      const now = clock()
      const left = stored.createdAt + LIFETIME_MS - now
      if (left <= 0) return undefined
      // The request does not wait for it, nor fail with it.
      note(key, now, left).catch(() => undefined)
      return { person: stored.person, name: stored.name }
    },
  }
}

const isNamed = ({ name }: Pick<TokenInfo, 'name'>, wanted: string) =>
  name.toLowerCase() === wanted.trim().toLowerCase()
