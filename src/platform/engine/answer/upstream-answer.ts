import { setTimeout as delay } from 'node:timers/promises'
import { readObject, type UpstreamHttp, type UpstreamResponse } from '../upstream/http.ts'
import { readEvents, type UpstreamEvent } from '../upstream/event-stream.ts'
import { appendToResponse, createStreamAppender } from './references.ts'

/**
 * So long the first event is waited for before the stream is opened to the caller: what fails until then gets a
 * fitting status, and a slow model still shows the caller an open stream in time.
 */
const FIRST_EVENT_MS = 10_000

async function send(
  http: UpstreamHttp,
  json: object,
  signal: AbortSignal | undefined,
): Promise<UpstreamResponse> {
  const options = signal === undefined ? {} : { signal }
  return http.send({ method: 'POST', path: '/chat/completions', json, ...options })
}

/** A whole answer, as the model server gave it, with the block behind its text. */
export async function wholeFromUpstream(
  http: UpstreamHttp,
  json: object,
  block: string,
  signal: AbortSignal | undefined,
): Promise<object> {
  return appendToResponse(await readObject(await send(http, json, signal), signal), block)
}

/**
 * A streamed answer, event by event as the model server gives them (read only as fast as they are taken), with the
 * block as its last words. Leaving the iteration stops the model server.
 */
export async function streamFromUpstream(
  http: UpstreamHttp,
  json: object,
  block: string,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<string>> {
  const source = readEvents(await send(http, json, signal), signal)
  const first = source.next()
  // Thrown again to whoever takes the events; if nobody does, it is nobody's failure.
  first.catch(() => undefined)
  const giveUp = new AbortController()
  const late = delay(FIRST_EVENT_MS, undefined, { signal: giveUp.signal }).catch(() => undefined)
  try {
    await Promise.race([first, late])
  } finally {
    giveUp.abort()
  }
  return relay(first, source, block)
}

async function* relay(
  first: Promise<IteratorResult<UpstreamEvent>>,
  source: AsyncGenerator<UpstreamEvent>,
  block: string,
): AsyncGenerator<string> {
  const appender = createStreamAppender(block)
  try {
    for (let step = await first; step.done !== true; step = await source.next()) {
      yield* appender.next(step.value.raw, step.value.body)
    }
    yield* appender.end()
  } finally {
    await source.return(undefined)
  }
}
