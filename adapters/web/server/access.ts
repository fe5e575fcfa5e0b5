import { createHash, timingSafeEqual } from 'node:crypto'
import { RequestFailure } from './responses.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD'])

/**
 * Guards against DNS rebinding and cross-site requests.
 * `allowed`: host names without port; undefined lets every name in, which is right only where a login is asked for.
 * `publicHost`: host and port that a browser sees where a proxy hands on another Host.
 * @throws {RequestFailure}
 */
export function checkRequest(
  request: Request,
  allowed: ReadonlySet<string> | undefined,
  publicHost: string | undefined,
): void {
  const host = request.headers.get('host') ?? new URL(request.url).host
  const name = hostName(host)
  if (allowed && !allowed.has(name)) {
    throw new RequestFailure(
      421,
      'unknown-host',
      'Footbridge is not known under this address. Open it as http://127.0.0.1 with its port, or set PUBLIC_URL to this address.',
    )
  }
  const site = request.headers.get('sec-fetch-site')
  const navigation = request.headers.get('sec-fetch-mode') === 'navigate' && SAFE_METHODS.has(request.method)
  const origin = request.headers.get('origin')
  const ownHosts = [host.toLowerCase(), publicHost]
  const foreignOrigin = origin !== null && !ownHosts.includes(hostOf(origin) ?? 'none')
  const foreignSite = site !== null && site !== 'same-origin' && site !== 'none' && !navigation
  if (foreignOrigin || foreignSite) {
    throw new RequestFailure(403, 'foreign-origin', 'This request came from another site and was refused.')
  }
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

/** Name without port, in lower case; IPv6 addresses keep their brackets. */
export function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '')
}

/** Equal in constant time, whatever the lengths. */
export function isPassword(typed: string, expected: string): boolean {
  return timingSafeEqual(digest(typed), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
