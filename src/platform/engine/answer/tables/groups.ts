import { allPhrases, matchPart } from '#lexicon/match.ts'
import { type Amount, averageOf, type Column, compare, hasDays, saysName, showAmount, sumOf } from './column.ts'
import type { Computed, Group, Shape } from './computed.ts'
import { flowOf } from './flow.ts'
import { GROUPS_OF_TIME } from './group-forms.ts'
import type { Form } from './form.ts'
import { coversTimes, type Grouping, monthsFrom, TIME_KEY, toGrouping } from './grouping.ts'
import { isMoney, isNamed } from './measure.ts'
import { isNaming, isOfPeople, isPer, isRate, type Prepared } from './prepare.ts'
import type { TableRow } from './read-tables.ts'
import { stemsOf } from './stems.ts'
import type { TableQuestion } from './table-question.ts'
import { topicsOfHeader } from './topics.ts'
import { columnOf } from './understand.ts'
import { mayBeOfOne } from './worth.ts'

/** Most groups that one answer lists. */
const MAX_GROUPS = 24
const ZERO: Amount = { digits: 0n, scale: 0 }
const COUNT = { header: '', kind: 'number', amounts: [], unit: '', notation: 'point' } as const

/** An average per month: the sum, divided by the months. */
function meanOf({ placeOf }: Prepared, made: Computed, column: Column, count: number): Computed {
  const sum = sumOf(made.rows.flatMap((row) => column.amounts[placeOf.get(row) ?? -1] ?? []))
  const value = showAmount(averageOf([sum, ...Array.from({ length: count - 1 }, () => ZERO)]), column, sum.scale)
  return { ...made, value, shape: { kind: 'mean', sum: showAmount(sum, column), count } }
}

/** Rows by their amounts in a column. @param sign -1: the highest comes first, 1: the lowest */
export function sortRows({ placeOf }: Prepared, rows: readonly TableRow[], { amounts }: Column, sign: number) {
  const valued = rows.flatMap((row) => {
    const amount = amounts[placeOf.get(row) ?? -1]
    return amount === undefined ? [] : [{ row, amount }]
  })
  return valued.toSorted((one, other) => compare(one.amount, other.amount) * sign)
}

/** Whether one group has the most rows and the most different things that are counted, too: `who guided the most groups`. */
function isSureOfDoer(
  data: Prepared,
  { words }: TableQuestion,
  { extreme }: Form & { kind: 'by' },
  groups: ReadonlyMap<string, { readonly rows: readonly TableRow[] }>,
): boolean {
  const counted = words.find(({ isCounted }) => isCounted)
  const at = counted === undefined ? undefined : columnOf(data, counted.stem)
  if (at === undefined || data.columns[at]?.kind === 'number') return true
  const sign = extreme === 'min' ? -1 : 1
  const all = [...groups.values()].map(({ rows }) => ({
    rows: rows.length * sign,
    things: new Set(rows.map(({ cells }) => cells[at] ?? '')).size * sign,
  }))
  const [rows, things] = [Math.max(...all.map((one) => one.rows)), Math.max(...all.map((one) => one.things))]
  return all.some((one) => one.rows === rows && one.things === things)
}

/** Whether a column says of how many something is the price: it is no money, no number of its own and no time. */
const isOfMany = (one: Column) =>
  one.kind === 'number' &&
  !(isMoney(one) || isNaming(one) || one.unit === '%' || topicsOfHeader(one.header).includes('time'))

/** Whether the rows are payments on a day. */
const isOfPayments = ({ columns }: Prepared, column: Column | undefined): boolean =>
  column !== undefined && isMoney(column) && !isRate(column) && columns.some(hasDays) && !columns.some(isOfMany)

/** Whether a table has what the form asks of it. */
function fitsForm(data: Prepared, { aggregate, column, value }: Computed, form: Form & { kind: 'by' }): boolean {
  const { product, wide, headings } = data.table
  if (form.isWorth === true && product === undefined && wide === undefined && !isOfPayments(data, column)) return false
  const flow = flowOf([column?.header ?? '', ...headings].join(' '))
  // A budget brings nothing in.
  if (form.isWorth === true && (flow === 'plan' || flow === 'out')) return false
  if (form.isBest === 'in' && flow !== 'in') return false
  if (form.isBest === 'any' && (wide === undefined || flow === 'out')) return false
  if (aggregate === 'count') return value === undefined
  return column !== undefined && (aggregate === 'sum' || aggregate === 'average')
}

type Rows = ReadonlyMap<string, { readonly name: string; readonly rows: readonly TableRow[] }>

