import { readFileSync } from 'node:fs'

/** A line for the person at the terminal. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** A line that the person at the terminal must not take for a result. */
export function warn(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Rows as lines with aligned columns. */
export function toColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const toLine = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => toLine(row).trimEnd()).join('\n')
}

/** A command or an option that is not there: the process ends with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Prints a failure that ends the process: its sentence, and for an internal error also the stack. */
export function sayWhy(error: unknown): void {
  const isOurs = error instanceof TypeError || error instanceof ReferenceError || !(error instanceof Error)
  process.stderr.write(`${isOurs ? String((error as Error).stack ?? error) : error.message}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}

/** Makes files of this process and its children private to its user, whatever umask it inherited. */
export function keepFilesPrivate(): void {
  process.umask(0o077)
}

/** npm also passes Ctrl-C on if its shell is bash. Two signals within this time count as one. */
const SAME_SIGNAL_MS = 200

/**
 * Runs `stop` at the first SIGTERM, SIGINT or SIGHUP. A second SIGTERM or SIGINT ends the process at once; a SIGHUP does
 * not: it follows a Ctrl-C when the terminal closes or npx ends.
 */
export function onSignals(stop: () => Promise<void>): void {
  let beganAt: number | undefined
  const begin = () => {
    beganAt = performance.now()
    stop().catch(sayWhy)
  }
  const beginOrEnd = () => {
    if (beganAt === undefined) begin()
    else if (performance.now() - beganAt > SAME_SIGNAL_MS) process.exit(1)
  }
  process.on('SIGTERM', beginOrEnd)
  process.on('SIGINT', beginOrEnd)
  process.on('SIGHUP', () => {
    if (beganAt === undefined) begin()
  })
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** As in package.json. */
export const VERSION: string = version
