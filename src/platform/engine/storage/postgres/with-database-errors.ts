import { toPostgresError } from './database-errors.ts'

type Call = (...values: readonly never[]) => unknown

/**
 * The same port, whose calls fail with a sentence when the database is away. Plain values are handed on; what a call
 * gives is not looked into.
 */
export function withSentences<Port extends object>(port: Port, url: string): Port {
  const told = Object.entries(port).map(([name, member]: [string, unknown]) => {
    if (typeof member === 'function') return [name, tellOf(member as Call, url)]
    return [name, typeof member === 'object' && member !== null ? withSentences(member, url) : member]
  })
  return Object.fromEntries(told) as Port
}

function tellOf(call: Call, url: string): (...values: readonly never[]) => Promise<unknown> {
  return async (...values) => {
    try {
      return await call(...values)
    } catch (error) {
      throw toPostgresError(error, url)
    }
  }
}
