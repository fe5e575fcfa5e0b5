/** A piece of an indexed document. `body` is verbatim: `text.slice(start, end)` of the page or file it stands in. */
export interface Chunk {
  readonly body: string
  /** What the reader of a later piece of a table needs: its header rows. Part of the indexed text, not of the body. */
  readonly lead: string
  /** Titles of the headings above, outermost first. */
  readonly headings: readonly string[]
  readonly start: number
  readonly end: number
  /** From 1; PDF only. */
  readonly page?: number
  /** From 1, both inclusive, counted in the stored file. */
  readonly lineFrom: number
  readonly lineTo: number
}

/** Estimated tokens of a chunk: never more than `most`, and a paragraph's end is taken from `enough` on. */
export const CHUNK_TOKENS = { enough: 300, most: 400 } as const

/** Where a chunk stands, as a reference shows it: `p.3`, `L10-24`, `L7`. */
export function toPlace(
  chunk: Pick<Chunk, 'lineFrom' | 'lineTo'> & { readonly page?: number | null },
): string {
  if (chunk.page !== undefined && chunk.page !== null) return `p.${chunk.page}`
  return chunk.lineFrom === chunk.lineTo ? `L${chunk.lineFrom}` : `L${chunk.lineFrom}-${chunk.lineTo}`
}
