import { isSameWord, stemsOf, toWordList } from './stems.ts'
import { type Choice, findChoices } from './choices.ts'
import type { Column } from './column.ts'
import type { Declined } from './computed.ts'
import { type Condition, findConditions } from './conditions.ts'
import { flowOf, saysFlow } from './flow.ts'
import { isMade } from './limits.ts'
import { isNaming, isOfPeople, isRate, isWordForPeople, peopleColumn, type Prepared } from './prepare.ts'
import type { Table } from './read-tables.ts'
import { findSumColumn } from './sum-rows.ts'
import { saysPrice, saysWorth } from './worth.ts'
import {
  ADDED,
  type AskedWord,
  isSharing,
  isWorthWord,
  type TableQuestion,
  topicsOfHeader,
  topicsOfWord,
} from './table-question.ts'

/** Stems of the name of a file, which count as a title of its tables. */
export interface FileTitle {
  readonly words: readonly string[]
  readonly name: string
  /** It has one table, so that its name is that of the table. */
  readonly isOnly: boolean
}

export interface Measure {
  readonly column: Column
  readonly at: number
  /** Words of the question in its header. */
  readonly named: number
  readonly score: number
}

const isMoney = ({ header, unit }: Column) => CURRENCY.test(unit) || topicsOfHeader(header).includes('price')
const CURRENCY = /^(?:\p{Sc}|eur|usd|gbp|chf)$/iu

const isPayment = (asked: TableQuestion, column: Column) =>
  isMoney(column) || topicsOfHeader(column.header).some((topic) => asked.topics.has(topic))

/** Without the thing that a price is for: the most boxes are no `Price per box`. */
function ownWords({ columns, headers }: Prepared, at: number): readonly string[] {
  const all = headers[at] ?? []
  const per = toWordList(columns[at]?.header ?? '').findIndex(isSharing)
  return per > 0 ? all.slice(0, per) : all
}

/** Whether the first column numbers the rows: orders 1, 2, 3. */
const isOwnName = ({ columns, cells }: Prepared, at: number) =>
  at === 0 && columns[at]?.unit === '' && new Set(cells[at]).size === cells[at]?.length

function scoreOf(asked: TableQuestion, data: Prepared, at: number) {
  const { columns, headers } = data
  const said = asked.words.filter(({ stem }) => isNamed(headers[at], [stem]))
  const isOwn = said.some(({ stem }) => isNamed(ownWords(data, at), [stem]))
  const of = topicsOfHeader(columns[at]?.header ?? '')
  // A salary is no price.
  const isPaid =
    asked.topics.has('price') &&
    CURRENCY.test(columns[at]?.unit ?? '') &&
    (asked.topics.has('pay') || said.length > 0 || !of.includes('pay'))
  const meant = of.filter((topic) => asked.topics.has(topic) && (topic !== 'price' || isPaid || !of.includes('pay')))
  const topics = meant.length + Number(isPaid && !meant.includes('price'))
  const named = isOwn || topics > 0 ? said.length : 0
  // The most expensive parts are not in `Discount on parts`.
  const isPriced = isExtreme(asked) && asked.topics.has('price')
  if (isPriced && topics === 0 && named === 1 && ['', '%'].includes(columns[at]?.unit ?? ''))
    return { named: 0, score: 0 }
  // `How many boxes did they order` is not of a column Order.
  const isCounted = asked.words.some((word) => word.isCounted && isNamed(headers[at], [word.stem]))
  return { named, score: named * 3 + topics * 2 + Number(isCounted) }
}

