import type { Context, MiddlewareHandler } from 'hono'
import { EngineError } from '../engine/errors.ts'
import { CREDENTIAL_HEADER } from '../wire/profile.ts'
import { formatRateLimit, type RateLimitDictionary } from '../wire/rate-limit.ts'
import type { CredentialForm, Environment, ServerParts } from './routing.ts'

const BODY_IDLE_MS = 30_000

const BEARER = /^Bearer\s+(?<key>\S+)\s*$/i

function readCredential(header: string | undefined): { form: CredentialForm; key: string } {
  const text = header?.trim() ?? ''
  if (text === '') {
    throw new EngineError('unauthorized', 'The key is missing: send it in the Authorization header.', {
      reason: 'missing_api_key',
    })
  }
  const key = BEARER.exec(text)?.groups?.['key']
  return key === undefined ? { form: 'raw', key: text } : { form: 'bearer', key }
}

/** @throws {EngineError} `unauthorized` with a sentence that says which form is wanted. */
export function requireForm(found: CredentialForm, wanted: CredentialForm): void {
  if (found === wanted) return
  throw new EngineError(
    'unauthorized',
    wanted === 'raw'
      ? 'Collections are managed with the raw key: send it in the Authorization header without "Bearer".'
      : 'Send the key in the Authorization header in the form "Bearer <key>".',
    { reason: 'wrong_credential_form' },
  )
}

/** Sets the rate-limit headers of the response. */
function showQuota(c: Context<Environment>, quota: RateLimitDictionary): void {
  for (const [name, value] of Object.entries(formatRateLimit(quota))) c.header(name, value)
}

/**
 * Requires a known key in the form that the route takes, and counts the request. `free`: the request is not counted.
 */
export function requireKey(
  parts: ServerParts,
  wanted: CredentialForm | 'either',
  options: { readonly free?: boolean } = {},
): MiddlewareHandler<Environment> {
  return async (c, next) => {
    const { form, key } = readCredential(c.req.header(CREDENTIAL_HEADER))
    if (wanted !== 'either') requireForm(form, wanted)
    const row = await parts.engine.identify(key)
    if (row === undefined) {
      throw new EngineError('unauthorized', 'The key is unknown or has expired: check it.', {
        reason: 'invalid_api_key',
      })
    }
    if (row.scope !== undefined) {
      throw new EngineError('forbidden', 'This key is for agents: it reads over /mcp, and nothing else.', {
        reason: 'agents_only',
      })
    }
    c.set('key', row)
    c.set('credential', form)
    c.set('bodyIdleMs', parts.bodyIdleMs ?? BODY_IDLE_MS)
    if (options.free === true) {
      showQuota(c, await parts.engine.quotas.peek(row))
      return next()
    }
    const { standing: quota, refusal } = await parts.engine.quotas.take(row)
    const stored = parts.engine.quotas.stored()
    showQuota(c, quota)
    if (refusal !== undefined) throw refusal
    await next()
    await stored
  }
}
