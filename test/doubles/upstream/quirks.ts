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
