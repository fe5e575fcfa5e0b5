/** One measured value with what is wanted of it. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: 'ms' | 'MB' | '×'
  /** At most this, in the same unit. Absent: watched, with no goal yet. */
  readonly goal?: number
  /** What the value was made from. */
  readonly detail?: string
}

export interface Row {
  readonly name: string
  /** What is open while it runs goes into `scope`, which is closed whatever happens. */
  run(scope: AsyncDisposableStack): Promise<readonly Figure[]>
}

/** Longest time of one row. */
const rowMs = 60_000

/**
 * Runs a row, bounded in time, and cleans up behind it.
 *
 * @throws {Error} whatever the row met, or a sentence when its time is over.
 */
export async function runRow(row: Row, limitMs: number = rowMs): Promise<readonly Figure[]> {
  const scope = new AsyncDisposableStack()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`The row ${row.name} took longer than ${limitMs / 1000} s.`)),
    limitMs,
  )
  const work = row.run(scope)
  // After its time is over it fails again when its processes go away under it.
  work.catch(() => {})
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
    await scope.disposeAsync()
  }
}

export function formatValue({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  const digits = unit === '×' || value < 10 ? 2 : value < 100 ? 1 : 0
  return `${value.toFixed(digits)} ${unit}`
}

/** `ok`, `over`, or `-` where nothing is wanted yet. */
export function verdict({ value, goal }: Figure): 'ok' | 'over' | '-' {
  if (goal === undefined) return '-'
  return value <= goal ? 'ok' : 'over'
}
