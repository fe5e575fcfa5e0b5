import type { Passage } from '#platform/engine/api/retrieve.ts'
import { toPlace } from '#platform/engine/chunk/units.ts'
import type { Joined, Table, TableRow } from './read-tables.ts'

const MAX_PASSAGES = 6

/** Rows one below the other share a passage. */
export function toRuns(rows: readonly TableRow[]): TableRow[][] {
  const runs: TableRow[][] = []
  for (const row of rows) {
    const last = runs.at(-1)
    if (last?.at(-1)?.line === row.line - 1) last?.push(row)
    else runs.push([row])
  }
  return runs.slice(0, MAX_PASSAGES)
}

/** Rows of the other table of a joined one, as long as there are passages. */
export function otherRows({ joined }: Table, runs: readonly (readonly TableRow[])[]): readonly TableRow[] {
  const rows = new Set(runs.flat().flatMap((row) => joined?.rowOf.get(row) ?? []))
  return [...rows].slice(0, Math.max(0, MAX_PASSAGES - runs.length))
}

export function toPassage(
  { file, origin, place }: Joined['source'],
  { headings }: Table,
  run: readonly TableRow[],
): Passage {
  const [lineFrom, lineTo] = [run[0]?.line ?? 1, run.at(-1)?.line ?? 1]
  return {
    file,
    origin,
    place: place ?? toPlace({ lineFrom, lineTo }),
    headings,
    lead: '',
    body: run.map(({ raw }) => raw).join('\n'),
    distance: 0,
    coverage: 1,
  }
}
