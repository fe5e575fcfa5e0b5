import { PATIENCE_MS } from '#test/support/patience.ts'

/** Waits for conditions without polling: every change asks all who wait again. */
export function createWatch() {
  const waiting = new Set<() => void>()

  const until = <T>(look: () => T | undefined | false, timeoutMs = PATIENCE_MS): Promise<T> =>
    new Promise((resolve, reject) => {
      const check = () => {
        let found: T | undefined | false
        try {
          found = look()
        } catch (error) {
          return finish(() => reject(error instanceof Error ? error : new Error(String(error))))
        }
        if (found !== undefined && found !== false) finish(() => resolve(found))
      }
      const timer = setTimeout(() => {
        finish(() => reject(new Error(`Not seen within ${timeoutMs} ms: ${look.toString()}`)))
      }, timeoutMs)
      const finish = (settle: () => void) => {
        clearTimeout(timer)
        waiting.delete(check)
        settle()
      }
      waiting.add(check)
      check()
    })

  /** After the response has been handed over, so that a client has had its turn. */
  const changed = () => setImmediate(() => waiting.forEach((check) => check()))
  return { until, changed }
}
