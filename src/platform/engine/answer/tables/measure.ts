import { isSameWord, toWordList } from './stems.ts'
import { byText } from './by-text.ts'
import { type Amount, type Column, compare, sumOf } from './column.ts'
import { type Comparison, isOfCurrency, toLimit } from './comparisons.ts'
import { isNaming, isOfPeople, isRate, isWordForPeople, type Prepared } from './prepare.ts'
import { findSumColumn } from './sum-rows.ts'
import { ADDED, isSharing, type TableQuestion } from './table-question.ts'
import { topicsOfHeader, topicsOfWord } from './topics.ts'
import { saysPrice } from './worth.ts'

export const isExtreme = ({ aggregate }: TableQuestion) => aggregate === 'max' || aggregate === 'min'
export const isNumeric = (asked: TableQuestion) => isExtreme(asked) || ADDED.has(asked.aggregate)

/** Whether one of the words is one of the header. */
export const isNamed = (header: readonly string[] | undefined, stems: readonly string[]): boolean =>
  header?.some((word) => stems.some((stem) => isSameWord(word, stem))) === true

export interface Measure {
  readonly column: Column
  readonly at: number
  /** Words of the question in its header. */
  readonly named: number
  readonly score: number
}

export const isMoney = ({ header, unit }: Column) => CURRENCY.test(unit) || topicsOfHeader(header).includes('price')
export const CURRENCY = /^(?:\p{Sc}|eur|usd|gbp|chf)$/iu

const isPayment = (asked: TableQuestion, column: Column) =>
  isMoney(column) || topicsOfHeader(column.header).some((topic) => asked.topics.has(topic))

/** Without the thing that a price is for: the most boxes are no `Price per box`. */
export function ownWords({ columns, headers }: Prepared, at: number): readonly string[] {
  const all = headers[at] ?? []
  const per = placeOfSharing(columns[at]?.header ?? '')
  return per > 0 ? all.slice(0, per) : all
}

const placeOfSharing = byText((header) => toWordList(header).findIndex(isSharing))

/** Whether the first column numbers the rows: orders 1, 2, 3. */
export const isOwnName = ({ columns, cells }: Prepared, at: number) =>
  at === 0 && columns[at]?.unit === '' && new Set(cells[at]).size === cells[at]?.length

/** `Take` means takings where the question names no other column: `how long does it take` is of a time. */
const isOfVerb = ({ words, topics }: TableQuestion, { headers }: Prepared) =>
  !topics.has('time') &&
  !words.some(
    ({ isLight, isHead, isCounted, isPlace, stem }) =>
      !(isLight || isHead || isCounted || isPlace) && headers.some((header) => isNamed(header, [stem])),
  )

export function scoreOf(asked: TableQuestion, data: Prepared, at: number) {
  const { columns, headers } = data
  const said = asked.words.filter(
    ({ stem, isLight }) =>
      isNamed(headers[at], [stem]) && (!isLight || headers[at]?.includes(stem) === true || isOfVerb(asked, data)),
  )
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

/** `The most cancelled orders` are no `Order no`. */
const isNumbered = ({ stems, topics }: TableQuestion, { headers, columns }: Prepared, column: Column) =>
  isNaming(column) &&
  !topicsOfHeader(column.header).some((topic) => topics.has(topic)) &&
  headers[columns.indexOf(column)]?.every((word) => stems.includes(word)) !== true

const WHOLE = { digits: 100n, scale: 0 }

/** Discounts in percent of an amount have no sum; the parts of one whole have. */
const isPartOf = ({ columns }: Prepared, { amounts }: Column) =>
  columns.some((column) => column.kind === 'number' && column.unit !== '%' && isMoney(column)) &&
  compare(sumOf(amounts.flatMap((amount) => amount ?? [])), WHOLE) !== 0

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
    (isAdded && isNaming(column)) ||
    (isExtreme(asked) && isNumbered(asked, data, column)) ||
    (isSum && (isRate(column) || (column.unit === '%' && (named === 0 || isPartOf(data, column)))))
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
  const isOfEach = (one: Measure) => isLeftOut(one) && !isNaming(one.column) && one.named > 0
  if (all.some((one) => isOfEach(one) && one.score > (best?.score ?? 0))) return undefined
  const isFound = best !== undefined && best.score > 0
  // Litres of fuel are not what was spent on it, where another column is of money.
  const isUnpaid = isFound && asked.topics.has('price') && !isPayment(asked, best.column)
  const isOfMoney = isSum && !asked.aggregates.has('count')
  if (isAdded && isUnpaid && (isOfMoney || all.some(({ column }) => column !== best.column && isMoney(column))))
    return undefined
  // `Spent` may mean the budget or the costs, and `price` the net or the gross one; `the highest fee` that of two years.
  const isTold = isFound && best.named > 0 && isAlone(best) && !(next !== undefined && isAlone(next))
  const isCompared = isAdded || asked.form?.kind === 'difference'
  const isTie =
    isFound && best.score === next?.score && (isCompared || (best.named > 0 && best.column.kind === 'number'))
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
  const money =
    asked.asksMuch || asked.asksWorth || asked.flow !== undefined ? numbers.filter(({ column }) => isMoney(column)) : []
  if (money.length === 1 && isAdded) return money[0]
  // `The total` where one column says that word.
  const said =
    isSum || asked.aggregates.has('sum')
      ? numbers.filter(({ at }) => isNamed(data.headers[at], asked.aggregates.get('sum') ?? []))
      : []
  if (said.length === 1) return said[0]
  const columns = numbers.map(({ column }) => column)
  const isOfAll = isSum || (asked.aggregate === 'average' && asked.flow !== undefined)
  const sum = isOfAll ? findSumColumn(columns, data.rows.length) : undefined
  return numbers.find(({ column }) => column === sum)
}

const isOfRange = ({ amounts }: Column, than: Amount): boolean =>
  amounts.some((amount) => amount !== undefined && compare(amount, than) >= 0) &&
  amounts.some((amount) => amount !== undefined && compare(amount, than) <= 0)

const isOfTime = ({ when, text }: Comparison) => when !== undefined || /^(?:19|20)\d\d$/.test(text)

/** The only column in whose range each limit lies: `jobs over 200` of hours and prices. People over 60 are of an age, and 2020 is a year. */
export function findCompared({ comparisons, things }: TableQuestion, data: Prepared): Measure | undefined {
  const isOfPerson = isOfPeople(data) || things.some(isWordForPeople)
  if (comparisons.some((one) => isOfTime(one) || (isOfPerson && !isOfCurrency(one)))) return undefined
  const isLimited = (column: Column) =>
    comparisons.every((one) => {
      const than = toLimit(one, column)
      return than !== undefined && isOfRange(column, than) && (!isOfCurrency(one) || isMoney(column))
    })
  const [only, ...more] = data.columns.flatMap((column, at) =>
    column.kind === 'number' && !isNaming(column) && !isOwnName(data, at) && isLimited(column) ? [{ column, at }] : [],
  )
  return only === undefined || more.length > 0 ? undefined : { ...only, named: 0, score: 0 }
}

/** Whether a word such as `price` is of the column: Boxes added up are no price of them. */
export function isOfColumn(asked: TableQuestion, text: string, column: Column): boolean {
  const topics = topicsOfWord(text)
  // `Wie hoch` asks for any amount.
  if (!isNumeric(asked) || isExtreme(asked) || topics.includes('height')) return topics.length > 0
  const said = topicsOfHeader(column.header)
  return topics.some((topic) => said.includes(topic) || (topic === 'price' && CURRENCY.test(column.unit)))
}
