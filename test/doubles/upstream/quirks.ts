import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

/** How servers and gateways word what they answer, as reported of them. */
export interface Quirks {
  /** `id` of each event is a number (OmniRoute). */
  readonly numericIds?: boolean
  /** An empty error object with each choice (new-api). */
  readonly emptyErrors?: boolean
  /** Content is a list of parts (Mistral). */
  readonly parts?: boolean
  /** A message in place of a delta: the piece alone, or all so far (9router, DashScope). */
  readonly messages?: 'pieces' | 'growing'
  /** Each piece ends with `stop` (Gemini behind gateways). */
  readonly stopOnEach?: boolean
  /** The body ends with the last event, without `[DONE]` and without its blank line. */
  readonly unended?: boolean
  /** Thinking stands in the text between these marks, letter by letter. */
  readonly thinksBetween?: readonly [open: string, close: string]
  /** A token that the template leaves at the end of the text. */
  readonly leaves?: string
  /** Lines of JSON in the form of Ollama's own interface: of its chats, or of its completions. */
  readonly ownLines?: 'chat' | 'generate'
  /** The body is packed, although nobody asked for it. */
  readonly packed?: Packing
}

const PACKERS = {
  gzip: gzipSync,
  deflate: deflateSync,
  'raw deflate': deflateRawSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
} as const

export type Packing = keyof typeof PACKERS

export const pack = (text: string, packing: Packing): Buffer => PACKERS[packing](text)

/** The word of the header. */
export const encodingOf = (packing: Packing): string => packing.replace('raw ', '')

interface Choice {
  readonly delta?: { readonly content?: unknown }
  readonly finish_reason?: string | null
}

type Body = Readonly<Record<string, unknown>> & { readonly choices?: readonly Choice[] }

/** Words the events of one answer anew. */
export function createWording(quirks: Quirks): (body: Body) => object {
  let said = ''
  function word(choice: Choice): object {
    const { delta = {}, ...rest } = choice
    const content = typeof delta.content === 'string' ? delta.content : ''
    said += content
    const inParts = quirks.parts === true && content !== '' ? [{ type: 'text', text: content }] : delta.content
    const words = { ...delta, ...('content' in delta ? { content: inParts } : {}) }
    return {
      ...rest,
      ...(quirks.messages === undefined
        ? { delta: words }
        : { message: { ...words, content: quirks.messages === 'growing' ? said : content } }),
      ...(quirks.stopOnEach === true ? { finish_reason: 'stop' } : {}),
    }
  }
  return (body) => ({
    ...body,
    ...(quirks.numericIds === true ? { id: 17 } : {}),
    ...(quirks.emptyErrors === true ? { error: { message: '', type: '', code: 0 } } : {}),
    ...(body.choices === undefined ? {} : { choices: body.choices.map(word) }),
  })
}

/** The pieces of a text as a server sends them that leaves thinking and tokens in it. */
export function withLeftovers(deltas: readonly string[], quirks: Quirks, thought = ''): readonly string[] {
  const [open, close] = quirks.thinksBetween ?? []
  const before = open === undefined ? '' : `${open}${thought}\n${close}\n`
  return [...Array.from(before), ...deltas, ...Array.from(quirks.leaves ?? '')]
}

/** The events of one answer as lines of Ollama's own interface. */
export function toOwnLines(bodies: readonly Body[], form: 'chat' | 'generate'): string {
  const lines = bodies.map(({ choices = [], model }) => {
    const [{ delta = {}, finish_reason: reason = null } = {}] = choices
    const content = delta.content ?? ''
    const words = form === 'chat' ? { message: { role: 'assistant', content } } : { response: content }
    return { model, ...words, done: reason !== null, ...(reason === null ? {} : { done_reason: reason }) }
  })
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

interface Refusal {
  readonly status: number
  readonly body: object
}

/** Refusals of one parameter, as servers word them. */
const WORDINGS = {
  openai: (name: string): Refusal => ({
    status: 400,
    body: {
      error: {
        message: `Unsupported parameter: '${name}' is not supported with this model.${name === 'max_tokens' ? " Use 'max_completion_tokens' instead." : ''}`,
        type: 'invalid_request_error',
        param: name,
        code: 'unsupported_parameter',
      },
    },
  }),
  azure: (name: string): Refusal => ({
    status: 400,
    body: {
      error: {
        message: `Unrecognized request argument supplied: ${name}`,
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
    },
  }),
  mistral: (name: string): Refusal => ({
    status: 422,
    body: {
      object: 'error',
      message: {
        detail: [{ type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted', input: 1 }],
      },
      type: 'invalid_request_error',
      param: null,
      code: null,
    },
  }),
  gemini: (name: string): Refusal => ({
    status: 400,
    body: [
      {
        error: {
          code: 400,
          message: `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`,
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
  }),
} as const

export type Wording = keyof typeof WORDINGS

/** A server that refuses each request with one of these parameters. */
export const refusing =
  (names: readonly string[], wording: Wording = 'openai') =>
  (json: Readonly<Record<string, unknown>>): Refusal | undefined => {
    const name = names.find((one) => json[one] !== undefined && json[one] !== null)
    return name === undefined ? undefined : WORDINGS[wording](name)
  }

export type Refuse = ReturnType<typeof refusing>

/** A server whose model reads this many tokens, four characters each. */
export const reading =
  (tokens: number, isTold = true): Refuse =>
  (json) => {
    const asked = Math.ceil(JSON.stringify(json['messages']).length / 4)
    if (asked <= tokens) return undefined
    const message = isTold
      ? `This model's maximum context length is ${tokens} tokens. However, your messages resulted in ${asked} tokens. Please reduce the length of the messages.`
      : 'the request exceeds the available context size, try increasing it'
    return {
      status: 400,
      body: {
        error: {
          message,
          type: 'invalid_request_error',
          param: 'messages',
          code: isTold ? 'context_length_exceeded' : 400,
        },
      },
    }
  }

/** Where a server tells how much its model reads: the body by path, at its root. */
export const CONTEXT_ROUTES = {
  ollama: (model: string, tokens: number) => ({
    '/api/ps': { models: [{ name: `${model}:latest`, model: `${model}:latest`, context_length: tokens }] },
    '/api/show': { parameters: 'stop "<|eot_id|>"', model_info: { 'llama.context_length': 131_072 } },
  }),
  'ollama not loaded': (_: string, tokens: number) => ({
    '/api/ps': { models: [] },
    '/api/show': { parameters: `num_ctx    ${tokens}\nstop "x"`, model_info: { 'llama.context_length': 131_072 } },
  }),
  'ollama by default': () => ({
    '/api/ps': { models: [] },
    '/api/show': { model_info: { 'llama.context_length': 131_072 } },
  }),
  'llama.cpp': (_: string, tokens: number) => ({
    '/props': { default_generation_settings: { n_ctx: tokens }, total_slots: 1 },
  }),
} as const
