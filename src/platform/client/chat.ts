import type { ChatMessage, ChatRequest as PortRequest } from '#bridge/port/platform.ts'
import { createLru } from '#lib/lru.ts'
import { STREAM_END } from '../wire/chat.ts'
import { collectionId, toPlainName } from '../wire/names.ts'
import { type Adjustment, sendAdjusted } from '../wire/refused-parameters.ts'
import { INFERENCE_HEADER, TOOL_FIELD } from '../wire/profile.ts'
import { createAnswer, cutError, type ChatEvent } from './chat-answer.ts'
import { readChatDocument, readChatEvents, readHandedEvents } from './chat-stream.ts'
import type { CallOptions, Context } from './context.ts'
import { abortedError, PlatformError } from './errors.ts'
import type { Reply } from './reply.ts'
import { createThoughts, type Habit } from './thoughts.ts'

export interface ChatRequest extends PortRequest {
  /** Further parameters, forwarded unchanged. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

export interface ChatAnswer {
  readonly text: string
  readonly reasoning?: string
  readonly finishReason?: string
  readonly usage?: Readonly<Record<string, unknown>>
}

/** Most bytes of an answer that is not streamed. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024

/** The deployed service answers an unknown model or collection with an opaque 500. */
const REMEDIES = {
  'not-found': 'Check PLATFORM_MODEL, and that the collection exists.',
  server: 'Try again in a moment; if it stays, check PLATFORM_MODEL and that the collection exists.',
} as const

/**
 * Pause between two reads of a stream for each open one: it is too short to see, and bytes that come meanwhile are read
 * as one.
 */
const PAUSE_A_STREAM_MS = 2
const MAX_PAUSE_MS = 250
/** Below it a pause costs more than it saves. */
const MIN_PAUSE_MS = 20
/** Growth of the pause with each read: the beginning of an answer is read as it comes. */
const PAUSE_A_READ_MS = 10

/**
 * @param reads of the stream so far
 * @param hasText its first text was read: among many streams its pause grows faster, since the first texts of others
 * come first
 */
export function pauseMs(open: number, reads: number, hasText = false): number {
  const growth = hasText ? Math.max(PAUSE_A_READ_MS, open) : PAUSE_A_READ_MS
  const ms = Math.min(open * PAUSE_A_STREAM_MS, MAX_PAUSE_MS, reads * growth)
  return ms < MIN_PAUSE_MS ? 0 : ms
}

/** Models whose manner of thinking is kept. */
const MAX_HABITS = 200

const refusalOf = (error: unknown) =>
  error instanceof PlatformError && error.code === 'invalid' ? error.refusal : undefined

const BREAKING_CODES = new Set(['timeout', 'unreachable', 'cut'])

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createChat({ profile, paths, transport, credentials, limits, redact, slots }: Context) {
  /** All three additions or none: if one is missing, the platform silently answers without retrieval. */
  const retrieval = (collection: string, file: string | undefined) => {
    if (!collectionId.safeParse(collection).success) {
      throw new PlatformError('invalid', `"${collection}" is no collection id. Give <owner>/<name>.`)
    }
    return {
      [TOOL_FIELD]: true,
      [profile.chatObject]: { id: collection, ...(file === undefined ? {} : { filename: file }) },
    }
  }

  const memory = createLru<readonly Adjustment[]>(MAX_HABITS)

  const post = (request: ChatRequest, streamed: boolean, options: CallOptions): Promise<Reply> => {
    const { model, messages, collection, file, temperature, maxTokens, parameters } = request
    const wanted = {
      ...parameters,
      model,
      messages: messages.map(toWire),
      stream: streamed,
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      ...(collection === undefined ? {} : retrieval(collection, file)),
    }
    const send = (body: object) =>
      transport.send({
        doing: doing(request),
        method: 'POST',
        path: paths.chat,
        credential: collection === undefined ? credentials.api : credentials.collectionChat,
        headers: {
          'content-type': 'application/json',
          accept: streamed ? 'text/event-stream' : 'application/json',
          [INFERENCE_HEADER.name]: collection && INFERENCE_HEADER.value,
        },
        body: JSON.stringify(body),
        firstByteMs: streamed ? limits.firstByteMs : limits.answerMs,
        retry: 'refused',
        remedies: REMEDIES,
        collection: collection && toPlainName(collection),
        workspace: options.workspace,
        signal: options.signal,
        onWait: options.onWait,
      })
    return sendAdjusted(wanted, { memory, send, refusalOf })
  }

  let open = 0
  const habits = createLru<Habit>(MAX_HABITS)

  function thoughtsOf({ model }: ChatRequest) {
    const habit = habits.get(model) ?? {}
    habits.set(model, habit)
    return createThoughts(model, habit)
  }

  async function* stream(request: ChatRequest, options: CallOptions = {}): AsyncGenerator<ChatEvent, void, undefined> {
    const answer = createAnswer(doing(request), thoughtsOf(request))
    const channel = request.collection === undefined ? '' : toPlainName(request.collection)
    const leave = await slots.enter(doing(request), { workspace: options.workspace ?? '', channel }, options.signal)
    open += 1
    const pause = (reads: number) => pauseMs(open, reads, answer.begun())
    try {
      const reply = await post(request, true, options)
      const steps = reply.steps?.(pause)
      const reading = { doing: reply.doing, redact }
      const received = steps ? readHandedEvents(steps, reading) : readChatEvents(reply.bytes(pause), reading)
      for await (const events of received) {
        if (events.at(-1) === STREAM_END) reply.relax()
        const hadText = answer.begun()
        for (const produced of joinTexts(answer.take(events), hadText)) {
          yield produced
          // Pieces that arrived before the abort are not shown after it.
          if (options.signal?.aborted) throw abortedError(reply.doing)
        }
      }
      const hadText = answer.begun()
      yield* joinTexts(answer.finish(), hadText)
    } catch (error) {
      const isCut = error instanceof PlatformError && BREAKING_CODES.has(error.code) && answer.begun()
      throw isCut ? cutError(doing(request), error) : error
    } finally {
      open -= 1
      leave()
    }
  }

  return {
    /**
     * The answer as it comes: text, reasoning and progress, then `finish` once. A piece that was passed on is never
     * asked for again. Leaving the loop closes the connection.
     * @throws {PlatformError} `empty`, `cut`, `server` and whatever else a call can fail with.
     */
    stream,
    /** The answer in one piece. @throws {PlatformError} `empty` when there is no text in it. */
    async complete(request: ChatRequest, options: CallOptions = {}): Promise<ChatAnswer> {
      const reply = await post(request, false, options)
      const answer = createAnswer(reply.doing, thoughtsOf(request))
      const body = await reply.text(MAX_ANSWER_BYTES)
      // An empty body is an empty answer, as in a stream.
      const received = body.trim() === '' ? [] : [readChatDocument(body, { doing: reply.doing, redact })]
      return gather(joinTexts([...answer.take([...received, STREAM_END]), ...answer.finish()], false))
    },
  }
}

/** With pictures the content is a list of parts, as OpenAI has them; without, plain text. */
function toWire({ role, content, images = [] }: ChatMessage) {
  if (images.length === 0) return { role, content }
  const pictures = images.map((url) => ({ type: 'image_url', image_url: { url } }))
  return { role, content: [{ type: 'text', text: content }, ...pictures] }
}

/**
 * Texts that came at once are one event; those that are retracted with them never come.
 *
 * @param hadText text was passed on before
 */
function joinTexts(events: readonly ChatEvent[], hadText: boolean): readonly ChatEvent[] {
  if (events.length < 2) return events
  const retracted = events.findLastIndex(({ type }) => type === 'retract')
  const joined: ChatEvent[] = []
  for (const [at, event] of events.entries()) {
    if (at < retracted && (event.type === 'text' || event.type === 'retract')) continue
    if (event.type === 'retract' && !hadText) continue
    const last = joined.at(-1)
    if (event.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { ...last, text: last.text + event.text }
    else joined.push(event)
  }
  return joined
}

const doing = ({ collection }: ChatRequest) =>
  collection === undefined ? 'answering' : `answering from the collection ${collection}`

function gather(events: readonly ChatEvent[]): ChatAnswer {
  const join = (type: 'text' | 'reasoning') =>
    events.flatMap((event) => (event.type === type ? [event.text] : [])).join('')
  const last = events.find((event) => event.type === 'finish')
  const reasoning = join('reasoning')
  return { text: join('text'), reasoning: reasoning || undefined, finishReason: last?.reason, usage: last?.usage }
}
