import { isMeasuring, isSameWord, stemsOf } from './stems.ts'
import { type Choice, findChoices } from './choices.ts'
import type { Column } from './column.ts'
import type { Declined } from './computed.ts'
import type { Condition } from './condition.ts'
import { findConditions } from './conditions.ts'
import { flowOf, saysFlow } from './flow.ts'
import { namesDates } from './grouping.ts'
import { isMade, isUnit, isOfMonths } from './limits.ts'
import { isOfPeople, isWordForPeople, peopleColumn, type Prepared } from './prepare.ts'
import type { Table } from './read-tables.ts'
import {
  isExtreme,
  isMoney,
  isNamed,
  isNumeric,
  isOfColumn,
  isOwnName,
  type Measure,
  ownWords,
  scoreOf,
} from './measure.ts'
import { saysWorth } from './worth.ts'
import { type AskedWord, isSharing, isWorthWord, type TableQuestion } from './table-question.ts'
import { topicsOfWord } from './topics.ts'

/** Stems of the name of a file, which count as a title of its tables. */
export interface FileTitle {
  readonly words: readonly string[]
  readonly name: string
  /** It has one table, so that its name is that of the table. */
  readonly isOnly: boolean
}

const TITLE_PART = 0.5
/** More than a title: a file of 2025 has less to do with it than a column `Hours 2025`. */
const PERIOD_PART = 0.75

const isOfPeriod = ({ period }: TableQuestion, { headers }: Prepared, found: Measure | undefined) =>
  headers[found?.at ?? -1]?.some((word) => /\d{4}/.test(word) && period?.words.has(word) === true) === true

/** Whether a word names all rows: `which machines …` of a sheet called Machines. */
export function isWhole({ headings }: Table, { isHead, stem }: AskedWord): boolean {
  if (!isHead) return false
  const [name, ...more] = stemsOf(headings.at(-1) ?? '')
  return more.length === 0 && name === stem
}

/** Words of the question that are in the headings above the table or in the name of its file. */
const isAbout = (title: readonly string[], { stem, next, text }: AskedWord) =>
  next === undefined && !isUnit(text) && title.some((other) => isSameWord(other, stem))

/** Whether a word names a column; a limiting word does so together with the next one. */
export const isHeader = ({ headers }: Prepared, { stem, next }: Pick<AskedWord, 'stem' | 'next'>) =>
  headers.some(
    (header) =>
      header.some((word) => isSameWord(word, stem)) &&
      (next === undefined || next === '' || header.some((word) => isSameWord(word, next))),
  )

/** The column that a word names by itself; of several the one with no other word in its header. */
export function columnOf(data: Prepared, stem: string): number | undefined {
  const { headers } = data
  const isIt = (word: string) =>
    isSameWord(word, stem) && (isMeasuring(stem) || word[0] !== stem[0] || Math.abs(word.length - stem.length) < 3)
  const exact = headers.flatMap((header, at) => (header.includes(stem) ? [at] : []))
  const found = exact.length > 0 ? exact : headers.flatMap((header, at) => (header.some(isIt) ? [at] : []))
  if (found.length < 2) return found[0]
  // The hours are in `Hours per week`, not in `Pay per hour`.
  const [own, ...more] = found.filter((at) =>
    ownWords(data, at).some((word) => (exact.length > 0 ? word === stem : isIt(word))),
  )
  // `Boat` above `Boat name`, `Owner` and `Length`.
  const [twice, ...others] = found.filter((at) => headers[at]?.indexOf(stem) !== headers[at]?.lastIndexOf(stem))
  if (twice !== undefined && others.length === 0) return twice
  return found.find((at) => headers[at]?.length === 1) ?? (more.length === 0 ? own : undefined)
}

const isOpenBelow = ({ rows, keys }: Prepared, { column, isChosen }: Choice) =>
  rows.some((row, at) => at + 1 < rows.length && keys[column]?.[at + 1] === '' && isChosen(row))

/** Whether the rows or the column that are meant are open. */
function isUndecided(
  asked: TableQuestion,
  data: Prepared,
  choices: readonly Choice[],
  conditions: readonly Condition[],
): boolean {
  if (asked.hasOr && choices.length + conditions.length + asked.comparisons.length > 1) return true
  // A name may hold for the empty cells below it, too.
  if (asked.aggregate !== 'value' && choices.some((choice) => isOpenBelow(data, choice))) return true
  // `The 3 cheapest` is no cell.
  if (isExtreme(asked) && choices.some(({ words }) => words.every((word) => /^\d{1,2}$/.test(word)))) return true
  // Which amount belongs to which column is not told.
  const amounts = data.columns.filter(({ kind }, at) => kind !== 'text' && scoreOf(asked, data, at).score > 0)
  return asked.comparisons.length > 0 && amounts.length > 1
}

/** Amounts of months are no hours. */
const isOfTime = (word: string) => topicsOfWord(word).every((topic) => topic !== 'price' && topic !== 'height')

