import { pino, type DestinationStream, type Logger } from 'pino'

export type { Logger }

// Field names whose values are removed from the log (two levels deep).
const SECRET_FIELDS = ['authorization', 'token', 'password', 'key', 'apiKey', 'botToken', 'appToken', 'secret']
const SECRET_PATHS = SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

// Patterns of credentials, which libraries may put into messages.
const SECRET_TEXT =
  /\b(?:xox[a-z]|xapp)-[\w-]+|\b(?:Bearer|Bot)\s+[\w.~+/-]{8,}=*|\bfbt?-[\w-]{16,}|\bpostgres(?:ql)?:\/\/[^\s"@]*@/g

/**
 * The root logger: JSON lines, one child a component, errors under `err`.
 * Messages of people are never logged above `debug`, credentials never. `mixin` gives further fields of each line.
 */
export function createLog(level: string, destination?: DestinationStream, mixin?: () => object): Logger {
  const options = {
    level,
    base: null,
    mixin,
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    hooks: { streamWrite: redactText },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** Removes credentials inside a text. */
export function redactText(line: string): string {
  return line.replace(SECRET_TEXT, '[redacted]')
}
