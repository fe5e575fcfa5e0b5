import { usesComma } from '#lexicon/match.ts'
import { withSums } from './aggregates.ts'
import type { Column } from './column.ts'
import type { Computed, Declined } from './computed.ts'
import type { Condition } from './condition.ts'
import { findStockColumn, isStockWord } from './conditions.ts'
import { countRows, hasTimes, isCountedNumber, readCounting } from './counted.ts'
import { readDated } from './dated.ts'
import { isOfOther as isOfAnother } from './doubts.ts'
import { evaluate } from './evaluate.ts'
import { hasGroups } from './grouping.ts'
import { repeatedColumn } from './groups.ts'
import { isForeign } from './foreign.ts'
import { GROUPS_OF_TIME } from './group-forms.ts'
import { findCompared, findMeasure, isExtreme, isNamed, isNumeric, type Measure, ownWords } from './measure.ts'
import { mayCountValues } from './months.ts'
import { isOfPeople, isWordForPeople, peopleColumn, type Prepared, prepare } from './prepare.ts'
import { readNamedLimits } from './named-limits.ts'
import { type Ranged, readRanged } from './ranges.ts'
import type { Table, TableRow } from './read-tables.ts'
import { isSameWord, toStem } from './stems.ts'
import { toShape } from './shapes.ts'
import { ADDED, type TableQuestion } from './table-question.ts'
import { topicsOfHeader } from './topics.ts'
import { columnOf, type FileTitle, understand } from './understand.ts'
import { isOfWorth, mayBeOfOne, mayMultiply, saysWorth, withWorth } from './worth.ts'

const toMeasure = ({ columns }: Prepared, at: number): Measure | undefined => {
  const column = columns[at]
  return column === undefined ? undefined : { column, at, named: 0, score: 0 }
}

/** Whether the rows of one thing would have to be added first: `which category …` of a table of invoices. */
function isOfGroups(asked: TableQuestion, data: Prepared, chosen: readonly TableRow[], measure: Measure | undefined) {
  if (!isExtreme(asked)) return false
  const counted = asked.words.filter(({ isCounted }) => isCounted).map(({ stem }) => stem)
  const heads = [...asked.heads, ...counted].map((stem) => columnOf(data, stem))
  const people = asked.asksWho ? peopleColumn(data) : -1
  return [...heads, people].some((at) => {
    if (at === undefined || at === -1 || at === measure?.at) return false
    const cells = chosen.map((row) => row.cells[at] ?? '')
    return new Set(cells).size < cells.length
  })
}

/** Whether what is asked for is no column: `which month` of rooms with a rent per month, `which team` of a list of people. */
function isOfOtherThing({ things, asksWho }: TableQuestion, data: Prepared): boolean {
  const isOfColumn = (thing: string) => data.headers.some((_, at) => isNamed(ownWords(data, at), [toStem(thing)]))
  return things.some(
    (thing) =>
      !isOfColumn(thing) &&
      (GROUPS_OF_TIME.test(thing) ||
        (!asksWho && isOfPeople(data) && !isWordForPeople(thing) && !isSameWord(toStem(thing), PERSON))),
  )
}
const PERSON = 'person'

/** `Which two suppliers` are told by their sums. */
const isOfOpenGroups = (
  asked: TableQuestion,
  data: Prepared,
  chosen: readonly TableRow[],
  found: Measure | undefined,
) =>
  isOfGroups(asked, data, chosen, found) &&
  !(asked.form?.kind === 'first' && repeatedColumn(data, chosen, found?.column, asked) !== undefined)

function findAsked(asked: TableQuestion, data: Prepared, ranged: Ranged | undefined): Measure | undefined {
  const { product, wide } = data.table
  const last = product ?? (wide === undefined ? undefined : data.columns.length - 1)
  if (last !== undefined) {
    const made = toMeasure(data, last)
    return made === undefined ? undefined : { ...made, named: 1, score: 1 }
  }
  if (ranged !== undefined) {
    const isOther = (column: Column) => column !== data.columns[ranged.column]
    const [only, ...more] = data.columns.flatMap((column, at) => (isOther(column) ? [at] : []))
    return findMeasure(asked, data, isOther) ?? (more.length === 0 ? toMeasure(data, only ?? -1) : undefined)
  }
  if (asked.aggregate === 'count' && asked.comparisons.length === 0) return undefined
  const worth = asked.asksWorth ? data.columns.findIndex((column) => column.kind === 'number' && saysWorth(column)) : -1
  if (asked.aggregate === 'sum' && worth >= 0) return toMeasure(data, worth)
  const { joined } = data.table
  // Amounts of the other table belong to several rows.
  const own =
    joined === undefined
      ? undefined
      : findMeasure(
          asked,
          data,
          ({ kind, header }) => kind === 'number' && data.table.header.indexOf(header) < joined.own,
        )
  if (isNumeric(asked) && own !== undefined && own.score > 0) return own
  const needsNumbers = isNumeric(asked) || asked.comparisons.length > 0
  const isAdded = ADDED.has(asked.aggregate)
  const measure = findMeasure(asked, data, ({ kind }) =>
    isAdded ? kind === 'number' : !needsNumbers || kind !== 'text',
  )
  const isLimited = asked.comparisons.length > 0 && !isNumeric(asked)
  return isLimited && (measure?.score ?? 0) === 0 ? findCompared(asked, data) : measure
}