/** Words of the whole name of the sheet or the file: `special trains` of a sheet of this name are all of them, not those called Special. */
function wordsOfName({ stems }: TableQuestion, { table }: Prepared, file: readonly string[]): ReadonlySet<string> {
  const said = ` ${stems.join(' ')} `
  const names = [stemsOf(table.headings.at(-1) ?? ''), file]
  return new Set(names.filter((name) => name.length > 1 && said.includes(` ${name.join(' ')} `)).flat())
}

/** The rows that words of a question choose, and words that say nothing of the table. */
function readWords(
  asked: TableQuestion,
  data: Prepared,
  found: Measure | undefined,
  more: readonly Condition[],
  file: readonly string[],
) {
  const { product, wide } = data.table
  // `Pro Woche` of a column Wochenstunden.
  const isOfUnit = ({ text, next = '' }: AskedWord) =>
    isSharing(text) && next !== '' && isNamed(data.headers[found?.at ?? -1], [next])
  const isMeasured = (word: AskedWord) =>
    found !== undefined &&
    (word.isLimit
      ? isOfUnit(word)
      : isOfMonths(word.text) && wide !== undefined
        ? true
        : (isOfColumn(asked, word.text, found.column) && !(wide !== undefined && isOfTime(word.text))) ||
          ((product !== undefined || saysWorth(found.column)) && isWorthWord(word.text)))
  const conditions = [...findConditions(asked, data), ...more]
  const spoken = asked.words.filter(
    (word) => !isMeasured(word) && !isWhole(data.table, word) && !conditions.some(({ isSaid }) => isSaid(word)),
  )
  const free = spoken.filter((word) => !isHeader(data, word))
  // `Which school …?` asks for all of them, also where names end in School.
  // `Parts` of a column Parts cost are no rows that wait for parts.
  const header = data.headers[found?.at ?? -1] ?? []
  const isWholeHeader = header.length > 1 && header.every((stem) => asked.stems.includes(stem))
  const named = spoken.filter(
    (word) =>
      !((word.isHead || word.isCounted) && isHeader(data, word)) && !(isWholeHeader && header.includes(word.stem)),
  )
  const names = wordsOfName(asked, data, file)
  const telling = (free.length > 0 || conditions.length > 0 ? free : named).filter(({ stem }) => !names.has(stem))
  const choices = findChoices(asked, data, telling)
  return { conditions, free, choices, chosenWords: new Set(choices.flatMap(({ words }) => words)) }
}

/** Titles of a table and its file, and whether the question is about them. */
function readTitles(asked: TableQuestion, data: Prepared, { words, name, isOnly }: FileTitle, column?: Column) {
  const title = [...words, ...data.title]
  const flow = flowOf([column?.header ?? '', ...data.table.headings, name].join(' '))
  // Words such as `team` are common, but a title.
  const isIn = (of: readonly string[]) =>
    asked.words.some((word) => isAbout(of, word)) || of.some((word) => asked.stems.includes(word))
  const isTitled = isIn(title)
  return {
    title,
    isTitled,
    isOfSheet: isIn(data.title),
    isWholeFile: isTitled && isOnly,
    isOfFlow: asked.flow !== undefined && flow === asked.flow,
    isOfOtherFlow:
      column !== undefined &&
      (isMoney(column) || data.table.wide !== undefined) &&
      flow !== undefined &&
      flow !== (asked.flow ?? flow),
  }
}

/** `The salary per hour` of columns Salary and Hours: which one is meant, or both, is not told. */
const isOfOther = (data: Prepared, measure: number, { stem }: AskedWord) =>
  data.table.product === undefined &&
  !isNamed(data.headers[measure], [stem]) &&
  // `Boats` of Boat name and Boat length.
  data.columns[columnOf(data, stem) ?? -1]?.kind !== 'text' &&
  data.columns.some(({ kind }, at) => kind === 'number' && !isOwnName(data, at) && isNamed(data.headers[at], [stem]))

/** A customer is no name of rows without people. */
const isNameOfRows = (data: Prepared, { isName, isPlace, text }: AskedWord) =>
  isName && !isPlace && !/\d/.test(text) && !(isWordForPeople(text) && peopleColumn(data) === -1)

/** How well a table fits beyond the words that it knows: the name decides between two that know all of them. */
const weigh = (asked: TableQuestion, data: Prepared, found: Measure | undefined, titles: readonly boolean[]) =>
  (found === undefined ? 0 : found.named > 0 ? 1.5 : 1) +
  (isOfPeriod(asked, data, found) ? PERIOD_PART : 0) +
  titles.filter(Boolean).length * TITLE_PART +
  // Its rows are what is counted.
  (asked.words.some(({ isCounted, stem }) => isCounted && columnOf(data, stem) === 0) ? TITLE_PART : 0) +
  (asked.asksWho && isExtreme(asked) && isOfPeople(data) ? TITLE_PART : 0)

