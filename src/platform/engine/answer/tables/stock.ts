import { allPhrases, matchPart } from '#lexicon/match.ts'
import type { Column } from './column.ts'
import { topicsOfHeader } from './topics.ts'

export const STOCK = matchPart(allPhrases('tables', 'stockHeaders'))
const LIMIT = matchPart(allPhrases('tables', 'limitHeaders'))

/** Whether a column says what is left, not what was ordered. */
export const saysStock = ({ header }: Column): boolean => STOCK.test(header)

/** Whether a column says how many there are, not how many there should be. */
export const isOfStock = ({ header }: Column): boolean =>
  topicsOfHeader(header).includes('stock') && !LIMIT.test(header)