/** Whether the amount that was found can't be the one that is asked for. */
function isOutOfReach(asked: TableQuestion, data: Prepared, found: Measure | undefined, isOfAll: boolean): boolean {
  const { product, wide } = data.table
  // The number of things is not what they are worth.
  if (asked.asksWorth && found !== undefined && found.named === 0 && !isOfWorth(found.column)) return true
  // The course that brings in most is not that with the highest fee.
  const isOwn = product === undefined && wide === undefined
  if (asked.asksWorth && isExtreme(asked) && isOwn && found?.named === 0 && !saysWorth(found.column)) return true
  // The price of one is not that of all of them.
  const isOwnSum = asked.aggregate === 'sum' && product === undefined
  if (isOwnSum && found !== undefined && mayBeOfOne(data, found.column, isOfAll)) return true
  const counts = asked.aggregates.has('count')
  if (counts && isNumeric(asked) && (found?.named ?? 0) === 0) return true
  // `The lowest number of visitors` is no date.
  if (counts && isExtreme(asked) && found?.column.kind !== 'number') return true
  return isExtreme(asked) && isOfOtherThing(asked, data)
}

// oxlint-disable-next-line complexity -- one branch for each kind of question
function computeValue(
  data: Prepared,
  question: TableQuestion,
  fileTitle: FileTitle,
  limits: readonly Condition[],
): Computed | Declined | undefined {
  const { isOfAll, one } = withSums(data, question)
  // Rows of months are values: they are not counted as things.
  if (one === undefined || (data.table.wide !== undefined && one.aggregates.has('count'))) return undefined
  if (mayCountValues(one, data)) return undefined
  const isNumber = one.aggregates.has('count') && isCountedNumber(one, data)
  const counting = readCounting(one, isNumber)
  const ranged = readRanged(counting, data)
  const { asked, conditions: dated } = readDated(ranged?.asked ?? counting, data)
  const more = [...dated, ...limits, ...(ranged === undefined ? [] : [ranged.condition])]
  if (isForeign(asked, data, fileTitle.words, more)) return undefined
  const found = findAsked(asked, data, ranged)
  if (isOutOfReach(asked, data, found, isOfAll)) return undefined
  const read = understand(asked, data, fileTitle, found, more)
  if (read === undefined || 'declines' in read) return read
  const { choices, conditions, chosenWords, known } = read
  const { product, joined } = data.table
  const isChoosing = choices.length > 0 || conditions.length > 0 || asked.comparisons.length > 0
  if ((asked.aggregate === 'value' || asked.aggregate === 'rows') && !isChoosing) return undefined
  if (asked.aggregate === 'count' && known === 0) return undefined
  const byWords = data.rows.filter((row) => choices.every(({ isChosen }) => isChosen(row)))
  const chosen = byWords.filter((row) => conditions.every(({ isChosen }) => isChosen(row)))
  const stock = toMeasure(data, findStockColumn(data))
  const asksOfStock = asked.words.some(isStockWord)
  // `Is the sofa in stock?` asks for the cell itself.
  if (asked.aggregate === 'value' && asksOfStock && found === undefined && choices.length > 0 && stock !== undefined)
    return evaluate(asked, data, stock, byWords, known)
  // A row of the other table belongs to several ones: its numbers are not added up.
  const isOfOther = product === undefined && joined !== undefined && found !== undefined && found.at >= joined.own
  // The hours of its organiser are not how long a tour is.
  const isUnnamed = asked.aggregate === 'value' && asked.topics.has('time') && found?.named === 0
  if (isOfOther && (isUnnamed || (isNumeric(asked) && chosen.length > 1) || asked.period !== undefined))
    return { declines: true, known }
  const isDoubtful = (isNumeric(asked) || asked.aggregate === 'count') && chosen.some((row) => data.doubtful.has(row))
  // A row with a name alone may be one of those that are counted.
  const mayLack = asked.aggregate === 'count' && data.names.length > 0 && chosen.length === data.rows.length
  if (isDoubtful || mayLack || chosen.length === 0 || isOfOpenGroups(asked, data, chosen, found))
    return { declines: true, known }
  if (isOfAnother({ asked, data, found, chosen, choices, conditions, chosenWords })) return { declines: true, known }
  if (asked.aggregate === 'value' && (asksOfStock || (asked.asksWho && choices.length === 0 && conditions.length > 0)))
    return evaluate({ ...asked, aggregate: 'rows' }, data, found, chosen, known)
  if (isNumber && one.aggregate === 'count' && one.form === undefined) {
    if (chosen.length === 1) return evaluate({ ...asked, aggregate: 'value' }, data, found, chosen, known)
    // A number of each day or year may be how many there were then.
    const isSpent = topicsOfHeader(found?.column.header ?? '').includes('time')
    if (!isSpent && hasTimes(data) && asked.period?.months.size !== 1) return { declines: true, known }
  }
  if (isOfAll && chosen.length === 1) return evaluate({ ...asked, aggregate: 'value' }, data, found, chosen, known)
  if (asked.aggregate !== 'count') {
    const made = evaluate(asked, data, found, chosen, known)
    return made === undefined
      ? undefined
      : { ...made, chosen: [...chosenWords], choices: made.choices + choices.length + conditions.length }
  }
  const isOfNamed = asked.words.some(({ stem, isHead }) => isHead && chosenWords.has(stem))
  if (isOfNamed && stock !== undefined && asked.comparisons.length === 0)
    return evaluate({ ...asked, aggregate: chosen.length === 1 ? 'value' : 'sum' }, data, stock, chosen, known)
  // Kinds of things, or things of each kind.
  if (asked.asksStock && stock !== undefined) return undefined
  const counted = countRows(asked, data, evaluate(asked, data, found, chosen, known), [...chosenWords], isOfNamed)
  return counted && { ...counted, choices: counted.choices + choices.length + conditions.length }
}

