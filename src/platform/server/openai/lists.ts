import type { Context } from 'hono'
import type { z } from 'zod'
import { EngineError } from '#platform/engine/errors.ts'
import type { ListQuery } from '#platform/wire/vector-stores.ts'
import { check } from '../http/body.ts'
import type { Environment } from '../routing.ts'
import { asInvalid } from './refusals.ts'

/**
 * One page of a list. Lists are sorted by id: an id that was deleted meanwhile still has its place, so a loop may delete
 * what it lists.
 *
 * @throws {EngineError} `invalid` for an `after` or `before` that can be no id of the list
 */
export function toPage<Element extends { readonly id: string }>(
  elements: readonly Element[],
  { limit, order, after, before }: ListQuery,
  isId: (text: string) => boolean,
) {
  const sign = order === 'asc' ? 1 : -1
  const compare = (one: string, other: string) => (one === other ? 0 : one < other ? -sign : sign)
  const sorted = elements.toSorted((one, other) => compare(one.id, other.id))
  /** Number of elements before the id, or up to it. */
  const countTo = (id: string, isWithIt: boolean) => {
    if (!isId(id)) {
      throw new EngineError(
        'invalid',
        'The id in `after` or `before` does not belong to this list: leave it out to start at the beginning.',
      )
    }
    const at = sorted.findIndex((one) => compare(one.id, id) >= (isWithIt ? 1 : 0))
    return at === -1 ? sorted.length : at
  }
  const from = after === undefined ? 0 : countTo(after, true)
  const to = before === undefined ? sorted.length : countTo(before, false)
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

/** The query of a list. @throws {EngineError} `invalid` */
export function readQuery<Schema extends z.ZodType>(c: Context<Environment>, schema: Schema): z.infer<Schema> {
  try {
    return check(schema, c.req.query(), 'query')
  } catch (error) {
    return asInvalid(error)
  }
}
