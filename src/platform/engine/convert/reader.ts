import type { RowMark } from '#lib/table-rows.ts'
import type { ConversionQuery } from '#platform/wire/documents.ts'
import type { Pictures } from './images/pictures.ts'
import type { ConvertAnswer, ConvertFailure, ReadLimits } from './protocol.ts'

/** A document to be read, inside the child. */
export interface Source {
  readonly name: string
  readonly bytes: Buffer
  readonly limits: ReadLimits
  readonly query: ConversionQuery
  readonly pictures: Pictures
  /** Text recognition begins with this page, of `pages`. */
  readonly onPage: (page: number, pages: number) => void
  /** Takes a sentence about parts that were not read. */
  readonly onNote: (note: string) => void
  /** A native call was given up, and still runs. */
  readonly onStuck?: () => void
  /** Takes the name of a part that is damaged or missing, and was left out. */
  readonly onLost?: (part: string) => void
  /**
   * Markdown of a document within this one, such as an attachment; empty when its kind is not read, when it holds no text,
   * is damaged or locked, and beyond the limits of depth, number and bytes. Absent: nothing within is read.
   */
  readonly readInner?: (name: string, bytes: Buffer) => Promise<string>
}

/** One page, slide, sheet, chapter or whole document; pages count from 1. */
export interface PageText {
  readonly page: number
  readonly markdown: string
  /** Rows of its tables that don't count up from 1, with their lines in `markdown`. */
  readonly rows?: readonly RowMark[]
}

/** Reads the parts that hold text, in order. @throws {ConvertError} */
export type ReadDocument = (source: Source) => Promise<readonly PageText[]>

/** A document without parts. */
export const asOnePart = (markdown: string): readonly PageText[] => [{ page: 1, markdown }]

/** The error of a reader; `found` names the real content of a `renamed` document. */
export class ConvertError extends Error {
  override readonly name = 'ConvertError'
  readonly failure: ConvertFailure
  readonly found: string | undefined

  constructor(failure: ConvertFailure, options: { cause?: unknown; found?: string } = {}) {
    super(failure, options.cause === undefined ? undefined : { cause: options.cause })
    this.failure = failure
    this.found = options.found
  }
}

/** Codes of a full disk, one that takes no writes, and too many open files: no document causes them. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE'])

/** Why a conversion failed: an unexpected error counts as a damaged document, except one of the machine. */
export function toFailure(error: unknown): Pick<ConvertAnswer, 'failure' | 'found'> {
  if (error instanceof ConvertError) return { failure: error.failure, found: error.found }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return NO_ROOM.has(code) ? { failure: 'no-room', found: code } : { failure: 'broken' }
}
