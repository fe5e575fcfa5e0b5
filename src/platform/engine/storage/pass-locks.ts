/** A pass that this process may run. */
export interface PassHold {
  /** Aborted, with a sentence, when the hold was lost: another process may run a pass then. */
  readonly lost: AbortSignal
  /** Waits for the changes that other processes are making, or for `signal`; further ones wait for this pass. */
  whenAlone(signal: AbortSignal): Promise<void>
  release(): Promise<void>
}

/** What keeps the processes on one store from indexing the same collection at once, or from changing it meanwhile. */
export interface PassLocks {
  /** Undefined: another process has a pass. */
  pass(collectionId: number): Promise<PassHold | undefined>
  /** Gives what ends the change; undefined when another process had a pass for all of `waitMs`. */
  change(collectionId: number, waitMs: number): Promise<(() => Promise<void>) | undefined>
  /** Whether another process has a pass. */
  isElsewhere(collectionId: number): Promise<boolean>
  close(): Promise<void>
}

const never = new AbortController().signal
const nothing = () => Promise.resolve()

/** For a store that one process holds alone. */
export const noOtherProcess: PassLocks = {
  pass: () => Promise.resolve({ lost: never, whenAlone: nothing, release: nothing }),
  change: () => Promise.resolve(nothing),
  isElsewhere: () => Promise.resolve(false),
  close: nothing,
}
