import type { Context } from 'hono'
import { EngineError } from '#platform/engine/errors.ts'
import { listQuery } from '#platform/wire/vector-stores.ts'
import { check } from '../http/body.ts'
import type { Environment } from '../routing.ts'
import { asInvalid } from './refusals.ts'

interface Listed {
  readonly id: string
  readonly created_at: number
}

/**
 * One page of a list, newest first, by the query of the request.
 *
 * @throws {EngineError} `invalid` for a query that does not fit, or an id that is not in the list
 */
export function toPage<Element extends Listed>(c: Context<Environment>, elements: readonly Element[]) {
  const { limit, order, after, before } = readQuery(c)
  const sorted = elements.toSorted((one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1))
  if (order === 'desc') sorted.reverse()
  const at = (id: string) => {
    const found = sorted.findIndex((one) => one.id === id)
    if (found !== -1) return found
    throw new EngineError('invalid', 'The list has no element of the id in `after` or `before`: begin without one.')
  }
  const from = after === undefined ? 0 : at(after) + 1
  const to = before === undefined ? sorted.length : at(before)
  // Before an element, its nearest neighbours are wanted.
  const start = before !== undefined && after === undefined ? Math.max(from, to - limit) : from
  const data = sorted.slice(start, Math.min(to, start + limit))
  const isMore = before !== undefined && after === undefined ? start > 0 : start + limit < to
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: isMore,
  }
}

function readQuery(c: Context<Environment>) {
  try {
    return check(listQuery, c.req.query(), 'query')
  } catch (error) {
    return asInvalid(error)
  }
}
