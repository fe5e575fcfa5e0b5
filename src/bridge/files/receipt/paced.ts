export interface Paced {
  /** Something has changed: `show` runs soon. Changes before it runs share one run. */
  touch(): void
  /** Runs `show` now, whatever the pace. Rejects when it does. */
  flush(): Promise<void>
  /** Starts no more runs; resolves when the running one has ended. */
  end(): Promise<void>
}

/**
 * Shows the newest state at a limited rate; intermediate states are skipped. One run of `show` at a time, so it may
 * read the state when it begins.
 */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createPaced(options: {
  readonly show: () => Promise<void>
  /** Least time between the end of a run and the next one, milliseconds; undefined: only `flush` shows. */
  readonly intervalMs: () => number | undefined | Promise<number | undefined>
  /** A run failed without a waiting caller. */
  readonly onError: (error: unknown) => void
  /** No run is active or due. */
  readonly onIdle?: () => void
  /** After its abort only `flush` runs. */
  readonly signal?: AbortSignal
  readonly clock?: () => number
}): Paced {
  const { show, intervalMs, onError, onIdle, signal, clock = Date.now } = options
  let isStale = false
  let hasEnded = false
  let flushing = 0
  let shownAt: number | undefined
  let last: Promise<void> = Promise.resolve()
  let looping: Promise<void> | undefined
  let isCaughtUp = false
  let wake: (() => void) | undefined

  const isOff = () => hasEnded || signal?.aborted === true

  async function showOnce(): Promise<void> {
    await show()
    shownAt = clock()
  }

  function showInTurn(): Promise<void> {
    last = last.then(showOnce, showOnce)
    return last
  }

  async function loop(): Promise<void> {
    isCaughtUp = false
    while (isStale && !isOff()) {
      const ms = await intervalMs()
      if (ms === undefined) return
      if (shownAt !== undefined) await pause(shownAt + ms - clock())
      isStale = false
      if (!isOff()) await showInTurn().catch(onError)
    }
    isCaughtUp = true
  }

  function start(): void {
    looping ??= loop()
      .catch(onError)
      .finally(() => {
        looping = undefined
        // A change may have come after the last look.
        if (isCaughtUp && isStale && !isOff()) start()
        else tellIdle()
      })
  }

  async function pause(ms: number): Promise<void> {
    if (ms <= 0 || flushing > 0 || hasEnded) return
    const over = Promise.withResolvers<void>()
    wake = over.resolve
    const timer = setTimeout(over.resolve, ms).unref()
    await over.promise
    clearTimeout(timer)
  }

  function tellIdle(): void {
    if (looping === undefined && flushing === 0) onIdle?.()
  }

  return {
    touch() {
      isStale = true
      start()
    },
    async flush() {
      flushing += 1
      wake?.()
      try {
        await looping
        if (!hasEnded) await showInTurn()
      } finally {
        flushing -= 1
        tellIdle()
      }
    },
    async end() {
      hasEnded = true
      wake?.()
      await looping
      tellIdle()
    },
  }
}
