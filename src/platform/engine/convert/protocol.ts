import type { ConversionQuery } from '#platform/wire/documents.ts'

/** Text recognition of pages that are pictures. */
export interface RecognitionLimits {
  /** Where its data is unpacked. */
  readonly folder: string
  /** Tesseract's names; none switches it off. */
  readonly languages: readonly string[]
  /** Wall-clock time of one page, and of all pages of a document. Pages beyond it are left out, with a note. */
  readonly pageMs: number
  readonly totalMs: number
  /** Pages are looked at once, upright. */
  readonly isOneLook?: boolean
}

export interface ReadLimits {
  readonly pages: number
  /** Bytes of all parts inside a packed document together. */
  readonly unpackedBytes: number
  /** Bytes of all extracted images together; further images are left out. */
  readonly pictureBytes: number
  /** Characters of the text of all parts together. */
  readonly resultCharacters: number
  readonly recognition: RecognitionLimits
}

/** The pages of a PDF, one JSON line each, the picture of one of them, or the result of a conversion. */
export type ConvertWork =
  | { readonly kind: 'pages' }
  | { readonly kind: 'picture'; readonly page: number; readonly quote: string }
  | { readonly kind: 'document'; readonly name: string; readonly query: ConversionQuery }

/** One conversion as the parent asks the child for it. The child writes the result into the file `out`. */
export interface ConvertCall {
  readonly id: number
  readonly path: string
  readonly out: string
  readonly work: ConvertWork
  readonly limits: ReadLimits
}

/** Why a document was not converted; the parent makes the sentence. */
export type ConvertFailure =
  | 'encrypted'
  /** Locked by rights management, without a password. */
  | 'rights'
  | 'broken'
  | 'empty'
  | 'too-many-pages'
  /** It unpacks, or claims to unpack, to more than the limit. */
  | 'too-big'
  /** A picture in it is too large, or takes too long to draw. */
  | 'heavy'
  /** The content is of another kind than the name says. */
  | 'renamed'
  /** It is of a version of its program that no reader knows. */
  | 'old'
  /** The name says text, the content is binary. */
  | 'not-text'
  /** The machine has no room for the result. */
  | 'no-room'

export interface ConvertAnswer {
  readonly id: number
  /** Number of pages with text. */
  readonly pages?: number
  readonly failure?: ConvertFailure
  /** With `renamed`: the real kind of the content. With `no-room`: the code of the system. */
  readonly found?: string | undefined
  /** A sentence about parts that were not read. */
  readonly note?: string | undefined
  /** A native call that was given up still runs: the child must be ended, or it takes the time of the next documents. */
  readonly isStuck?: boolean
}

/** A sign of life during text recognition, which is slow. */
export interface ConvertProgress {
  readonly id: number
  readonly page: number
  readonly pages: number
}
