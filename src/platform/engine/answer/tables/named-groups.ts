import type { Computed, Group } from './computed.ts'
import { type JoinedTable, keysOf } from './joins.ts'
import { isNaming, peopleColumn, type Prepared, prepare, toKey } from './prepare.ts'

/** The column with the names of things that have a number: the first of text. */
function columnOfNames(data: Prepared): number {
  const people = peopleColumn(data)
  return people === -1 ? data.columns.findIndex(({ kind }) => kind === 'text') : people
}

/** Names of numbered groups in another table: `1023` is `Larkrise Cider`. Undefined where it does not have all of them. */
function namesIn(data: Prepared, groups: readonly Group[]): readonly string[] | undefined {
  const of = columnOfNames(data)
  const found = data.columns.flatMap((column, at) => {
    const keys = column.kind === 'number' && isNaming(column) && of !== -1 ? keysOf(data, at) : undefined
    const names = groups.map(({ name }) => keys?.get(toKey(name))?.cells[of] ?? '')
    return keys === undefined || names.includes('') ? [] : [names]
  })
  return found.length === 1 ? found[0] : undefined
}

/** A value of groups by number, with the names that the only other table with these numbers has. */
export function withNames(made: Computed, tables: readonly JoinedTable[]): Computed {
  const { shape, table } = made
  if (shape?.kind !== 'by' || shape.isDate) return made
  const { columns } = prepare(table).point
  const column = columns.find(({ header }) => header === shape.by)
  if (column === undefined || !isNaming(column) || column.kind !== 'number') return made
  const others = tables.flatMap((other) => {
    const names = other.table === table ? undefined : namesIn(prepare(other.table).point, shape.groups)
    return names === undefined ? [] : [names]
  })
  const [names, ...more] = others
  if (names === undefined || more.length > 0) return made
  const groups = shape.groups.map((group, at) => ({ ...group, name: `${names[at] ?? ''} (${group.name})` }))
  return {
    ...made,
    value: groups.map(({ name, value }) => `${name}: ${value}`).join(', '),
    shape: { ...shape, groups },
  }
}
