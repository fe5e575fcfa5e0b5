import type { Clock } from '#bridge/port/platform.ts'
import type { State } from '#bridge/port/state.ts'
import { BodyError, createBodyPool } from '#lib/read-limited.ts'
import { bodyOf } from '#lib/request-body.ts'
import type { ClientDocuments } from './client-documents.ts'
import { isLoopback, register, toJson } from './clients.ts'
import { createGrants, type Grants, SCOPE } from './grants.ts'
import { OauthError } from './oauth-error.ts'
import { AUTHORIZE_PATH, createSignIn, isSameAddress } from './sign-in.ts'

/** All paths of OAuth but the page on which a person agrees. */
export const OAUTH_PATHS =
  /^\/(oauth\/(register|token)|\.well-known\/oauth-(protected-resource(\/mcp)?|authorization-server))$/

const MAX_BODY_BYTES = 16 * 1024
const BODIES = { bodies: 50, bytes: 1024 * 1024, timeoutMs: 15_000 } as const
const NO_STORE = { 'cache-control': 'no-store' }

/**
 * OAuth 2.1 for `/mcp`: this process is the authorization server of its own resource, and of no other.
 *
 * @param resource address of `/mcp`
 * @param documents default: programs register
 * @returns undefined where the address is neither of `https:` nor of this machine: secrets would travel in the clear
 */
export function createOauth(
  state: State,
  resource: string,
  { clock = Date.now, documents }: { readonly clock?: Clock; readonly documents?: ClientDocuments } = {},
) {
  const { origin: issuer, protocol, pathname } = new URL(resource)
  if (protocol !== 'https:' && !isLoopback(resource)) return undefined
  const grants = createGrants(state, resource, clock)
  const bodies = createBodyPool(BODIES)
  const { resourceDocument, serverDocument } = documentsOf(issuer, resource, documents !== undefined)

  async function answer(path: string, request: Request): Promise<Response> {
    const body = bodyOf(request)
    const text = body === null ? '' : (await bodies.read(body, MAX_BODY_BYTES)).toString('utf8')
    if (path === '/oauth/register')
      return Response.json(register(toJson(text), clock()), { status: 201, headers: NO_STORE })
    return Response.json(await issue(grants, resource, new URLSearchParams(text)), { headers: NO_STORE })
  }

  return {
    signIn: createSignIn(resource, grants, documents),
    find: (token: string) => grants.find(token),
    /** For the header `www-authenticate`. */
    challenge: `Bearer realm="footbridge", resource_metadata="${issuer}/.well-known/oauth-protected-resource${pathname}", scope="${SCOPE}"`,
    /** Answers a path of `OAUTH_PATHS`. */
    async fetch(request: Request): Promise<Response> {
      const { pathname: path } = new URL(request.url)
      const isDocument = path.startsWith('/.well-known/')
      const allow = isDocument ? 'GET' : 'POST'
      if (request.method !== allow) return new Response(null, { status: 405, headers: { allow } })
      if (!isDocument) return answer(path, request).catch(toRefusal)
      return Response.json(path.endsWith('oauth-authorization-server') ? serverDocument : resourceDocument)
    },
  }
}

export type Oauth = NonNullable<ReturnType<typeof createOauth>>

/** RFC 9728 and RFC 8414. */
function documentsOf(issuer: string, resource: string, readsDocuments: boolean) {
  const resourceDocument = {
    resource,
    resource_name: 'Footbridge',
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: [SCOPE],
  }
  const serverDocument = {
    issuer,
    authorization_endpoint: `${issuer}${AUTHORIZE_PATH}`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    client_id_metadata_document_supported: readsDocuments,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    scopes_supported: [SCOPE],
  }
  return { resourceDocument, serverDocument }
}

/** @throws {OauthError} */
async function issue(grants: Grants, resource: string, form: URLSearchParams): Promise<object> {
  const field = (name: string) => {
    const values = form.getAll(name)
    if (values.length > 1) throw new OauthError('invalid_request', `\`${name}\` was sent more than once.`)
    return values[0] ?? ''
  }
  const asked = field('resource')
  if (asked !== '' && !isSameAddress(asked, resource))
    throw new OauthError('invalid_target', `Tokens are issued for ${resource} only.`)
  const clientId = field('client_id')
  const grantType = field('grant_type')
  if (grantType === 'refresh_token') return grants.refresh(field('refresh_token'), clientId)
  if (grantType !== 'authorization_code')
    throw new OauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
  const shown = { clientId, redirectUri: field('redirect_uri'), verifier: field('code_verifier') }
  return grants.exchange(field('code'), shown)
}

function toRefusal(thrown: unknown): Response {
  const isBody = thrown instanceof BodyError
  const error = isBody ? new OauthError('invalid_request', 'The body is too large or did not arrive.') : thrown
  if (!(error instanceof OauthError)) throw error
  return Response.json({ error: error.code, error_description: error.message }, { status: 400, headers: NO_STORE })
}
