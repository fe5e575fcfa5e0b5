import { HIGHEST, LOWEST } from '#lexicon/follow-up.ts'
import { allPhrases, allWords, oneOf } from '#lexicon/match.ts'

/** Questions for more than one value of a table. */
export type Form =
  /** The first rows by an amount: `the three cheapest`. `thing`: the word after the number in `which three products`. */
  | { readonly kind: 'first'; readonly count: number; readonly thing?: string }
  /** A value of each group, `total by category`; with an extreme, the group that has it. `isWorth`: only of a number times a price; `isLevel`: that of one row may be meant, too. */
  | {
      readonly kind: 'by'
      readonly group: string
      readonly extreme?: 'max' | 'min'
      readonly isWorth?: boolean
      readonly isLevel?: boolean
      /** The first groups only: `which two suppliers`. */
      readonly count?: number
      /** The best month is that of the highest income, the busiest one that of a sheet of months. */
      readonly isBest?: 'in' | 'any'
      /** `Who guided the most groups`: the group is a verb, and names the column of those who did it. */
      readonly isDoer?: boolean
    }
  /** One value of all rows, which are things of this name: `the average fee per school booking`. */
  | { readonly kind: 'each'; readonly thing: string }
  /** The part of the whole, in percent. */
  | { readonly kind: 'share'; readonly isOfTotal?: boolean }
  /** The number of rows, and their sum: `how many jobs were cancelled, and what is their total`. */
  | { readonly kind: 'counted-sum'; readonly sum: string }
  /** Between two rows, or between two columns of one row. */
  | { readonly kind: 'difference' }
  /** Between the highest and the lowest value. */
  | { readonly kind: 'spread' }
  /** The row of a place: `the second highest`. */
  | { readonly kind: 'nth'; readonly place: number }

/** A form, and the question for one value that it is made of: `total` of `total by category`. */
export interface Formed {
  readonly form: Form
  readonly base: string
  /** The form where a table has no such groups. */
  readonly otherwise?: Formed
}

export const NAME = String.raw`\p{L}[\p{L}-]{1,30}`
export const HEADS = oneOf(allPhrases('tables', 'heads'))
export const HIGH = oneOf(HIGHEST)
export const LOW = oneOf(LOWEST)
/** The first word of a list is used for all of them. */
export const [HIGHEST_WORD = ''] = HIGHEST
export const [LOWEST_WORD = ''] = LOWEST
export const [SUM_WORD = ''] = allPhrases('tables', 'sum')
export const [COUNT_WORDS = ''] = allPhrases('tables', 'count')
export const [PLACING_WORD = ''] = allWords('tables', 'placing')
export const word = (source: string) => String.raw`(?<!\p{L})${source}(?![\p{L}\d.,-])`
