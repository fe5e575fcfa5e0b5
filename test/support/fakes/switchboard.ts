import type { PlatformFailure, PlatformFailureCode } from '#bridge/port/platform.ts'

export type PlatformCall =
  | 'models.list'
  | 'chat.stream'
  | 'collections.create'
  | 'collections.get'
  | 'collections.generateIndex'
  | 'collections.delete'
  | 'collections.deleteIndex'
  | 'files.list'
  | 'files.upload'
  | 'files.replace'
  | 'files.delete'
  | 'files.download'
  | 'voice.transcribe'
  | 'voice.translate'
  | 'voice.speak'
  | 'documents.convert'

/** A failure as the client makes it. */
export function platformFailure(
  code: PlatformFailureCode,
  message = `The platform failed (${code}); try again.`,
  more: { readonly status?: number; readonly retryAfterMs?: number } = {},
): PlatformFailure {
  return Object.assign(new Error(message), { name: 'PlatformError' as const, code, ...more })
}

/** Waits, unless the signal ends the wait as an abort ends a call of the client. */
export async function untilAborted(
  waiting: Promise<unknown> | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(platformFailure('aborted', 'The call was stopped.'))
  if (signal?.aborted === true) abort()
  signal?.addEventListener('abort', abort, { once: true })
  try {
    // The abort first: a call that is stopped already does nothing.
    await Promise.race([promise, waiting])
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

/** Through it goes every call of the fake platform: taken down, held, and failed as the script says. */
export interface Switchboard {
  readonly calls: readonly { readonly call: PlatformCall; readonly about: string }[]
  readonly fail: (
    call: PlatformCall,
    failure: Error,
    options?: { readonly times?: number; readonly after?: boolean },
  ) => void
  readonly hold: (call: PlatformCall) => () => void
  readonly run: <T>(
    call: PlatformCall,
    about: string,
    signal: AbortSignal | undefined,
    carryOut: () => T | Promise<T>,
  ) => Promise<T>
}

export function createSwitchboard(): Switchboard {
  const faults = new Map<PlatformCall, { readonly failure: Error; readonly after: boolean }[]>()
  const holds = new Map<PlatformCall, Promise<void>>()
  const calls: { call: PlatformCall; about: string }[] = []
  return {
    calls,
    fail: (call, failure, { times = 1, after = false } = {}) => {
      const more = Array.from({ length: times }, () => ({ failure, after }))
      faults.set(call, [...(faults.get(call) ?? []), ...more])
    },
    hold: (call) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      holds.set(call, promise)
      return () => {
        if (holds.get(call) === promise) holds.delete(call)
        resolve()
      }
    },
    run: async (call, about, signal, carryOut) => {
      calls.push({ call, about })
      await untilAborted(holds.get(call), signal)
      const fault = faults.get(call)?.shift()
      if (fault !== undefined && !fault.after) throw fault.failure
      const result = await carryOut()
      if (fault !== undefined) throw fault.failure
      return result
    },
  }
}
