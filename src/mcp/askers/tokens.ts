import { randomBytes } from 'node:crypto'
import type { AccessTokens, Reader, TokenInfo } from '#bridge/port/person-access.ts'
import type { Clock } from '#bridge/port/platform.ts'
import type { State } from '#bridge/port/state.ts'
import { TOOL_NAMES } from '../tools/schemas.ts'
import { createEntries, type Entry, hashOf, LIFETIME_MS, MAX_TOKENS, tagOf } from './token-entries.ts'

/** Tokens of people, and whose each is. */
export interface Tokens extends AccessTokens {
  /** Undefined: unknown, revoked or expired. */
  find(token: string): Promise<Found | undefined>
}

/** The person that a token acts for. */
export interface Found {
  readonly person: Reader
  /** The name of the token, or of the program that signed in. */
  readonly name: string
  /** Names of the only tools; absent: all. */
  readonly tools?: readonly string[] | undefined
}

const FORM = /^fbt-([\w-]{16})([\w-]{43})$/
const SECRET_BYTES = 32
const MAX_NAME_CHARS = 60

const keyOf = (tag: string, token: string) => `${tag}.${hashOf(token)}`

/** Tokens are 256 random bits; a plain hash of each is kept, by which it is found. */
export function createTokens(state: State, address: string, clock: Clock = Date.now): Tokens {
  const entries = createEntries(state)
  return {
    address,
    tools: TOOL_NAMES,
    async make({ adapter, workspace, personId }, wanted, sendId, { channel, tools } = {}) {
      const person = { adapter, workspace, personId }
      const name = wanted.trim().slice(0, MAX_NAME_CHARS)
      const all = await entries.of(person)
      const unseen = all.filter(([, one]) => sendId !== undefined && one.sendId === sendId)
      await entries.end(unseen.map(([key]) => key))
      const known = all.filter((one) => !unseen.includes(one))
      if (name === '' || known.length >= MAX_TOKENS || known.some(([, one]) => isNamed(one, name))) return undefined
      const tag = tagOf(person)
      const token = `fbt-${tag}${randomBytes(SECRET_BYTES).toString('base64url')}`
      const stored: Entry = { person, name, createdAt: clock(), sendId, channel, tools }
      await state.set(keyOf(tag, token), stored, LIFETIME_MS)
      return token
    },
    async list(person) {
      const told = async ([key, { name, createdAt, host, channel, tools }]: readonly [string, Entry]) => {
        const usedAt = await entries.usedAt(key)
        return { name, createdAt, usedAt, host, channel, tools }
      }
      return Promise.all((await entries.of(person)).map(told))
    },
    async revoke(person, name) {
      // A program whose refresh token has expired gives its name free: all of the name are ended.
      const named = (await entries.allOf(person)).filter(([, one]) => isNamed(one, name))
      return entries.end(named.map(([key]) => key))
    },
    async forgetWorkspace(adapter, workspace) {
      await entries.endCodes()
      const tokens = await entries.all(() => true)
      const theirs = tokens.filter(([, { person }]) => person.adapter === adapter && person.workspace === workspace)
      await entries.end(theirs.map(([key]) => key))
    },
    async find(token) {
      const [, tag = ''] = FORM.exec(token) ?? []
      const key = keyOf(tag, token)
      const stored = tag === '' ? undefined : await entries.get(key)
      if (stored === undefined) return undefined
      // The request does not wait for it, nor fail with it.
      entries.note(key, clock()).catch(() => undefined)
      const { person, name, channel, tools } = stored
      return { person: { ...person, channel }, name, tools }
    },
  }
}

const isNamed = ({ name }: Pick<TokenInfo, 'name'>, wanted: string) =>
  name.toLowerCase() === wanted.trim().toLowerCase()
