import { z } from 'zod'
import { RETRIEVAL_LIMITS } from './chat.ts'
import { guess } from './names.ts'

/** Values by which clients do not ask for the thing. */
const isUnset = (value: unknown) => value === undefined || value === null || value === false || value === 0

/** A field of OpenAI that is not supported: it may only be there unset. `remedy` says what to do. */
export const notDone = (remedy: string) => z.unknown().refine(isUnset, { error: remedy }).optional()

/** A field that changes nothing in an answer. */
export const inert = z.unknown().optional()

const onUnknown = (issue: { readonly code?: string; readonly keys?: readonly string[] }) =>
  issue.code === 'unrecognized_keys'
    ? `${issue.keys?.map((key) => `\`${key.slice(0, 50)}\``).join(', ')} is not supported: leave it out`
    : undefined

/** An object whose further fields are refused: a misspelt one would be ignored. */
export const knownFields = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape, { error: onUnknown })

/** Names and values that come back as they are. */
const metadata = z.record(z.string().max(64), z.string().max(512))

const fileSearch = knownFields({
  type: z.literal('file_search', {
    error: 'The only tool is `file_search`: leave others out, or run them yourself by POST /v1/chat/completions',
  }),
  vector_store_ids: z
    .array(z.string().min(1), { error: 'Name at least one vector store' })
    .min(1, { error: 'Name at least one vector store' })
    .max(RETRIEVAL_LIMITS.collections, { error: `At most ${RETRIEVAL_LIMITS.collections} stores are asked at once` }),
  max_num_results: z.int().min(1).max(RETRIEVAL_LIMITS.chunks).nullish(),
  filters: notDone('Files have no attributes to filter by: keep them in vector stores of their own'),
  ranking_options: knownFields({
    ranker: inert,
    score_threshold: notDone('A threshold is not supported: use `max_num_results`, or the search of the vector store'),
    hybrid_search: notDone('Weights are not supported: leave them out'),
  }).nullish(),
})

const toolChoice = z.union([z.enum(['auto', 'required', 'none']), z.looseObject({ type: z.literal('file_search') })], {
  error: '`tool_choice` is `auto`, `required`, `none` or `{"type":"file_search"}`',
})

const format = z.looseObject({
  type: z.enum(['text', 'json_object', 'json_schema'], { error: 'A format is `text`, `json_object` or `json_schema`' }),
})

/** One item of a conversation; which ones are taken, and which parts, is decided where they are translated. */
export const responseItem = z.looseObject({
  type: z.string().nullish(),
  role: z.string().nullish(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish(),
})

/** Request of POST `/responses`. Not in the interface; guess (B): as OpenAI has it. */
export const responseRequest = knownFields({
  model: z.string({ error: 'Name a model; GET /v1/models lists them' }).min(1),
  input: z.union([z.string().min(1), z.array(responseItem).min(1)], {
    error: '`input` is a text, or a list of messages',
  }),
  instructions: z.string().nullish(),
  tools: z.array(fileSearch).max(1, { error: 'Send one `file_search` with all vector stores' }).nullish(),
  tool_choice: toolChoice.nullish(),
  include: z
    .array(z.literal('file_search_call.results', { error: '`include` supports only `file_search_call.results`' }))
    .nullish(),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  text: knownFields({
    format: format.nullish(),
    verbosity: notDone('Say in `instructions` how long it may be'),
  }).nullish(),
  reasoning: knownFields({
    effort: z.string().nullish(),
    summary: notDone('Thinking is not shown: leave `summary` out'),
    generate_summary: notDone('Thinking is not shown: leave it out'),
  }).nullish(),
  metadata: metadata.nullish(),
  store: notDone('Responses are not kept: set `store` to false, and send earlier turns in `input`'),
  previous_response_id: notDone('Responses are not kept: send earlier turns in `input`'),
  conversation: notDone('Conversations are not kept: send earlier turns in `input`'),
  background: notDone('Answers in the background are not supported: leave `background` out, and stream'),
  prompt: notDone('Prompts are not kept: send the text in `instructions`'),
  top_logprobs: notDone('Probabilities of tokens are not supported: ask for them by POST /v1/chat/completions'),
  max_tool_calls: inert,
  parallel_tool_calls: inert,
  prompt_cache_key: inert,
  prompt_cache_retention: inert,
  safety_identifier: inert,
  service_tier: z.enum(['auto', 'default'], { error: 'There is one tier: leave `service_tier` out' }).nullish(),
  stream_options: inert,
  truncation: z.enum(['auto', 'disabled']).nullish(),
  user: inert,
}).meta(guess('B'))

/** A mark in the text. `index` is OpenAI's; the range and the place are added (U). */
const fileCitation = z.object({
  type: z.literal('file_citation'),
  /** Start of the mark. Positions count UTF-16 units, as strings do in JavaScript. */
  index: z.int(),
  start_index: z.int(),
  end_index: z.int(),
  file_id: z.string(),
  filename: z.string(),
  /** `p.3`, `L10-24`, `0:42`. */
  place: z.string().optional(),
})

const outputText = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(fileCitation),
  logprobs: z.array(z.unknown()),
})

const message = z.object({
  type: z.literal('message'),
  id: z.string(),
  status: z.enum(['in_progress', 'completed', 'incomplete']),
  role: z.literal('assistant'),
  content: z.array(outputText),
})

const fileSearchCall = z.object({
  type: z.literal('file_search_call'),
  id: z.string(),
  status: z.enum(['in_progress', 'searching', 'completed']),
  queries: z.array(z.string()),
  /** The passages that the answer may rest on, if `include` asks for them. */
  results: z
    .array(
      z.object({
        file_id: z.string(),
        filename: z.string(),
        /** 1 is best. */
        score: z.number(),
        text: z.string(),
        attributes: z.object({}),
      }),
    )
    .nullable(),
})

const usage = z.object({
  input_tokens: z.number(),
  input_tokens_details: z.object({ cached_tokens: z.number(), cache_write_tokens: z.number() }),
  output_tokens: z.number(),
  output_tokens_details: z.object({ reasoning_tokens: z.number() }),
  total_tokens: z.number(),
})

/** The answer, as our server writes it. Guess (B): as OpenAI has it. */
export const response = z
  .object({
    id: z.string(),
    object: z.literal('response'),
    /** Unix time, seconds. */
    created_at: z.int(),
    completed_at: z.int().nullable(),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z.object({ reason: z.enum(['max_output_tokens', 'content_filter']) }).nullable(),
    model: z.string(),
    instructions: z.string().nullable(),
    output: z.array(z.discriminatedUnion('type', [fileSearchCall, message])),
    usage: usage.nullable(),
    tools: z.array(z.unknown()),
    tool_choice: z.unknown(),
    parallel_tool_calls: z.boolean(),
    temperature: z.number().nullable(),
    top_p: z.number().nullable(),
    max_output_tokens: z.int().nullable(),
    text: z.object({ format: z.unknown() }),
    reasoning: z.object({ effort: z.string().nullable(), summary: z.null() }),
    truncation: z.enum(['auto', 'disabled']),
    metadata,
    store: z.literal(false),
    background: z.literal(false),
    previous_response_id: z.null(),
  })
  .meta(guess('B'))

/** One event of a streamed response; `event:` has its type, too. Guess (B): as OpenAI has it. */
export const responseEvent = z
  .looseObject({ type: z.string().regex(/^response\./), sequence_number: z.int() })
  .meta(guess('B'))

export type ResponseRequest = z.infer<typeof responseRequest>
export type ResponseItem = z.infer<typeof responseItem>
export type ResponseBody = z.infer<typeof response>
export type ResponseOutput = ResponseBody['output'][number]
export type ResponseMessage = z.infer<typeof message>
export type ResponseEvent = z.infer<typeof responseEvent>
export type FileCitation = z.infer<typeof fileCitation>
