import { createParser } from 'eventsource-parser'
import { openPieces } from '#lib/read-limited.ts'
import { parseErrorBody, readStreamError } from '#platform/wire/errors.ts'
import { isFailedFinish, isFinish } from '#platform/wire/chat.ts'
import { createLineMender, readEventData } from '#platform/wire/event-data.ts'
import { readReceived } from '#platform/wire/received-chat.ts'
import { jsonExcess } from '#platform/wire/limits.ts'
import type { EventSteps, StreamEvent } from '#platform/wire/stream-events.ts'
import { EngineError } from '../errors.ts'
import { toCallError, toInBodyError, type UpstreamResponse } from './http.ts'

/** Longest single event: a server that never ends a line must not fill the memory. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024

const cut = () =>
  new EngineError('upstream', 'The model server stopped in the middle of the answer: ask again.', {
    reason: 'stream_cut',
  })

/** Characters from the beginning of a body that has no event: they tell what it is. */
const MAX_OPENING = 2000

/** A page of a proxy, or a sentence, has no event either. */
function nothing(opening: string): EngineError {
  const { message } = parseErrorBody(opening)
  // Lines of the format that say nothing, such as signs of life.
  if (message === '' || /^(?::|data|event|id|retry)/.test(message)) {
    const sentence = 'The model server answered with nothing at all: ask again.'
    return new EngineError('upstream', sentence, { reason: 'empty_stream' })
  }
  const sentence = `The model server sent no answer, but this: “${message.slice(0, 200)}”. Check UPSTREAM_BASE_URL.`
  return new EngineError('upstream', sentence, { reason: 'no_stream' })
}

/** @returns undefined for a text that is no JSON */
function parse(raw: string): { readonly body: unknown } | undefined {
  const excess = jsonExcess(raw)
  if (excess !== undefined) {
    throw new EngineError('upstream', `The model server sent an event that ${excess}.`)
  }
  try {
    return { body: JSON.parse(raw) }
  } catch {
    return undefined
  }
}

/** @returns undefined for an event without content */
function toEvent(raw: string, body: unknown): StreamEvent | undefined {
  const failure = readStreamError(body)
  if (failure !== undefined) throw toInBodyError(failure)
  const received = readReceived(body)
  if (received === undefined) throw new EngineError('upstream', 'The model server sent an event that is no answer.')
  if (received.choices.some(({ finishReason }) => isFailedFinish(finishReason))) throw cut()
  return typeof body === 'object' && body !== null ? { raw, body, received } : undefined
}

const ends = ({ received }: StreamEvent) =>
  received?.choices.some(({ finishReason }) => isFinish(finishReason)) === true

/** Events of one text; most are one document. */
function decode(raw: string): { readonly events: readonly StreamEvent[]; readonly isEnd: boolean } {
  const whole = raw.startsWith('{') ? parse(raw) : undefined
  if (whole !== undefined)
    return { events: [toEvent(raw, whole.body)].filter((event) => event !== undefined), isEnd: false }
  const { documents, isEnd } = readEventData(raw)
  const events = documents.map((document) => {
    const read = parse(document)
    if (read === undefined) throw new EngineError('upstream', notJson(document))
    return toEvent(document, read.body)
  })
  return { events: events.filter((event) => event !== undefined), isEnd }
}

/** A page or a sentence in place of an event tells what failed. */
function notJson(text: string): string {
  const { message } = parseErrorBody(text)
  const isSentence = message !== '' && !/^[{["]/.test(message)
  return isSentence
    ? `The model server failed: ${message.slice(0, 200)}`
    : 'The model server sent something that is not JSON.'
}

/** Events up to the end mark, or to one that is a failure: those before it come first. */
function decodeAll(texts: readonly string[]) {
  const events: StreamEvent[] = []
  for (const raw of texts) {
    try {
      const read = decode(raw)
      events.push(...read.events)
      if (read.isEnd) return { events, isEnd: true }
    } catch (failure) {
      return { events, isEnd: false, failure }
    }
  }
  return { events, isEnd: false }
}

/** Half an event at the end of a body is no event: the answer was cut. */
function isWhole(raw: string): boolean {
  return !/^\s*\{/.test(raw) || parse(raw) !== undefined || readEventData(raw).documents.length !== 1
}

/** Limits of reading after the end mark, so that the connection can serve the next question. */
const REST = { bytes: 4096, ms: 500 } as const

function drain(body: UpstreamResponse['body']): void {
  const late = setTimeout(() => body.destroy(), REST.ms).unref()
  body.once('close', () => clearTimeout(late))
  body.dump?.({ limit: REST.bytes }).catch(() => undefined)
}

/**
 * Events of a streamed answer, pulled as the caller takes them. Leaving the loop closes the connection.
 *
 * @throws {EngineError} `upstream` when the stream is empty, breaks off or carries an error; `upstream-timeout`
 */
export async function* readEvents({ body }: UpstreamResponse, signal: AbortSignal | undefined): EventSteps {
  let waiting: string[] = []
  const parser = createParser({
    onEvent: ({ data, event }) =>
      waiting.push(event === 'error' ? JSON.stringify({ error: parseErrorBody(data) }) : data),
    maxBufferSize: MAX_EVENT_LENGTH,
  })
  const mend = createLineMender()
  const decoder = new TextDecoder()
  const pieces = openPieces(body)
  let opening = ''
  let some = false
  let finished = false
  let isOver = false
  try {
    while (!isOver) {
      const bytes = pieces.take() ?? (await pieces.next())
      // Some servers end the body without the blank line that ends its last event.
      const text = bytes === undefined ? `${decoder.decode()}\n\n` : decoder.decode(bytes, { stream: true })
      if (!some && opening.length < MAX_OPENING) opening += text
      parser.feed(mend(text))
      const { events, isEnd, failure } = decodeAll(bytes === undefined ? waiting.filter(isWhole) : waiting)
      waiting = []
      some ||= events.length > 0
      finished ||= events.some(ends)
      isOver = isEnd
      const restMs = events.length > 0 ? yield events : 0
      if (failure !== undefined) throw failure
      if (bytes === undefined) break
      if (!isOver) await pieces.rest(restMs ?? 0)
    }
  } catch (error) {
    const known = toCallError(error, signal)
    throw some && known.code === 'upstream' && !(error instanceof EngineError) ? cut() : known
  } finally {
    pieces.close()
    body.on('error', () => undefined)
    if (isOver && body.dump !== undefined) drain(body)
    else body.destroy()
  }
  if (!some) throw nothing(opening)
  if (!finished && !isOver) throw cut()
}
