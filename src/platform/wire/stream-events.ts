/** One event of a streamed answer. */
export interface StreamEvent {
  readonly body: object
  /** Its text as it came; absent: the JSON of `body`. */
  readonly raw?: string
}

/**
 * Events of a streamed answer, those that came at once together; none: a sign of life. `next` takes how long to rest
 * before reading on, milliseconds: what comes meanwhile comes at once.
 */
export type EventSteps = AsyncGenerator<readonly StreamEvent[], void, number | undefined>

export interface HandedEvents {
  readonly steps: EventSteps
  /** Ends them, also amid a step. */
  readonly leave: () => void
}

const handed = new WeakMap<ReadableStream, HandedEvents>()

/** Lets who is in the same process take the events of this body as they are. */
export const handOver = (body: ReadableStream, events: HandedEvents): void => void handed.set(body, events)

/** The events of a body of this process; who takes them does not read its bytes. */
export const handedOver = (body: ReadableStream | null): HandedEvents | undefined =>
  body === null ? undefined : handed.get(body)
