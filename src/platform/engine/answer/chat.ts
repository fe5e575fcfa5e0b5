import { withoutCourtesies } from '#lexicon/asked.ts'
import { estimateTokens } from '#lib/tokens.ts'
import {
  type ChatRequest,
  type ChatUsage,
  lastQuestion,
  messageText,
  type RequestedRetrieval,
} from '#platform/wire/chat.ts'
import { formatReferences, toReferences } from '#platform/wire/references.ts'
import type { Profile } from '#platform/wire/profile.ts'
import type { EventSteps, StreamEvent } from '#platform/wire/stream-events.ts'
import { EXTRACTIVE_MODEL, LOCAL_SPEECH_MODEL } from '../api/models.ts'
import type { Passage } from '../api/retrieve.ts'
import { EngineError } from '../errors.ts'
import { quotesFiles } from '../texts.ts'
import type { UserRow } from '../storage/catalog.ts'
import { failureCode, followText, startChatSpan, type Trace, type TraceSpan } from '../trace.ts'
import type { EngineClock } from '../types.ts'
import type { AskChat } from '../upstream/ask-chat.ts'
import type { ContextWindows } from '../upstream/context-window.ts'
import type { UpstreamOptions } from '../upstream/http.ts'
import {
  answerFromPassages,
  answerWithoutFiles,
  type ExtractiveAnswer,
  toEvents,
  toResponse,
  withMarks,
} from './extractive.ts'
import { ownPart, withOwnWords } from './quotes/own-words.ts'
import { answerMessage } from './question/questions.ts'
import { createFindPassages, type FindParts, type FoundPassages } from './find-passages.ts'
import { refuseForQuotes, wantsJson, withinLimit } from '../api/extractive-limits.ts'
import {
  buildPrompt,
  fitBudget,
  fitPassages,
  framedTokens,
  PROMPT_TOKENS,
  type PromptBudget,
  toSearchText,
} from './prompt.ts'
import { withProgress } from '../api/progress.ts'
import { bringsText, type Ending } from './answer-block.ts'
import { type StreamFollower, streamFromUpstream, wholeFromUpstream } from './upstream-answer.ts'

/** Estimated tokens added to the prompt for each chunk of a requested number; a chunk is cut to fewer. */
const TOKENS_PER_CHUNK = 500

export interface ChatCall {
  readonly user: UserRow
  readonly request: ChatRequest
  /** Absent: no retrieval. */
  readonly retrieval?: RequestedRetrieval
  /** The names under which a stream tells the progress of the retrieval; absent: it tells none. */
  readonly progress?: Profile
  /** No References block under the text: its passages are taken from the answer of this call. Default false. */
  readonly withoutBlock?: boolean
  readonly signal?: AbortSignal
}

export type ChatAnswer = {
  /** Passages that the marks in the text name, in their order. */
  readonly passages?: readonly Passage[]
} & (
  | { readonly kind: 'whole'; readonly body: object }
  /**
   * The events, without the end mark. A failure before the first event rejects the call; a later one is thrown by the
   * iteration.
   */
  | { readonly kind: 'stream'; readonly events: EventSteps }
)

/** @throws {EngineError} `not-found` (model, collection), `upstream`, `rate-limited` … */
export type Chat = (call: ChatCall) => Promise<ChatAnswer>