/** The column whose values are asked for: named, or of a kind that the words point to; else the only numbers, or the sum of all. */
export function findMeasure(
  asked: TableQuestion,
  data: Prepared,
  wanted: (column: Column) => boolean,
): Measure | undefined {
  const isSum = asked.aggregate === 'sum'
  const isAdded = ADDED.has(asked.aggregate)
  // Amounts for one of something have no sum, and percentages have one only where they are named.
  const isLeftOut = ({ column, named }: Measure) =>
    (isAdded && isNaming(column)) || (isSum && (isRate(column) || (column.unit === '%' && named === 0)))
  const all = data.columns.flatMap((column, at) =>
    wanted(column) ? [{ column, at, ...scoreOf(asked, data, at) }] : [],
  )
  const scored = all.filter((measure) => !isLeftOut(measure))
  const isAlone = ({ at }: Measure) => data.headers[at]?.length === 1
  const isPriced = isExtreme(asked) && asked.topics.has('price')
  const [best, next] = scored.toSorted(
    (one, other) =>
      other.score - one.score ||
      (isAdded && one.named > 0 ? Number(isAlone(other)) - Number(isAlone(one)) : 0) ||
      (isPriced ? Number(saysPrice(other.column)) - Number(saysPrice(one.column)) : 0),
  )
  // `The total of the prices` where a column says the price of each.
  if (all.some((one) => isLeftOut(one) && one.named > 0 && one.score > (best?.score ?? 0))) return undefined
  const isFound = best !== undefined && best.score > 0
  // Litres of fuel are not what was spent on it, where another column is of money.
  const isUnpaid = isFound && asked.topics.has('price') && !isPayment(asked, best.column)
  const isOfMoney = isSum && !asked.aggregates.has('count')
  if (isAdded && isUnpaid && (isOfMoney || all.some(({ column }) => column !== best.column && isMoney(column))))
    return undefined
  // `Spent` may mean the budget or the costs, and `price` the net or the gross one; `the highest fee` that of two years.
  const isTold = isFound && best.named > 0 && isAlone(best) && !(next !== undefined && isAlone(next))
  const isTie = isFound && best.score === next?.score && (isAdded || (best.named > 0 && best.column.kind === 'number'))
  // The most expensive one by its price, not by its costs; by which of several amounts is open.
  const isOpenPrice =
    isPriced && isFound && best.score === next?.score && saysPrice(best.column) === saysPrice(next.column)
  const isOpen = (isTie && !isTold) || (isOpenPrice && best.column.kind === 'number')
  if (isFound && !isOpen) return best
  // `Wie hoch ist …?` asks for any amount.
  const isAnyAmount = isSum && asked.topics.has('height')
  if (!isOpen && asked.topics.size > (isAnyAmount ? 1 : 0)) return undefined
  const numbers = scored.filter(({ column }) => column.kind === 'number' && !isNaming(column))
  if (numbers.length === 1) return numbers[0]
  const amounts = numbers.filter(({ column }) => column.unit !== '%')
  if (amounts.length === 1) return amounts[0]
  // `How much do they come to?` and `turnover` ask for money.
  const money = asked.asksMuch || asked.flow !== undefined ? numbers.filter(({ column }) => isMoney(column)) : []
  if (money.length === 1 && isAdded) return money[0]
  // `The total` where one column says that word.
  const said = isSum ? numbers.filter(({ at }) => isNamed(data.headers[at], asked.aggregates.get('sum') ?? [])) : []
  if (said.length === 1) return said[0]
  const columns = numbers.map(({ column }) => column)
  const isOfAll = isSum || (asked.aggregate === 'average' && asked.flow !== undefined)
  const sum = isOfAll ? findSumColumn(columns, data.rows.length) : undefined
  return numbers.find(({ column }) => column === sum)
}

/** Whether a word such as `price` is of the column: Boxes added up are no price of them. */
function isOfColumn(asked: TableQuestion, text: string, column: Column): boolean {
  const topics = topicsOfWord(text)
  // `Wie hoch` asks for any amount.
  if (!isNumeric(asked) || isExtreme(asked) || topics.includes('height')) return topics.length > 0
  const said = topicsOfHeader(column.header)
  return topics.some((topic) => said.includes(topic) || (topic === 'price' && CURRENCY.test(column.unit)))
}

const TITLE_PART = 0.5

/** Whether a word names all rows: `which machines …` of a sheet called Machines. */
export function isWhole({ headings }: Table, { isHead, stem }: AskedWord): boolean {
  const [name, ...more] = stemsOf(headings.at(-1) ?? '')
  return isHead && more.length === 0 && name === stem
}

