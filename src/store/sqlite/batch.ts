import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers'
import { transaction } from './database.ts'

/** Runs a write that must be on the disk when the promise resolves. */
export interface Batch {
  <Result>(write: () => Result): Promise<Result>
  /** Commits what waits now. */
  flush(): void
}

interface Waiting {
  /** Makes the change and gives back how to tell of it once it is committed. */
  readonly write: () => () => void
  readonly reject: (error: unknown) => void
}

/**
 * Writes that come in one turn of the event loop share one commit: the disk is waited for, and everything else with it,
 * once for ten events that arrive together instead of ten times. A write that fails fails alone.
 */
export function createBatch(database: DatabaseSync): Batch {
  let waiting: Waiting[] = []

  function attempt({ write, reject }: Waiting): (() => void)[] {
    try {
      return [write()]
    } catch (error) {
      reject(error)
      return []
    }
  }

  function flush(): void {
    const batch = waiting
    waiting = []
    if (batch.length === 0) return
    try {
      for (const tell of transaction(database, () => batch.flatMap(attempt))) tell()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const add = <Result>(write: () => Result): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({
        write() {
          const result = write()
          return () => resolve(result)
        },
        reject,
      })
      if (waiting.length === 1) setImmediate(flush)
    })
  return Object.assign(add, { flush })
}