/** `Which customer brought in the most?` asks for money without a word for it. */
const isOfMostMoney = ({ asksWorth, form }: TableQuestion, { column }: Measure) =>
  asksWorth && form?.kind === 'by' && isMoney(column)

/** `Which invoices are unpaid` of rows that no word names, and the days of a range; `how many complaints` counts no other rows. */
const isOfRows = (
  asked: TableQuestion,
  { isHead, text }: AskedWord,
  conditions: readonly Condition[],
  isRange: boolean,
) =>
  isHead &&
  !isMade(text) &&
  ((asked.aggregate === 'value' && isUnit(text) && isRange) ||
    (asked.aggregate === 'rows' && conditions.some(({ takesNegation }) => takesNegation)))

/** `How many days were the bikes hired?`: all of a column Bike, or those whose names say it? */
const isOfHeader = ({ headers }: Prepared, { column, words }: Choice) =>
  words.every(
    (word) =>
      headers[column]?.includes(word) || headers.some(([only, ...others]) => only === word && others.length === 0),
  )

/** The rows that the question's words choose; undefined where a word of it is not understood, declined where it has two meanings. */
export function understand(
  asked: TableQuestion,
  data: Prepared,
  fileTitle: FileTitle,
  found: Measure | undefined,
  more: readonly Condition[],
) {
  const { conditions, free, choices, chosenWords } = readWords(asked, data, found, more, fileTitle.words)
  const titles = readTitles(asked, data, fileTitle, found?.column)
  const { title, isOfSheet, isOfFlow, isOfOtherFlow, isWholeFile } = titles
  const isOwnHeader = (choice: Choice) => free.length === 0 && isOfHeader(data, choice)
  const counts = asked.aggregates.has('count')
  const isRow = (word: AskedWord) => isOfRows(asked, word, conditions, more.length > 0)
  // Takings of a sheet Sales.
  const isOfSameFlow = ({ text }: AskedWord) => isOfFlow && found !== undefined && saysFlow(text, asked.flow)
  const isKnown = (word: AskedWord) =>
    word.isLight ||
    chosenWords.has(word.stem) ||
    // Counted things are in the sheet, not in the name of a file with several.
    isAbout(word.isCounted && counts && !fileTitle.isOnly ? data.title : title, word) ||
    isOfSameFlow(word)
  const unknown = free.filter((word) => !isKnown(word) && !isRow(word))
  // A word that may choose rows or change the value must not be ignored; a name of the rows may.
  const isClear =
    unknown.length === 0 ||
    (isExtreme(asked) &&
      unknown.length === 1 &&
      (found?.score ?? 0) > 0 &&
      unknown.every((word) => isNameOfRows(data, word)))
  const isUnheard = (word: AskedWord) =>
    word.isNegated && !conditions.some(({ takesNegation, isSaid }) => takesNegation && isSaid(word))
  if (!isClear || isOfOtherFlow || asked.words.some(isUnheard)) return undefined
  const heard = asked.words.filter(({ isLight }) => !isLight).length - unknown.length
  const known = heard + weigh(asked, data, found, [titles.isTitled, isOfSheet, isOfFlow])
  const declined: Declined = { declines: true, known }
  // `How many employees have a car?`: a column that is named and chooses no rows is a condition that is not understood.
  const isIdle = (word: AskedWord) =>
    isHeader(data, word) &&
    !(word.isHead || word.isCounted || word.isPlace || word.isGroup || chosenWords.has(word.stem)) &&
    // `Did Dana drive` of a column Driver.
    !choices.some(({ column }) => isNamed(data.headers[column], [word.stem])) &&
    !isAbout(title, word) &&
    !isWhole(data.table, word) &&
    !namesDates(data, asked, word.stem) &&
    !conditions.some(({ isSaid }) => isSaid(word))
  const isGrouped = (word: AskedWord) => word.isGroup && isHeader(data, word) && !chosenWords.has(word.stem)
  if (asked.aggregate === 'count' && found === undefined && asked.words.some(isIdle)) return declined
  if (isNumeric(asked) && asked.words.some((word) => isIdle(word) && isOfOther(data, found?.at ?? -1, word)))
    return declined
  const isComputed = isNumeric(asked) || asked.aggregate === 'count' || asked.aggregate === 'rows'
  if (isComputed && (asked.words.some(isGrouped) || choices.some(isOwnHeader))) return declined
  if (isUndecided(asked, data, choices, conditions)) return declined
  // `Who has the most hours` has no answer in a table of repairs.
  const isLimited = isExtreme(asked) || asked.comparisons.length > 0 || conditions.length > 0
  if (asked.asksWho && isLimited && peopleColumn(data) === -1) return declined
  // The question names no column, no sheet and no row: any table has numbers.
  const isGuess =
    found?.score === 0 &&
    !isOfMostMoney(asked, found) &&
    !isOfSheet &&
    !isOfFlow &&
    !isWholeFile &&
    choices.length === 0
  if (isNumeric(asked) && isGuess) return undefined
  return { choices, conditions, chosenWords, known }
}
