/**
 * How Discord is away. `dns`: the gateway's host has no address (amid work: that of the session, and the general one refuses);
 * `refused`: nobody listens; `unavailable`: 503 on the upgrade; `closing`: 4000 after IDENTIFY or RESUME; `no-hello`,
 * `no-ready`: the connection opens and then stays silent; `silent`: nothing is said any more, and no handshake is answered;
 * `rest-500`, `rest-429` (with Retry-After), `rest-blocked` (Cloudflare's page without it), `rest-page` (its page with 403, discord-api-docs#849): REST alone.
 */
export const AWAYS = [
  'dns',
  'refused',
  'unavailable',
  'closing',
  'no-hello',
  'no-ready',
  'silent',
  'rest-500',
  'rest-429',
  'rest-blocked',
  'rest-page',
] as const

export type Away = (typeof AWAYS)[number]

export interface RestAway {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An answer of REST while it is away; undefined: REST is not. */
export function restAnswer(away: Away | undefined): RestAway | undefined {
  if (away === 'rest-500') return { status: 500, headers: {}, body: '{"message": "Internal Server Error"}' }
  if (away === 'rest-429')
    return {
      status: 429,
      headers: { 'content-type': 'application/json', 'retry-after': '1' },
      body: '{"message": "Slow down.", "retry_after": 0.5}',
    }
  if (away === 'rest-blocked')
    return { status: 429, headers: { 'content-type': 'text/html' }, body: 'error code: 1015' }
  if (away === 'rest-page')
    return {
      status: 403,
      headers: { 'content-type': 'text/html; charset=UTF-8' },
      body: '<!DOCTYPE html><title>Attention Required! | Cloudflare</title>',
    }
  return undefined
}
