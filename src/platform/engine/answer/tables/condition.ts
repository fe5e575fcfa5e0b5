import type { TableRow } from './read-tables.ts'
import type { AskedWord } from './table-question.ts'

/** A choice of rows that no cell names: by a column of yes and no, by a stock, or by a month, quarter or year. */
export interface Condition {
  readonly isChosen: (row: TableRow) => boolean
  /** Words of the question that it is made of. */
  readonly isSaid: (word: AskedWord) => boolean
  /** A negation before its word is part of it. */
  readonly takesNegation: boolean
}
