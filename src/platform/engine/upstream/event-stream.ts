import { createParser } from 'eventsource-parser'
import { openPieces } from '../../../lib/read-limited.ts'
import { readStreamError } from '../../wire/errors.ts'
import { FAILED_FINISH, isFinish, STREAM_END } from '../../wire/chat.ts'
import { jsonExcess } from '../../wire/limits.ts'
import type { EventSteps, StreamEvent } from '../../wire/stream-events.ts'
import { EngineError } from '../errors.ts'
import { toCallError, toInBodyError, type UpstreamResponse } from './http.ts'

/** Longest single event: a server that never ends a line must not fill the memory. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024

const cut = () =>
  new EngineError('upstream', 'The model server stopped in the middle of the answer: ask again.', {
    reason: 'stream_cut',
  })

const nothing = () =>
  new EngineError('upstream', 'The model server answered with nothing at all: ask again.', { reason: 'empty_stream' })

function decode(raw: string): StreamEvent {
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
  if (finishOf(body) === FAILED_FINISH) throw cut()
  return { raw, body }
}

/** Why a choice of this event ended, if one did. */
function finishOf(body: object): string | undefined {
  if (!('choices' in body) || !Array.isArray(body.choices)) return undefined
  return (body.choices as readonly ({ readonly finish_reason?: unknown } | null)[])
    .map((choice) => choice?.finish_reason)
    .find(isFinish)
}

/** Events up to the end mark, or to one that is a failure: those before it come first. */
function decodeAll(texts: readonly string[]) {
  const events: StreamEvent[] = []
  for (const raw of texts) {
    if (raw.trim() === STREAM_END) return { events, isEnd: true }
    try {
      events.push(decode(raw))
    } catch (failure) {
      return { events, isEnd: false, failure }
    }
  }
  return { events, isEnd: false }
}

/** Bytes behind the end mark that are read, and for how long: then the connection serves the next question. */
const REST = { bytes: 4096, ms: 500 } as const

function drain(body: UpstreamResponse['body']): void {
  const late = setTimeout(() => body.destroy(), REST.ms).unref()
  body.once('close', () => clearTimeout(late))
  body.dump({ limit: REST.bytes }).catch(() => undefined)
}

/**
 * Events of a streamed answer, pulled as the caller takes them. Leaving the loop closes the connection.
 *
 * @throws {EngineError} `upstream` when the stream is empty, breaks off or carries an error; `upstream-timeout`
 */
export async function* readEvents({ body }: UpstreamResponse, signal: AbortSignal | undefined): EventSteps {
  let waiting: string[] = []
  const parser = createParser({ onEvent: (event) => waiting.push(event.data), maxBufferSize: MAX_EVENT_LENGTH })
  const decoder = new TextDecoder()
  const pieces = openPieces(body)
  let some = false
  let finished = false
  let isOver = false
  try {
    while (!isOver) {
      const bytes = pieces.take() ?? (await pieces.next())
      if (bytes === undefined) break
      parser.feed(decoder.decode(bytes, { stream: true }))
      const { events, isEnd, failure } = decodeAll(waiting)
      waiting = []
      some ||= events.length > 0
      finished ||= events.some((event) => finishOf(event.body) !== undefined)
      isOver = isEnd
      const restMs = events.length > 0 ? yield events : 0
      if (failure !== undefined) throw failure
      if (!isOver) await pieces.rest(restMs ?? 0)
    }
  } catch (error) {
    const known = toCallError(error, signal)
    throw some && known.code === 'upstream' && !(error instanceof EngineError) ? cut() : known
  } finally {
    pieces.close()
    body.on('error', () => undefined)
    if (isOver) drain(body)
    else body.destroy()
  }
  if (!some) throw nothing()
  if (!finished && !isOver) throw cut()
}
