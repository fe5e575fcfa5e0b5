import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { parseErrorBody, readStreamError, type WireError } from '../wire/errors.ts'
import { STREAM_END } from '../wire/chat.ts'
import { createLineMender, readEventData } from '../wire/event-data.ts'
import { readReceived, type ReceivedChat } from '../wire/received-chat.ts'
import { type StreamEvent, toSteps } from '../wire/stream-events.ts'
import { PlatformError, sentence } from './errors.ts'
import { parseJson } from './reply.ts'

/** Most characters of one unfinished event. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024

/** Characters kept from the beginning, to quote them if the body is not a stream. */
const MAX_OPENING_CHARACTERS = 400

/** Details for errors while a stream is read. */
export interface StreamReading {
  readonly doing: string
  /** Removes the key from texts of the platform. */
  readonly redact: (text: string) => string
}

type Received = ReceivedChat | typeof STREAM_END

type ReceivedSteps = AsyncGenerator<readonly Received[], void, unknown>

/** The same for events that a platform in this process handed over: nothing is parsed. */
export function readHandedEvents(
  steps: AsyncGenerator<readonly StreamEvent[], void, undefined>,
  reading: StreamReading,
): ReceivedSteps {
  let failure: unknown
  const receive = (step: IteratorResult<readonly StreamEvent[], void>): IteratorResult<readonly Received[], void> => {
    if (step.done === true) return step
    const received: Received[] = []
    for (const { raw, body, received: known } of step.value) {
      try {
        received.push(raw === STREAM_END ? STREAM_END : (known ?? toReceived(body, reading)))
      } catch (error) {
        failure = error
        break
      }
    }
    // The events before the failure come first.
    if (failure !== undefined && received.length === 0) throw failure
    return { value: received }
  }
  return toSteps(
    () => (failure === undefined ? steps.next().then(receive) : Promise.reject(failure)),
    () => steps.return(),
  )
}

/**
 * The events of a streamed answer, decoded, until `[DONE]` or the end, those of one piece of its bytes together. A
 * server that answers a stream request with one JSON document is understood as a stream of one event.
 * @throws {PlatformError} `server` for an error event, an HTML page or anything else that is no event of the contract;
 * the events before it come first.
 */
export async function* readChatEvents(
  bytes: AsyncGenerator<Uint8Array, void, undefined>,
  reading: StreamReading,
): ReceivedSteps {
  const reader = createStreamReader(reading)
  try {
    for await (const piece of bytes) {
      reader.feed(piece)
      const events = reader.take()
      if (events.length > 0) yield events
      if (reader.isOver()) return
    }
    reader.end()
    yield reader.take()
    reader.isOver()
  } finally {
    await bytes.return()
  }
}

/** Tells JSON from a stream by the first character that is no space; the content type may be wrong. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
function createStreamReader(reading: StreamReading) {
  const decoder = new TextDecoder()
  const mend = createLineMender()
  let form: 'unknown' | 'stream' | 'document' = 'unknown'
  let opening = ''
  let document = ''
  let any = false
  let over = false
  let isEnding = false
  let failure: unknown
  let ready: Received[] = []

  function note(work: () => void): void {
    try {
      work()
    } catch (error) {
      failure ??= error
    }
  }

  function onEvent({ data, event }: EventSourceMessage): void {
    any = true
    if (over || failure !== undefined || data === '') return
    if (event === 'error') failure = streamError(parseErrorBody(data), reading)
    else readData(data)
  }

  function readData(data: string): void {
    const whole = data.startsWith('{') ? parseJson(data) : undefined
    if (whole !== undefined) return note(() => ready.push(toReceived(whole.json, reading)))
    const { documents, isEnd } = readEventData(data)
    // Half an event at the end: the answer is cut, and says so itself.
    const isHalf = isEnding && !isEnd && documents.length === 1 && /^\s*\{/.test(data)
    if (!isHalf) note(() => documents.forEach((one) => ready.push(readChatDocument(one, reading))))
    if (isEnd && failure === undefined) {
      over = true
      ready.push(STREAM_END)
    }
  }

  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent,
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') failure ??= nonsense(reading, 'an event without an end')
    },
  })

  /** One document, or some that follow one another. */
  function readDocuments(): void {
    const { documents } = readEventData(document)
    const all = documents.length === 0 ? [document] : documents
    note(() => ready.push(...all.map((one) => readChatDocument(one, reading)), STREAM_END))
  }

  function readText(text: string): void {
    if (form === 'unknown') {
      opening += text
      const first = /[^\s\uFEFF]/.exec(opening)?.[0]
      if (first === undefined) {
        opening = ''
        return
      }
      form = first === '{' || first === '[' || first === '<' ? 'document' : 'stream'
      text = opening
    } else if (opening.length < MAX_OPENING_CHARACTERS) opening += text
    if (form === 'stream') parser.feed(mend(text))
    else document += text
  }

  return {
    feed: (piece: Uint8Array) => readText(decoder.decode(piece, { stream: true })),
    /** Takes the events that were read. */
    take(): readonly Received[] {
      const taken = ready
      ready = []
      return taken
    },
    /** Whether nothing further is read. @throws {PlatformError} once the events before the failure were taken */
    isOver(): boolean {
      if (failure !== undefined) throw failure
      return over || document.length > MAX_EVENT_CHARACTERS
    },
    end(): void {
      isEnding = true
      // Some servers omit the blank line after the last event: an added line break closes it.
      readText(decoder.decode() + (form === 'document' ? '' : '\n\n'))
      if (form === 'document') return readDocuments()
      // Plain text in place of a stream ("Model Not Found") has no field that the parser knows.
      const [first = ''] = opening.trim().split(/[\r\n]/)
      if (!any && !/^(:|(data|event|id|retry)\b|$)/.test(first)) failure ??= nonsense(reading, first)
    },
  }
}

/** One decoded answer or event. @throws {PlatformError} `server` when it is an error, or no answer at all. */
export function readChatDocument(data: string, reading: StreamReading): ReceivedChat {
  const decoded = parseJson(data)
  if (decoded === undefined) {
    const { message } = parseErrorBody(data)
    throw nonsense(reading, message)
  }
  return toReceived(decoded.json, reading)
}

/** @throws {PlatformError} `server` when it is an error, or no answer at all */
function toReceived(json: unknown, reading: StreamReading): ReceivedChat {
  const error = readStreamError(json)
  if (error !== undefined) throw streamError(error, reading)
  const received = readReceived(json)
  if (received !== undefined) return received
  throw nonsense(reading, 'no event of the contract: it has no list of choices')
}

/** Most characters of a received text in an error. */
const MAX_DETAIL_CHARACTERS = 200

function nonsense({ doing, redact }: StreamReading, detail: string): PlatformError {
  // A key that is cut would not be found any more.
  const what = `The platform's stream makes no sense while ${doing} (${redact(detail).slice(0, MAX_DETAIL_CHARACTERS)})`
  return new PlatformError('server', sentence('server', what))
}

/** Status 200 was sent before: the status in the event counts. */
function streamError(error: WireError & { readonly status?: number }, { doing, redact }: StreamReading): PlatformError {
  const said = redact(error.message)
  const saying = said === '' ? '' : `: ${said.slice(0, 300)}`
  const what = `The platform failed within its answer while ${doing}${saying}`
  return new PlatformError('server', sentence('server', what, 'Ask again in a moment.'), { status: error.status, said })
}
