import { Hono } from 'hono'
import { embeddingsRequest } from '../../wire/embeddings.ts'
import { requireKey } from '../auth.ts'
import { limitJson, readJson } from '../body.ts'
import type { Environment, ServerParts } from '../environment.ts'
import { onlyMethods } from '../methods.ts'

export function embeddingRoutes(parts: ServerParts): Hono<Environment> {
  return new Hono<Environment>()
    .post('/embeddings', requireKey(parts, 'bearer'), limitJson, async (c) => {
      const answer = await parts.engine.embed(await readJson(c, embeddingsRequest), c.req.raw.signal)
      return c.json(answer)
    })
    .all('/embeddings', onlyMethods('POST'))
}
