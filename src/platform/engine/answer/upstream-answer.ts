import { type EventSteps, type StreamEvent, toSteps } from '#platform/wire/stream-events.ts'
import { readEvents } from '../upstream/event-stream.ts'
import { type AskChat, toTooLong } from '../upstream/ask-chat.ts'
import { readObject, type UpstreamResponse } from '../upstream/http.ts'
import { appendToResponse, createStreamAppender, type Ending } from './answer-block.ts'

/**
 * Longest wait for the first event before the stream opens to the caller: earlier failures get a proper status, and a
 * slow model still opens in time.
 */
const FIRST_EVENT_MS = 10_000

/** A whole answer of the model server, with the block appended. */
export async function wholeFromUpstream(
  ask: AskChat,
  json: object,
  ending: Ending,
  signal: AbortSignal | undefined,
): Promise<object> {
  const response = await ask(json, signal)
  const body = await readObject(response, signal).catch((error: unknown) => {
    throw toTooLong(error)
  })
  return appendToResponse(body, ending)
}

/**
 * A streamed answer, pulled event by event, with the block as its last text. Leaving the iteration stops the model
 * server.
 */
export async function streamFromUpstream(
  ask: AskChat,
  json: object,
  ending: Ending,
  signal: AbortSignal | undefined,
  follow?: StreamFollower,
  firstEventMs = FIRST_EVENT_MS,
): Promise<EventSteps> {
  const opened = askForStream(ask, json, signal)
  // It waits for the head, too: a server may send it only when its model is loaded.
  const first = opened
    .then((source) => source.next())
    .catch((error: unknown) => {
      throw toTooLong(error)
    })
  // The consumer of the events gets this error; without a consumer it is no unhandled rejection.
  first.catch(() => undefined)
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, firstEventMs)
  try {
    await Promise.race([first, late.promise])
  } finally {
    clearTimeout(timer)
  }
  const source = continueFrom(first, opened)
  return relay(source, ending, follow)
}

async function askForStream(ask: AskChat, json: object, signal: AbortSignal | undefined): Promise<EventSteps> {
  const response = await ask(json, signal)
  const type = [response.headers['content-type']].flat()[0] ?? ''
  return type.startsWith('application/json') ? readDocument(response, signal) : readEvents(response, signal)
}

/** A server that streams nothing: its document is one piece. */
async function* readDocument(response: UpstreamResponse, signal: AbortSignal | undefined): EventSteps {
  const body = await readObject(response, signal)
  yield [{ body: { ...body, object: 'chat.completion.chunk' } }]
}

/** The steps of a stream whose first one was asked for. */
function continueFrom(first: ReturnType<EventSteps['next']>, opened: Promise<EventSteps>): EventSteps {
  let isFirst = true
  const next = (restMs: number | undefined) => {
    if (!isFirst) return opened.then((source) => source.next(restMs))
    isFirst = false
    return first
  }
  // A stream that did not open has nothing to be left.
  return toSteps(next, () => opened.then((source) => source.return()).catch(() => undefined))
}

/** Sees the stream of a model. */
export interface StreamFollower {
  piece(event: StreamEvent): void
  /** @param error why it ended before its end; `left`: the reader stopped */
  end(error?: unknown): void
}

async function* relay(source: EventSteps, ending: Ending, follow: StreamFollower | undefined): EventSteps {
  const appender = createStreamAppender(ending)
  let error: unknown = 'left'
  try {
    let step = await source.next()
    while (step.done !== true) {
      for (const event of step.value) follow?.piece(event)
      const restMs = yield step.value.flatMap((event) => appender.next(event))
      step = await source.next(restMs)
    }
    const rest = appender.end()
    if (rest.length > 0) yield rest
    error = undefined
  } catch (failure) {
    error = failure
    throw failure
  } finally {
    follow?.end(error)
    await source.return()
  }
}
