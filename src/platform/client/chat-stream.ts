import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { parseErrorBody, readStreamError, type WireError } from '../wire/errors.ts'
import { receivedChat, STREAM_END, type ReceivedChat } from '../wire/chat.ts'
import { PlatformError, sentence } from './errors.ts'
import { parseJson } from './reply.ts'

/** Most characters of one unfinished event. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024

/** Characters kept from the beginning, to quote them if the body is not a stream. */
const MAX_OPENING_CHARACTERS = 400

/** Parses a server-sent event stream, however its bytes are cut. Comments are dropped. */
async function* readEvents(
  pieces: AsyncIterable<Uint8Array>,
  doing: string,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const decoder = new TextDecoder()
  let ready: EventSourceMessage[] = []
  let overflow = false
  let any = false
  let opening = ''
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: (event) => ready.push(event),
    onError: (error) => {
      overflow ||= error.type === 'max-buffer-size-exceeded'
    },
  })
  const take = () => {
    if (overflow) throw nonsense(doing, 'an event without an end')
    const events = ready
    ready = []
    any ||= events.length > 0
    return events
  }
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true })
    if (opening.length < MAX_OPENING_CHARACTERS) opening += text.slice(0, MAX_OPENING_CHARACTERS)
    parser.feed(text)
    yield* take()
  }
  // Some servers omit the blank line after the last event: an added line break closes it.
  parser.feed(`${decoder.decode()}\n\n`)
  yield* take()
  // Plain text in place of a stream ("Model Not Found") has no field that the parser knows.
  const first = opening.trim().split(/[\r\n]/)[0] ?? ''
  if (!any && !/^(:|(data|event|id|retry)\b|$)/.test(first)) throw nonsense(doing, first.slice(0, 200))
}

/** Tells JSON from a stream by the first character that is no space; the content type may be wrong. */
async function sniff(pieces: AsyncIterator<Uint8Array>): Promise<{ json: boolean; head: Uint8Array[] }> {
  const head: Uint8Array[] = []
  for (;;) {
    const piece = await pieces.next()
    if (piece.done === true) return { json: false, head }
    head.push(piece.value)
    const first = /[^\s\uFEFF]/.exec(
      Buffer.concat(head)
        .toString('utf8')
        .replace(/\uFFFD+$/, ''),
    )?.[0]
    if (first !== undefined) return { json: first === '{' || first === '[' || first === '<', head }
  }
}

async function* resume(head: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>) {
  yield* head
  for (;;) {
    const piece = await rest.next()
    if (piece.done === true) return
    yield piece.value
  }
}

/** Details for errors while a stream is read. */
export interface StreamReading {
  readonly doing: string
  /** Removes the key from texts of the platform. */
  readonly redact: (text: string) => string
}

/**
 * The events of a streamed answer, decoded, until `[DONE]` or the end. A server that answers a stream request with
 * one JSON document is understood as a stream of one event.
 * @throws {PlatformError} `server` for an error event, an HTML page or anything else that is no event of the contract.
 */
export async function* readChatEvents(
  bytes: AsyncGenerator<Uint8Array, void, undefined>,
  reading: StreamReading,
): AsyncGenerator<ReceivedChat | typeof STREAM_END, void, undefined> {
  try {
    const { json, head } = await sniff(bytes)
    const pieces = resume(head, bytes)
    if (json) {
      yield readChatDocument(await collect(pieces), reading)
      yield STREAM_END
      return
    }
    for await (const event of readEvents(pieces, reading.doing)) {
      if (event.data.trim() === STREAM_END) {
        yield STREAM_END
        return
      }
      if (event.data === '') continue
      if (event.event === 'error') throw streamError(parseErrorBody(event.data), reading)
      yield readChatDocument(event.data, reading)
    }
  } finally {
    await bytes.return()
  }
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > MAX_EVENT_CHARACTERS) break
  }
  return text + decoder.decode()
}

/** One decoded answer or event. @throws {PlatformError} `server` when it is an error, or no answer at all. */
export function readChatDocument(data: string, reading: StreamReading): ReceivedChat {
  const decoded = parseJson(data)
  if (decoded === undefined) {
    const { message } = parseErrorBody(data)
    throw nonsense(reading.doing, reading.redact(message.slice(0, 200)))
  }
  const error = readStreamError(decoded.json)
  if (error !== undefined) throw streamError(error, reading)
  const result = receivedChat.safeParse(decoded.json)
  if (result.success) return result.data
  throw nonsense(reading.doing, `no event of the contract: ${result.error.issues[0]?.message ?? 'invalid'}`)
}

function nonsense(doing: string, detail: string): PlatformError {
  const what = `The platform's stream makes no sense while ${doing} (${detail})`
  return new PlatformError('server', sentence('server', what))
}

/** Status 200 was sent before: the status in the event counts. */
function streamError(error: WireError & { readonly status?: number }, { doing, redact }: StreamReading): PlatformError {
  const said = redact(error.message)
  const saying = said === '' ? '' : `: ${said.slice(0, 300)}`
  const what = `The platform failed within its answer while ${doing}${saying}`
  return new PlatformError('server', sentence('server', what, 'Ask again in a moment.'), { status: error.status, said })
}
