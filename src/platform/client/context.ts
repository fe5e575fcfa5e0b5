import type { Paths, Profile } from '../wire/profile.ts'
import type { CredentialHeader } from './exchange.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { StreamSlots } from './stream-slots.ts'
import type { TimeLimits } from './deadline.ts'
import type { Transport, Call } from './transport.ts'
import { PlatformError, sentence } from './errors.ts'
import { drain, type Reply } from './reply.ts'

/** Shared by the resources of one client. */
export interface Context {
  readonly profile: Profile
  readonly paths: Paths
  readonly transport: Transport
  readonly limits: TimeLimits
  readonly limiter: RateLimiter
  readonly slots: StreamSlots
  /** Places for recordings that are listened to. */
  readonly recordings: StreamSlots
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
  /** Called when this call waits for the rate limit, with the waiting time. */
  readonly onWait?: (waitMs: number) => void
  /** For whom: where requests wait, workspaces take turns. */
  readonly workspace?: string
}

/** Longest wait for the heartbeat. */
const HEARTBEAT_MS = 5_000

export type ManagementCall = Omit<Call, 'credential'>

/** Calls of the management API: raw key, and a check that tells a locked collection from a dead platform. */
export interface Management {
  send(call: ManagementCall): Promise<Reply>
  /** A call on one collection: silence becomes `locked` when the platform itself still answers. */
  sendToCollection(call: ManagementCall): Promise<Reply>
  heartbeat(options?: CallOptions, firstByteMs?: number): Promise<void>
}

export function createManagement({ transport, paths, credentials, limits }: Context): Management {
  const send = (call: ManagementCall) => transport.send({ ...call, credential: credentials.management })

  const heartbeat = async (options: CallOptions = {}, firstByteMs?: number) => {
    const reply = await send({
      doing: 'asking for a sign of life',
      method: 'GET',
      path: paths.heartbeat,
      retry: 'unsent',
      unguarded: true,
      signal: options.signal,
      firstByteMs,
    })
    await drain(reply)
  }

  const isAlive = async (signal: AbortSignal | undefined) => {
    const limitMs = Math.min(HEARTBEAT_MS, limits.firstByteMs)
    return heartbeat({ signal }, limitMs).then(
      () => true,
      () => false,
    )
  }

  return {
    send,
    heartbeat,
    async sendToCollection(call) {
      try {
        return await send(call)
      } catch (error) {
        // A request to a collection that is being indexed may be accepted and never answered (interface, "States").
        const silent = error instanceof PlatformError && error.code === 'timeout' && error.status === undefined
        if (!silent || !(await isAlive(call.signal))) throw error
        const what = `The collection did not answer while ${call.doing}, although the platform does`
        const { maybeDone } = error
        throw new PlatformError('locked', sentence('locked', what), { maybeDone, cause: error })
      }
    },
  }
}
