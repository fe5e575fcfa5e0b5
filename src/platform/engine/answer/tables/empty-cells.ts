import { allPhrases, allSet, matchPart, matchWhole, phrasesIn } from '#lexicon/match.ts'
import { LANGUAGES } from '#lexicon/languages.ts'
import type { Column } from './column.ts'
import type { Condition } from './condition.ts'
import { isNaming, isOwnColumn, type Prepared } from './prepare.ts'
import type { TableRow } from './read-tables.ts'
import { isNear } from './stems.ts'
import type { AskedWord, TableQuestion } from './table-question.ts'

/** Words for a thing that is done, and headers that go with them: `delivered` and `Delivery date`. */
const DONE = ['paid', 'delivered', 'returned', 'billed'] as const
const STATES = DONE.map((done) => matchPart(LANGUAGES.flatMap(({ tables }) => phrasesIn(tables?.done?.[done]))))
const [PAID] = STATES

export const saysPaid = (header: string): boolean => PAID?.test(header) === true

/** `The return date` of a column of days. */
export const DAY = allSet('tables', 'dayWords')

const NONE = matchWhole([...allPhrases('tables', 'emptyCells'), '-', '–', '—'])

const isEmpty = (cell: string) => cell.trim() === '' || NONE.test(cell.trim())

/** Whether a word says what a column holds. */
const isOf = ({ header }: Column, words: readonly string[], { stem, text }: AskedWord) =>
  words.some((one) => isNear(one, stem)) || STATES.some((state) => state.test(header) && state.test(text))

/** Amounts that may be a part of another one: who paid half is neither paid nor unpaid. */
function isInParts({ columns, rows }: Prepared, column: Column): boolean {
  const others = columns.filter((one) => one !== column && one.kind === 'number' && one.unit === column.unit)
  return (
    column.kind === 'number' &&
    saysPaid(column.header) &&
    others.some((other) =>
      rows.some((_, at) => {
        const [paid, whole] = [column.amounts[at], other.amounts[at]]
        return (
          paid !== undefined &&
          whole !== undefined &&
          paid.digits > 0n &&
          paid.scale === whole.scale &&
          paid.digits < whole.digits
        )
      }),
    )
  )
}

/** Whether a word may say that a thing is done. */
export const saysState = ({ text, isHead, isPlace, isCounted }: AskedWord): boolean =>
  !isHead && !isPlace && !isCounted && STATES.some((state) => state.test(text))

/** Rows whose cell is empty: `not delivered` of a column of days, `not billed` of one of amounts. */
export function byEmpty(asked: TableQuestion, data: Prepared): Condition[] {
  const { columns, headers, marked, cells, placeOf } = data
  return asked.words.flatMap((word): Condition[] => {
    // `Billed, but not paid`: a thing that is done is a condition next to one that is not.
    const isDone = !word.isNegated && asked.words.some(({ isNegated }) => isNegated) && saysState(word)
    if (!word.isNegated && !isDone) return []
    const named = columns.flatMap((column, at) =>
      isOwnColumn(data, at) && !isNaming(column) && isOf(column, headers[at] ?? [], word) ? [at] : [],
    )
    // A column of yes and no is meant before one of amounts.
    const [at, ...more] = named
    const column = columns[at ?? -1]
    if (at === undefined || column === undefined || more.length > 0 || marked[at] === true) return []
    const { length } = cells[at]?.filter(isEmpty) ?? []
    if (length === 0 || length === data.rows.length) return []
    if (isInParts(data, column) && !asked.saysNothing) return []
    const isZero = (row: TableRow) => column.kind === 'number' && column.amounts[placeOf.get(row) ?? -1]?.digits === 0n
    return [
      {
        isSaid: (one) =>
          one === word || (one.isNegated && one.stem === word.stem) || (column.kind === 'date' && DAY.has(one.text)),
        takesNegation: true,
        isChosen: (row) => (isEmpty(row.cells[at] ?? '') || isZero(row)) !== isDone,
      },
    ]
  })
}