export interface ChatParts extends FindParts {
  readonly upstream: UpstreamOptions | undefined
  readonly contexts: ContextWindows
  /** Absent: there is no model server. */
  readonly ask: AskChat | undefined
  readonly clock: EngineClock
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

const NO_ENDING: Ending = { block: '', references: [], offersTools: false }

const toEnding = (passages: readonly Passage[], { request, withoutBlock }: ChatCall): Ending =>
  withoutBlock === true
    ? NO_ENDING
    : { block: formatReferences(passages), references: toReferences(passages), offersTools: offersTools(request) }

const offersTools = ({ tools, functions }: ChatRequest) =>
  [tools, functions].some((offered) => Array.isArray(offered) && offered.length > 0)

async function* atOnce(events: Iterable<StreamEvent>): EventSteps {
  yield [...events]
}

/** A model gets the computed result above its rows; a reference shows the rows alone. */
function withComputed({ passages, computed }: FoundPassages) {
  if (computed === undefined) return passages
  return [
    ...computed.passages.map((one, at) => (at === 0 ? { ...one, lead: `${computed.summary}\n` } : one)),
    ...passages,
  ]
}

function setUsage(span: TraceSpan, body: object): void {
  const usage = 'usage' in body ? body.usage : undefined
  if (typeof usage !== 'object' || usage === null) return
  const count = (name: string) => {
    const value = (usage as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'number' ? value : undefined
  }
  span.set({
    'gen_ai.usage.input_tokens': count('prompt_tokens'),
    'gen_ai.usage.output_tokens': count('completion_tokens'),
  })
}

/** Each event of a stream is text or close to it; usage is in the last one, where it was asked for. */
function followPieces(span: TraceSpan): StreamFollower {
  const follow = followText(span)
  return {
    piece(event) {
      setUsage(span, event.body)
      if (bringsText(event)) follow.text()
    },
    end: (error) => follow.end(error === undefined || typeof error === 'string' ? error : failureCode(error)),
  }
}

/** The answer of the model server, as a step of the trace that ends with it. */
async function askUpstream(
  server: AskChat,
  asked: Pick<ChatCall, 'request' | 'signal'> & { readonly json: object; readonly ending: Ending },
  trace: Trace | undefined,
): Promise<ChatAnswer> {
  const { request, json, ending, signal } = asked
  const stream = request.stream === true
  const span = startChatSpan(trace, { model: request.model, provider: 'openai', stream })
  try {
    if (stream) {
      const follow = span && followPieces(span)
      return { kind: 'stream', events: await streamFromUpstream(server, json, ending, signal, follow) }
    }
    const whole = await wholeFromUpstream(server, json, ending, signal)
    if (span !== undefined) setUsage(span, whole)
    span?.end()
    return { kind: 'whole', body: whole }
  } catch (error) {
    span?.end(failureCode(error))
    throw error
  }
}

function unknownModel({ model }: ChatRequest): EngineError {
  const sentence = `There is no model ${model}: without UPSTREAM_BASE_URL the only model is ${EXTRACTIVE_MODEL}.`
  return new EngineError('not-found', sentence, { reason: 'model_not_found' })
}

/** @throws {EngineError} `invalid` for a model that is known to do something else than answer */
function refuseSilentModel({ model }: ChatRequest, upstream: UpstreamOptions | undefined): void {
  if (model === upstream?.chatModel) return
  const hears = model === LOCAL_SPEECH_MODEL || model === upstream?.transcriptionModel
  if (!hears && model !== upstream?.embeddingModel) return
  const does = hears ? 'transcribes recordings' : 'makes vectors of texts'
  const other = upstream?.chatModel ?? EXTRACTIVE_MODEL
  throw new EngineError('invalid', `The model ${model} ${does} and answers no chat: ask ${other}.`, {
    reason: 'model_not_supported',
  })
}

/** How often a prompt that was refused as too long is shortened: half of the passages, then no history. */
const MAX_SHORTENED = 3

/** Less than the refused prompt: passages go first, then earlier turns. */
function shorter(sent: readonly Passage[], { history }: PromptBudget, fitting: PromptBudget): PromptBudget {
  const half = Math.floor(framedTokens(sent) / 2)
  const isSmall = sent.length <= 1 || half < TOKENS_PER_CHUNK
  return { passages: Math.min(half, fitting.passages), history: isSmall ? 0 : Math.min(history, fitting.history) }
}

const lastOfUser = ({ messages }: ChatRequest) => messages.findLastIndex((one) => one.role === 'user')

const isToldOfModel = (messages: ChatRequest['messages']) =>
  messages.some((one) => one.role === 'assistant' && quotesFiles(messageText(one)))

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createChat(parts: ChatParts): Chat {
  const { ask, contexts, clock, trace } = parts
  const findPassages = createFindPassages(parts)

  /** Answers one question in the place of the last message, after those before it in that message. */
  async function quote(call: ChatCall, question: string, before: readonly string[]): Promise<ExtractiveAnswer> {
    const earlier = call.request.messages.slice(0, lastOfUser(call.request))
    const asked = [...before, question].map((content) => ({ role: 'user', content }) as const)
    const request = { ...call.request, messages: [...earlier, ...asked] }
    const retrieved = await findPassages({ ...call, request }, true)
    if (retrieved === undefined) return { text: answerWithoutFiles(question), passages: [], refuses: true }
    const said = withoutCourtesies(question)
    const goesOn = toSearchText(request.messages) !== said
    const own = ownPart(said) ?? (goesOn ? retrieved.asked : undefined)
    const found = own === undefined ? retrieved : withOwnWords(own, retrieved)
    return retrieved.computed ?? answerFromPassages(retrieved.asked, found, isToldOfModel(earlier))
  }

  async function extractive(call: ChatCall): Promise<ChatAnswer> {
    refuseForQuotes(call.request)
    const question = lastQuestion(call.request)
    const answer =
      call.retrieval === undefined
        ? { text: answerWithoutFiles(question), passages: [], refuses: true }
        : await answerMessage(question, (one, before) => quote(call, one, before))
    const { passages } = answer
    const ending = toEnding(passages, call)
    const { text, isCut } = withinLimit(call.request, call.withoutBlock === true ? withMarks(answer) : answer.text)
    const usage = toUsage(call.request, text)
    const completion = { model: EXTRACTIVE_MODEL, text, isCut, ending, usage, now: clock() }
    if (call.request.stream !== true) return { kind: 'whole', body: toResponse(completion), passages }
    const includeUsage = call.request.stream_options?.include_usage === true
    return { kind: 'stream', events: atOnce(toEvents(completion, includeUsage)), passages }
  }

  async function upstream(call: ChatCall, server: AskChat): Promise<ChatAnswer> {
    const { request, signal } = call
    const body = toUpstreamBody(request)
    if (call.retrieval === undefined)
      return askUpstream(server, { request, json: body, ending: NO_ENDING, signal }, trace)
    const looking = contexts.of(request.model)
    const retrieved = await findPassages(call, false)
    const most = Math.max(PROMPT_TOKENS.passages, (call.retrieval.limit ?? 0) * TOKENS_PER_CHUNK)
    const answerTokens = request.max_tokens ?? undefined
    const budgetIn = (window: number | undefined) => fitBudget(request.messages, window, { most, answerTokens })
    let budget = budgetIn(await looking)
    for (let refused = 0; ; refused += 1) {
      const passages = retrieved === undefined ? [] : fitPassages(withComputed(retrieved), budget.passages)
      const json = { ...body, messages: buildPrompt(request.messages, passages, budget.history) }
      const ending = wantsJson(request) ? NO_ENDING : toEnding(passages, call)
      try {
        return { ...(await askUpstream(server, { request, json, ending, signal }, trace)), passages }
      } catch (error) {
        if (!(error instanceof EngineError) || error.code !== 'too-long' || refused >= MAX_SHORTENED) throw error
        const window = Number(error.fields?.['window'])
        if (window > 0) contexts.learn(request.model, window)
        budget = shorter(passages, budget, window > 0 ? budgetIn(window) : budget)
      }
    }
  }

  async function answerBy(call: ChatCall): Promise<ChatAnswer> {
    if (call.request.model === EXTRACTIVE_MODEL) return extractive(call)
    refuseSilentModel(call.request, parts.upstream)
    if (ask !== undefined) return upstream(call, ask)
    throw unknownModel(call.request)
  }

  return async (call) => {
    const answered = await answerBy(call)
    const { progress, retrieval, request } = call
    if (answered.kind === 'whole' || progress === undefined || retrieval === undefined) return answered
    const told = { model: request.model, now: clock() }
    return { ...answered, events: withProgress(answered.events, progress, retrieval.collections.join(','), told) }
  }
}
