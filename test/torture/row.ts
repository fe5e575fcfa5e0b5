/** One line of the table. */
export interface Row {
  readonly part: string
  /** How much was tried, in words. */
  readonly tried: string
  /** The counts by name: 0 where nothing may be found. */
  readonly found: Readonly<Record<string, number | string>>
  /** Faults; empty: the part has passed. */
  readonly wrong: readonly string[]
  readonly seconds: number
}

type Outcome = Omit<Row, 'part' | 'seconds'>

export async function measure(part: string, run: () => Promise<Outcome>): Promise<Row> {
  const begun = performance.now()
  const toRow = (outcome: Outcome): Row => ({ part, ...outcome, seconds: (performance.now() - begun) / 1000 })
  try {
    return toRow(await run())
  } catch (error) {
    return toRow({
      tried: '',
      found: {},
      wrong: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
    })
  }
}

const foundOf = ({ found }: Row) =>
  Object.entries(found)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ')

/** The table in markdown, as in docs/figures.md. */
export function toTable(rows: readonly Row[]): string {
  const lines = rows.map(
    (row) =>
      `| ${row.part} | ${row.tried} | ${foundOf(row)} | ${row.wrong.length === 0 ? 'passed' : `${row.wrong.length} wrong`} | ${Math.round(row.seconds)} s |`,
  )
  return ['| part | tried | found | | time |', '|---|---|---|---|---|', ...lines].join('\n')
}
