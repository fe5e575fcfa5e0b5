import { pino, stdSerializers, type DestinationStream, type LogFn, type Logger } from 'pino'

export type { Logger }

// Field names whose values are removed from the log (two levels deep).
const SECRET_FIELDS = ['authorization', 'token', 'password', 'key', 'apiKey', 'botToken', 'appToken', 'secret']
const SECRET_PATHS = SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

// Patterns of credentials, which libraries may put into messages.
const SECRET_TEXT =
  /\b(?:xox[a-z]|xapp)-[\w-]+|\b(?:Bearer|Bot)\s+[\w.~+/-]{8,}=*|\bfbt?-[\w-]{16,}|\bpostgres(?:ql)?:\/\/[^\s"@]*@/g

/**
 * The root logger: JSON lines, one child a component, errors under `err`.
 * Below `error` a line has no stack, except for a bug, and where `debug` is logged.
 * Messages of people are never logged above `debug`, credentials never. `mixin` gives further fields of each line.
 */
export function createLog(level: string, destination?: DestinationStream, mixin?: () => object): Logger {
  const options = {
    level,
    base: null,
    mixin,
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    hooks: { streamWrite: redactText, logMethod },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

const ERROR_LEVEL = 50

function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
  const [fields, ...rest] = args as unknown as [unknown, ...string[]]
  const isBrief = level < ERROR_LEVEL && !this.isLevelEnabled('debug') && isWithError(fields)
  method.apply(this, isBrief ? [{ ...fields, err: withoutStack(fields.err) }, ...rest] : args)
}

const BUGS = [TypeError, ReferenceError, RangeError, SyntaxError]

const isWithError = (fields: unknown): fields is { readonly err: Error } =>
  typeof fields === 'object' && fields !== null && 'err' in fields && fields.err instanceof Error

function withoutStack(error: Error): object {
  if (BUGS.some((kind) => error instanceof kind)) return error
  const brief = Object.create(Object.getPrototypeOf(error) as object) as object
  // The serializer joins the messages of causes.
  return Object.assign(brief, error, { message: stdSerializers.err(error).message.replaceAll('.: ', ': ') })
}

/** Removes credentials inside a text. */
export function redactText(line: string): string {
  return line.replace(SECRET_TEXT, '[redacted]')
}
