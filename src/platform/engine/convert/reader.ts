import type { ConversionQuery } from '../../wire/documents.ts'
import type { Pictures } from './images/pictures.ts'
import type { PageText, ReadLimits } from './protocol.ts'

/** A document that is to be read, inside the child. */
export interface Source {
  readonly name: string
  readonly bytes: Buffer
  readonly limits: ReadLimits
  readonly query: ConversionQuery
  readonly pictures: Pictures
}

/** Parts of a document with text: pages, slides, sheets, chapters, or all of it as one. @throws {ConvertError} */
export type ReadDocument = (source: Source) => Promise<readonly PageText[]>

/** A document without parts. */
export const asOnePart = (markdown: string): readonly PageText[] => [{ page: 1, markdown }]
