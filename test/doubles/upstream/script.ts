import type { Quirks } from './quirks.ts'

/** How the double answers one request. A script is a queue: the first fitting request takes the first answer. */
export type UpstreamAnswer = ChatAnswer | FaultAnswer | TranscriptAnswer | UpstreamAnswerOf

/** Decides when the request is there. Undefined: the default answer. */
export type UpstreamAnswerOf = (request: UpstreamRequest) => UpstreamAnswer | undefined

export interface ChatAnswer {
  readonly kind: 'chat'
  /** The whole text; streamed word by word unless `deltas` says how. */
  readonly text?: string
  readonly deltas?: readonly string[]
  /** The model's own time to its first token. Default 0. */
  readonly firstDelayMs?: number
  /** Between two deltas. Default 0: as fast as they are taken. */
  readonly delayMs?: number
  /** Repeats the delta before the last one until this is settled: an answer that grows until a test has seen enough. */
  readonly until?: Promise<unknown>
  readonly reasoning?: string
  /** Default `stop`; null: the stream ends without saying so (and without `[DONE]`). */
  readonly finishReason?: string | null
  /** Further fields of the message or of the first delta: `tool_calls` … */
  readonly message?: object
  /** How many choices say this. Default 1. */
  readonly choices?: number
  /** How the server words a stream. Default: as OpenAI does. */
  readonly quirks?: Quirks
}

export interface TranscriptAnswer {
  readonly kind: 'transcript'
  readonly text: string
  /** Of `verbose_json`; default one of a second with the whole text. Null: the model tells no times. */
  readonly segments?: readonly object[] | null
  /** Further fields of `verbose_json`. */
  readonly more?: object
}

export type FaultAnswer =
  /** Status 200, an event stream (or a body) with no byte in it. */
  | { readonly kind: 'fault'; readonly fault: 'empty' }
  /** The connection is cut after these deltas; without any, before the head. */
  | { readonly kind: 'fault'; readonly fault: 'cut'; readonly after?: readonly string[] }
  /** Nothing more comes after these deltas; without any, not even a head. */
  | { readonly kind: 'fault'; readonly fault: 'hang'; readonly after?: readonly string[] }
  /** An error event after these deltas. */
  | {
      readonly kind: 'fault'
      readonly fault: 'error-event'
      readonly after?: readonly string[]
      readonly message: string
    }
  /** Status 200 and this body, as other servers word it. */
  | {
      readonly kind: 'fault'
      readonly fault: 'raw'
      readonly type: string
      readonly body: string | Uint8Array
      readonly headers?: Readonly<Record<string, string>>
      /** Before the head. Default 0. */
      readonly delayMs?: number
    }
  | {
      readonly kind: 'fault'
      readonly fault: 'status'
      readonly status: number
      readonly body?: string | object
      readonly headers?: Readonly<Record<string, string>>
    }

/** A request as it came. */
export interface UpstreamRequest {
  readonly method: string
  /** Below the base URL: `/chat/completions`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Decoded JSON. */
  readonly json?: Readonly<Record<string, unknown>>
  /** Multipart fields, without the file. */
  readonly fields?: Readonly<Record<string, string>>
  readonly file?: { readonly name: string; readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Resolves when the connection of this request ends: `left` when the caller closed it before the answer's end. */
  readonly ended: Promise<'answered' | 'left'>
  /** When the first byte of content was written, by `performance.now()`. */
  firstDeltaAt?: number
  /** Deltas written so far. */
  deltasWritten: number
}

/** Text of all messages, in order. */
export function promptText(request: UpstreamRequest): string {
  const messages = request.json?.['messages']
  if (!Array.isArray(messages)) return ''
  return messages
    .map(({ content }: { readonly content?: unknown }) =>
      typeof content === 'string' ? content : JSON.stringify(content ?? ''),
    )
    .join('\n')
}

/** Without a script: it names the passages that it was given, by their marks, or repeats the question. */
export function defaultAnswer(request: UpstreamRequest): ChatAnswer {
  const prompt = promptText(request)
  const marks = [...new Set([...prompt.matchAll(/^Passage (\[RREF\d+\])/gm)].map((match) => match[1]))]
  const question = prompt.split('\n').at(-1) ?? ''
  const text =
    marks.length === 0 ? `You said: ${question}` : `The passages answer this ${marks.join('')}. That is all I know.`
  return { kind: 'chat', text }
}
