import { createLru } from '#lib/lru.ts'
import { type Column, compare } from './column.ts'
import { type Comparison, holds, isOfCurrency, limitsIn, type TextLimit, toLimit } from './comparisons.ts'
import type { Condition } from './condition.ts'
import { isUnit } from './limits.ts'
import { isMoney, isOwnName } from './measure.ts'
import { isNaming, type Prepared } from './prepare.ts'
import { isSameWord, toStem } from './stems.ts'
import { isSmallWord, readTableQuestion, type TableQuestion } from './table-question.ts'

/** A question without its limits that name their column, and the rows that lie within them. */
export interface Limited {
  readonly asked: TableQuestion
  readonly conditions: readonly Condition[]
  /** Words of the question that the limits are made of. */
  readonly known: number
}

const MAX_READ = 200
/** Questions are the same for all tables. */
const read = createLru<TableQuestion>(MAX_READ)

function readAgain(text: string): TableQuestion {
  const made = read.get(text) ?? readTableQuestion(text)
  read.set(text, made)
  return made
}

/** Words at the end of a text that are in a header, one after the other: `declared value` of `with a declared value`. */
function countNamed(header: readonly string[], before: readonly string[]): number {
  const isOther = (word: string) => !header.some((one) => isSameWord(one, toStem(word)))
  return before.length - 1 - before.findLastIndex(isOther)
}

const YEAR = /^(?:19|20)\d\d$/

/** Whether a limit may be one of this column: pounds of money, and a year of years. */
function mayLimit(column: Column, comparisons: readonly Comparison[]): boolean {
  return comparisons.every((one) => {
    const than = toLimit(one, column)
    if (than === undefined || (isOfCurrency(one) && !isMoney(column))) return false
    const isOfRange = (sign: number) =>
      column.amounts.some((amount) => amount !== undefined && compare(amount, than) * sign >= 0)
    return !YEAR.test(one.text) || (isOfRange(1) && isOfRange(-1))
  })
}

/** The column that the words before a limit name, by most of them; undefined where two are named alike. */
function columnBefore(data: Prepared, before: readonly string[], comparisons: readonly Comparison[]) {
  const { columns, headers } = data
  const scored = columns.flatMap((column, at) => {
    const isOpen = column.kind !== 'number' || isNaming(column) || isOwnName(data, at)
    const named = isOpen ? 0 : countNamed(headers[at] ?? [], before)
    const fits = named > 0 && mayLimit(column, comparisons)
    return fits ? [{ column, named, other: (headers[at]?.length ?? 0) - named }] : []
  })
  const [best, next] = scored.toSorted((one, other) => other.named - one.named || one.other - other.other)
  const isTie = best?.named === next?.named && best?.other === next?.other
  return isTie ? undefined : best
}

/** The first word after a limit: `seats` of `more than 40 seats`. */
const AFTER = /^\s(\p{L}{2,30})/u

/** Where a limit and the words that name its column begin and end, and that column; undefined where none is named. */
function findNamed(data: Prepared, text: string, { start, end, before, comparisons }: TextLimit) {
  const [said = '', next = ''] = AFTER.exec(text.slice(end)) ?? []
  const behind = next === '' || isSmallWord(next) ? undefined : columnBefore(data, [next], comparisons)
  if (behind !== undefined) return { ...behind, comparisons, from: start, to: end + said.length }
  const words = [...before]
  while (words.length > 0 && isSmallWord(words.at(-1) ?? '')) words.pop()
  const found = columnBefore(data, words, comparisons)
  // `After 7 years` is no limit of days, whatever is before it.
  if (found === undefined || isUnit(next)) return undefined
  const cut = before.slice(words.length - found.named).join(' ')
  return { ...found, comparisons, from: text.lastIndexOf(cut, start), to: end }
}

/** `Deposits of hires with a total price over £600`: a limit that names its column chooses rows, and leaves the amounts of other columns alone. */
export function readNamedLimits(asked: TableQuestion, data: Prepared): Limited | undefined {
  const found = limitsIn(asked.text).map((limit) => findNamed(data, asked.text, limit))
  const named = found.flatMap((one) => one ?? [])
  // A limit that names no column could be one of any.
  if (named.length === 0 || named.length < found.length) return undefined
  const text = named.reduceRight((rest, { from, to }) => `${rest.slice(0, from)} , ${rest.slice(to)}`, asked.text)
  const conditions = named.map(({ column, comparisons }): Condition => ({
    isSaid: () => false,
    takesNegation: false,
    isChosen: (row) =>
      comparisons.every((one) => holds(column.amounts[data.placeOf.get(row) ?? -1], one, toLimit(one, column))),
  }))
  const again = readAgain(text)
  const isAdded = asked.form !== undefined && asked.aggregate === 'sum' && again.aggregate === 'value'
  const { form } = asked
  return {
    asked: { ...again, aggregate: isAdded ? 'sum' : again.aggregate, ...(form === undefined ? {} : { form }) },
    conditions,
    known: named.reduce((sum, one) => sum + one.named, 0),
  }
}
