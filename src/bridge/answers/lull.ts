import { setImmediate as nextTurn } from 'node:timers/promises'

export interface Lull {
  /** A question begins. */
  begin(): void
  /** Resolves when none has begun for some turns of the event loop, or after a time. */
  over(): Promise<void>
}

/** Turns of the event loop in which no question begins: in a burst, the requests to the model leave first. */
export function createLull(turns: number, maxMs: number): Lull {
  let begun = 0
  let waiting: Promise<void> | undefined

  async function wait(): Promise<void> {
    const end = performance.now() + maxMs
    for (let quiet = 0, seen = begun; quiet < turns && performance.now() < end; seen = begun) {
      await nextTurn()
      quiet = begun === seen ? quiet + 1 : 0
    }
    waiting = undefined
  }

  return { begin: () => void (begun += 1), over: () => (waiting ??= wait()) }
}
