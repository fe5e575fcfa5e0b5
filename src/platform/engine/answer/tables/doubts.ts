import { allPhrases, allSet, allWords, matchPart } from '#lexicon/match.ts'
import { HIGHEST_AT_END, LOWEST_AT_END } from '#lexicon/follow-up.ts'
import type { Choice } from './choices.ts'
import { type Column, hasDays } from './column.ts'
import type { Condition } from './condition.ts'
import { saysStock } from './stock.ts'
import { isExtreme, isMoney, isNamed, isNumeric, type Measure } from './measure.ts'
import { flowOf } from './flow.ts'
import { isNaming, isOfPeople, peopleColumn, type Prepared } from './prepare.ts'
import type { TableRow } from './read-tables.ts'
import { findFactors, saysPrice, withWorth } from './worth.ts'
import { stemsOf, toStem, toWordList } from './stems.ts'
import type { TableQuestion } from './table-question.ts'
import { topicsOfHeader, topicsOfWord } from './topics.ts'

const PERIODIC = allSet('tables', 'periodic')
const PAID = allSet('tables', 'paid')
const PAID_STEMS = new Set(allWords('tables', 'paid').map(toStem))
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

const isCurrency = (cell: string) => /^\p{Sc}$/u.test(cell) || CURRENCIES.has(cell.toUpperCase())

/** A question, its table and the rows that it chooses. */
interface Doubtful {
  readonly asked: TableQuestion
  readonly data: Prepared
  readonly found: Measure | undefined
  readonly chosen: readonly TableRow[]
  readonly choices: readonly Choice[]
  readonly conditions: readonly Condition[]
  readonly chosenWords: ReadonlySet<string>
}

/** Euros and pounds that a column of their own tells apart. */
function isOfCurrencies({ data, found, chosen }: Doubtful): boolean {
  const column = found?.column
  const isAmount = column !== undefined && (isMoney(column) || column.amounts.some((one) => (one?.scale ?? 0) > 0))
  if (!isAmount || column.kind !== 'number') return false
  return data.columns.some(({ kind }, at) => {
    const used = new Set(chosen.flatMap(({ cells }) => cells[at]?.trim() || []))
    return kind === 'text' && used.size > 1 && [...used].every(isCurrency)
  })
}

/** `Weekly pay` of a column Hourly pay, `average monthly sales` of a column Total. */
const isOfOtherUnit = ({ asked, data, found, chosenWords }: Doubtful) =>
  found?.column.kind === 'number' &&
  asked.words.some(
    ({ text, stem }) =>
      PERIODIC.has(text) &&
      !chosenWords.has(stem) &&
      (data.table.wide !== undefined || !isNamed(data.headers[found.at], [stem])),
  )

/** `In February` of a column Total next to a column February. */
const isOfOtherTime = ({ asked, data, found, conditions }: Doubtful) =>
  asked.words.some(
    (word) =>
      asked.period?.words.has(word.text) === true &&
      !isNamed(data.headers[found?.at ?? -1], [word.stem]) &&
      !conditions.some(({ isSaid }) => isSaid(word)) &&
      data.columns.some(({ kind }, at) => kind === 'number' && data.headers[at]?.[0] === word.stem),
  )

const saysPaid = (column: Column) => hasDays(column) && toWordList(column.header).some((word) => PAID.has(word))

/** `How much have we paid?` where a column of days says that some of it is not. */
const isUnpaid = ({ asked, data, chosen }: Doubtful) =>
  asked.aggregates.get('sum')?.some((stem) => PAID_STEMS.has(stem)) === true &&
  data.columns.some((column, at) => saysPaid(column) && chosen.some(({ cells }) => (cells[at] ?? '') === ''))

