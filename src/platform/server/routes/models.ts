import { Hono, type Context } from 'hono'
import { requireKey } from '../auth.ts'
import type { Environment, ServerParts } from '../environment.ts'
import { onlyMethods } from '../methods.ts'

export function modelRoutes(parts: ServerParts): Hono<Environment> {
  const list = async (c: Context<Environment>) =>
    c.json({ object: 'list', data: await parts.engine.models(c.req.raw.signal) })
  const key = requireKey(parts, 'bearer')
  // POST works too on the deployed service.
  return new Hono<Environment>()
    .get('/models', key, list)
    .post('/models', key, list)
    .all('/models', onlyMethods('GET', 'POST'))
}
