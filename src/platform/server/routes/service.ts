import { Hono } from 'hono'
import type { Environment, ServerParts } from '../environment.ts'

/** Version and heartbeat: anyone may ask. */
export function serviceRoutes({ engine }: ServerParts): Hono<Environment> {
  return new Hono<Environment>()
    .get('/version', (c) => c.json({ version: engine.version }))
    .get('/heartbeat', (c) => c.body(null, 204))
}
