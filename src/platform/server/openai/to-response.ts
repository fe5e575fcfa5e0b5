import { randomUUID } from 'node:crypto'
import type { Passage } from '#platform/engine/api/retrieve.ts'
import { FILTER_FINISH, LENGTH_FINISH, toFinish } from '#platform/wire/chat.ts'
import { readReceived } from '#platform/wire/received-chat.ts'
import type { ResponseBody, ResponseMessage, ResponseOutput, ResponseRequest } from '#platform/wire/responses.ts'
import { toAnnotations, toHit } from './passages.ts'

/** A response before its first word. */
export interface Asked {
  readonly request: ResponseRequest
  /** Text of the search; undefined: no search. */
  readonly question: string | undefined
  readonly passages: readonly Passage[]
}

const newId = (kind: 'resp' | 'msg' | 'fs') => `${kind}_${randomUUID().replaceAll('-', '')}`
const now = () => Math.floor(Date.now() / 1000)

const INCLUDE_RESULTS = 'file_search_call.results'

type Usage = Readonly<Record<string, unknown>> | undefined

function toUsage(usage: Usage): ResponseBody['usage'] {
  const [asked, answered, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) => usage?.[name])
  if (typeof asked !== 'number' || typeof answered !== 'number') return null
  return {
    input_tokens: asked,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: answered,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: typeof total === 'number' ? total : asked + answered,
  }
}

/** The fields that repeat the request. */
const echo = (request: ResponseRequest) => ({
  model: request.model,
  instructions: request.instructions ?? null,
  tools: [...(request.tools ?? [])],
  tool_choice: request.tool_choice ?? 'auto',
  parallel_tool_calls: true,
  temperature: request.temperature ?? null,
  top_p: request.top_p ?? null,
  max_output_tokens: request.max_output_tokens ?? null,
  text: { format: request.text?.format ?? { type: 'text' } },
  reasoning: { effort: request.reasoning?.effort ?? null, summary: null },
  truncation: request.truncation ?? 'disabled',
  metadata: request.metadata ?? {},
  store: false as const,
  background: false as const,
  previous_response_id: null,
})

/** How an answer ended. */
export interface End {
  readonly text: string
  readonly finish: string | undefined
  readonly usage: Usage
}

/** Makes the parts of one response, in any of its states. */
export function createResponse({ request, question, passages }: Asked) {
  const base = { id: newId('resp'), object: 'response' as const, created_at: now(), ...echo(request) }
  const [messageId, searchId] = [newId('msg'), newId('fs')]
  const unfinished = { ...base, completed_at: null, error: null, incomplete_details: null, usage: null, output: [] }

  const search = (status: 'in_progress' | 'completed'): ResponseOutput[] => {
    if (question === undefined) return []
    const isShown = status === 'completed' && request.include?.includes(INCLUDE_RESULTS) === true
    const results = isShown ? passages.filter(({ origin }) => origin !== undefined).map(toHit) : null
    return [{ type: 'file_search_call', id: searchId, status, queries: [question], results }]
  }
  const part = (text: string) => ({
    type: 'output_text' as const,
    text,
    annotations: toAnnotations(text, passages),
    logprobs: [],
  })
  const message = (status: ResponseMessage['status'], content: ResponseMessage['content']): ResponseMessage => ({
    type: 'message',
    id: messageId,
    status,
    role: 'assistant',
    content,
  })
  return {
    search,
    message,
    part,
    begun: (): ResponseBody => ({ ...unfinished, status: 'in_progress' }),
    failed: (sentence: string): ResponseBody => ({
      ...unfinished,
      status: 'failed',
      error: { code: 'server_error', message: sentence },
    }),
    ended({ text, finish, usage }: End): ResponseBody {
      const reason = toFinish(finish ?? '')
      const isCut = reason === LENGTH_FINISH || reason === FILTER_FINISH
      const why = reason === LENGTH_FINISH ? ('max_output_tokens' as const) : ('content_filter' as const)
      const status = isCut ? ('incomplete' as const) : ('completed' as const)
      return {
        ...base,
        status,
        completed_at: isCut ? null : now(),
        error: null,
        incomplete_details: isCut ? { reason: why } : null,
        output: [...search('completed'), message(status, [part(text)])],
        usage: toUsage(usage),
      }
    },
  }
}

export type Response = ReturnType<typeof createResponse>

/** A whole chat answer as a response. A refusal of the model is its text. */
export function toResponse(asked: Asked, chat: object): ResponseBody {
  const received = readReceived(chat)
  const choice = received?.choices[0]
  const { content = '', refusal = '' } = choice?.words ?? {}
  return createResponse(asked).ended({
    text: content === '' ? refusal : content,
    finish: choice?.finishReason,
    usage: received?.usage,
  })
}
