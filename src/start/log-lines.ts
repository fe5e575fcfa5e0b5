const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}
/** Fields that the line shows by themselves. */
const SHOWN = new Set(['level', 'time', 'part', 'msg', 'err'])
const MAX_VALUE = 200

interface Entry extends Readonly<Record<string, unknown>> {
  readonly level: number
  /** Milliseconds since 1970. */
  readonly time: number
  readonly part?: string
  readonly msg?: string
  readonly err?: { readonly message?: string; readonly stack?: string }
}

/** `12:03:11 warn  slack     Could not post: no such channel  channel=C1`. A stack follows an error, and at `debug`. */
export function toLogLine(json: string): string {
  const entry = JSON.parse(json) as Entry
  const { level, time, part = '', msg = '', err } = entry
  const at = new Date(time).toTimeString().slice(0, 8)
  const name = LEVELS[level] ?? String(level)
  // The logger joins the messages of causes.
  const cause = err?.message?.replaceAll('.: ', ': ')
  const reason = cause === undefined || msg.includes(cause) ? '' : `: ${cause}`
  const fields = Object.entries(entry)
    .filter(([field]) => !SHOWN.has(field))
    .map(([field, value]) => `  ${field}=${shorten(value)}`)
  const stack = err?.stack !== undefined && (level >= 50 || level <= 20) ? `\n${indent(err.stack)}` : ''
  return `${at} ${name.padEnd(5)} ${part.padEnd(9)} ${msg}${reason}${fields.join('')}${stack}\n`
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
}

/** The first line of a stack is the message. */
const indent = (stack: string) =>
  stack
    .split('\n')
    .slice(1)
    .map((line) => `           ${line.trim()}`)
    .join('\n')

/** Where the logger writes: lines for people in a terminal, JSON for programs. `undefined` is pino's own way out. */
export function logDestination(
  format: 'json' | 'text' | undefined,
  out: { readonly isTTY?: boolean; write(text: string): unknown } = process.stdout,
): { write(json: string): void } | undefined {
  const isForPeople = format === undefined ? out.isTTY === true : format === 'text'
  return isForPeople ? { write: (json) => void out.write(toLogLine(json)) } : undefined
}
