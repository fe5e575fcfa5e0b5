import { Hono } from 'hono'
import { createCollectionRequest, type CreateCollectionResponse } from '../../wire/collection.ts'
import { toPlainName } from '../../wire/names.ts'
import { z } from 'zod'
import { requireKey } from '../auth.ts'
import { limitJson, readJson } from '../body.ts'
import type { Environment, ServerParts } from '../environment.ts'
import { pathPart } from '../path-part.ts'

/** The owner of a full id is stripped before the name's length counts. */
const body = z.looseObject({
  name: z.string().transform(toPlainName).pipe(createCollectionRequest.shape.name),
})

export function collectionRoutes(parts: ServerParts): Hono<Environment> {
  const { collections } = parts.engine
  const key = requireKey(parts, 'raw')
  return new Hono<Environment>()
    .get('/', key, async (c) => c.json(await collections.list(c.get('key').user)))
    .post('/', key, limitJson, async (c) => {
      const { name } = await readJson(c, body)
      const record = await collections.create(c.get('key').user, name)
      const made: CreateCollectionResponse = {
        name: record.name,
        id: record.id,
        message: `The collection ${record.name} was created.`,
      }
      return c.json(made, 201)
    })
    .get('/:name', key, async (c) => c.json(await collections.get(c.get('key').user, pathPart(c, 'name'))))
    .delete('/:name', key, async (c) => {
      const name = pathPart(c, 'name')
      await collections.remove(c.get('key').user, name)
      return c.json({ message: `The collection ${toPlainName(name)} was deleted.` })
    })
}
