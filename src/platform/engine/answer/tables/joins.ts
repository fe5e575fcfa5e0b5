import type { Column } from './column.ts'
import { isNaming, type Prepared, prepare, toKey } from './prepare.ts'
import type { Table, TableRow } from './read-tables.ts'
import type { TableSource } from './table-files.ts'

/** A table with the columns of another one after its own. */
export interface JoinedTable {
  readonly source: TableSource
  readonly table: Table
}

/** More tables are not joined, nor longer ones. */
const MAX_TABLES = 24
const MAX_ROWS = 20_000
/** Fewer keys in common may be so by chance. */
const MIN_KEYS = 2

/** Whether a column may say which row is meant: by a name, or by a number of its own such as a customer number. */
const mayName = (column: Column | undefined): boolean =>
  column?.kind === 'text' || (column?.kind === 'number' && isNaming(column))

/** Rows by the cells of a column, if each has one of its own. */
export function keysOf(
  { cells, columns, marked, rows }: Prepared,
  at: number,
): ReadonlyMap<string, TableRow> | undefined {
  if (!mayName(columns[at]) || marked[at] === true) return undefined
  const keys = new Map(rows.map((row, place) => [toKey(cells[at]?.[place] ?? ''), row]))
  return keys.size === rows.length && keys.size >= MIN_KEYS && !keys.has('') ? keys : undefined
}

/** Whether each cell of a column is a key, and several of them are used. */
function holdsKeys({ cells, columns }: Prepared, at: number, keys: ReadonlyMap<string, TableRow>): boolean {
  if (!mayName(columns[at])) return false
  const found = new Set<string>()
  for (const cell of cells[at] ?? []) {
    const key = toKey(cell)
    if (!keys.has(key)) return false
    found.add(key)
  }
  return found.size >= MIN_KEYS
}

/** The column of a table whose cells are the keys of another one; undefined where two are. */
function findKey(data: Prepared, other: Prepared) {
  const found = other.columns.flatMap((_, of) => {
    const keys = keysOf(other, of)
    return keys === undefined
      ? []
      : data.columns.flatMap((__, at) => (holdsKeys(data, at, keys) ? [{ at, of, keys }] : []))
  })
  const [only, ...more] = found
  return more.length === 0 ? only : undefined
}

function join(table: Table, source: TableSource, other: Table): Table | undefined {
  const [data, looked] = [prepare(table).point, prepare(other).point]
  const key = findKey(data, looked)
  if (key === undefined || data.doubtful.size > 0 || looked.doubtful.size > 0) return undefined
  const own = table.header.length
  const known = new Set(table.header.map((header) => header.toLowerCase()))
  // A header that both have would mean either of them.
  const added = other.header.flatMap((header, at) => (at === key.of || known.has(header.toLowerCase()) ? [] : [at]))
  if (added.length === 0) return undefined
  const rowOf = new Map<TableRow, TableRow>()
  const rows = data.rows.map((row, place) => {
    const match = key.keys.get(toKey(data.cells[key.at]?.[place] ?? ''))
    const cells = Array.from({ length: own }, (_, at) => data.cells[at]?.[place] ?? '')
    const made = { ...row, cells: [...cells, ...added.map((at) => match?.cells[at] ?? '')] }
    if (match !== undefined) rowOf.set(made, match)
    return made
  })
  return {
    ...table,
    header: [...table.header, ...added.map((at) => other.header[at] ?? '')],
    rows,
    rounded: new Set([...table.rounded, ...other.rounded]),
    isFromWorkbook: table.isFromWorkbook && other.isFromWorkbook,
    joined: { source, table: other, own, rowOf },
  }
}

const known = new WeakMap<Table, Map<Table, Table | null>>()

function joinedOf(table: Table, source: TableSource, other: Table): Table | undefined {
  const before = known.get(table) ?? new Map<Table, Table | null>()
  known.set(table, before)
  const made = before.get(other) ?? (before.has(other) ? null : (join(table, source, other) ?? null))
  before.set(other, made)
  return made ?? undefined
}

/** Each table with the columns of each other one whose keys one of its columns holds: orders with the price of each. */
export function joinTables(asked: readonly JoinedTable[]): readonly JoinedTable[] {
  const tables = asked.filter(({ table }) => table.rows.length <= MAX_ROWS)
  if (tables.length > MAX_TABLES) return []
  return tables.flatMap(({ source, table }) =>
    tables.flatMap((other) => {
      const made = other.table === table ? undefined : joinedOf(table, other.source, other.table)
      return made === undefined ? [] : [{ source, table: made }]
    }),
  )
}
