import type { Log } from '#bridge/port/platform.ts'

export interface LogEntry {
  readonly level: keyof Log
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

export interface LogSink extends Log {
  /** In order of arrival. */
  readonly entries: readonly LogEntry[]
  /** Entries of one level. */
  at(level: keyof Log): readonly LogEntry[]
  /** Everything as one text, which must not hold a secret. Errors come with their stacks and causes. */
  dump(): string
}

function plain(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const { name, message, stack, cause } = value
  return Object.assign({}, value, { name, message, stack, cause })
}

/** A log that keeps what it is told. */
export function createLogSink(): LogSink {
  const entries: LogEntry[] = []
  const keep = (level: keyof Log) => (fields: object, message: string) => {
    entries.push({ level, fields: { ...fields }, message })
  }
  return {
    entries,
    at: (level) => entries.filter((entry) => entry.level === level),
    dump: () => JSON.stringify(entries, plain, 2),
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
  }
}