/** Words of the question that are in the headings above the table or in the name of its file. */
const isAbout = (title: readonly string[], { stem, next }: AskedWord) =>
  next === undefined && title.some((other) => isSameWord(other, stem))

/** Whether one of the words is one of the header. */
export const isNamed = (header: readonly string[] | undefined, stems: readonly string[]): boolean =>
  header?.some((word) => stems.some((stem) => isSameWord(word, stem))) === true

/** Whether a word names a column; a limiting word does so together with the next one. */
export const isHeader = ({ headers }: Prepared, { stem, next }: AskedWord) =>
  headers.some(
    (header) =>
      header.some((word) => isSameWord(word, stem)) &&
      (next === undefined || next === '' || header.some((word) => isSameWord(word, next))),
  )

/** The column that a word names by itself; of several the one with no other word in its header. */
export function columnOf(data: Prepared, stem: string): number | undefined {
  const { headers } = data
  const isIt = (word: string) =>
    isSameWord(word, stem) && (word[0] !== stem[0] || Math.abs(word.length - stem.length) < 3)
  const exact = headers.flatMap((header, at) => (header.includes(stem) ? [at] : []))
  const found = exact.length > 0 ? exact : headers.flatMap((header, at) => (header.some(isIt) ? [at] : []))
  if (found.length < 2) return found[0]
  // The hours are in `Hours per week`, not in `Pay per hour`.
  const [own, ...more] = found.filter((at) => ownWords(data, at).includes(stem))
  return found.find((at) => headers[at]?.length === 1) ?? (more.length === 0 ? own : undefined)
}

export const isExtreme = ({ aggregate }: TableQuestion) => aggregate === 'max' || aggregate === 'min'
export const isNumeric = (asked: TableQuestion) => isExtreme(asked) || ADDED.has(asked.aggregate)

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

/** The rows that words of a question choose, and words that say nothing of the table. */
function readWords(asked: TableQuestion, data: Prepared, found: Measure | undefined, more: readonly Condition[]) {
  const { product } = data.table
  // `Pro Woche` of a column Wochenstunden.
  const isOfUnit = ({ text, next = '' }: AskedWord) =>
    isSharing(text) && next !== '' && isNamed(data.headers[found?.at ?? -1], [next])
  const isMeasured = (word: AskedWord) =>
    found !== undefined &&
    (word.isLimit
      ? isOfUnit(word)
      : isOfColumn(asked, word.text, found.column) ||
        ((product !== undefined || saysWorth(found.column)) && isWorthWord(word.text)))
  const conditions = [...findConditions(asked, data), ...more]
  const spoken = asked.words.filter(
    (word) => !isMeasured(word) && !isWhole(data.table, word) && !conditions.some(({ isSaid }) => isSaid(word)),
  )
  const free = spoken.filter((word) => !isHeader(data, word))
  // `Which school …?` asks for all of them, also where names end in School.
  const named = spoken.filter((word) => !((word.isHead || word.isCounted) && isHeader(data, word)))
  const choices = findChoices(asked, data, free.length > 0 || conditions.length > 0 ? free : named)
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
    isOfOtherFlow: column !== undefined && isMoney(column) && flow !== undefined && flow !== (asked.flow ?? flow),
  }
}

/** `The salary per hour` of columns Salary and Hours: which one is meant, or both, is not told. */
const isOfOther = (data: Prepared, measure: number, { stem }: AskedWord) =>
  data.table.product === undefined &&
  !isNamed(data.headers[measure], [stem]) &&
  data.columns.some(({ kind }, at) => kind === 'number' && !isOwnName(data, at) && isNamed(data.headers[at], [stem]))

