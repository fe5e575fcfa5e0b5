import type { Clock } from '#bridge/port/platform.ts'
import { createLru } from '#lib/lru.ts'
import { networkOf } from '#lib/network.ts'

export interface Caller {
  /** Address of the peer. */
  readonly address: string
  /** Token of a device that logged in before: counted separately, so that nobody else can lock it out. */
  readonly device?: string
}

const WINDOW_MS = 60_000
const MAX_PER_CALLER = 10
/** Most callers in memory; the oldest are dropped. A limit for all together would let anybody keep everybody out. */
const MAX_CALLERS = 10_000

/** Attempts within a minute to pass with something that may be wrong, counted when they begin: an unfinished one counts as wrong. */
export function createAttempts(clock: Clock) {
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
    begin(caller: Caller): number {
      const own = byCaller.get(keyOf(caller)) ?? []
      const wait = waitS(own)
      if (wait > 0) return wait
      own.push(clock())
      byCaller.set(keyOf(caller), own)
      return 0
    },
    /** It was right: removes the attempt from the count. */
    succeeded(caller: Caller): void {
      byCaller.get(keyOf(caller))?.pop()
    },
  }
}

const keyOf = ({ address, device }: Caller) =>
  device === undefined ? `address ${networkOf(address)}` : `device ${device}`

/** Address of the client. With a trusted proxy it is the last entry of `X-Forwarded-For`, which the proxy added. */
export function addressOf(headers: Headers, peer: string, isProxied: boolean): string {
  const forwarded = isProxied ? headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return forwarded ?? peer
}
