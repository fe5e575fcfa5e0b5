import type { Amount, Column } from './column.ts'
import type { Table, TableRow } from './read-tables.ts'
import type { Aggregate } from './table-question.ts'

/** A computed value, and the rows that it rests on. */
export interface Computed {
  readonly table: Table
  readonly aggregate: Aggregate
  /** Undefined: rows are counted or listed by their words alone. */
  readonly column: Column | undefined
  /** Undefined for rows and counts. */
  readonly value: string | undefined
  readonly rows: readonly TableRow[]
  /** Rows that were looked at: those that the question's words choose. */
  readonly outOf: number
  /** Rows of the table, without those that sum up others. */
  readonly all: number
  /** Rows without a value in the column, and those with one. */
  readonly leftOut: number
  readonly valued: readonly TableRow[]
  /** Words of the question in the header of the column. */
  readonly named: number
  /** Words, conditions and limits that choose the rows. */
  readonly choices: number
  /** Words of the question that the table knows. */
  readonly known: number
  /** The column that `which …` asks for: `which supplier`. */
  readonly asked?: number | undefined
  /** The question asks for nothing but this column: `job numbers please`. */
  readonly isWished?: boolean
  /** The name of the counted things, as the question says it. */
  readonly counted?: string
  /** The number of a sum, and stems of the words that choose its rows. */
  readonly amount?: Amount
  readonly chosen?: readonly string[]
  /** The row that should say the same sum, but says another one. */
  readonly otherTotal?: { readonly label: string; readonly value: string }
  /** Absent: one value, or rows. */
  readonly shape?: Shape
}

/** A table that knows the words of the question and leaves open which value is meant: one that knows less may not answer. */
export interface Declined {
  readonly declines: true
  readonly known: number
}

/** The result of a form of question, beyond the computed value. */
export type Shape =
  /** The rows are in their order. */
  | { readonly kind: 'first' | 'difference' }
  /** Between two sums. */
  | { readonly kind: 'sums'; readonly of: readonly string[] }
  | { readonly kind: 'nth'; readonly place: number }
  /** The average of the sums of months or years. */
  | { readonly kind: 'mean'; readonly sum: string; readonly count: number }
  /** The number of the rows, and their sum in a column. */
  | { readonly kind: 'counted-sum'; readonly of: string; readonly sum: string }
  /** Between two columns of one row. */
  | { readonly kind: 'columns'; readonly of: readonly string[] }
  /** The value is the share; `part` is that of the rows, `whole` that of all rows. */
  | { readonly kind: 'share'; readonly part: string; readonly whole: string }
  /** `by`: a header; `month` or `year` where `isDate`. */
  | {
      readonly kind: 'by'
      readonly by: string
      readonly isDate: boolean
      /** The column of the days, where there are several. */
      readonly dates?: string
      readonly extreme?: 'max' | 'min'
      readonly groups: readonly Group[]
    }

export interface Group {
  readonly name: string
  readonly value: string
  readonly rows: readonly TableRow[]
}