function computeAsked(
  data: Prepared,
  asked: TableQuestion,
  fileTitle: FileTitle,
  limits: readonly Condition[],
): Computed | Declined | undefined {
  const made = computeValue(data, asked, fileTitle, limits)
  if (made === undefined || 'declines' in made || asked.form === undefined) return made
  const known = made.known + Number(hasGroups(data, asked, asked.form))
  const shaped = toShape(data, made, asked.form, asked)
  return shaped === undefined ? { declines: true, known } : { ...shaped, known }
}

const isOpen = (made: Computed | Declined | undefined) => made === undefined || 'declines' in made

/** A limit that names its column is one of rows where an amount is asked for, and where the question is open without that. */
function computeIn(data: Prepared, asked: TableQuestion, fileTitle: FileTitle): Computed | Declined | undefined {
  const limited = readNamedLimits(asked, data)
  const made = limited !== undefined && isNumeric(asked) ? undefined : computeAsked(data, asked, fileTitle, [])
  if (limited === undefined || !isOpen(made)) return made
  const { known, conditions, asked: rest } = limited
  const again = computeAsked(data, rest, fileTitle, conditions)
  const isOfRows = again === undefined && rest.aggregate === 'value' && rest.form === undefined
  const rows = isOfRows ? computeAsked(data, { ...rest, aggregate: 'rows' }, fileTitle, conditions) : again
  return rows === undefined ? made : { ...rows, known: rows.known + known }
}

const isSame = (one: Computed, other: Computed | Declined | undefined) =>
  other !== undefined &&
  'rows' in other &&
  one.value === other.value &&
  // 3.400 is another sum where it has groups.
  (one.aggregate !== 'sum' || one.column?.isGrouped === other.column?.isGrouped) &&
  one.rows.length === other.rows.length &&
  one.rows.every((row, at) => row === other.rows[at])

/**
 * Computes the result from all rows of a table; undefined where the table does not fit the question, declined where it
 * fits and which value is meant is open.
 *
 * @param fileTitle stems of the name of the file, which count as a title of the table
 */
export function computeFrom(
  table: Table,
  asked: TableQuestion,
  fileTitle: FileTitle,
  language: string,
): Computed | Declined | undefined {
  const { point, comma, open } = prepare(table)
  const worth = mayMultiply(asked, point) ? withWorth(point) : undefined
  if (worth !== undefined && open.size === 0) return computeFrom(worth, asked, fileTitle, language)
  const [mine, other] = usesComma(language) ? [comma, point] : [point, comma]
  const made = computeIn(mine, asked, fileTitle)
  // Where no cell tells the notation of 1.250, only a result that is the same in both notations is given.
  if (made === undefined || 'declines' in made) return made
  if (made.column === undefined || !open.has(mine.columns.indexOf(made.column))) return made
  return isSame(made, computeIn(other, asked, fileTitle)) ? made : { declines: true, known: made.known }
}
