import { createHash, timingSafeEqual } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Clock } from '../../../src/bridge/port/platform.ts'
import { createLru } from '../../../src/lib/lru.ts'
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

export interface LoginCaller {
  /** Address of the peer. */
  readonly address: string
  /** Token of a device that logged in before: counted separately, so that nobody else can lock it out. */
  readonly device: string | undefined
}

const WINDOW_MS = 60_000
const MAX_PER_CALLER = 10
/** Most callers in memory; the oldest are dropped. A limit for all together would let anybody keep everybody out. */
const MAX_CALLERS = 10_000

/** Login attempts within a minute, counted when they begin: an unfinished one counts as wrong. */
export function createLoginAttempts(clock: Clock) {
  const byCaller = createLru<number[]>(MAX_CALLERS)
  const recent = (tries: number[]) => {
    const since = clock() - WINDOW_MS
    while (tries[0] !== undefined && tries[0] <= since) tries.shift()
    return tries
  }
  const waitS = (tries: number[]) => {
    const oldest = recent(tries)[0]
    return tries.length < MAX_PER_CALLER || oldest === undefined ? 0 : Math.ceil((oldest + WINDOW_MS - clock()) / 1000)
  }
  return {
    /** Seconds until this caller may try again; 0: the attempt is allowed, and counted. */
    begin(caller: LoginCaller): number {
      const own = byCaller.get(keyOf(caller)) ?? []
      const wait = waitS(own)
      if (wait > 0) return wait
      own.push(clock())
      byCaller.set(keyOf(caller), own)
      return 0
    },
    /** The password was right: removes the attempt from the count. */
    succeeded(caller: LoginCaller): void {
      byCaller.get(keyOf(caller))?.pop()
    },
  }
}

const keyOf = ({ address, device }: LoginCaller) =>
  device === undefined ? `address ${networkOf(address)}` : `device ${device}`

/** An IPv6 address without its last 64 bits: a household has as many of them as it likes. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [before = '', after = ''] = address.split('::')
  const [head, tail] = [before, after].map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - (head?.length ?? 0) - (tail?.length ?? 0) }, () => '0')
  const groups = address.includes('::') ? [...(head ?? []), ...zeros, ...(tail ?? [])] : (head ?? [])
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
