import type { Handler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { Environment } from './environment.ts'

/**
 * Answers every other method of a path: 405, with those that there are; OPTIONS asks for just that. It stands after the
 * path's own routes, and before those that would take its last part for a name.
 */
export function onlyMethods(...methods: readonly string[]): Handler<Environment> {
  // A GET without its body is answered by the same route.
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return (c) => {
    c.header('allow', allowed.join(', '))
    if (c.req.method === 'OPTIONS') return c.body(null, 204)
    throw new HTTPException(405, {
      message: `${c.req.method} is nothing that ${c.req.path} takes: use ${methods.join(' or ')}.`,
    })
  }
}
