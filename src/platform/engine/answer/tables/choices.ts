import { MAX_VALUE_WORDS, type Prepared } from './prepare.ts'
import type { TableRow } from './read-tables.ts'
import type { AskedWord, TableQuestion } from './table-question.ts'

/** Rows that the question names by a value of a column. */
export interface Choice {
  readonly column: number
  readonly isChosen: (row: TableRow) => boolean
  readonly words: readonly string[]
}

type Runs = ReadonlyMap<string, readonly string[]>

/** All tables are asked for the same words. */
const known = new WeakMap<readonly string[], Runs>()

/** Words of a question that may be a whole cell, as one text. */
function runsOf(stems: readonly string[]): Runs {
  const before = known.get(stems)
  if (before !== undefined) return before
  const runs = new Map<string, readonly string[]>()
  for (let at = 0; at < stems.length; at += 1)
    for (let end = at + 1; end <= Math.min(at + MAX_VALUE_WORDS, stems.length); end += 1) {
      const run = stems.slice(at, end)
      runs.set(run.join(' '), run)
    }
  known.set(stems, runs)
  return runs
}

/** The rows whose cells the question names: whole cells first, then single words of cells. */
export function findChoices(asked: TableQuestion, data: Prepared, free: readonly AskedWord[]): Choice[] {
  const { keys, columnsOfValue, columnOfWord, placeOf } = data
  const keyOf = (column: number, row: TableRow) => keys[column]?.[placeOf.get(row) ?? -1] ?? ''
  const freeStems = new Set(free.map(({ stem }) => stem))
  const whole = new Map<number, Set<string>>()
  for (const [key, stems] of runsOf(asked.stems)) {
    const columns = columnsOfValue.get(key)
    if (columns === undefined || !stems.some((stem) => freeStems.has(stem))) continue
    for (const column of columns) whole.set(column, (whole.get(column) ?? new Set()).add(key))
  }
  const choices: Choice[] = []
  const taken = new Set<string>()
  for (const [column, found] of [...whole].toSorted(([one], [other]) => one - other)) {
    // The longer one of `soup` and `onion soup` is meant.
    const meant = new Set(
      [...found].filter((key) => ![...found].some((other) => other !== key && ` ${other} `.includes(` ${key} `))),
    )
    const words = [...meant].flatMap((key) => key.split(' '))
    words.forEach((word) => taken.add(word))
    choices.push({ column, words, isChosen: (row) => meant.has(keyOf(column, row)) })
  }
  for (const { stem, isLimit } of free) {
    const column = columnOfWord.get(stem)
    if (isLimit || column === undefined || taken.has(stem) || /^\d{1,2}$/.test(stem)) continue
    taken.add(stem)
    choices.push({ column, words: [stem], isChosen: (row) => ` ${keyOf(column, row)} `.includes(` ${stem} `) })
  }
  return choices
}
