/** A sentence with a remedy; holds no secret. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError'
  /** `unavailable`: out of reach, or not fit. `conflict`: a newer version made the tables. */
  readonly code: 'unavailable' | 'conflict'
  /** Milliseconds after which a retry makes sense; only while the server is away. */
  readonly retryAfterMs?: number

  constructor(code: PostgresError['code'], message: string, cause?: unknown, retryAfterMs?: number) {
    super(message, { cause })
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Retry hint to callers while the database is away. */
const RETRY_AFTER_MS = 5000

export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Conflicts with another process that a retry may solve: serialisation failure, deadlock. */
export const isRace = (error: unknown) => /^40(001|P01)$/.test(codeOf(error))

/** A newer version added a column while this connection kept the plan of a statement: nothing of it happened. */
export const isStalePlan = (error: unknown) => codeOf(error) === '0A000'

/**
 * Codes of an outage: sockets, connections (class 08), a server that starts, stops or is full (57P0x, 53xxx); and
 * `pg`'s texts without a code. An error caused by an outage counts too.
 */
export function isOutage(error: unknown): boolean {
  const code = codeOf(error)
  if (/^(08...|57P0[1-5]|53...|25P03|E[A-Z_]{3,})$/.test(code)) return true
  const isKnown =
    /connection terminated|^timeout expired$|timeout exceeded when trying to connect|Query read timeout|not queryable/i
  if (isKnown.test(errorText(error))) return true
  return error instanceof Error && error.cause !== undefined && isOutage(error.cause)
}

/** Host, port and database of an address, without the password. */
function serverOf(url: string): string {
  const address = URL.parse(url)
  if (address === null) return 'the address in DATABASE_URL'
  return `${address.hostname || 'localhost'}:${address.port || '5432'}${address.pathname}`
}

function userOf(url: string): string {
  return decodeURIComponent(URL.parse(url)?.username ?? '')
}

/** For a user without the right to make tables. */
export const tablesRefused = (url: string) =>
  `The user ${userOf(url)} may not make tables in ${serverOf(url)}: make it the owner of the database, or ` +
  `GRANT CREATE ON SCHEMA public TO it.`

/** Sentences for failures at the start, by SQLSTATE. */
function sentenceOf(error: unknown, url: string): string | undefined {
  const place = serverOf(url)
  const code = codeOf(error)
  if (code.startsWith('28') || /password must be a string/.test(errorText(error))) {
    return `PostgreSQL at ${place} refused the user ${userOf(url)}: check user and password in DATABASE_URL.`
  }
  if (code === '3D000') {
    return `PostgreSQL at ${place} has no such database: make it with createdb, or correct DATABASE_URL.`
  }
  if (code === '42501') return tablesRefused(url)
  if (code === '57P03') return `PostgreSQL at ${place} is starting or stopping: try again in a moment.`
  if (code === '25006') return `PostgreSQL at ${place} is read-only, as a standby is: name the primary in DATABASE_URL.`
  if (code === '53100') return `PostgreSQL at ${place} has a full disk: free some space.`
  if (code === '53300') {
    return `PostgreSQL at ${place} has no connection left: raise its max_connections, or run fewer servers.`
  }
  return undefined
}

/** Keeps our own errors, makes a sentence of an outage, and returns anything else, a bug, as it is. */
export function toPostgresError(error: unknown, url: string): unknown {
  if (error instanceof PostgresError) return error
  const known = sentenceOf(error, url)
  if (known === undefined && !isOutage(error)) return error
  const sentence = known ?? `PostgreSQL at ${serverOf(url)} (DATABASE_URL) can't be reached: ${reasonOf(error)}.`
  return new PostgresError('unavailable', sentence, error, RETRY_AFTER_MS)
}

function reasonOf(error: unknown): string {
  const code = codeOf(error)
  if (code === 'ECONNREFUSED') return 'nothing listens there; start it, or correct the address'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'there is no machine of that name'
  if (/timeout/i.test(errorText(error))) return 'it does not answer'
  return 'the connection broke off'
}
