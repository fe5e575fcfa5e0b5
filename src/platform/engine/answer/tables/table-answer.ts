import { referenceMark } from '#platform/wire/references.ts'
import type { Passage } from '#platform/engine/api/retrieve.ts'
import { type EngineTexts, textsFor, toTitle } from '#platform/engine/texts.ts'
import { otherRows, toPassage, toRuns } from './cited-rows.ts'
import type { Computed, Shape } from './computed.ts'
import type { Table, TableRow } from './read-tables.ts'
import { findAnswer } from './find-answer.ts'
import type { TableSource } from './table-files.ts'
import { ADDED } from './table-question.ts'
import { namesOfRows } from './wanted-names.ts'

export interface TableAnswer {
  readonly text: string
  readonly passages: readonly Passage[]
  readonly refuses: false
  /** The computed value in one line, for a model. */
  readonly summary: string
}

const MAX_ROWS_SHOWN = 10
/** More cells of a row are left out, with a sign of it. */
const MAX_CELLS_SHOWN = 16
const MAX_CELL = 160

/** Without a column that the file does not have. */
const ownCells = ({ product }: Table, cells: readonly string[]) =>
  product === undefined ? cells : cells.slice(0, product)

const cut = (text: string) => (text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text)

/** Cells with their headers: `product: Sofa · price: 129.00`. */
export function toCellsText(header: readonly string[], cells: readonly string[]): string {
  const shown = cells.flatMap((cell, at) =>
    cell === '' ? [] : [(header[at] ?? '') === '' ? cut(cell) : `${header[at]}: ${cut(cell)}`],
  )
  const more = shown.length > MAX_CELLS_SHOWN ? ['…'] : []
  return [...shown.slice(0, MAX_CELLS_SHOWN), ...more].join(' · ')
}

function toWhere({ file }: Pick<TableSource, 'file'>, { headings }: Table): string {
  const name = file.replace(/(\.\w{1,5})\.md$/, '$1')
  const sheet = headings.at(-1)
  return sheet === undefined ? name : `${name}, ${sheet}`
}

/** Both tables of a joined one; two of one file without headings of their own are named by the file. */
function toWhereAll(say: EngineTexts['tables'], source: TableSource, table: Table): string {
  const { joined } = table
  const first = toWhere(source, table)
  if (joined === undefined) return first
  const isSame = joined.source === source
  const second = isSame ? joined.table.headings.at(-1) : toWhere(joined.source, joined.table)
  return second === undefined || (isSame && second === table.headings.at(-1)) ? first : say.both(first, second)
}

const CODE = /^\p{Lu}{1,4}(?:[\s-]?\d[\d-]*)?$/u
const NAME = /\p{Ll}{2}/u

/** The name of a row: the cell that is asked for (`which supplier`), else its first one that is no number. */
function nameOf({ aggregate, column, table, asked }: Omit<Computed, 'rows'>, row: TableRow): string | undefined {
  const isOther = (at: number) => aggregate === 'rows' || table.header[at] !== column?.header
  const isName = (cell: string, at: number) => /^[^\d]*\p{L}/u.test(cell) && isOther(at)
  const names = row.cells.filter(isName)
  // A code says less than the name next to it: `E-2608, CCD camera`.
  const [first = '', second = ''] = names
  const own = CODE.test(first) && NAME.test(second) ? `${first}, ${second}` : first
  const cell = asked !== undefined && isOther(asked) ? (row.cells[asked] ?? '') : own
  return cell === '' ? undefined : cell.slice(0, MAX_CELL)
}

/** Each row with its value: `Sofa 129.00, Chair 49.00`. */
function listRows(made: Computed): string {
  const { rows, table, valued } = made
  const at = table.header.indexOf(made.column?.header ?? '')
  // Rows of one region are told apart by their products.
  const telling = table.header.findIndex((_, column) => {
    const cells = new Set(valued.map(({ cells: of }) => of[column] ?? ''))
    return (
      column !== at && !cells.has('') && cells.size === valued.length && [...cells].every((cell) => /\p{L}/u.test(cell))
    )
  })
  const named = telling === -1 ? made : { ...made, asked: made.asked ?? telling }
  return rows.map((row) => `${nameOf(named, row) ?? ''} ${row.cells[at] ?? ''}`.trim()).join(', ')
}

