import { createHash, randomBytes } from 'node:crypto'
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { PersonAccess, PersonRef } from '#bridge/port/person-access.ts'
import { createTokens } from '#src/mcp/askers/tokens.ts'
import type { ClientDocuments } from '#src/mcp/oauth/client-documents.ts'
import { createOauth, OAUTH_PATHS } from '#src/mcp/oauth/oauth.ts'
import { createScene } from '#test/adapters/web/scene.ts'
import type { TestPlatform } from '#test/platform/server/platform.ts'
import { memoryState } from '#test/support/fakes/state.ts'
import { mcpOf } from './client.ts'

export const ORIGIN = 'https://footbridge.example.org'
export const RESOURCE = `${ORIGIN}/mcp`
export const CALLBACK = 'http://127.0.0.1:33418/callback'
export const PASSWORD = 'a long password'
export const PERSON = { adapter: 'web', workspace: 'local', personId: 'person' }
export const MINUTE_MS = 60_000

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Programs whose documents are read. */
type Documents = (clock: () => number) => ClientDocuments

export type Fields = Readonly<Record<string, string>>

const isMe = ({ personId }: PersonRef) => personId === PERSON.personId

/** The page, `/mcp` and OAuth behind one address. */
export async function createSetting(
  platform: TestPlatform,
  { password, documents }: { readonly password?: string; readonly documents?: Documents } = { password: PASSWORD },
) {
  let now = Date.now()
  const clock = () => now
  const state = memoryState(clock)
  const tokens = createTokens(state, RESOURCE, clock)
  const oauth = createOauth(state, RESOURCE, { clock, documents: documents?.(clock) })
  if (oauth === undefined) throw new Error('There is no OAuth.')
  const conversation = { adapter: 'web', workspace: 'local', channel: 'c', direct: false }
  const channel = { id: 'c1', name: '#harbour', conversation, collectionId: 'local/notes' }
  const access = { channelsOf: async (who: PersonRef) => (isMe(who) ? [channel] : []) } as unknown as PersonAccess
  const mcp = mcpOf(platform, { people: { tokens, oauth, access: () => access } })
  const scene = await createScene({ tokens, signIn: oauth.signIn, password, publicUrl: ORIGIN })
  const fetchAt = async (url: string | URL, init?: RequestInit) => {
    const request = new Request(url, init)
    const { pathname } = new URL(request.url)
    return pathname === '/mcp' || OAUTH_PATHS.test(pathname) ? mcp.fetch(request) : scene.adapter.fetch(request)
  }
  const post = (path: string, fields: Fields, headers: Fields = {}) =>
    fetchAt(new URL(path, ORIGIN), { method: 'POST', body: new URLSearchParams(fields), headers })
  const register = async (...redirect_uris: readonly string[]) =>
    fetchAt(`${ORIGIN}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Trial', redirect_uris }),
    })
  const clientId = ((await (await register(CALLBACK)).json()) as { readonly client_id: string }).client_id
  const verifier = randomBytes(32).toString('base64url')
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge: sha256(verifier),
    code_challenge_method: 'S256',
    resource: RESOURCE,
    state: 'kept',
  }
  const page = (more: Partial<Record<keyof typeof query, string>> = {}) =>
    `/oauth/authorize?${new URLSearchParams({ ...query, ...more }).toString()}`
  const agree = (form: Fields = {}) => post(page(), { password: PASSWORD, answer: 'yes', ...form })
  const codeOf = async () => new URL((await agree()).headers.get('location') ?? '').searchParams.get('code') ?? ''
  const exchange = (code: string, more: Fields = {}) =>
    post('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      resource: RESOURCE,
      ...more,
    })
  const refresh = (refresh_token: string, more: Fields = {}) =>
    post('/oauth/token', { grant_type: 'refresh_token', refresh_token, client_id: clientId, ...more })
  const status = async (token: string) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    return (await fetchAt(RESOURCE, { method: 'POST', headers, body })).status
  }
  return {
    state,
    tokens,
    fetchAt,
    post,
    register,
    clientId,
    page,
    agree,
    codeOf,
    exchange,
    refresh,
    status,
    later: (ms: number) => void (now += ms),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  }
}

export type Setting = Awaited<ReturnType<typeof createSetting>>

export interface Issued {
  readonly access_token: string
  readonly refresh_token: string
  readonly error?: string
}

export const issued = async (response: Response | Promise<Response>) => (await (await response).json()) as Issued
export const signedIn = async (setting: Setting) => issued(setting.exchange(await setting.codeOf()))

/** A program as the SDK signs it in, and its person, who agrees. */
export function program(setting: Setting, clientMetadataUrl?: string) {
  const kept: Record<string, never> = {}
  const keep = (name: string) => (value: unknown) => void Object.assign(kept, { [name]: value })
  let opened: URL | undefined
  const authProvider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    clientMetadata: { client_name: 'Inspector', redirect_uris: [CALLBACK] },
    state: () => 'of the program',
    clientInformation: () => kept['client'],
    saveClientInformation: keep('client'),
    tokens: () => kept['tokens'],
    saveTokens: keep('tokens'),
    codeVerifier: () => kept['verifier'] ?? '',
    saveCodeVerifier: keep('verifier'),
    invalidateCredentials: () => void delete kept['tokens'],
    discoveryState: () => kept['discovery'],
    saveDiscoveryState: keep('discovery'),
    redirectToAuthorization: (url) => void (opened = url),
  }
  const open = () => new StreamableHTTPClientTransport(new URL(RESOURCE), { authProvider, fetch: setting.fetchAt })
  return {
    kept,
    opened: () => opened ?? new URL('about:blank'),
    connect: async () => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
      const transport = open()
      await client.connect(transport)
      return client
    },
    finish: async (callback: URL) => open().finishAuth(callback.searchParams),
  }
}
