export type KeyedMutex = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Work with the same key runs in order, one at a time; other keys run in parallel. A failure rejects only its own call.
 */
export function createKeyedMutex(): KeyedMutex {
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

/** `signal` ends the wait for the lock, but not work that has begun. */
export async function withLock<Result>(
  lock: KeyedMutex,
  key: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  let hasBegun = false
  const done = lock(key, async () => {
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
