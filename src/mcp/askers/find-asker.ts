import type { PersonAccess, ReadSigned, SignedRequest } from '#bridge/port/person-access.ts'
import type { Engine } from '#platform/engine/engine.ts'
import { EngineError } from '#platform/engine/errors.ts'
import type { Oauth } from '../oauth/oauth.ts'
import type { ReadEngine } from '../tools/knowledge.ts'
import type { Asker } from './asker.ts'
import { createCallLimit } from './call-limit.ts'
import { createKeyAsker } from './key-asker.ts'
import { createPersonAsker, NOBODY } from './person-asker.ts'
import type { Found, Tokens } from './tokens.ts'

/** People of chat services, whose tokens are taken. */
export interface People {
  readonly tokens: Pick<Tokens, 'find'>
  /** Programs that signed in; absent: none can. */
  readonly oauth?: Oauth | undefined
  /** Programs of chat services, whose requests are signed; absent: none are taken. */
  readonly readSigned?: ReadSigned | undefined
  /** Undefined while Footbridge starts. */
  readonly access: () => PersonAccess | undefined
}

const TOKEN_START = 'fbt-'
const BEARER = /^(?:Bearer\s+)?(\S+)\s*$/i

/**
 * Finds who asks by the header `authorization`, else by the signature, and counts the request, with its first call. The
 * body of `request` is read in a signed one only: go on with the one of the result.
 *
 * @throws {EngineError} of the result: `unauthorized`, alike for an unknown, expired and revoked credential;
 * `rate-limited`
 */
export function createFindAsker(parts: {
  readonly engine: Pick<ReadEngine, 'collections'> & Pick<Engine, 'identify' | 'quotas' | 'firstKey'>
  readonly people?: People
}): (request: Request) => Promise<{ readonly asker: Asker; readonly request: Request }> {
  const { engine, people } = parts
  const limit = createCallLimit()

  const personOf = async (token: string) =>
    actFor((await people?.tokens.find(token)) ?? (await people?.oauth?.find(token)), people?.access())

  const signerOf = ({ name, person }: SignedRequest) =>
    actFor({ person: person ?? NOBODY.person, name }, person === undefined ? NOBODY.access : people?.access())

  async function actFor(found: Found | undefined, access: PersonAccess | undefined): Promise<Asker | undefined> {
    const key = found && (await engine.identify(engine.firstKey.key))
    if (found === undefined || key === undefined) return undefined
    if (access === undefined) throw new EngineError('closed', 'Footbridge is starting: try again in a moment.')
    const { adapter, workspace, personId } = found.person
    const owner = JSON.stringify([adapter, workspace, personId])
    const count = async () => limit(owner)
    await count()
    return createPersonAsker({ access, user: key.user, owner, count }, found)
  }

  async function keyOf(credential: string): Promise<Asker | undefined> {
    const key = await engine.identify(credential)
    if (key === undefined) return undefined
    const count = async () => {
      const { refusal } = await engine.quotas.take(key)
      if (refusal !== undefined) throw refusal
    }
    await count()
    return createKeyAsker(engine, key, count)
  }

  return async (request) => {
    const authorization = request.headers.get('authorization')
    const signed = authorization === null ? await people?.readSigned?.(request) : undefined
    const credential = BEARER.exec(authorization ?? '')?.[1] ?? ''
    const askerOf = credential.startsWith(TOKEN_START) ? personOf : keyOf
    const asker = await (signed === undefined ? askerOf(credential) : signerOf(signed))
    if (asker === undefined)
      throw new EngineError('unauthorized', 'Send a token or a key that is valid: Authorization: Bearer <token>.')
    return { asker, request: signed?.request ?? request }
  }
}
