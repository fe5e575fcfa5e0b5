import { byText } from './by-text.ts'
import { isLimitWord } from './compared-columns.ts'
import { DAY, saysState } from './empty-cells.ts'
import type { Condition } from './condition.ts'
import { flowOf } from './flow.ts'
import { isOfMonths } from './limits.ts'
import type { Prepared } from './prepare.ts'
import { isSameWord } from './stems.ts'
import { type AskedWord, isWorthWord, type TableQuestion } from './table-question.ts'
import { isTopicWord } from './topics.ts'

const asked = new WeakMap<Prepared['columnsOfValue'], (stem: string) => boolean>()

/** Whether a word is one of a cell, a header or a heading. Both notations of a table share it. */
function wordsOf({ columnsOfValue, columnOfWord, headers, title }: Prepared): (stem: string) => boolean {
  const before = asked.get(columnsOfValue)
  if (before !== undefined) return before
  const ofCells = new Set([...[...columnsOfValue.keys()].flatMap((key) => key.split(' ')), ...columnOfWord.keys()])
  const heads = [...headers.flat(), ...title]
  const isKnown = byText((stem) => ofCells.has(stem) || heads.some((word) => isSameWord(word, stem)))
  asked.set(columnsOfValue, isKnown)
  return isKnown
}

/** Words that name a kind of rows or a computation, or are read in another way. */
const isOpen = ({ isLight, isLimit, isHead, isName, isCounted, isNegated, text, stem }: AskedWord) =>
  isNegated ||
  isLight ||
  isLimit ||
  isHead ||
  isName ||
  isCounted ||
  /\d|^un/.test(stem) ||
  isLimitWord(text) ||
  DAY.has(text) ||
  isTopicWord(text) ||
  isWorthWord(text) ||
  flowOf(text) !== undefined

/** Whether a word of the question has nothing to do with the table, so that the rest need not be asked. */
export const isForeign = (
  { words }: TableQuestion,
  data: Prepared,
  fileTitle: readonly string[],
  conditions: readonly Condition[],
): boolean => {
  const isOfTable = wordsOf(data)
  return words.some(
    (word) =>
      !isOpen(word) &&
      !saysState(word) &&
      !(data.table.wide !== undefined && isOfMonths(word.text)) &&
      !isOfTable(word.stem) &&
      !fileTitle.some((one) => isSameWord(one, word.stem)) &&
      !conditions.some(({ isSaid }) => isSaid(word)),
  )
}
