import type { ReceivedChat } from './received-chat.ts'

/** One event of a streamed answer. */
export interface StreamEvent {
  readonly body: object
  /** Name of the event, where it has one. */
  readonly name?: string
  /** Its text as it came; absent: the JSON of `body`. */
  readonly raw?: string
  /** The same, where it was read already: then it is no error. */
  readonly received?: ReceivedChat
}

/**
 * Events of a streamed answer, those that came at once together; an empty list: a sign of life. `next` takes how long
 * to rest before reading on, milliseconds: events that come meanwhile come together.
 */
export type EventSteps = AsyncGenerator<readonly StreamEvent[], void, number | undefined>

const OVER: IteratorReturnResult<void> = { done: true, value: undefined }

/**
 * Steps made by functions, for code that only watches or changes each step: a generator around a generator costs every
 * step several turns of the queue of promises.
 *
 * @param next makes a step; not called once the steps have ended
 * @param end called once, however they ended, also where no step was asked for; it leaves the source of the steps. A
 * step that is under way when the reader leaves may still come.
 */
export function toSteps<Value, Sent = unknown>(
  next: (sent: Sent | undefined) => Promise<IteratorResult<Value, unknown>>,
  end: () => Promise<unknown>,
): AsyncGenerator<Value, void, Sent | undefined> {
  let ending: Promise<unknown> | undefined
  const over = (): Promise<IteratorReturnResult<void>> => (ending ??= end()).then(() => OVER)
  type Step = IteratorResult<Value, void>
  const pass = (step: IteratorResult<Value, unknown>): Step | Promise<Step> => (step.done === true ? over() : step)
  const fail = async (failure: unknown): Promise<never> => {
    await over().catch(() => undefined)
    throw failure
  }
  const steps: AsyncGenerator<Value, void, Sent | undefined> = {
    next: (sent) => (ending === undefined ? next(sent).then(pass, fail) : Promise.resolve(OVER)),
    return: over,
    throw: fail,
    [Symbol.asyncIterator]: () => steps,
    [Symbol.asyncDispose]: async () => void (await over()),
  }
  return steps
}

/** Events as they are, for a reader in the same process. */
export interface HandedEvents {
  readonly steps: EventSteps
  /** Ends them, also amid a step. */
  readonly leave: () => void
}
