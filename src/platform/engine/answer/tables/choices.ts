import type { Column } from './column.ts'
import type { TableRow } from './read-tables.ts'
import { type AskedWord, type TableQuestion, toStem, toWordList } from './table-question.ts'

export const stemsOf = (text: string): string[] => toWordList(text).map(toStem)

/** Rows that the question names by what stands in a column. */
export interface Choice {
  readonly column: number
  readonly isChosen: (row: TableRow) => boolean
  readonly words: readonly string[]
}

const MAX_VALUE_WORDS = 6

/** The rows whose cells the question names: whole cells first, then single words of cells. */
export function findChoices(
  asked: TableQuestion,
  { columns, rows }: { readonly columns: readonly Column[]; readonly rows: readonly TableRow[] },
  free: readonly AskedWord[],
): Choice[] {
  const grams = new Set<string>()
  for (let at = 0; at < asked.stems.length; at += 1) {
    for (let size = 1; size <= MAX_VALUE_WORDS; size += 1) grams.add(asked.stems.slice(at, at + size).join(' '))
  }
  const freeStems = new Set(free.map(({ stem }) => stem))
  const choices: Choice[] = []
  const taken = new Set<string>()
  for (const [column, { kind }] of columns.entries()) {
    if (kind === 'date') continue
    const whole = new Map<string, number>()
    for (const { cells } of rows) {
      const stems = (cells[column] ?? '').length > 80 ? [] : stemsOf(cells[column] ?? '')
      const key = stems.join(' ')
      if (key !== '' && stems.length <= MAX_VALUE_WORDS && stems.some((stem) => freeStems.has(stem)) && grams.has(key))
        whole.set(key, stems.length)
    }
    // The longer one of `soup` and `onion soup` is meant.
    const keys = [...whole.keys()].filter(
      (key) => ![...whole.keys()].some((other) => other !== key && ` ${other} `.includes(` ${key} `)),
    )
    if (keys.length === 0) continue
    const words = keys.flatMap((key) => key.split(' '))
    words.forEach((word) => taken.add(word))
    choices.push({ column, words, isChosen: ({ cells }) => keys.includes(stemsOf(cells[column] ?? '').join(' ')) })
  }
  for (const { stem } of free) {
    if (taken.has(stem) || /^\d{1,2}$/.test(stem)) continue
    const column = columns.findIndex(
      ({ kind }, at) => kind === 'text' && rows.some(({ cells }) => hasWord(cells[at] ?? '', stem)),
    )
    if (column === -1) continue
    taken.add(stem)
    choices.push({ column, words: [stem], isChosen: ({ cells }) => hasWord(cells[column] ?? '', stem) })
  }
  return choices
}

const hasWord = (cell: string, stem: string): boolean =>
  cell.length < 2_000 && cell.toLowerCase().includes(stem.slice(0, 4)) && stemsOf(cell).includes(stem)
