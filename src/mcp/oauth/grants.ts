import { randomBytes } from 'node:crypto'
import type { PersonRef } from '#bridge/port/person-access.ts'
import type { Clock } from '#bridge/port/platform.ts'
import type { SignInRequest } from '#bridge/port/sign-in.ts'
import type { State } from '#bridge/port/state.ts'
import { createEntries, type Entry, hashOf, LIFETIME_MS, MAX_TOKENS, tagOf } from '../askers/token-entries.ts'
import type { Found } from '../askers/tokens.ts'
import { OauthError } from './oauth-error.ts'

const CODE_MS = 60_000
/** Two windows of one program may renew at once: a token shown again so soon ends nothing. */
const RENEWED_MS = 30_000
const ACCESS_MS = 3_600_000
const REFRESH_MS = 30 * 86_400_000
/** The one scope: it allows the same as a token of a person. */
export const SCOPE = 'read'

/** Kinds of secrets by how they begin. Each holds the key of its grant, and 256 random bits. */
const STARTS = { code: 'fbc', access: 'fbt', refresh: 'fbr' } as const
type Kind = keyof typeof STARTS
const FORM = /^(fb[ctr])-([\w-]{16})([\w-]{22})([\w-]{43})$/
const VERIFIER = /^[\w.~-]{43,128}$/
const GRANT_BYTES = 16
const SECRET_BYTES = 32

/** Key of the note that a refresh token was used. */
const renewedKey = (at: string) => at.replace(/^\w+/, 'renewed')

/** A secret as it is kept, under its hash. */
interface Kept {
  readonly clientId: string
}

interface KeptCode extends Kept, Pick<SignInRequest, 'redirectUri' | 'challenge' | 'program'> {
  readonly person: PersonRef
}

const invalid = () =>
  new OauthError(
    'invalid_grant',
    'This code or token is unknown, already used or expired, or belongs to another program: sign in again.',
  )

const readSecret = (kind: Kind, secret: string) => {
  const [, start, tag = '', id = ''] = FORM.exec(secret) ?? []
  return start === STARTS[kind] ? `${tag}.${id}` : undefined
}

const keptKey = (kind: Kind, key: string, secret: string) => `${kind} ${key} ${hashOf(secret)}`

/**
 * Programs that signed in. A grant is an entry among the tokens of its person, and is listed and ended like one. Its
 * code and its refresh tokens can be used once. A code that is used again ends the grant. A refresh token that is used
 * again later than 30 seconds after its renewal ends it, too.
 *
 * @param resource the address that all tokens are for
 */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createGrants(state: State, resource: string, clock: Clock = Date.now) {
  const entries = createEntries(state)

  async function keep(kind: Kind, key: string, kept: Kept, lifetimeMs: number): Promise<string> {
    const secret = `${STARTS[kind]}-${key.replace('.', '')}${randomBytes(SECRET_BYTES).toString('base64url')}`
    await state.set(keptKey(kind, key, secret), kept, lifetimeMs)
    return secret
  }

  /** Takes a code or a refresh token, for one caller only. @throws {OauthError} `invalid_grant` */
  async function take(kind: 'code' | 'refresh', secret: string, clientId: string) {
    const key = readSecret(kind, secret)
    if (key === undefined) throw invalid()
    const at = keptKey(kind, key, secret)
    const kept = (await state.get(at)) as Kept | undefined
    const isTaken = kept !== undefined && (await state.delete(at))
    if (isTaken && kept.clientId === clientId) {
      if (kind === 'refresh') await state.set(renewedKey(at), true, RENEWED_MS)
      return { key, kept }
    }
    if ((await state.get(renewedKey(at))) === undefined) await entries.end([key])
    throw invalid()
  }

  /** Answer of the token endpoint. */
  async function issue(key: string, clientId: string) {
    return {
      access_token: await keep('access', key, { clientId }, ACCESS_MS),
      token_type: 'Bearer',
      expires_in: ACCESS_MS / 1000,
      refresh_token: await keep('refresh', key, { clientId }, REFRESH_MS),
      scope: SCOPE,
    }
  }

  /** A name that no token of this person has: of a program that signs in twice, the second has a number. */
  async function freeName(person: PersonRef, wanted: string): Promise<string> {
    const taken = new Set((await entries.of(person)).map(([, { name }]) => name.toLowerCase()))
    let name = wanted
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${wanted} ${number}`
    return name
  }

  return {
    /** A code for a program that its person let in; undefined: the person has as many tokens as there can be. */
    async allow(asked: SignInRequest, { adapter, workspace, personId }: PersonRef): Promise<string | undefined> {
      const { clientId, program, redirectUri, challenge } = asked
      const person = { adapter, workspace, personId }
      if ((await entries.of(person)).length >= MAX_TOKENS) return undefined
      const key = `${tagOf(person)}.${randomBytes(GRANT_BYTES).toString('base64url')}`
      const kept: KeptCode = { clientId, program, redirectUri, challenge, person }
      return keep('code', key, kept, CODE_MS)
    },
    /** @throws {OauthError} `invalid_grant` */
    async exchange(code: string, shown: Readonly<Record<'clientId' | 'redirectUri' | 'verifier', string>>) {
      const taken = await take('code', code, shown.clientId)
      const { person, program, redirectUri, challenge } = taken.kept as KeptCode
      const isProven = VERIFIER.test(shown.verifier) && hashOf(shown.verifier) === challenge
      // OAuth 2.1 has no redirect_uri here any more.
      const isSentElsewhere = shown.redirectUri !== '' && shown.redirectUri !== redirectUri
      if (!isProven || isSentElsewhere) throw invalid()
      const name = await freeName(person, program)
      const entry: Entry = { person, name, createdAt: clock(), host: new URL(redirectUri).host, resource }
      await state.set(taken.key, entry, LIFETIME_MS)
      return issue(taken.key, shown.clientId)
    },
    /** @throws {OauthError} `invalid_grant` */
    async refresh(token: string, clientId: string) {
      const { key } = await take('refresh', token, clientId)
      const entry = await entries.get(key)
      if (entry?.resource !== resource) throw invalid()
      return issue(key, clientId)
    },
    /** The person that an access token acts for; undefined: unknown, over, ended, or for another address. */
    async find(token: string): Promise<Found | undefined> {
      const key = readSecret('access', token)
      if (key === undefined) return undefined
      const kept = await state.get(keptKey('access', key, token))
      const entry = await entries.get(key)
      if (entry?.resource !== resource || kept === undefined) return undefined
      entries.note(key, clock()).catch(() => undefined)
      return { person: entry.person, name: entry.name }
    },
  }
}

export type Grants = ReturnType<typeof createGrants>
