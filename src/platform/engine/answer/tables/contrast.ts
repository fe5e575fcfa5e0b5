import { allPhrases, allWords, oneOf } from '#lexicon/match.ts'
import { normalize } from '#platform/engine/text/words.ts'
import { type Amount, showAmount, sumOf } from './column.ts'
import type { Computed } from './computed.ts'
import { COUNT_WORDS, SUM_WORD } from './form.ts'
import { SO_FAR } from './limits.ts'
import { periodIn } from './period.ts'
import { toStem } from './stems.ts'

/** Letters of a question that are looked at. */
const MAX_QUESTION = 500
/** Words of a name that is compared. */
const MAX_CHOSEN = 6
const WORD = { word: String.raw`\p{L}{1,20}` }
const THAN = oneOf(allWords('tables', 'moreThanWhat'))
const [MORE, MANY_MORE] = (['howMuchMore', 'howManyMore'] as const).map(
  (list) =>
    new RegExp(
      String.raw`(?<!\p{L})${oneOf(allPhrases('tables', list), WORD)}(?<of>\s.{1,200}?)\s${THAN}\s(?<than>.{1,80}?)[\s?.!]*$`,
      'u',
    ),
)
const QUARTER = new RegExp(String.raw`(?<!\p{L})${oneOf(allPhrases('tables', 'quarter'))}(?!\p{L})`, 'u')
const PLACING = new RegExp(
  String.raw`^(?:${oneOf(allWords('tables', 'placing'))}|${oneOf(allPhrases('tables', 'owning'))})\s`,
  'u',
)

/** Two questions for numbers whose difference is asked for: `how much more did we spend in May than in June`. */
export interface Contrast {
  readonly one: string
  /** @param first the answer to the first one, whose rows its words choose */
  readonly otherOf: (first: Computed) => string | undefined
}

const YEAR = /(?:19|20)\d\d/
/** A year that only one of two periods names is that of both. */
const withYear = (one: string, other: string): string =>
  YEAR.test(one) ? one : [one, ...(YEAR.exec(other) ?? [])].join(' ')

const bare = (text: string): string => {
  const left = text.replace(PLACING, '')
  return left === text ? text : bare(left)
}

/** The part with the words of a choice replaced: `did Solberg order` and `Tandy`. */
function replaceChosen(of: string, than: string, chosen: readonly string[]): string | undefined {
  const words = of.split(' ')
  const places = words.flatMap((word, at) => (chosen.includes(toStem(word)) ? [at] : []))
  const [first, last] = [places[0], places.at(-1)]
  if (first === undefined || last === undefined || last - first >= MAX_CHOSEN) return undefined
  return [...words.slice(0, first), bare(than), ...words.slice(last + 1)].join(' ')
}

/** `The difference between the sauna in January and the sauna in March`; the other one may be a month alone. */
const BETWEEN = new RegExp(
  String.raw`(?<!\p{L})${oneOf(allPhrases('tables', 'differences'))}(?<of>\s.{1,60}?)?\s${oneOf(allWords('tables', 'between'))}\s` +
    String.raw`(?<one>.{1,100}?)\s${oneOf(allWords('tables', 'to'))}\s(?<other>.{1,100}?)[\s?.!]*$`,
  'u',
)

function readBetween(text: string): Contrast | undefined {
  const { of = '', one = '', other = '' } = BETWEEN.exec(text)?.groups ?? {}
  const [period, next] = [periodIn(one), periodIn(other)]
  if (period === undefined || next === undefined) return undefined
  const head = `${SUM_WORD} ${of.trim()}`
  const [first, second] = [withYear(period, next), withYear(next, period)]
  const isAlone = other.replace(next, '').trim() === ''
  const inPeriod = (part: string, said: string, at: string) => `${head} ${part.replace(said, () => at)}`
  return {
    one: inPeriod(one, period, first),
    otherOf: () => (isAlone ? inPeriod(one, period, second) : inPeriod(other, next, second)),
  }
}

/** `So far` is said once, of both. */
function readMore(text: string): Contrast | undefined {
  const rest = text.replace(SO_FAR, '')
  const end = rest === text ? '' : ` ${SO_FAR}`
  const many = MANY_MORE?.exec(rest)
  const { of: part = '', than = '' } = (many ?? MORE?.exec(rest))?.groups ?? {}
  const of = part.trim()
  if (of === '') return undefined
  const head = many === null || many === undefined ? `${SUM_WORD} ` : `${COUNT_WORDS} `
  const period = periodIn(of)
  // `In the second quarter than in the first`.
  const said = QUARTER.test(of) && !QUARTER.test(than) ? `${than} ${QUARTER.exec(of)?.[0]}` : than
  const other = periodIn(said)
  if ((period === undefined) !== (other === undefined)) return undefined
  const inPeriod = (at: string) => `${head}${of.replace(period ?? '', () => at)}`
  return {
    one: period !== undefined && other !== undefined ? inPeriod(withYear(period, other)) : `${head}${of}${end}`,
    otherOf({ chosen = [] }) {
      if (period !== undefined && other !== undefined) return inPeriod(withYear(other, period))
      const replaced = replaceChosen(of, than.trim(), chosen)
      return replaced === undefined ? undefined : `${head}${replaced}${end}`
    },
  }
}

export function readContrast(question: string): Contrast | undefined {
  const text = normalize(question.slice(0, MAX_QUESTION))
  return readMore(text) ?? readBetween(text)
}

const amountOf = ({ aggregate, amount, value, rows }: Computed): Amount | undefined =>
  aggregate === 'count' && value === undefined ? { digits: BigInt(rows.length), scale: 0 } : amount

const isPart = ({ outOf, all }: Computed) => outOf < all

/** The difference of two sums or numbers of rows of one column; undefined where they are not alike. */
export function toContrast(one: Computed, other: Computed): Computed | undefined {
  const { column, aggregate, table } = one
  const isAlike =
    other.table === table &&
    other.column === column &&
    (column?.kind === 'number' || column === undefined) &&
    (other.aggregate === 'count') === (aggregate === 'count')
  const isOfTwo = isPart(one) && isPart(other) && !one.rows.some((row) => other.rows.includes(row))
  const [first, second] = [amountOf(one), amountOf(other)]
  if (!isAlike || !isOfTwo || first === undefined || second === undefined) return undefined
  const { digits, scale } = sumOf([first, { ...second, digits: -second.digits }])
  const show = (amount: Amount) =>
    aggregate !== 'count' && column !== undefined ? showAmount(amount, column) : String(amount.digits)
  return {
    ...one,
    value: show({ digits: digits < 0n ? -digits : digits, scale }),
    rows: [...one.rows, ...other.rows],
    outOf: one.outOf + other.outOf,
    leftOut: one.leftOut + other.leftOut,
    shape: { kind: 'sums', of: [show(first), show(second)] },
  }
}
