import { z } from 'zod'
import { plainName } from '#lib/unicode.ts'
import { OauthError } from './oauth-error.ts'

/** A program that registered, or whose document was read. */
export interface Client {
  /** As it calls itself: nobody has checked it. */
  readonly name: string
  readonly redirectUris: readonly string[]
  /** Where its document is; absent: it registered. */
  readonly host?: string
}

const MAX_NAME_CHARS = 40
const MAX_URI_CHARS = 300
const MAX_URIS = 10
const MAX_ID_CHARS = 6000
const ID_START = 'fbp-'
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

const names = z.array(z.string()).min(2)
/** Facts that a program states about itself. */
export const told = z.object({ client_name: z.string().max(2000).optional(), redirect_uris: z.array(z.string()) })

export const isLoopback = (address: string): boolean => LOOPBACK.has(URL.parse(address)?.hostname ?? '')

/** An address of `https:`, or of the machine of the browser. */
function isRedirectUri(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || text.length > MAX_URI_CHARS || text.includes('#') || url.username + url.password !== '')
    return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(text))
}

/** A name that comes back from a form as it went there: its person ends the program by it. */
const toName = (text: string) => plainName(text).slice(0, MAX_NAME_CHARS).toWellFormed().trim() || 'A program'

/** Addresses that are not accepted are left out. */
export const toClient = (name: string | undefined = '', redirectUris: readonly string[] = []): Client => ({
  name: toName(name),
  redirectUris: redirectUris.filter(isRedirectUri),
})

/** Undefined: it is no JSON. */
export function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The id of a client holds all that it registered, so nothing is stored. Anybody may register: a made-up id is worth as
 * much as a registered one.
 */
const idOf = ({ name, redirectUris }: Client) =>
  `${ID_START}${Buffer.from(JSON.stringify([name, ...redirectUris])).toString('base64url')}`

/** Undefined: this is no id of a client. */
export function readClient(id: string): Client | undefined {
  if (!id.startsWith(ID_START) || id.length > MAX_ID_CHARS) return undefined
  const { data } = names.safeParse(toJson(Buffer.from(id.slice(ID_START.length), 'base64url').toString('utf8')))
  const client = toClient(data?.[0], data?.slice(1))
  return idOf(client) === id ? client : undefined
}

/**
 * Registers a client, by RFC 7591: always a public one, without a secret.
 *
 * @throws {OauthError} `invalid_client_metadata`, `invalid_redirect_uri`
 */
export function register(body: unknown, now: number): object {
  const parsed = told.safeParse(body)
  if (!parsed.success) throw new OauthError('invalid_client_metadata', 'Send JSON with client_name and redirect_uris.')
  const { client_name: name, redirect_uris: uris } = parsed.data
  const client = toClient(name, uris)
  if (uris.length === 0 || uris.length > MAX_URIS || client.redirectUris.length < uris.length)
    throw new OauthError(
      'invalid_redirect_uri',
      `redirect_uris: 1 to ${MAX_URIS} addresses of https, or of http on localhost, without # and of at most ${MAX_URI_CHARS} characters.`,
    )
  return {
    client_id: idOf(client),
    client_id_issued_at: Math.floor(now / 1000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}
