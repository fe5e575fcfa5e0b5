import { PostgresError, toPostgresError } from '#sql/postgres/errors.ts'
import { EngineError } from '#platform/engine/errors.ts'

/** Keeps the engine's errors, makes one of an outage, and returns anything else, a bug, as it is. */
export function toEngineError(error: unknown, url: string): unknown {
  if (error instanceof EngineError) return error
  const cause = toPostgresError(error, url)
  if (!(cause instanceof PostgresError)) return cause
  const reason = cause.retryAfterMs === undefined ? undefined : 'database_unavailable'
  return new EngineError(cause.code, cause.message, { cause, retryAfterMs: cause.retryAfterMs, reason })
}

type Call = (...values: readonly never[]) => unknown

/** Wraps a port so that its calls fail with a sentence when the database is away. Results are passed on unchanged. */
export function withDatabaseErrors<Port extends object>(port: Port, url: string): Port {
  const told = Object.entries(port).map(([name, member]: [string, unknown]) => {
    if (typeof member === 'function') return [name, withDatabaseError(member as Call, url)]
    return [name, typeof member === 'object' && member !== null ? withDatabaseErrors(member, url) : member]
  })
  return Object.fromEntries(told) as Port
}

function withDatabaseError(call: Call, url: string): (...values: readonly never[]) => Promise<unknown> {
  return async (...values) => {
    try {
      return await call(...values)
    } catch (error) {
      throw toEngineError(error, url)
    }
  }
}
