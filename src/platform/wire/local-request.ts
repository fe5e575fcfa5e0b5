import type { HandedEvents } from './stream-events.ts'

/** Text and signal of a request within one process: no bytes are made of a text, and no signal follows another. */
export interface LocalContent {
  readonly text: string | undefined
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal
  /** Takes the events of a stream as they are: the response itself has no body then. */
  readonly handOver?: (events: HandedEvents) => void
}

const contents = new WeakMap<Request, LocalContent>()

/** Lets the server in the same process take the content as it is; the request itself has no body then. */
export const sendLocally = (request: Request, content: LocalContent): void => void contents.set(request, content)

/** The content of a request of this process; undefined: it came over a connection, and has its body. */
export const localContent = (request: Request): LocalContent | undefined => contents.get(request)