function toShaped(say: EngineTexts['tables'], made: Computed, shape: Shape): string {
  const name = made.column?.header ?? ''
  const counted = made.counted === undefined ? say.counted : toTitle(made.counted)
  if (shape.kind === 'share')
    return `${say.share(made.aggregate === 'count' ? counted : name)}: ${made.value} (${say.of(shape.part, shape.whole)})`
  if (shape.kind === 'counted-sum') return `${counted}: ${made.rows.length}, ${say.sum(shape.of)}: ${shape.sum}`
  if (shape.kind === 'mean') return `${say.average(name)}: ${made.value} (${shape.sum} / ${shape.count})`
  if (shape.kind === 'nth') {
    const isDate = made.column?.kind === 'date'
    const what = made.aggregate === 'max' ? say.max(isDate, name) : say.min(isDate, name)
    return `${say.nth(what, shape.place)}: ${listRows(made)}`
  }
  if (shape.kind === 'sums') {
    const what = made.aggregate === 'count' ? say.counted : say.sum(name)
    return `${say.difference(what)}: ${made.value} (${shape.of.join(', ')})`
  }
  if (shape.kind === 'columns') {
    const cells = shape.of.map((header) => `${header} ${made.rows[0]?.cells[made.table.header.indexOf(header)] ?? ''}`)
    const row = made.rows[0] === undefined ? undefined : nameOf(made, made.rows[0])
    return `${say.difference(row ?? name)}: ${made.value} (${cells.join(', ')})`
  }
  if (shape.kind !== 'by') {
    if (shape.kind === 'difference') return `${say.difference(name)}: ${made.value} (${listRows(made)})`
    const isDate = made.column?.kind === 'date'
    return `${made.aggregate === 'max' ? say.max(isDate, name) : say.min(isDate, name)}: ${listRows(made)}`
  }
  return say.by(valueName(say, made), groupName(say, shape))
}

function valueName(say: EngineTexts['tables'], { aggregate, column }: Computed): string {
  const name = column?.header ?? ''
  return aggregate === 'count' ? say.counted : aggregate === 'sum' ? say.sum(name) : say.average(name)
}

function groupName(say: EngineTexts['tables'], { isDate, by, dates }: Shape & { kind: 'by' }): string {
  if (!isDate) return by
  const name = by === 'month' ? say.month : say.year
  return dates === undefined ? name : `${name} (${dates})`
}

/** A date as people of the language write it; a workbook has it as 2026-10-20. */
function showDate(value: string | undefined, language: string): string | undefined {
  if (value === undefined || !/^\d{4}-\d\d-\d\d$/.test(value) || Number.isNaN(Date.parse(value))) return value
  const written = language === 'en' ? 'en-GB' : language
  return new Intl.DateTimeFormat(written, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(value))
}

/** `3 rows: Ulm, Bonn, Kiel`. */
function toRows(say: EngineTexts['tables'], made: Computed): string {
  const named = namesOfRows(made)
  const count = say.rows(made.rows.length)
  return named === undefined ? count : `${count}: ${say.list(named.names.map(cut), named.more)}`
}

/** A month as people write it: September 2025. */
function showMonth(name: string, language: string): string {
  if (!/^\d{4}-\d\d$/.test(name)) return name
  return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(name))
}

function toResult(say: EngineTexts['tables'], made: Computed, language: string): string {
  const { aggregate, column, rows, shape } = made
  const value = column?.kind === 'date' ? showDate(made.value, language) : made.value
  if (shape !== undefined) return toShaped(say, made, shape)
  const [first, ...more] = rows
  const row = first === undefined || more.length > 0 ? undefined : nameOf(made, first)
  const name = column?.header ?? ''
  const isDate = column?.kind === 'date'
  const count = (made.table.wide === undefined ? say.rows : say.values)(rows.length)
  switch (aggregate) {
    case 'max':
      return `${say.max(isDate, name)}: ${value}${row === undefined ? '' : ` (${row})`}`
    case 'min':
      return `${say.min(isDate, name)}: ${value}${row === undefined ? '' : ` (${row})`}`
    case 'sum':
      return `${say.sum(name)}: ${value} (${count})`
    case 'average':
      return `${say.average(name)}: ${value} (${count})`
    case 'median':
      return `${say.median(name)}: ${value} (${count})`
    case 'count':
      if (value !== undefined) return say.different(name, value)
      return made.counted === undefined ? say.rows(rows.length) : `${toTitle(made.counted)}: ${rows.length}`
    case 'rows':
      return rows.length === 0 ? say.none : (row ?? toRows(say, made))
    case 'value':
    default:
      return `${row === undefined ? '' : `${row}, `}${name}: ${value}`
  }
}

