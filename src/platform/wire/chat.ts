import { z } from 'zod'
import { type Profile, PROFILE_NAMES, PROFILES } from './profile.ts'
import { chatReferences } from './references.ts'
import { collectionId, collectionName, guess } from './names.ts'

const contentPart = z.looseObject({ type: z.string(), text: z.string().optional() })

export const chatMessage = z.looseObject({
  // `function` is the old name of `tool`; clients with old conversations still send it.
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(contentPart)]).nullish(),
})

/** Most collections in one question, and most chunks of one request. Our own choice (U). */
export const RETRIEVAL_LIMITS = { collections: 16, chunks: 50 } as const

/**
 * The ids in the `id` of the collection object, separated by commas (U). A comma splits only before an `<owner>/`,
 * since names may contain commas. Each id once, in order.
 */
export function splitCollectionIds(id: string): readonly string[] {
  const ids = id.split(/,(?=[^/,]+\/)/).map((one) => one.trim())
  return [...new Set(ids)]
}

const collectionIds = z
  .string()
  .refine((id) => splitCollectionIds(id).length <= RETRIEVAL_LIMITS.collections, {
    error: `At most ${RETRIEVAL_LIMITS.collections} collections can be asked at once.`,
    abort: true,
  })
  .refine((id) => splitCollectionIds(id).every((one) => collectionId.safeParse(one).success), {
    error: 'A collection id is <owner>/<name>; several stand with commas between them.',
  })

/**
 * Object that asks for retrieval: `id` is shown, several ids, `limit` and `filename` are our own choice (U). Strict: a
 * misspelt field would be ignored.
 */
const retrievalObject = z.strictObject({
  id: collectionIds,
  /** Most chunks that are retrieved, and so most entries of the References block. Default 6. */
  limit: z.int().min(1).max(RETRIEVAL_LIMITS.chunks).nullish().meta(guess('U')),
  /** Flat name: only this file is asked. 404 when no collection holds it. */
  filename: z.string().min(1).nullish().meta(guess('U')),
})

/** The same under the name of the deployed service, whose clients send more in it (an older form has a `key`). */
const arcanaObject = z.looseObject(retrievalObject.shape)

/** Plain name or full id in place of the object (U): it asks for retrieval by itself, without field and header. */
const namedCollection = z
  .string()
  .refine((name) => (name.includes('/') ? collectionIds : collectionName).safeParse(name).success, {
    error: 'A collection is named by its plain name, or by <owner>/<name>.',
  })

const collectionField = z.union([retrievalObject, namedCollection], {
  error: (issue) =>
    issue.code === 'invalid_union' ? issue.errors[typeof issue.input === 'string' ? 1 : 0]?.[0]?.message : undefined,
})

/**
 * Request of the standard chat completions POST with the additions for retrieval. Further parameters are forwarded as
 * given, so the object is loose. All three of tool field, collection object and inference header must be there, or the
 * answer comes without retrieval; a collection that is only named (a string) needs neither of the others.
 *
 * The References block ends the text of every choice that answers (with `n` each has it, in a stream too). It is absent
 * where it would do harm or refer to nothing (U): after a choice that calls tools (the answer is still to come, and has
 * it), after one without text, and when `response_format` asks for JSON, which it would break.
 */
export const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(chatMessage).min(1),
  temperature: z.number().nullish(),
  max_tokens: z.int().min(1).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  'enable-tools': z.boolean().nullish().meta(guess('B', 'name of the tool-enabling field')),
  collection: collectionField.nullish().meta(guess('U', 'the string')),
  arcana: arcanaObject.nullish().meta(guess('B', 'name of the object in the saia profile')),
})

/** The retrieval part of a request. */
export interface RequestedRetrieval {
  /** Full ids, or one plain name. */
  readonly collections: readonly string[]
  readonly limit?: number
  readonly filename?: string
}

/** The retrieval part of this request, by the names of the profile. */
export function requestedRetrieval(request: ChatRequest, profile: Profile): RequestedRetrieval | undefined {
  const wanted = request[profile.chatObject]
  if (wanted === undefined || wanted === null) return undefined
  if (typeof wanted === 'string') return { collections: wanted.includes('/') ? splitCollectionIds(wanted) : [wanted] }
  return {
    collections: splitCollectionIds(wanted.id),
    limit: wanted.limit ?? undefined,
    filename: wanted.filename ?? undefined,
  }
}