/** Rows by their group; undefined where a row has none: it is missing in each of them. */
function groupRows(rows: readonly TableRow[], { keyOf, nameOf }: Grouping): Rows | undefined {
  const groups = new Map<string, { readonly name: string; readonly rows: TableRow[] }>()
  for (const row of rows) {
    const key = keyOf(row)
    if (key === '') return undefined
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { name: nameOf(row), rows: [row] })
    else known.rows.push(row)
  }
  return groups
}

/** Groups in their order, with the value of each; of the first ones all that have the value of the last. */
function showGroups(data: Prepared, made: Computed, form: Form & { kind: 'by' }, groups: Rows, isDate: boolean) {
  const { aggregate, column } = made
  const toAmount = (rows: readonly TableRow[]): Amount => {
    const amounts = rows.flatMap((row) => column?.amounts[data.placeOf.get(row) ?? -1] ?? [])
    if (aggregate === 'count') return { digits: BigInt(rows.length), scale: 0 }
    return aggregate === 'sum' ? sumOf(amounts) : averageOf(amounts)
  }
  const sign = form.extreme === 'min' ? 1 : -1
  const found = [...groups.values()].map(({ name, rows }) => ({ name, rows, amount: toAmount(rows) }))
  const sorted =
    isDate && form.extreme === undefined
      ? found.toSorted((one, other) => one.name.localeCompare(other.name))
      : found.toSorted((one, other) => compare(one.amount, other.amount) * sign)
  const last = form.count === undefined ? undefined : sorted[form.count - 1]
  const shown = last === undefined ? sorted : sorted.filter((one) => compare(one.amount, last.amount) * sign <= 0)
  const decimals = Math.max(0, ...(column?.amounts ?? []).map((amount) => amount?.scale ?? 0))
  const show = (amount: Amount) =>
    aggregate === 'average' && column !== undefined
      ? showAmount(amount, column, decimals)
      : showAmount(amount, column ?? COUNT)
  return shown.map(({ amount, ...group }): Group => ({ ...group, value: show(amount) }))
}

/** Whether the largest row is in another group than the largest sum: which one is meant is open. Hours of people are added up. */
function isOpenLevel(data: Prepared, made: Computed, form: Form & { kind: 'by' }, [first]: readonly Group[]): boolean {
  if (form.isLevel !== true || made.column === undefined || isOfPeople(data)) return false
  const [most] = sortRows(data, made.rows, made.column, form.extreme === 'min' ? 1 : -1)
  return most !== undefined && first?.rows.includes(most.row) !== true
}

function extremeRow(data: Prepared, made: Computed, column: Column, extreme: 'max' | 'min'): Computed | undefined {
  const sorted = sortRows(data, made.rows, column, extreme === 'max' ? -1 : 1)
  const [first] = sorted
  const rows = sorted.flatMap(({ row, amount }) => (first && compare(amount, first.amount) === 0 ? [row] : []))
  return first && { ...made, aggregate: extreme, rows, value: first.row.cells[data.columns.indexOf(column)] }
}

export function byGroups(
  data: Prepared,
  made: Computed,
  form: Form & { kind: 'by' },
  asked: TableQuestion,
): Computed | undefined {
  const { aggregate, column } = made
  const grouping = toGrouping(data, form, aggregate === 'count' ? undefined : column, asked.stems)
  if (grouping === undefined || !fitsForm(data, made, form)) return undefined
  const isMean = aggregate === 'average' && GROUPS_OF_TIME.test(form.group)
  // On average per month: of the entries, or of the sums of months?
  const isTold = asked.flow !== undefined || data.table.wide !== undefined
  if (isMean && (!isTold || !coversTimes(data, made, grouping, asked))) return undefined
  // Hours per week, or a salary, are not those of the month in which someone joined.
  const isOfOwnTime = column !== undefined && (isPer(column) || topicsOfHeader(column.header).includes('pay'))
  if (grouping.isDate && isOfOwnTime) return undefined
  // `How much rent per month` names no column of sizes.
  const isSaid = made.named > 0 || asked.flow !== undefined || asked.aggregates.has(aggregate)
  const groups = column !== undefined && !isSaid ? undefined : groupRows(made.rows, grouping)
  if (groups === undefined) return undefined
  // `The average fee per booking` is that of all of them.
  if (!isMean && aggregate === 'average' && form.extreme === undefined && groups.size === made.rows.length) return made
  // Each row is a thing of its own: the one with the most is shown with all of its cells.
  if (
    aggregate === 'sum' &&
    column !== undefined &&
    form.extreme !== undefined &&
    groups.size === made.all &&
    form.count === undefined &&
    !grouping.isDate
  )
    return extremeRow(data, made, column, form.extreme)
  // A department of each row has no most.
  if (aggregate === 'count' && form.extreme !== undefined && groups.size === made.all) return undefined
  if (form.count === undefined && groups.size > MAX_GROUPS) return undefined
  if (form.isDoer === true && !isSureOfDoer(data, asked, form, groups)) return undefined
  // A month without a row may be one of nothing, or missing.
  const keys = [...groups.keys()]
  const isOfTimes = grouping.isDate || keys.every((key) => TIME_KEY.test(key))
  const isGapless = !isOfTimes || monthsFrom(keys) === groups.size
  if (isMean && column !== undefined) return isGapless ? meanOf(data, made, column, groups.size) : undefined
  const said = showGroups(data, made, form, groups, grouping.isDate)
  if (isOpenLevel(data, made, form, said)) return undefined
  const extreme = form.extreme === undefined ? {} : { extreme: form.extreme }
  const dates = grouping.dates === undefined ? {} : { dates: grouping.dates }
  const shape: Shape = { kind: 'by', by: grouping.by, isDate: grouping.isDate, ...dates, groups: said, ...extreme }
  return { ...made, value: said.map(({ name, value }) => `${name}: ${value}`).join(', '), shape }
}