/** The first row of each group: enough to see where it comes from. */
const firstRowsOf = ({ groups }: Shape & { kind: 'by' }) => groups.flatMap(({ rows }) => rows[0] ?? [])

const toRow = (cells: readonly string[]) => `| ${cells.map((cell) => cut(cell).replaceAll('|', '\\|')).join(' | ')} |`

/** A table of the groups, each with the passage of its first row as long as there are passages. */
function toGroups(
  say: EngineTexts['tables'],
  made: Computed,
  shape: Shape & { kind: 'by' },
  runs: readonly TableRow[][],
  language: string,
): string {
  const rows = shape.groups.map(({ name, value, rows: [row] }) => {
    const run = runs.findIndex((one) => one.some((other) => other.line === row?.line))
    return toRow([name, `${value}${run === -1 ? '' : ` ${referenceMark(run + 1)}`}`])
  })
  const lines = [toRow([groupName(say, shape), valueName(say, made)]), '|---|---:|', ...rows]
  const [first, second] = shape.groups
  const isOne = first !== undefined && first.value !== second?.value
  const head =
    shape.extreme === undefined || !isOne
      ? []
      : [say.extreme(shape.extreme === 'max', showMonth(first.name, language), first.value)]
  return [...head.map((one) => `**${one}**\n`), ...lines].join('\n')
}

function toAnswer(source: TableSource, made: Computed, language: string): TableAnswer {
  const say = textsFor(language).tables
  const { table, rows, shape } = made
  const isGrouped = shape?.kind === 'by'
  const { wide = table } = table
  const based = isGrouped ? firstRowsOf(shape) : rows
  const lines = new Set(based.map(({ line }) => line))
  // A row of the file may hold several values.
  const listed = wide === table ? based : wide.rows.filter(({ line }) => lines.has(line))
  const runs = toRuns(isGrouped ? listed : listed.slice(0, MAX_ROWS_SHOWN))
  const others = otherRows(table, runs)
  const marksOf = (row: TableRow, at: number) => {
    const other = others.findIndex((one) => one === table.joined?.rowOf.get(row))
    return [at + 1, ...(other === -1 ? [] : [runs.length + other + 1])].map(referenceMark).join(' ')
  }
  const quoted = isGrouped
    ? []
    : runs.flatMap((run, at) =>
        run.map(
          (row) =>
            `> ${toCellsText(wide.header, ownCells(table, row.cells))}${say.row(row.number)} ${marksOf(row, at)}`,
        ),
      )
  const shown = runs.reduce((sum, run) => sum + run.length, 0)
  const where = toWhereAll(say, source, table)
  const isFound = made.aggregate === 'value' && shape === undefined
  const isAdded = ADDED.has(made.aggregate)
  const isRounded = isAdded && table.rounded.has(made.column?.header ?? '')
  const sayComputed = wide === table ? say.computed : say.computedValues
  const head = isFound ? say.found(where) : sayComputed(made.outOf, made.all, where)
  const result = toResult(say, made, language)
  const parts = [
    head,
    ...(isFound && rows.length > 1 ? [] : [`**${result}**`]),
    ...(quoted.length === 0 ? [] : [quoted.join('\n>\n')]),
    ...(isGrouped ? [toGroups(say, made, shape, runs, language)] : []),
    ...(listed.length > shown && !isGrouped ? [say.more(listed.length - shown)] : []),
    ...(made.leftOut > 0 ? [say.leftOut(made.leftOut)] : []),
    ...(isRounded ? [say.rounded] : []),
    ...(made.otherTotal === undefined ? [] : [say.otherTotal(made.otherTotal.label, made.otherTotal.value)]),
  ]
  const passages = [
    ...runs.map((run) => toPassage(source, table, run)),
    ...others.map((row) => toPassage(table.joined?.source ?? source, table.joined?.table ?? table, [row])),
  ]
  return {
    text: `${parts.join('\n\n')}\n`,
    passages,
    refuses: false,
    // Several rows are passages of their own.
    summary: `${head}${isFound && rows.length > 1 ? '' : ` ${result}${isGrouped ? `: ${made.value}` : ''}.`}${isRounded ? ` ${say.rounded}` : ''}`,
  }
}

/**
 * The answer that a table gives to the question: a computed value or the rows, each with its passage. Undefined where
 * no table fits the question, or nothing can be computed exactly.
 */
export function answerFromTables(
  question: string,
  sources: readonly TableSource[],
  language: string,
): TableAnswer | undefined {
  const best = findAnswer(question, sources, language)
  return best === undefined ? undefined : toAnswer(best.source, best.made, language)
}
