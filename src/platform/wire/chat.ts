import { z } from 'zod'
import type { Profile } from './profile.ts'
import { collectionId } from './names.ts'
import { guess } from './sureness.ts'

const contentPart = z.looseObject({ type: z.string(), text: z.string().optional() })

export const chatMessage = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(contentPart)]).nullish(),
})

const retrievalObject = z.object({ id: collectionId })

/**
 * Request of the standard chat completions POST with the additions for retrieval. Further parameters are forwarded as
 * given, so the object is loose. All three of tool field, collection object and inference header must be there, or the
 * answer comes without retrieval.
 */
export const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(chatMessage).min(1),
  temperature: z.number().nullish(),
  max_tokens: z.int().min(1).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  'enable-tools': z.boolean().nullish().meta(guess('B', 'name of the tool-enabling field')),
  collection: retrievalObject.nullish(),
  arcana: retrievalObject.nullish().meta(guess('B', 'name of the object in the saia profile')),
})

/** Id of the collection that this request names, in the names of the profile. */
export function requestedCollection(request: ChatRequest, profile: Profile): string | undefined {
  return request[profile.chatObject]?.id
}

/** Text of a message: parts that are not text are left out. */
export function messageText(message: ChatRequestMessage): string {
  if (typeof message.content === 'string') return message.content
  return (message.content ?? []).flatMap((part) => (part.text === undefined ? [] : [part.text])).join('\n')
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
  })
  .meta(guess('A'))

/** Text of the last event of a stream. Guess (A). */
export const streamEnd = '[DONE]'

const receivedMessage = z.looseObject({
  content: z.string().nullish(),
  reasoning: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z.array(toolCallDelta).nullish(),
})

/**
 * A response or a stream event, as a client must be able to read it: `choices` may be absent, null or empty, a choice
 * carries `delta` when streamed and `message` when whole.
 */
export const receivedChat = z.looseObject({
  id: z.string().nullish(),
  model: z.string().nullish(),
  choices: z
    .array(
      z.looseObject({
        delta: receivedMessage.nullish(),
        message: receivedMessage.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.looseObject({}).nullish(),
})

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
export type ReceivedChat = z.infer<typeof receivedChat>
export type ReceivedToolCall = z.infer<typeof toolCallDelta>
