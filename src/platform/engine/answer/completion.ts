import { randomUUID } from 'node:crypto'
import type { ChatResponse, ChatStreamEvent, ChatUsage } from '../../wire/chat.ts'

/** Answers of the engine's own model, in OpenAI's shapes. */
export interface Completion {
  readonly model: string
  readonly text: string
  readonly usage: ChatUsage
  readonly now: number
}

const newId = () => `chatcmpl-${randomUUID()}`

const seconds = (now: number) => Math.floor(now / 1000)

export function toResponse({ model, text, usage, now }: Completion): ChatResponse {
  return {
    id: newId(),
    object: 'chat.completion',
    created: seconds(now),
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage,
  }
}

/** A line or a sentence a piece. */
const pieces = (text: string) =>
  text.match(/[^\n.!?。！？]*(?:[\n.!?。！？]+\s*|$)/gu)?.filter((piece) => piece !== '') ?? []

/** The events of a streamed answer, as JSON texts. */
export function* toEvents(completion: Completion, includeUsage: boolean): Generator<string> {
  const base = {
    id: newId(),
    object: 'chat.completion.chunk' as const,
    created: seconds(completion.now),
    model: completion.model,
  }
  const event = (choices: ChatStreamEvent['choices'], usage?: ChatUsage) =>
    JSON.stringify({ ...base, choices, ...(usage === undefined ? {} : { usage }) } satisfies ChatStreamEvent)
  yield event([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }])
  for (const piece of pieces(completion.text)) {
    yield event([{ index: 0, delta: { content: piece }, finish_reason: null }])
  }
  yield event([{ index: 0, delta: {}, finish_reason: 'stop' }])
  if (includeUsage) yield event([], completion.usage)
}
