import { Hono } from 'hono'
import {
  createCollectionRequest,
  sharingRequest,
  type CreateCollectionResponse,
} from '../../wire/collection.ts'
import { toPlainName } from '../../wire/names.ts'
import { z } from 'zod'
import { requireKey } from '../auth.ts'
import { awaitEnd, limitJson, readJson } from '../body.ts'
import type { Environment, ServerParts } from '../environment.ts'
import { onlyMethods } from '../methods.ts'
import { collectionPart } from '../path-part.ts'

/** The owner of a full id is stripped, and the rest composed, before the name's length counts. */
const body = z.looseObject({
  name: z
    .string()
    .transform((name) => toPlainName(name).normalize('NFC'))
    .pipe(createCollectionRequest.shape.name),
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
    .all('/', onlyMethods('GET', 'POST'))
    .put('/:name/sharing', key, limitJson, async (c) => {
      const sharing = await readJson(c, sharingRequest)
      return c.json(await collections.share(c.get('key').user, collectionPart(c), sharing))
    })
    .all('/:name/sharing', onlyMethods('PUT'))
    .get('/:name', key, async (c) => c.json(await collections.get(c.get('key').user, collectionPart(c))))
    .delete('/:name', key, awaitEnd, async (c) => {
      const name = collectionPart(c)
      await collections.remove(c.get('key').user, name)
      return c.json({ message: `The collection ${toPlainName(name)} was deleted.` })
    })
    .all('/:name', onlyMethods('GET', 'DELETE'))
}
