import { allPhrases, allWords, oneOf } from '#lexicon/match.ts'
import { type Amount, type Column, compare, toColumn, toDate } from './column.ts'

export interface Comparison {
  readonly sign: '>' | '>=' | '<' | '<='
  /** As it was written; its notation is that of the column. */
  readonly text: string
  readonly date: Amount | undefined
}

const UNIT = String.raw`\s?(?:[€$£%]|(?:eur|usd|gbp|chf|kg|h|euros?|dollars?|pounds?)(?!\p{L}))`
const AMOUNT = String.raw`([€$£]?\s?\d[\d.,'’/-]{0,20}(?:${UNIT})?)`
const UNIT_AT_END = new RegExp(`${UNIT}$`, 'iu')
const before = (phrases: readonly string[]) => new RegExp(String.raw`(?<!\p{L})${oneOf(phrases)}\s${AMOUNT}`, 'giu')
const COMPARISONS: readonly (readonly [RegExp, Comparison['sign']])[] = [
  [before([...allPhrases('tables', 'atLeast'), '>=', '≥']), '>='],
  [before([...allPhrases('tables', 'atMost'), '<=', '≤']), '<='],
  [before([...allPhrases('tables', 'moreThan'), '>']), '>'],
  [before([...allPhrases('tables', 'lessThan'), '<']), '<'],
]
const FROM = oneOf(allWords('tables', 'from'))
const TO = oneOf(allWords('tables', 'to'))
const BETWEEN = new RegExp(String.raw`(?<!\p{L})${FROM}\s${AMOUNT}\s${TO}\s${AMOUNT}`, 'giu')

/** Comparisons with an amount or a date, and the question without them. */
export function readComparisons(text: string): { readonly comparisons: readonly Comparison[]; readonly rest: string } {
  const comparisons: Comparison[] = []
  const add = (sign: Comparison['sign'], amount: string) =>
    comparisons.push({ sign, text: amount.trim().replace(/[.,]$/, ''), date: toDate(amount.trim(), undefined) })
  let rest = text.replace(BETWEEN, (_, low: string, high: string) => {
    add('>=', low)
    add('<=', high)
    return ' ; '
  })
  for (const [pattern, sign] of COMPARISONS) {
    rest = rest.replace(pattern, (_, amount: string) => {
      add(sign, amount)
      return ' ; '
    })
  }
  return { comparisons, rest }
}

/** The limit of a comparison, read as the column is written. */
export function toLimit({ sign, text, date }: Comparison, column: Column): Amount | undefined {
  if (column.kind === 'date') {
    const year = Number(/^(\d{4})$/.exec(text)?.[1] ?? Number.NaN)
    if (date !== undefined || Number.isNaN(year)) return date
    // After a year begins with the next one.
    const isEnd = sign === '>' || sign === '<='
    return { digits: BigInt(isEnd ? Date.UTC(year + 1, 0, 1) - 1 : Date.UTC(year, 0, 1)), scale: 0 }
  }
  const [amount] = toColumn('', [text.replace(UNIT_AT_END, '')], column.notation).amounts
  return amount
}

export function holds(amount: Amount | undefined, { sign }: Comparison, than: Amount | undefined): boolean {
  if (amount === undefined || than === undefined) return false
  const order = compare(amount, than)
  return sign === '>' ? order > 0 : sign === '<' ? order < 0 : sign === '>=' ? order >= 0 : order <= 0
}
