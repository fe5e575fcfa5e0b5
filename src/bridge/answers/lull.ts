export interface Lull {
  /** A question begins. */
  begin(): void
  /** Resolves when none has begun for a moment, or after a time. */
  over(): Promise<void>
}

/**
 * A moment in which no question begins: in a burst, the requests to the model leave first.
 *
 * @param quietMs length of the moment, milliseconds
 * @param maxMs a pause that begins later is not waited for, milliseconds
 */
export function createLull(quietMs: number, maxMs: number): Lull {
  let begun = 0
  let waiting: Promise<void> | undefined

  async function wait(): Promise<void> {
    const end = performance.now() + maxMs
    let seen: number
    do {
      seen = begun
      await new Promise((resolve) => setTimeout(resolve, quietMs))
    } while (seen !== begun && performance.now() < end)
    waiting = undefined
  }

  return { begin: () => void (begun += 1), over: () => (waiting ??= wait()) }
}
