import { Hono } from 'hono'
import { requireKey } from '../auth.ts'
import { onlyMethods } from '../methods.ts'
import type { CredentialForm, Environment, ServerParts } from '../environment.ts'

/** Profile of the key's owner; the interface does not show its prefix, so it is mounted at all three places. */
export function userRoutes(parts: ServerParts, wanted: CredentialForm | 'either'): Hono<Environment> {
  return new Hono<Environment>()
    .get('/user/me', requireKey(parts, wanted), async (c) => c.json(await parts.engine.profile(c.get('key'))))
    .all('/user/me', onlyMethods('GET'))
}
