import { Hono } from 'hono'
import { onlyMethods } from '../methods.ts'
import type { Environment, ServerParts } from '../environment.ts'

/** Version and heartbeat: anyone may ask. */
export function serviceRoutes({ engine }: ServerParts): Hono<Environment> {
  return new Hono<Environment>()
    .get('/version', (c) => c.json({ version: engine.version }))
    .all('/version', onlyMethods('GET'))
    .get('/heartbeat', (c) => c.body(null, 204))
    .all('/heartbeat', onlyMethods('GET'))
}

/** For whoever watches the process, or balances its load: that it answers, and nothing of the database behind it. */
export function healthRoutes({ engine }: ServerParts): Hono<Environment> {
  return new Hono<Environment>()
    .get('/health', (c) => c.json({ status: 'ok', version: engine.version }))
    .all('/health', onlyMethods('GET'))
}
