import { setTimeout as sleep } from 'node:timers/promises'
import { watchDeaths } from './process.ts'

/** One measured value with its goal. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit:
    | 'ms'
    | 'MB'
    | 'kB'
    | '×'
    | 'pages/s'
    | 'chunks/s'
    | 'answers/s'
    | 'events/s'
    | 's'
    | 'streams'
    | 'files/min'
    | '%'
  /** At most this, in the same unit. Without it and `least`: watched, with no goal yet. */
  readonly goal?: number | undefined
  /** At least this. */
  readonly least?: number | undefined
  /** The data that the value was computed from. */
  readonly detail?: string
}

/** A part of a long row, by `--at-once 1,100 --bots alone,peer --rounds 3 --bursts 5 --seconds 60`; without them all of it. */
export interface Slice {
  readonly atOnce?: readonly number[]
  readonly bots?: readonly string[]
  readonly rounds?: number
  readonly bursts?: number
  readonly seconds?: number
}

export interface Row {
  readonly name: string
  /** Longest time that it may take; default 60 s. */
  readonly limitMs?: number
  /** Takes minutes: left out unless it is named, or all are asked for. */
  readonly isLarge?: boolean
  /** Names that `--bots` can have here; absent: it changes nothing. */
  readonly bots?: readonly string[]
  /** Resources of the row go into `scope`, which is always closed. */
  run(scope: AsyncDisposableStack, slice: Slice): Promise<readonly Figure[]>
}

const rowMs = 60_000
/** A row may fail before the program that died is known to have died. */
const DEATH_MS = 500

/**
 * Runs a row with a time limit, and cleans up after it.
 *
 * @throws {Error} of the row, a sentence after the time limit, or the last lines of a program of the row that died.
 */
export async function runRow(
  row: Row,
  limitMs: number = row.limitMs ?? rowMs,
  slice: Slice = {},
): Promise<readonly Figure[]> {
  const scope = new AsyncDisposableStack()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`The row ${row.name} took longer than ${limitMs / 1000} s.`)),
    limitMs,
  )
  const died = Promise.withResolvers<never>()
  died.promise.catch(() => {})
  const endWatch = watchDeaths(died.reject)
  const work = row.run(scope, slice)
  // After the timeout the row fails again, when its processes end.
  work.catch(() => {})
  try {
    return await Promise.race([work, late.promise, died.promise])
  } catch (error) {
    await Promise.race([died.promise, sleep(DEATH_MS)])
    throw error
  } finally {
    clearTimeout(timer)
    endWatch()
    await scope.disposeAsync()
  }
}

export function formatValue({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  const digits = unit === 'streams' ? 0 : unit === '×' || value < 10 ? 2 : value < 100 ? 1 : 0
  return `${value.toFixed(digits)} ${unit}`
}

/** `ok`, `over` or `under` the goal, or `-` where nothing is wanted yet. */
export function verdict({ value, goal, least }: Figure): 'ok' | 'over' | 'under' | '-' {
  if (goal !== undefined) return value <= goal ? 'ok' : 'over'
  if (least !== undefined) return value >= least ? 'ok' : 'under'
  return '-'
}
