import type { Column } from './column.ts'
import { isWithin } from './period.ts'
import type { TableRow } from './read-tables.ts'
import { type AskedWord, isSameWord, type TableQuestion } from './table-question.ts'

/** A choice of rows that no cell names: by a column of yes and no, or by a month, quarter or year. */
export interface Condition {
  readonly isChosen: (row: TableRow) => boolean
  /** Words of the question that it is made of. */
  readonly isSaid: (word: AskedWord) => boolean
}

const YES = /^(?:yes|y|true|ja|j|wahr|x|✓|✔|✅)$/i
const NO = /^(?:no|n|false|nein|falsch|-|–|—|✗|✘|❌)$/i

const isNo = (header: string, { stem }: AskedWord) => stem === `un${header}`

/** Columns of yes and no whose header the question says: `which ones are organic`, `was ist noch nicht bezahlt`. */
function byHeader(asked: TableQuestion, headers: readonly (readonly string[])[], rows: readonly TableRow[]) {
  return headers.flatMap((header, at): Condition[] => {
    const isSaid = (word: AskedWord) => header.some((one) => isSameWord(one, word.stem) || isNo(one, word))
    const word = asked.words.find(isSaid)
    const cells = rows.map((row) => row.cells[at] ?? '').filter((cell) => cell !== '')
    if (word === undefined || !cells.some((cell) => YES.test(cell))) return []
    if (!cells.every((cell) => YES.test(cell) || NO.test(cell))) return []
    const isWanted = asked.isNegated === header.some((one) => isNo(one, word))
    // A mark stands where it is so, and nothing where it is not.
    return [{ isSaid, isChosen: (row) => YES.test(row.cells[at] ?? '') === isWanted }]
  })
}

/** The period that the question names, where one column holds dates. */
function byPeriod({ period }: TableQuestion, columns: readonly Column[], rows: readonly TableRow[]): Condition[] {
  const dates = columns.filter(
    ({ kind, amounts }) => kind === 'date' && amounts.some((one) => (one?.digits ?? 0n) > 2000n),
  )
  const [column] = dates
  if (period === undefined || column === undefined || dates.length > 1) return []
  const timeOf = new Map(rows.map((row, at) => [row, column.amounts[at]?.digits]))
  return [
    {
      isSaid: ({ text }) => period.words.has(text),
      isChosen(row) {
        const time = timeOf.get(row)
        return time !== undefined && isWithin(period, time)
      },
    },
  ]
}

/** Conditions of the question that this table knows. */
export function findConditions(
  asked: TableQuestion,
  {
    headers,
    columns,
    rows,
  }: {
    readonly headers: readonly (readonly string[])[]
    readonly columns: readonly Column[]
    readonly rows: readonly TableRow[]
  },
): readonly Condition[] {
  // `Is this one organic?` asks for the cell itself.
  const named = asked.aggregate === 'value' && !asked.asksWho ? [] : byHeader(asked, headers, rows)
  return [...named, ...byPeriod(asked, columns, rows)]
}
