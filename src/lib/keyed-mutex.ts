export type Turns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Work with the same key runs in the order in which it was asked for, one at a time; other keys beside it. A failure
 * reaches only who asked for that work.
 */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}

/** Waits for its turn no longer than `signal` lets it; work that has begun is waited for all the same. */
export async function takeTurn<Result>(
  turns: Turns,
  key: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  let hasBegun = false
  const done = turns(key, async () => {
    signal.throwIfAborted()
    hasBegun = true
    return work()
  })
  const aborted = Promise.withResolvers<never>()
  const abort = () => {
    if (!hasBegun) aborted.reject(signal.reason)
  }
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([done, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
