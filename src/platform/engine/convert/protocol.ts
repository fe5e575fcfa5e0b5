import type { ConversionQuery } from '../../wire/documents.ts'
import type { ConvertFailure } from './failure.ts'

export interface ReadLimits {
  readonly pages: number
  /** Bytes of everything inside a packed document together. */
  readonly unpackedBytes: number
  /** Bytes of all extracted images together; what goes beyond is left out. */
  readonly pictureBytes: number
}

/** What is wanted of a document: its pages, one JSON line each (PDF only), or the whole result of a conversion. */
export type ConvertWork =
  | { readonly kind: 'pages' }
  | { readonly kind: 'document'; readonly name: string; readonly query: ConversionQuery }

/** One conversion as the child is asked for it. The result goes into the file `out`. */
export interface ConvertCall {
  readonly id: number
  readonly path: string
  readonly out: string
  readonly work: ConvertWork
  readonly limits: ReadLimits
}

export interface ConvertAnswer {
  readonly id: number
  /** Pages with text. */
  readonly pages?: number
  readonly failure?: ConvertFailure
  /** With `renamed`: what the content is. */
  readonly found?: string
}

/** One page, slide, sheet or whole document in its order. */
export interface PageText {
  readonly page: number
  readonly markdown: string
}
