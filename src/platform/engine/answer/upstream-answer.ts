import { isFinish } from '../../wire/chat.ts'
import type { ChatReference } from '../../wire/references.ts'
import { type EventSteps, type StreamEvent, toSteps } from '../../wire/stream-events.ts'
import { readEvents } from '../upstream/event-stream.ts'
import { readObject, type UpstreamHttp, type UpstreamResponse } from '../upstream/http.ts'

interface Words {
  readonly content?: string | null
  readonly tool_calls?: readonly unknown[] | null
  readonly function_call?: unknown
}

interface Choice {
  readonly index?: number
  readonly delta?: Words | null
  readonly message?: Words | null
  readonly finish_reason?: string | null
}

const choicesOf = (body: object): readonly Choice[] =>
  'choices' in body && Array.isArray(body.choices) ? (body.choices as readonly Choice[]) : []

const speaks = (words: Words | null | undefined) => (words?.content ?? '') !== ''
/** Text beside a tool call is not the answer: the answer to the tool's result gets the block. */
const callsTools = (words: Words | null | undefined) =>
  (words?.tool_calls ?? []).length > 0 || (words?.function_call ?? null) !== null
const ends = (choice: Choice) => isFinish(choice.finish_reason)

/** Text and fields that end an answer from a collection. */
export interface Ending {
  /** The References block; empty: none. */
  readonly block: string
  /** Its entries as fields. */
  readonly references: readonly ChatReference[]
}

/** Appends the block to the text of every choice, except one without text (tokens ran out) or with a tool call. */
export function appendToResponse(body: object, { block, references }: Ending): object {
  if (block === '') return body
  let isAppended = false
  const choices = choicesOf(body).map((choice) => {
    if (!speaks(choice.message) || callsTools(choice.message)) return choice
    isAppended = true
    return { ...choice, message: { ...choice.message, content: `${choice.message?.content}${block}` } }
  })
  return { ...body, choices, ...(isAppended ? { references } : {}) }
}

/**
 * Appends the block to the text of each streamed choice, before the event that ends it. All other events pass
 * unchanged, to the byte.
 */
export function createStreamAppender({ block, references }: Ending) {
  const spoken = new Set<number>()
  const done = new Set<number>()
  let last: object = {}

  const blockFor = (index: number): StreamEvent[] => {
    if (!spoken.has(index) || done.has(index)) return []
    done.add(index)
    const choices = [{ index, delta: { content: block }, finish_reason: null }]
    return [{ body: { ...last, usage: undefined, choices, references } }]
  }

  return {
    /** Events to send for one received event. */
    next(event: StreamEvent): StreamEvent[] {
      if (block === '') return [event]
      const { body } = event
      const choices = choicesOf(body)
      last = body
      for (const choice of choices) {
        if (speaks(choice.delta)) spoken.add(choice.index ?? 0)
        if (callsTools(choice.delta)) done.add(choice.index ?? 0)
      }
      const blocks = choices.filter(ends).flatMap((choice) => blockFor(choice.index ?? 0))
      if (blocks.length === 0) return [event]
      if (!choices.some((choice) => speaks(choice.delta))) return [...blocks, event]
      // The closing event carries the last words: they go first, then the block, then the end.
      const words = choices.map((choice) => ({ ...choice, finish_reason: null }))
      const closing = choices.filter(ends).map(({ index = 0, finish_reason }) => ({ index, delta: {}, finish_reason }))
      return [
        { body: { ...body, usage: undefined, choices: words } },
        ...blocks,
        { body: { ...body, choices: closing } },
      ]
    },
    /** Blocks still to be sent when the stream ends without a closing event. */
    end: (): StreamEvent[] => [...spoken].flatMap(blockFor),
  }
}

/** Whether an event brings text. */
export const bringsText = (body: object): boolean => choicesOf(body).some(({ delta }) => speaks(delta))

/**
 * Longest wait for the first event before the stream opens to the caller: earlier failures get a proper status, and a
 * slow model still opens in time.
 */
const FIRST_EVENT_MS = 10_000

async function send(http: UpstreamHttp, json: object, signal: AbortSignal | undefined): Promise<UpstreamResponse> {
  return http.send({ method: 'POST', path: '/chat/completions', json, signal })
}

/** A whole answer of the model server, with the block appended. */
export async function wholeFromUpstream(
  http: UpstreamHttp,
  json: object,
  ending: Ending,
  signal: AbortSignal | undefined,
): Promise<object> {
  return appendToResponse(await readObject(await send(http, json, signal), signal), ending)
}

/**
 * A streamed answer, pulled event by event, with the block as its last text. Leaving the iteration stops the model
 * server.
 */
export async function streamFromUpstream(
  http: UpstreamHttp,
  json: object,
  ending: Ending,
  signal: AbortSignal | undefined,
  follow?: StreamFollower,
  firstEventMs = FIRST_EVENT_MS,
): Promise<EventSteps> {
  const opened = askForStream(http, json, signal)
  // It waits for the head, too: a server may send it only when its model is loaded.
  const first = opened.then((source) => source.next())
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
  return ending.block === '' && follow === undefined ? source : relay(source, ending, follow)
}

async function askForStream(http: UpstreamHttp, json: object, signal: AbortSignal | undefined): Promise<EventSteps> {
  const response = await send(http, json, signal)
  const type = [response.headers['content-type']].flat()[0] ?? ''
  return type.startsWith('application/json') ? readDocument(response, signal) : readEvents(response, signal)
}

/** A server that streams nothing: its document is one piece. */
async function* readDocument(response: UpstreamResponse, signal: AbortSignal | undefined): EventSteps {
  const body = await readObject(response, signal)
  const choices = choicesOf(body).map(({ message, ...choice }) => ({ ...choice, delta: message }))
  yield [{ body: { ...body, object: 'chat.completion.chunk', choices } }]
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

/** Sees what a model streams. */
export interface StreamFollower {
  piece(body: object): void
  /** @param error why it ended before its end; `left`: nobody read on */
  end(error?: unknown): void
}

async function* relay(source: EventSteps, ending: Ending, follow: StreamFollower | undefined): EventSteps {
  const appender = createStreamAppender(ending)
  let error: unknown = 'left'
  try {
    let step = await source.next()
    while (step.done !== true) {
      for (const { body } of step.value) follow?.piece(body)
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
