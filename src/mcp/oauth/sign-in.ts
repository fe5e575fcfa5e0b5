import type { SignIn } from '#bridge/port/sign-in.ts'
import type { ClientDocuments } from './client-documents.ts'
import { isLoopback, readClient } from './clients.ts'
import type { Grants } from './grants.ts'

export const AUTHORIZE_PATH = '/oauth/authorize'
const CHALLENGE = /^[\w-]{43}$/
const MAX_STATE_CHARS = 2000

/** The same address, however its host is written. */
export const isSameAddress = (one: string, other: string): boolean => URL.parse(one)?.href === URL.parse(other)?.href

/** A program on this computer takes any free port (RFC 8252, 7.3). */
function withoutPort(address: string): string | undefined {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' || !isLoopback(address)) return undefined
  url.port = ''
  return url.href
}

function isRegistered(addresses: readonly string[], asked: string): boolean {
  const local = withoutPort(asked)
  return addresses.some((one) => one === asked || (local !== undefined && withoutPort(one) === local))
}

/** Adds to the query of an address. */
function withQuery(address: string, fields: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) url.searchParams.append(name, value)
  return url.href
}

/** Why a program is not known, by its id. */
const NO_CLIENT = {
  unknown: () => 'The program is not registered here. Remove it where it runs, and add it again.',
  busy: () => 'Footbridge is reading about other programs at this moment. Try again in a minute.',
  unreachable: (id: string) =>
    `Footbridge could not open ${id}, where the program says what it is. Try again in a minute.`,
  wrong: (id: string) =>
    `The program does not say at ${id} what is needed to let it in. Tell whoever makes the program.`,
} as const

/** Requests of programs to be let in. None is sent back to the program before a person has seen who asks. */
export function createSignIn(resource: string, grants: Pick<Grants, 'allow'>, documents?: ClientDocuments): SignIn {
  const { origin: issuer } = new URL(resource)
  return {
    path: AUTHORIZE_PATH,
    async read(query) {
      const one = (name: string) => (query.getAll(name).length === 1 ? (query.get(name) ?? '') : '')
      const clientId = one('client_id')
      const isDocument = documents?.isDocumentUrl(clientId) === true
      const client = isDocument ? await documents.find(clientId) : (readClient(clientId) ?? 'unknown')
      if (typeof client === 'string') return NO_CLIENT[client](clientId)
      const redirectUri = one('redirect_uri')
      if (!isRegistered(client.redirectUris, redirectUri))
        return 'The program wants the answer at an address that it has not registered, or that is neither of https nor of this computer (redirect_uri).'
      if (one('response_type') !== 'code') return 'The program must ask for a code (response_type=code).'
      const challenge = one('code_challenge')
      if (one('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge))
        return 'The program must use PKCE with S256 (code_challenge).'
      if (!isSameAddress(one('resource'), resource))
        return `The program asks for a different address (resource). Enter ${resource} in the program.`
      const state = query.get('state') ?? undefined
      if ((state?.length ?? 0) > MAX_STATE_CHARS) return 'The `state` of the program is too long.'
      const { name: program, host } = client
      return { clientId, program, host, redirectUri, isLocal: isLoopback(redirectUri), challenge, state }
    },
    async allow(request, person) {
      const code = await grants.allow(request, person)
      return code && withQuery(request.redirectUri, { code, state: request.state, iss: issuer })
    },
    refuse: ({ redirectUri, state }) => withQuery(redirectUri, { error: 'access_denied', state, iss: issuer }),
  }
}
