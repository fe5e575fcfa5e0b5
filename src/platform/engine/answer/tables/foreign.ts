import { createLru } from '#lib/lru.ts'
import { type Condition, isLimitWord } from './conditions.ts'
import { flowOf } from './flow.ts'
import type { Prepared } from './prepare.ts'
import { isSameWord } from './stems.ts'
import { type AskedWord, isTopicWord, isWorthWord, type TableQuestion } from './table-question.ts'

/** Words that are remembered of one table. */
const MAX_WORDS = 2_000

interface Words {
  readonly ofCells: ReadonlySet<string>
  readonly known: ReturnType<typeof createLru<{ readonly isKnown: boolean }>>
}

const read = new WeakMap<Prepared['columnsOfValue'], Words>()

function wordsOf({ columnsOfValue, columnOfWord }: Prepared): Words {
  const before = read.get(columnsOfValue)
  if (before !== undefined) return before
  const ofValues = [...columnsOfValue.keys()].flatMap((key) => key.split(' '))
  const words = {
    ofCells: new Set([...ofValues, ...columnOfWord.keys()]),
    known: createLru<{ readonly isKnown: boolean }>(MAX_WORDS),
  }
  read.set(columnsOfValue, words)
  return words
}

/** Whether a word is one of a cell, a header or a heading. */
function isOfTable(data: Prepared, stem: string): boolean {
  const { ofCells, known } = wordsOf(data)
  const before = known.get(stem)
  if (before !== undefined) return before.isKnown
  const isIt = (word: string) => isSameWord(word, stem)
  const isKnown = ofCells.has(stem) || data.headers.some((header) => header.some(isIt)) || data.title.some(isIt)
  known.set(stem, { isKnown })
  return isKnown
}

/** Words that name a kind of rows or a computation, or are read in another way. */
const isOpen = ({ isLight, isLimit, isHead, isName, isCounted, text, stem }: AskedWord) =>
  [isLight, isLimit, isHead, isName, isCounted].includes(true) ||
  /\d|^un/.test(stem) ||
  isLimitWord(text) ||
  isTopicWord(text) ||
  isWorthWord(text) ||
  flowOf(text) !== undefined

/** Whether a word of the question has nothing to do with the table, so that the rest need not be asked. */
export const isForeign = (
  { words }: TableQuestion,
  data: Prepared,
  fileTitle: readonly string[],
  conditions: readonly Condition[],
): boolean =>
  words.some(
    (word) =>
      !isOpen(word) &&
      !isOfTable(data, word.stem) &&
      !fileTitle.some((one) => isSameWord(one, word.stem)) &&
      !conditions.some(({ isSaid }) => isSaid(word)),
  )
