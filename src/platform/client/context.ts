import type { Paths } from '../wire/paths.ts'
import type { Profile } from '../wire/profile.ts'
import type { CredentialHeader } from './credentials.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { StreamSlots } from './stream-slots.ts'
import type { TimeLimits } from './time-limits.ts'
import type { Transport } from './transport.ts'

/** What the resources of one client share. */
export interface Context {
  readonly profile: Profile
  readonly paths: Paths
  readonly transport: Transport
  readonly limits: TimeLimits
  readonly limiter: RateLimiter
  readonly slots: StreamSlots
  readonly redact: (text: string) => string
  readonly credentials: {
    /** Raw. */
    readonly management: CredentialHeader
    /** Bearer. */
    readonly api: CredentialHeader
    /** Raw or Bearer, as set. */
    readonly collectionChat: CredentialHeader
  }
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Told when this call waits for the rate limit, and for how long. */
  readonly onWait?: (waitMs: number) => void
}
