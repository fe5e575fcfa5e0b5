import { AdapterError, type AdapterErrorCode } from '../../src/bridge/port/errors.ts'
import type { Log } from '../../src/bridge/port/platform.ts'

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
