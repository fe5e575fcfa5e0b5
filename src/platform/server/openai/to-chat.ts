import { EngineError } from '#platform/engine/errors.ts'
import type { ChatRequest, ChatRequestMessage, RequestedRetrieval } from '#platform/wire/chat.ts'
import type { ResponseItem, ResponseRequest } from '#platform/wire/responses.ts'
import { toCollection } from './ids.ts'

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** Longest name from a request that a sentence repeats. */
const MAX_SHOWN_CHARS = 50

function refuse(place: string, what: string, remedy: string): never {
  const sentence = `The request does not fit: body.${place}: ${what.slice(0, MAX_SHOWN_CHARS)} is not supported: ${remedy}.`
  throw new EngineError('invalid', sentence, { reason: 'unsupported_value' })
}

const ROLES: readonly string[] = ['user', 'assistant', 'system', 'developer'] satisfies ChatRequestMessage['role'][]
const isRole = (role: unknown): role is ChatRequestMessage['role'] => typeof role === 'string' && ROLES.includes(role)

/** Items of an earlier output that clients send back: an answer does not need them. */
const OF_AN_OUTPUT = new Set(['file_search_call', 'reasoning'])

const TEXTS: Readonly<Record<string, string>> = {
  input_text: 'text',
  output_text: 'text',
  text: 'text',
  refusal: 'refusal',
}

type Part = { readonly type: string; readonly text?: string } & Fields

function toPart(part: Part, place: string): { type: string; text?: string; image_url?: object } {
  const text = part[TEXTS[part.type] ?? '']
  if (typeof text === 'string') return { type: 'text', text }
  if (part.type === 'input_image' && typeof part['image_url'] === 'string') {
    const detail = typeof part['detail'] === 'string' ? { detail: part['detail'] } : {}
    return { type: 'image_url', image_url: { url: part['image_url'], ...detail } }
  }
  return refuse(
    place,
    `A part \`${part.type}\` of this form`,
    'send `input_text`, or `input_image` with an `image_url`',
  )
}

/** Some model servers take nothing but a text from an assistant. */
function toContent(parts: readonly Part[], place: string): NonNullable<ChatRequestMessage['content']> {
  const made = parts.map((part, at) => toPart(part, `${place}.${at}`))
  const texts = made.map(({ text }) => text)
  return texts.every((text) => text !== undefined) ? texts.join('\n') : made
}

function toMessage({ type, role, content }: ResponseItem, at: number): ChatRequestMessage[] {
  const place = `input.${at}`
  if (typeof type === 'string' && OF_AN_OUTPUT.has(type)) return []
  if ((type ?? 'message') !== 'message') refuse(place, `An item \`${type}\``, 'send messages with `role` and `content`')
  if (!isRole(role)) refuse(place, `The role \`${role}\``, `send one of ${ROLES.join(', ')}`)
  if (content === undefined || content === null) refuse(place, 'A message without `content`', 'send its text')
  return [{ role, content: typeof content === 'string' ? content : toContent(content, `${place}.content`) }]
}

/** A format with its schema in an object, as chats have it. */
function toFormat(format: Fields | null | undefined): { response_format?: Fields } {
  if (!isObject(format) || format['type'] === 'text') return {}
  const { type, ...schema } = format
  return { response_format: type === 'json_schema' ? { type, json_schema: schema } : { type } }
}

const present = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => (value ?? null) !== null))

/**
 * The same request as a chat.
 *
 * @throws {EngineError} `invalid` for an item, or a part of one, that is not supported
 */
export function toChat(request: ResponseRequest): ChatRequest {
  const { model, input, instructions, temperature, top_p, max_output_tokens, text, reasoning, stream } = request
  const asked: ChatRequestMessage[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : input.flatMap(toMessage)
  if (asked.length === 0) refuse('input', 'An input without a message', 'send a question')
  const said = (instructions ?? '') === '' ? [] : [{ role: 'system' as const, content: instructions }]
  return {
    model,
    messages: [...said, ...asked],
    ...present({ temperature, top_p, max_tokens: max_output_tokens, reasoning_effort: reasoning?.effort }),
    ...toFormat(text?.format),
    ...(stream === true ? { stream, stream_options: { include_usage: true } } : {}),
  }
}

/** The collections of its `file_search`; undefined: it has none, or may not use it. */
export function toRetrieval({ tools, tool_choice: choice }: ResponseRequest): RequestedRetrieval | undefined {
  const tool = tools?.[0]
  if (tool === undefined || choice === 'none') return undefined
  return {
    collections: [...new Set(tool.vector_store_ids.map(toCollection))],
    ...(typeof tool.max_num_results === 'number' ? { limit: tool.max_num_results } : {}),
  }
}
