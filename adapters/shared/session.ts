import { AdapterError, type AdapterErrorCode } from '#bridge/port/errors.ts'
import type { Log } from '#bridge/port/platform.ts'

/** Resolves as `work` does, or with undefined after `ms`. The timer does not keep the process alive. */
export const waitAtMost = <T>(ms: number, work: Promise<T>): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined).unref()
    const settle =
      <Outcome>(end: (outcome: Outcome) => void) =>
      (outcome: Outcome) => {
        clearTimeout(timer)
        end(outcome)
      }
    work.then(settle(resolve), settle(reject))
  })

export const hasCode = (error: unknown, ...codes: readonly AdapterErrorCode[]): error is AdapterError =>
  error instanceof AdapterError && codes.includes(error.code)

/** Whether a permission question is confirmed. A failure counts as no. */
export async function isConfirmed(
  log: Log,
  question: string,
  ask: () => Promise<boolean>,
  /** Errors with these codes are a normal no. */
  refusals: readonly AdapterErrorCode[],
): Promise<boolean> {
  try {
    return await ask()
  } catch (error) {
    if (!hasCode(error, ...refusals)) log.warn({ err: error }, `${question} is unknown; taken as no.`)
    return false
  }
}

/** Freezes data for the bridge, deeply. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(deepFreeze)
  }
  return value
}

/** Failures of a connection have a code (also that of their cause), a time that ran out, or are `fetch` that failed. */
function isOfConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isNamed = ['AbortError', 'TimeoutError'].includes(error.name) || error.message === 'fetch failed'
  return isNamed || ('code' in error && typeof error.code === 'string') || isOfConnection(error.cause)
}

/** Whether an error says nothing about the service: our own code threw it. */
export const isOwnFault = (error: unknown): boolean =>
  (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) &&
  !isOfConnection(error)

/** The finding of a check that failed in our own code. */
export const ownFault = (service: string, error: unknown): string =>
  `${service}: the check itself failed (${error instanceof Error ? error.message : String(error)}). This is a fault of Footbridge worth reporting; it says nothing about the connection`
