import { allPhrases, allSet, allWords, matchPart, matchWhole } from '#lexicon/match.ts'
import { type Column, compare } from './column.ts'
import type { Condition } from './condition.ts'
import { isOfStock } from './stock.ts'
import { DAY, saysPaid } from './empty-cells.ts'
import { isNaming, namesColumn, type Prepared } from './prepare.ts'
import type { TableRow } from './read-tables.ts'
import { isSameWord } from './stems.ts'
import type { AskedWord, TableQuestion } from './table-question.ts'

const BELOW = allSet('tables', 'below')
const ABOVE = allSet('tables', 'above')
/** The same of days. */
const BEFORE = new Set([...BELOW, ...allWords('tables', 'beforeDay')])
const AFTER = new Set([...ABOVE, ...allWords('tables', 'afterDay')])
const LATE = matchWhole(allPhrases('tables', 'late'))
const DUE = matchPart(allPhrases('tables', 'dueHeaders'))
const FULLY = matchWhole(allPhrases('tables', 'fully'))

const LIMIT_WORD = allSet('tables', 'limitWords')
export const isLimitWord = (word: string): boolean => LIMIT_WORD.has(word) || LATE.test(word) || FULLY.test(word)

/** The only column of the best named ones; undefined where two fit alike. */
function findNamed({ columns, headers }: Prepared, kind: Column['kind'], said: readonly string[]): Column | undefined {
  const scored = columns.flatMap((column, at) => {
    const words = headers[at] ?? []
    // `Mindestbestand` is no `Bestand`, though a part of it.
    const named = words.reduce(
      (sum, word) => sum + (said.includes(word) ? 2 : said.some((stem) => isSameWord(word, stem)) ? 1 : 0),
      0,
    )
    return column.kind === kind && !isNaming(column) && named > 0 ? [{ column, named: named / words.length }] : []
  })
  const [best, next] = scored.toSorted((one, other) => other.named - one.named)
  return best?.named === next?.named ? undefined : best?.column
}

/** The column that is compared: that of the stock, the only other one, or the one that the question names before the limit. */
function findOther(data: Prepared, limit: Column, before: readonly string[]): Column | undefined {
  const others = data.columns.filter(
    (one) => one !== limit && one.kind === limit.kind && one.unit === limit.unit && !isNaming(one),
  )
  if (others.length === 1) return others[0]
  const [stock, ...more] = limit.kind === 'number' ? others.filter(isOfStock) : []
  if (stock !== undefined && more.length === 0) return stock
  const [named, ...alike] = others.filter((one) => before.some((stem) => namesColumn(data, one, stem)))
  return alike.length === 0 ? named : undefined
}

interface Compared {
  readonly word: AskedWord
  readonly limit: Column
  readonly other: Column
  readonly sign: number
  /** An empty cell is nothing: not fully paid. */
  readonly isOpenLess: boolean
}

function toCondition(data: Prepared, { word, limit, other, sign, isOpenLess }: Compared, behind: readonly AskedWord[]) {
  const isChosen = (row: TableRow) => {
    const [amount, than] = [other, limit].map((column) => column.amounts[data.placeOf.get(row) ?? -1])
    if (amount === undefined && isOpenLess) return than !== undefined && than.digits > 0n
    return amount !== undefined && than !== undefined && compare(amount, than) * sign > 0
  }
  const isOfDays = ({ text }: AskedWord) => limit.kind === 'date' && DAY.has(text)
  const isSaid = (one: AskedWord) =>
    one === word ||
    [limit, other].some((column) => namesColumn(data, column, one.stem)) ||
    (behind.includes(one) && (LIMIT_WORD.has(one.text) || isOfDays(one)))
  return { isSaid, takesNegation: false, isChosen }
}

/** `Not fully paid`: less than the amount that the question names, or the only other one. */
function byPart(asked: TableQuestion, data: Prepared): Condition[] {
  const word = asked.words.find(({ text, isNegated }) => isNegated && FULLY.test(text))
  const [other, ...more] = data.columns.filter((column) => column.kind === 'number' && saysPaid(column.header))
  if (word === undefined || other === undefined || more.length > 0) return []
  const said = asked.words.flatMap(({ stem }) => (namesColumn(data, other, stem) && saysPaid(stem) ? [] : [stem]))
  const limits = data.columns.filter((one) => one !== other && one.kind === 'number' && one.unit === other.unit)
  const limit =
    limits.find((one) => one === findNamed(data, 'number', said)) ?? (limits.length === 1 ? limits[0] : undefined)
  if (limit === undefined) return []
  const made = toCondition(data, { word, limit, other, sign: -1, isOpenLess: true }, [])
  return [{ ...made, takesNegation: true }]
}

/** `Late` is after the only day that is due. */
function byLate(asked: TableQuestion, data: Prepared): Condition[] {
  const word = asked.words.find(({ text, isNegated }) => LATE.test(text) && !isNegated)
  const [limit, ...more] = data.columns.filter(({ kind, header }) => kind === 'date' && DUE.test(header))
  if (word === undefined || limit === undefined || more.length > 0) return []
  const said = asked.words.map(({ stem }) => stem)
  const other = findOther(data, limit, said)
  return other === undefined ? [] : [toCondition(data, { word, limit, other, sign: 1, isOpenLess: false }, [])]
}

/** Rows below or above the value of another column: `below the reorder level`, `after the due date`. */
export function byColumns(asked: TableQuestion, data: Prepared): Condition[] {
  const isOne = ({ text }: AskedWord) => BEFORE.has(text) || AFTER.has(text)
  const at = asked.words.findIndex(isOne)
  const word = asked.words[at]
  if (word === undefined) return [...byPart(asked, data), ...byLate(asked, data)]
  const behind = asked.words.slice(at + 1)
  const said = behind.map(({ stem }) => stem)
  const isOfDays = !BELOW.has(word.text) && !ABOVE.has(word.text)
  const limit = (isOfDays ? undefined : findNamed(data, 'number', said)) ?? findNamed(data, 'date', said)
  const before = asked.words.slice(0, at).map(({ stem }) => stem)
  const other = limit === undefined ? undefined : findOther(data, limit, before)
  if (limit === undefined || other === undefined) return []
  const sign = BEFORE.has(word.text) ? -1 : 1
  const isOpenLess = sign < 0 && limit.kind === 'number' && saysPaid(other.header)
  return [toCondition(data, { word, limit, other, sign, isOpenLess }, behind)]
}
