import { allPhrases, allSet, matchWhole } from '#lexicon/match.ts'
import { hasDays } from './column.ts'
import type { Computed } from './computed.ts'
import type { Form } from './form.ts'
import { ownWords } from './measure.ts'
import { columnOfDates, isNaming, isWordForPeople, namesColumn, type Prepared, toKey } from './prepare.ts'
import type { TableRow } from './read-tables.ts'
import { stemsOf } from './stems.ts'
import type { TableQuestion } from './table-question.ts'

const MONTH = matchWhole(allPhrases('tables', 'monthGroups'))
const YEAR = matchWhole(allPhrases('tables', 'yearGroups'))
const unitOf = (group: string) => (MONTH.test(group) ? 'month' : YEAR.test(group) ? 'year' : undefined)

/** Whether an answer has a value for each month or year: it says by which column of days. */
export const isByTime = ({ form }: TableQuestion): boolean => form?.kind === 'by' && unitOf(form.group) !== undefined

/** Letters of an ISO date that name its month or its year. */
const DATE_LETTERS = { month: 7, year: 4 } as const

export interface Grouping {
  readonly by: string
  /** Groups of dates come in their order, others by their value. `by` is `month` or `year` then. */
  readonly isDate: boolean
  /** The column of the days, where there are several. */
  readonly dates?: string
  /** Empty: the row belongs to no group that is known. */
  readonly keyOf: (row: TableRow) => string
  /** A group is named by its first row. */
  readonly nameOf: (row: TableRow) => string
}

/** Verbs of which any column of people may say who did it: `led`. */
const DOING = allSet('tables', 'doing')
/** Letters that a verb and the name of those who do it share: `conducted` and `Conductor`. */
const MIN_SHARED = 4
const MAX_OWN_ENDING = 3

function isOfVerb(word: string, verb: string): boolean {
  let shared = 0
  while (shared < word.length && word[shared] === verb[shared]) shared += 1
  return shared >= MIN_SHARED && shared >= Math.min(word.length, verb.length) - MAX_OWN_ENDING
}

/** The columns that say who did something. */
function columnsOfDoers({ headers, columns }: Prepared, verb: string): readonly number[] {
  const [stem = ''] = stemsOf(verb)
  const texts = columns.flatMap(({ kind }, at) => (kind === 'text' ? [at] : []))
  const named = texts.filter((at) => headers[at]?.some((word) => isOfVerb(word, stem)))
  if (named.length > 0 || !DOING.has(verb)) return named
  return texts.filter((at) => isWordForPeople(columns[at]?.header ?? ''))
}

export function toGrouping(
  data: Prepared,
  { group, isDoer = false }: Pick<Form & { kind: 'by' }, 'group' | 'isDoer'>,
  measured: unknown,
  said: readonly string[],
): Grouping | undefined {
  const { headers, columns, cells, placeOf } = data
  const stems = stemsOf(group)
  const doers = isDoer ? columnsOfDoers(data, group) : []
  const named = isDoer
    ? doers.slice(0, doers.length === 1 ? 1 : 0)
    : headers.flatMap((_, at) => (stems.every((stem) => ownWords(data, at).includes(stem)) ? [at] : []))
  const at = named.length > 1 ? named.find((one) => headers[one]?.length === stems.length) : named[0]
  const column = columns[at ?? -1]
  if (at !== undefined && column !== undefined && column !== measured && column.kind !== 'date') {
    // `Price per night` is a quotient, if there is a number of nights.
    if (column.kind === 'number' && !isNaming(column)) return undefined
    const nameOf = (row: TableRow) => (cells[at]?.[placeOf.get(row) ?? -1] ?? '').trim()
    return { by: column.header, isDate: false, keyOf: (row) => toKey(nameOf(row)), nameOf }
  }
  const unit = unitOf(group)
  const dates = unit === undefined ? undefined : columnOfDates(said, data, true)
  if (unit === undefined || dates === undefined) return undefined
  const isOnly = columns.filter(hasDays).length === 1
  const nameOf = (row: TableRow) => {
    const time = dates.amounts[placeOf.get(row) ?? -1]?.digits
    return time === undefined ? '' : new Date(Number(time)).toISOString().slice(0, DATE_LETTERS[unit])
  }
  return { by: unit, isDate: true, ...(isOnly ? {} : { dates: dates.header }), keyOf: nameOf, nameOf }
}

/** Whether a word names the column of the days by whose months or years a form groups: `reported` of faults by month. */
export const namesDates = (data: Prepared, { form, stems }: TableQuestion, stem: string): boolean =>
  form?.kind === 'by' &&
  toGrouping(data, form, undefined, stems)?.isDate === true &&
  data.columns.some((column) => hasDays(column) && namesColumn(data, column, stem))

/** Whether a table knows the groups that a form names: one that does not knows a word less. */
export const hasGroups = (data: Prepared, { stems }: TableQuestion, form: Form): boolean =>
  form.kind === 'by' && toGrouping(data, form, undefined, stems) !== undefined

export const TIME_KEY = /^\d{4}(?:-\d\d)?$/

/** Months or years from the first one to the last. */
export function monthsFrom(names: readonly string[]): number {
  const numbers = names.map((name) => {
    const [year = 0, month] = name.split('-').map(Number)
    return month === undefined ? year : year * 12 + month
  })
  return Math.max(...numbers) - Math.min(...numbers) + 1
}

/** Whether the chosen rows cover every month of the table, or a period is asked for. A month that they leave out may count as zero. */
export function coversTimes(
  { rows }: Prepared,
  made: Computed,
  { keyOf }: Grouping,
  { period }: TableQuestion,
): boolean {
  if (period !== undefined) return made.choices <= 1
  return new Set(made.rows.map(keyOf)).size === new Set(rows.map(keyOf)).size
}
