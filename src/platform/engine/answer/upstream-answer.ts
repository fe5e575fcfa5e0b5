import { setTimeout as delay } from 'node:timers/promises'
import { formatReferences } from '../../wire/chat.ts'
import type { Passage } from '../api/retrieve.ts'
import { readEvents, type UpstreamEvent } from '../upstream/event-stream.ts'
import { readObject, type UpstreamHttp, type UpstreamResponse } from '../upstream/http.ts'

/** The block that ends an answer from these passages; empty without any. */
export function toBlock(passages: readonly Passage[]): string {
  return formatReferences(passages)
}

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
/** Text beside a tool call is no answer yet: the answer to the tool's result has the block. */
const callsTools = (words: Words | null | undefined) =>
  (words?.tool_calls ?? []).length > 0 || (words?.function_call ?? null) !== null
const ends = (choice: Choice) => (choice.finish_reason ?? null) !== null

/** Puts the block behind the text of every choice; one without text (tokens ran out) or with a tool call stays as it is. */
export function appendToResponse(body: object, block: string): object {
  if (block === '') return body
  const choices = choicesOf(body).map((choice) =>
    speaks(choice.message) && !callsTools(choice.message)
      ? { ...choice, message: { ...choice.message, content: `${choice.message?.content}${block}` } }
      : choice,
  )
  return { ...body, choices }
}

/**
 * Puts the block behind the text of a stream, per choice, before the event that ends it. Events that it has no business
 * with go on as they came, to the byte.
 */
export function createStreamAppender(block: string) {
  const spoken = new Set<number>()
  const done = new Set<number>()
  let last: object = {}

  const blockFor = (index: number): string[] => {
    if (!spoken.has(index) || done.has(index)) return []
    done.add(index)
    const choices = [{ index, delta: { content: block }, finish_reason: null }]
    return [JSON.stringify({ ...last, usage: undefined, choices })]
  }

  return {
    /** Events to send for one that came. */
    next(raw: string, body: object): string[] {
      if (block === '') return [raw]
      const choices = choicesOf(body)
      last = body
      for (const choice of choices) {
        if (speaks(choice.delta)) spoken.add(choice.index ?? 0)
        if (callsTools(choice.delta)) done.add(choice.index ?? 0)
      }
      const blocks = choices.filter(ends).flatMap((choice) => blockFor(choice.index ?? 0))
      if (blocks.length === 0) return [raw]
      if (!choices.some((choice) => speaks(choice.delta))) return [...blocks, raw]
      // The last words come with the end itself: they go first, then the block, then the end.
      const words = choices.map((choice) => ({ ...choice, finish_reason: null }))
      const closing = choices.filter(ends).map(({ index = 0, finish_reason }) => ({ index, delta: {}, finish_reason }))
      return [
        JSON.stringify({ ...body, usage: undefined, choices: words }),
        ...blocks,
        JSON.stringify({ ...body, choices: closing }),
      ]
    },
    /** Blocks that are still to be sent when the stream ends without a closing event. */
    end: (): string[] => [...spoken].flatMap(blockFor),
  }
}

/**
 * So long the first event is waited for before the stream is opened to the caller: what fails until then gets a
 * fitting status, and a slow model still shows the caller an open stream in time.
 */
const FIRST_EVENT_MS = 10_000

async function send(http: UpstreamHttp, json: object, signal: AbortSignal | undefined): Promise<UpstreamResponse> {
  return http.send({ method: 'POST', path: '/chat/completions', json, signal })
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