/** `How many hours does Bell work?` of two people of this name. */
function isOfNamesakes({ asked, data, chosen, choices }: Doubtful): boolean {
  const people = peopleColumn(data)
  const isPart = choices.some(({ column, words }) => {
    const word = words.join(' ')
    return column === people && chosen.every((row) => data.keys[column]?.[data.placeOf.get(row) ?? -1] !== word)
  })
  return isPart && (isNumeric(asked) || asked.aggregate === 'count') && differs(chosen, people)
}

const differs = (rows: readonly TableRow[], at: number) => new Set(rows.map(({ cells }) => cells[at] ?? '')).size > 1

const isTime = (topics: readonly string[]) => topics.includes('time')

/** `Who has been here the longest` asks for no hours. */
const isOfOtherKind = ({ asked, found }: Doubtful) =>
  asked.asksWho &&
  isExtreme(asked) &&
  found?.named === 0 &&
  found.column.kind === 'number' &&
  isTime(topicsOfHeader(found.column.header)) &&
  !asked.words.some(({ isLight, text }) => isLight || isTime(topicsOfWord(text)))

const LATEST = new Set([...HIGHEST_AT_END, ...LOWEST_AT_END].flatMap(stemsOf))

/** `Paid last` asks for a day, not for an amount. */
const isOfDay = ({ asked, found }: Doubtful) =>
  isExtreme(asked) &&
  found?.column.kind === 'number' &&
  found.named === 0 &&
  !isNaming(found.column) &&
  asked.aggregates.get(asked.aggregate)?.every((stem) => LATEST.has(stem)) === true

/** The price of one of several things: that of tickets next to `Tickets sold`. The prices of a stock may be added up. */
function isOfOne({ asked, data, found }: Doubtful): boolean {
  if (asked.aggregate !== 'sum' || found === undefined || data.table.product !== undefined) return false
  const [of, at] = (withWorth(data) && findFactors(data)) ?? []
  const count = data.columns[of ?? -1]
  return count !== undefined && at === found.at && !saysStock(count)
}

const MANY = new Set([...allPhrases('tables', 'mostRows'), ...allPhrases('tables', 'fewestRows')].map(toStem))
const OWN = new Set(allWords('tables', 'ownPronouns').map(toStem))
const BIRTH = matchPart(allPhrases('tables', 'birthHeaders'))

/** The oldest driver is not the one who has been there the longest. */
const isOfOtherAge = ({ asked, data, found }: Doubtful) =>
  isExtreme(asked) &&
  asked.topics.has('age') &&
  found?.column.kind === 'date' &&
  found.named === 0 &&
  isOfPeople(data) &&
  !BIRTH.test(found.column.header)

/** `Which size is hired the most` asks how often, not how much. */
const isOfTimes = ({ asked, data, found }: Doubtful) =>
  isExtreme(asked) &&
  asked.aggregates.get(asked.aggregate)?.every((stem) => MANY.has(stem)) === true &&
  (asked.heads.some((stem) => isNamed(data.headers[found?.at ?? -1], [stem])) ||
    // `The most employees` are no salary.
    (found?.score === 0 && asked.words.some(({ isPlace, isLimit }) => !isPlace && !isLimit)))

/** Prices that others pay are not what we spend, unless the table is of expenses. */
const isOfIncome = ({ asked, data, found }: Doubtful) =>
  asked.flow === 'out' &&
  asked.stems.some((stem) => OWN.has(stem)) &&
  found?.named === 0 &&
  saysPrice(found.column) &&
  flowOf(data.table.headings.join(' ')) !== 'out'

/** Whether the value would be of something else than the question asks for, though its words fit. */
export const isOfOther = (said: Doubtful): boolean =>
  isOfOtherAge(said) ||
  isOfOtherUnit(said) ||
  isOfNamesakes(said) ||
  (isNumeric(said.asked) &&
    (isOfCurrencies(said) ||
      isOfOtherTime(said) ||
      isUnpaid(said) ||
      isOfTimes(said) ||
      isOfIncome(said) ||
      isOfOtherKind(said) ||
      isOfDay(said) ||
      isOfOne(said)))
