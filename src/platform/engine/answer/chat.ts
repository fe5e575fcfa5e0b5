import { estimateTokens } from '../../../lib/tokens.ts'
import { type ChatRequest, type ChatUsage, messageText, type RequestedRetrieval } from '../../wire/chat.ts'
import type { CollectionService } from '../api/collections.ts'
import { EXTRACTIVE_MODEL } from '../api/models.ts'
import type { Passage, Retrieve, Retrieved } from '../api/retrieve.ts'
import { EngineError } from '../errors.ts'
import type { UserRow } from '../storage/catalog.ts'
import type { EngineClock } from '../types.ts'
import type { UpstreamHttp, UpstreamOptions } from '../upstream/http.ts'
import { answerFromPassages, answerLanguage, answerWithoutFiles, toEvents, toResponse } from './extractive.ts'
import { searchInOtherWords } from './other-words.ts'
import { buildPrompt, fitPassages, PROMPT_TOKENS, toSearchText } from './prompt.ts'
import { answerFromTables, type TableAnswer } from './tables/table-answer.ts'
import type { ReadTableFiles } from './tables/table-files.ts'
import { streamFromUpstream, toBlock, wholeFromUpstream } from './upstream-answer.ts'

/** Default number of chunks behind an answer. */
const RETRIEVAL_LIMIT = 6
/** Estimated tokens added to the prompt for each chunk of a requested number; a chunk is cut to fewer. */
const TOKENS_PER_CHUNK = 500

export interface ChatCall {
  readonly user: UserRow
  readonly request: ChatRequest
  /** Absent: no retrieval. */
  readonly retrieval?: RequestedRetrieval
  readonly signal?: AbortSignal
}

export type ChatAnswer =
  | { readonly kind: 'whole'; readonly body: object }
  /**
   * JSON texts of the events, without the end mark. A failure before the first event rejects the call; a later one is
   * thrown by the iteration.
   */
  | { readonly kind: 'stream'; readonly events: AsyncIterable<string> }

/** @throws {EngineError} `not-found` (model, collection), `forbidden`, `upstream`, `rate-limited` … */
export type Chat = (call: ChatCall) => Promise<ChatAnswer>

export interface ChatParts {
  readonly collections: CollectionService
  readonly retrieve: Retrieve
  readonly tables: ReadTableFiles
  readonly upstream: UpstreamOptions | undefined
  readonly http: UpstreamHttp | undefined
  readonly clock: EngineClock
}

const lastQuestion = (request: ChatRequest): string => {
  const message = request.messages.findLast((one) => one.role === 'user')
  return message === undefined ? '' : messageText(message)
}

function toUsage(request: ChatRequest, text: string): ChatUsage {
  const asked = request.messages.reduce((sum, message) => sum + estimateTokens(messageText(message)), 0)
  const answered = estimateTokens(text)
  return { prompt_tokens: asked, completion_tokens: answered, total_tokens: asked + answered }
}

/** The request without our own fields: some model servers refuse unknown ones. */
function toUpstreamBody(request: ChatRequest): Omit<ChatRequest, 'collection' | 'arcana' | 'enable-tools'> {
  const { collection: _collection, arcana: _arcana, 'enable-tools': _tools, ...body } = request
  return body
}

/** Text after an answer in JSON would break it. */
function wantsJson({ response_format: format }: ChatRequest): boolean {
  const type = typeof format === 'object' && format !== null && 'type' in format ? format.type : undefined
  return type === 'json_object' || type === 'json_schema'
}

async function* iterate(events: Iterable<string>): AsyncGenerator<string> {
  yield* events
}

/** A model is told what was computed above the rows that it rests on; a reference shows the rows alone. */
function withComputed({ passages, computed }: Retrieved & { readonly computed: TableAnswer | undefined }) {
  if (computed === undefined) return passages
  return [
    ...computed.passages.map((one, at) => (at === 0 ? { ...one, lead: `${computed.summary}\n` } : one)),
    ...passages,
  ]
}

export function createChat(parts: ChatParts): Chat {
  const { retrieve, collections, http, clock } = parts

  async function retrieveFor(call: ChatCall, quotes: boolean) {
    const { retrieval } = call
    if (retrieval === undefined) return undefined
    // One unreadable collection refuses the question: an answer without it would be half an answer.
    const rows = await Promise.all(
      retrieval.collections.map((name) =>
        name.includes('/') ? collections.readable(call.user, name) : collections.reading(call.user, name),
      ),
    )
    const question = toSearchText(call.request.messages)
    const { filename, limit = RETRIEVAL_LIMIT } = retrieval
    const search = (words: string) => retrieve(rows, { question: words, limit, quotes, filename })
    const own = await search(question)
    // A model finds other words by itself.
    const retrieved = quotes ? await searchInOtherWords(question, own, search) : own
    const asked = lastQuestion(call.request)
    const sources = await parts.tables(rows, retrieved.passages, filename)
    return { ...retrieved, computed: answerFromTables(asked, sources, answerLanguage(asked)) }
  }

  async function extractive(call: ChatCall): Promise<ChatAnswer> {
    const question = lastQuestion(call.request)
    const retrieved = await retrieveFor(call, true)
    const answer =
      retrieved === undefined
        ? { text: answerWithoutFiles(question), passages: [] as readonly Passage[] }
        : (retrieved.computed ?? answerFromPassages(question, retrieved))
    const text = `${answer.text}${toBlock(answer.passages)}`
    const completion = { model: EXTRACTIVE_MODEL, text, usage: toUsage(call.request, text), now: clock() }
    if (call.request.stream !== true) return { kind: 'whole', body: toResponse(completion) }
    const includeUsage = call.request.stream_options?.include_usage === true
    return { kind: 'stream', events: iterate(toEvents(completion, includeUsage)) }
  }

  async function upstream(call: ChatCall, server: UpstreamHttp): Promise<ChatAnswer> {
    const retrieved = await retrieveFor(call, false)
    const room = Math.max(PROMPT_TOKENS.passages, (call.retrieval?.limit ?? 0) * TOKENS_PER_CHUNK)
    const passages = retrieved === undefined ? [] : fitPassages(withComputed(retrieved), room)
    const body = toUpstreamBody(call.request)
    const json = retrieved === undefined ? body : { ...body, messages: buildPrompt(call.request.messages, passages) }
    const block = wantsJson(call.request) ? '' : toBlock(passages)
    return call.request.stream === true
      ? { kind: 'stream', events: await streamFromUpstream(server, json, block, call.signal) }
      : { kind: 'whole', body: await wholeFromUpstream(server, json, block, call.signal) }
  }

  return async (call) => {
    if (call.request.model === EXTRACTIVE_MODEL) return extractive(call)
    if (http !== undefined) return upstream(call, http)
    throw new EngineError(
      'not-found',
      `There is no model ${call.request.model}: without UPSTREAM_BASE_URL the only model is ${EXTRACTIVE_MODEL}.`,
      { reason: 'model_not_found' },
    )
  }
}