/** The rows that the question's words choose; undefined where a word of it is not understood, declined where it has two meanings. */
export function understand(
  asked: TableQuestion,
  data: Prepared,
  fileTitle: FileTitle,
  found: Measure | undefined,
  more: readonly Condition[],
) {
  const { conditions, free, choices, chosenWords } = readWords(asked, data, found, more)
  const { title, isTitled, isOfSheet, isOfFlow, isOfOtherFlow, isWholeFile } = readTitles(
    asked,
    data,
    fileTitle,
    found?.column,
  )
  // `How many days were the bikes hired?`: all of a column Bike, or those whose names say it?
  const isOwnHeader = ({ column, words }: Choice) =>
    free.length === 0 && words.every((word) => data.headers[column]?.includes(word))
  const isRow = (word: AskedWord) => word.isHead && !isMade(word.text) && conditions.length > 0
  // Takings of a sheet Sales.
  const isOfSameFlow = ({ text }: AskedWord) => isOfFlow && found !== undefined && saysFlow(text, asked.flow)
  const isKnown = (word: AskedWord) =>
    word.isLight || chosenWords.has(word.stem) || isAbout(title, word) || isOfSameFlow(word)
  const unknown = free.filter((word) => !isKnown(word) && !isRow(word))
  // A customer is no name of rows without people.
  const isNameOfRows = ({ isName, isPlace, text }: AskedWord) =>
    isName && !isPlace && !/\d/.test(text) && !(isWordForPeople(text) && peopleColumn(data) === -1)
  // A word that may choose rows or change the value must not be ignored; a name of the rows may.
  const isClear =
    unknown.length === 0 ||
    (isExtreme(asked) && unknown.length === 1 && (found?.score ?? 0) > 0 && unknown.every(isNameOfRows))
  const isUnheard = (word: AskedWord) =>
    word.isNegated && !conditions.some(({ takesNegation, isSaid }) => takesNegation && isSaid(word))
  if (!isClear || isOfOtherFlow || asked.words.some(isUnheard)) return undefined
  // The name decides between two tables that know all words.
  const known =
    asked.words.filter(({ isLight }) => !isLight).length -
    unknown.length +
    (found === undefined ? 0 : found.named > 0 ? 1.5 : 1) +
    [isTitled, isOfSheet, isOfFlow].filter(Boolean).length * TITLE_PART +
    // Its rows are what is counted.
    (asked.words.some(({ isCounted, stem }) => isCounted && columnOf(data, stem) === 0) ? TITLE_PART : 0) +
    (asked.asksWho && isExtreme(asked) && isOfPeople(data) ? TITLE_PART : 0)
  const declined: Declined = { declines: true, known }
  // `How many employees have a car?`: a column that is named and chooses no rows is a condition that is not understood.
  const isIdle = (word: AskedWord) =>
    isHeader(data, word) &&
    !(word.isHead || word.isCounted || word.isPlace || word.isGroup || chosenWords.has(word.stem)) &&
    // `Did Dana drive` of a column Driver.
    !choices.some(({ column }) => isNamed(data.headers[column], [word.stem])) &&
    !isAbout(title, word) &&
    !isWhole(data.table, word) &&
    !conditions.some(({ isSaid }) => isSaid(word))
  const isGrouped = (word: AskedWord) => word.isGroup && isHeader(data, word) && !chosenWords.has(word.stem)
  if (asked.aggregate === 'count' && found === undefined && asked.words.some(isIdle)) return declined
  if (isNumeric(asked) && asked.words.some((word) => isIdle(word) && isOfOther(data, found?.at ?? -1, word)))
    return declined
  const isComputed = isNumeric(asked) || asked.aggregate === 'count'
  if (isComputed && (asked.words.some(isGrouped) || choices.some(isOwnHeader))) return declined
  if (isUndecided(asked, data, choices, conditions)) return declined
  // `Who has the most hours` has no answer in a table of repairs.
  const isLimited = isExtreme(asked) || asked.comparisons.length > 0 || conditions.length > 0
  if (asked.asksWho && isLimited && peopleColumn(data) === -1) return declined
  // The question names no column, no sheet and no row: any table has numbers.
  const isGuess = found?.score === 0 && !isOfSheet && !isOfFlow && !isWholeFile && choices.length === 0
  if (isNumeric(asked) && isGuess) return undefined
  return { choices, conditions, chosenWords, known }
}
