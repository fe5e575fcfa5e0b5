import type { Log } from '#bridge/port/platform.ts'

export interface LogLine {
  readonly level: keyof Log
  readonly message: string
  readonly fields: object
}

/** A log whose lines can be looked at. */
export function createLogSink(): { readonly log: Log; readonly lines: LogLine[] } {
  const lines: LogLine[] = []
  const at = (level: keyof Log) => (fields: object, message: string) => void lines.push({ level, message, fields })
  return { lines, log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } }
}
