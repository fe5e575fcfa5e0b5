import { allPhrases, allSet, matchPart, matchWithin } from '#lexicon/match.ts'
import type { Computed } from './computed.ts'
import type { JoinedTable } from './joins.ts'
import { monthOfHeader, monthOfWord } from './months.ts'
import { isNaming, type Prepared, prepare } from './prepare.ts'
import type { TableRow } from './read-tables.ts'
import { isSameWord, stemsOf, toStem } from './stems.ts'
import type { TableSource } from './table-files.ts'
import { type AskedWord, readTableQuestion } from './table-question.ts'

const SUBTOTAL = matchWithin(allPhrases('tables', 'subtotals'), 'iu')
const EACH_SUBTOTAL = matchWithin(allPhrases('tables', 'subtotals'), 'giu')
const SUM = matchPart(allPhrases('tables', 'totalRows'))
const ALL_MONTHS = allSet('tables', 'allMonths')
const isOfYear = ({ text }: AskedWord) => ALL_MONTHS.has(text)

export const asksSubtotal = (question: string): boolean => SUBTOTAL.test(question)

/** The rows that say that they sum up what the question names: `Subtotal North` of `the subtotal for the north`. */
function rowsNamed({ table, placeOf }: Prepared, words: readonly AskedWord[]) {
  return table.rows.flatMap((row) => {
    const label = placeOf.has(row) ? '' : (row.cells.find((cell) => cell !== '') ?? '')
    const stems = SUBTOTAL.test(label) ? stemsOf(label.replace(EACH_SUBTOTAL, ' ')) : []
    const isSaid = stems.length > 0 && stems.every((stem) => words.some((word) => isSameWord(word.stem, stem)))
    return isSaid ? [{ row, stems }] : []
  })
}

/** The column that the other words name; the sum of all columns where none of them does. */
function columnNamed({ columns, headers, title }: Prepared, row: TableRow, words: readonly AskedWord[]) {
  const names = (at: number, { stem, text }: AskedWord) => {
    const month = monthOfWord(text)
    const header = columns[at]?.header ?? ''
    return (
      headers[at]?.some((one) => isSameWord(one, stem)) === true || (month !== -1 && monthOfHeader(header) === month)
    )
  }
  const all = columns.flatMap((column, at) =>
    column.kind === 'number' && !isNaming(column) && (row.cells[at] ?? '') !== '' ? [at] : [],
  )
  const isTitle = ({ stem }: AskedWord) => title.some((one) => isSameWord(one, stem))
  const telling = words.filter((word) => all.some((at) => names(at, word)) && !isOfYear(word))
  const isKnown = (word: AskedWord) => telling.includes(word) || word.isLight || isOfYear(word) || isTitle(word)
  if (!words.every(isKnown)) return undefined
  const isOfAll = (at: number) => SUM.test(columns[at]?.header ?? '') || isOfYearHeader(columns[at]?.header ?? '')
  const named = all.filter((at) => telling.every((word) => names(at, word)))
  const found = telling.length > 0 || all.length === 1 ? named : all.filter(isOfAll)
  return found.length === 1 ? found[0] : undefined
}

const isOfYearHeader = (header: string) => stemsOf(header).every((stem) => WHOLE_STEMS.has(stem))
const WHOLE_STEMS = new Set([...ALL_MONTHS].map(toStem))

/** The cell of a row that sums up others, by the name of that row; undefined where no row or several fit. */
export function findSubtotal(
  question: string,
  tables: readonly JoinedTable[],
): { readonly source: TableSource; readonly made: Computed } | undefined {
  const { words, isUnclear } = readTableQuestion(question.replace(EACH_SUBTOTAL, ' '))
  if (isUnclear) return undefined
  const found = tables.flatMap(({ source, table }) => {
    const data = prepare(table).point
    return rowsNamed(data, words).flatMap(({ row, stems }) => {
      const others = words.filter((word) => !stems.some((stem) => isSameWord(word.stem, stem)))
      const at = columnNamed(data, row, others)
      const column = data.columns[at ?? -1]
      if (at === undefined || column === undefined) return []
      const made: Computed = {
        table,
        aggregate: 'value',
        column,
        value: row.cells[at],
        rows: [row],
        outOf: 1,
        all: data.rows.length,
        leftOut: 0,
        valued: [row],
        named: 1,
        choices: 1,
        known: words.length,
      }
      return [{ source, made }]
    })
  })
  return found.length === 1 ? found[0] : undefined
}