/** The profile whose object this request has; undefined without a collection. */
export function namesOf(request: ChatRequest): Profile | undefined {
  const used = PROFILE_NAMES.find((name) => (request[PROFILES[name].chatObject] ?? null) !== null)
  return used && PROFILES[used]
}

/** `id` of the collection object, in the names of the profile; may hold several. */
export function requestedCollection(request: ChatRequest, profile: Profile): string | undefined {
  const wanted = request[profile.chatObject]
  return typeof wanted === 'string' ? wanted : wanted?.id
}

/** Text of a message, without parts of other types. */
export function messageText(message: ChatRequestMessage): string {
  if (typeof message.content === 'string') return message.content
  return (message.content ?? []).flatMap((part) => (part.text === undefined ? [] : [part.text])).join('\n')
}

/** The last words of the person; empty where they said nothing. */
export const lastQuestion = (request: Pick<ChatRequest, 'messages'>): string => {
  const message = request.messages.findLast((one) => one.role === 'user')
  return message === undefined ? '' : messageText(message)
}

export const chatUsage = z.looseObject({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
})

/** Not streamed, as our server writes it. Fields beyond the message are a guess (A): as OpenAI has them. */
export const chatResponse = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.int(),
        message: z.object({
          role: z.literal('assistant'),
          /** Null when the tokens ran out during reasoning. */
          content: z.string().nullable(),
          reasoning: z.string().nullish(),
        }),
        finish_reason: z.string().nullable(),
      }),
    ),
    usage: chatUsage.optional(),
    references: chatReferences,
  })
  .meta(guess('A'))

const toolCallDelta = z.looseObject({
  index: z.number().nullish(),
  id: z.string().nullish(),
  type: z.string().nullish(),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
})

/** One event of a stream, as our server writes it. Guess (A): as OpenAI has it. */
export const chatStreamEvent = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion.chunk'),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.int(),
        delta: z.object({
          role: z.literal('assistant').optional(),
          content: z.string().nullish(),
          reasoning: z.string().nullish(),
          tool_calls: z.array(toolCallDelta).optional(),
        }),
        finish_reason: z.string().nullable(),
      }),
    ),
    usage: chatUsage.nullish(),
    references: chatReferences,
  })
  .meta(guess('A'))

/** Text of the last event of a stream. Guess (A). */
export const STREAM_END = '[DONE]'

/** Whether a choice has ended. Some servers give each piece an empty reason, or the word `null`. */
export const isFinish = (reason: unknown): reason is string =>
  typeof reason === 'string' && reason !== '' && reason !== 'null'

/** Reasons of a choice that a failure ended; `abort` is that of vLLM and SGLang. */
const FAILURES = /^(?:error|abort)$/i
export const isFailedFinish = (reason: unknown): boolean => typeof reason === 'string' && FAILURES.test(reason)

/** The reasons of a choice that a filter, or a limit, ended, as OpenAI names them. */
export const FILTER_FINISH = 'content_filter'
export const LENGTH_FINISH = 'length'

/** The names of Gemini, Anthropic, Bedrock, Zhipu and Mistral, which gateways hand on. */
const FILTERS = new Set(
  (
    'content_filter content_filtered refusal safety image_safety recitation prohibited_content blocklist spii sensitive ' +
    'guardrail_intervened'
  ).split(' '),
)
const LENGTHS = /^(?:length|max_tokens|max_length|model_length|model_context_window_exceeded)$/i

/** The reason in the word of the contract. */
export const toFinish = (reason: string): string =>
  FILTERS.has(reason.toLowerCase()) ? FILTER_FINISH : LENGTHS.test(reason) ? LENGTH_FINISH : reason

/** A tool call that only tells progress (`arcana.event`, `tools.event`, …): shown, never executed. Guess (A). */
export function isProgressTool(name: string): boolean {
  return name.endsWith('.event')
}

/** Arguments of a progress tool call. Guess (A): `{"event":"accessing","arcana":"owner/name"}`, then `{"event":"done"}`. */
export const progressArguments = z.looseObject({ event: z.string() })

export type ChatRequest = z.infer<typeof chatRequest>
export type ChatRequestMessage = z.infer<typeof chatMessage>
export type ChatUsage = z.infer<typeof chatUsage>
export type ChatResponse = z.infer<typeof chatResponse>
export type ChatStreamEvent = z.infer<typeof chatStreamEvent>