/** The column of the things that have several rows: which of them is first needs their sums. Undefined where a row is one. */
export function repeatedColumn(
  { headers, columns }: Prepared,
  valued: readonly TableRow[],
  column: Column | undefined,
  { words, stems }: Pick<TableQuestion, 'stems' | 'words'>,
): number | undefined {
  const differentIn = (at: number) => new Set(valued.map(({ cells }) => cells[at] ?? '')).size
  const isRepeated = (at: number) => differentIn(at) > 1 && differentIn(at) < valued.length
  const isText = (at: number) => columns[at]?.kind === 'text' || saysName(columns[at]?.header ?? '')
  for (const stem of new Set([...words.map((word) => word.stem), ...stems])) {
    const named = headers.flatMap((header, at) => (columns[at] !== column && isNamed(header, [stem]) ? [at] : []))
    // `Boats` of the columns Boat name and Boat owner.
    if (named.some((at) => isText(at) && differentIn(at) === valued.length)) continue
    const repeated = named.find(isRepeated)
    if (repeated !== undefined) return repeated
  }
  return undefined
}

const COST = matchPart(allPhrases('tables', 'costHeaders'))
const ADDED_KINDS: ReadonlySet<string> = new Set(['stock', 'time', 'weight'])

/** Whether amounts of several rows of one thing are added up: not prices of one, rates or marks. */
function isAddedUp(data: Prepared, column: Column, asked: TableQuestion, isNamedGroup: boolean): boolean {
  const topics = topicsOfHeader(column.header)
  const isPay = topics.includes('pay') && !asked.aggregates.has('sum')
  if (column.kind !== 'number' || isNaming(column) || isRate(column) || column.unit === '%' || isPay) return false
  if (mayBeOfOne(data, column, false)) return false
  // `By price`: of one row, or of all of a customer? Money that flows and totals are those of all.
  const isCost = isNamedGroup && COST.test(column.header)
  const isSaid = isCost || asked.flow !== undefined || asked.aggregates.has('sum') || data.table.wide !== undefined
  return isSaid && (data.table.wide !== undefined || isMoney(column) || topics.some((topic) => ADDED_KINDS.has(topic)))
}

/** The first groups by their sums: `top 3 customers by price`. */
export function topGroups(
  data: Prepared,
  made: Computed,
  { count, thing }: Form & { kind: 'first' },
  asked: TableQuestion,
): Computed | undefined {
  const { aggregate, column, valued } = made
  const at = repeatedColumn(data, valued, column, asked)
  const header = data.columns[at ?? -1]?.header
  // `Which three vehicles had the highest costs`, `the top three customers by cost`.
  const words = data.headers[at ?? -1]
  const isWhole = words?.length === 1 && asked.words.some(({ stem }) => stem === words[0])
  const isNamedGroup = isWhole || (thing !== undefined && isNamed(words, stemsOf(thing)))
  if (header === undefined || column === undefined || !isAddedUp(data, column, asked, isNamedGroup)) return undefined
  const amounts = new Map<string, Set<string>>()
  for (const row of valued) {
    const name = row.cells[at ?? -1] ?? ''
    amounts.set(name, (amounts.get(name) ?? new Set()).add(row.cells[data.columns.indexOf(column)] ?? ''))
  }
  // A price that all rows of a product have is its own.
  if (!data.table.wide && [...amounts.values()].every(({ size }) => size === 1)) return undefined
  const extreme = aggregate === 'min' ? 'min' : 'max'
  const form = { kind: 'by', group: header, extreme, count } as const
  return byGroups(data, { ...made, aggregate: 'sum', rows: valued }, form, asked)
}
