import { createParser } from 'eventsource-parser'
import { readStreamError } from '../../wire/errors.ts'
import { STREAM_END } from '../../wire/chat.ts'
import { jsonExcess } from '../../wire/limits.ts'
import { EngineError } from '../errors.ts'
import { toCallError, toInBodyError, type UpstreamResponse } from './http.ts'

/** One event of the model server: its text unchanged, and decoded. */
export interface UpstreamEvent {
  readonly raw: string
  readonly body: object
}

/** Longest single event: a server that never ends a line must not fill the memory. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024

const cut = () =>
  new EngineError('upstream', 'The model server stopped in the middle of the answer: ask again.', {
    reason: 'stream_cut',
  })

const nothing = () =>
  new EngineError('upstream', 'The model server answered with nothing at all: ask again.', { reason: 'empty_stream' })

function decode(raw: string): UpstreamEvent {
  const excess = jsonExcess(raw)
  if (excess !== undefined) {
    throw new EngineError('upstream', `The model server sent an event that ${excess}.`)
  }
  let body: unknown
  try {
    body = JSON.parse(raw)
  } catch (error) {
    throw new EngineError('upstream', 'The model server sent something that is not JSON.', { cause: error })
  }
  const failure = readStreamError(body)
  if (failure !== undefined) throw toInBodyError(failure)
  if (typeof body !== 'object' || body === null) {
    throw new EngineError('upstream', 'The model server sent an event that is not an object.')
  }
  return { raw, body }
}

const isLast = (body: object) =>
  'choices' in body &&
  Array.isArray(body.choices) &&
  body.choices.some((choice: { readonly finish_reason?: unknown } | null) => typeof choice?.finish_reason === 'string')

/**
 * Events of a streamed answer, pulled as the caller takes them. Leaving the loop closes the connection.
 *
 * @throws {EngineError} `upstream` when the stream is empty, breaks off or carries an error; `upstream-timeout`
 */
export async function* readEvents(
  response: UpstreamResponse,
  signal: AbortSignal | undefined,
): AsyncGenerator<UpstreamEvent> {
  let waiting: string[] = []
  const parser = createParser({ onEvent: (event) => waiting.push(event.data), maxBufferSize: MAX_EVENT_LENGTH })
  const decoder = new TextDecoder()
  let some = false
  let finished = false
  try {
    for await (const bytes of response.body as AsyncIterable<Uint8Array>) {
      parser.feed(decoder.decode(bytes, { stream: true }))
      const events = waiting
      waiting = []
      for (const raw of events) {
        if (raw.trim() === STREAM_END) {
          if (some) return
          throw nothing()
        }
        const event = decode(raw)
        some = true
        finished ||= isLast(event.body)
        yield event
      }
    }
  } catch (error) {
    const known = toCallError(error, signal)
    throw some && known.code === 'upstream' && !(error instanceof EngineError) ? cut() : known
  } finally {
    response.body.destroy()
  }
  if (!some) throw nothing()
  if (!finished) throw cut()
}
