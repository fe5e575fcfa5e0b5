import { normalizedName } from '#lib/unicode.ts'
import { Hono } from 'hono'
import { z } from 'zod'
import { setTimeout as delay } from 'node:timers/promises'
import { createCollectionRequest, sharingRequest, type CreateCollectionResponse } from '#platform/wire/collections.ts'
import { toPlainName } from '#platform/wire/names.ts'
import { requireKey } from '../auth.ts'
import { awaitEnd, readJson } from '../http/body.ts'
import { type Environment, type ServerParts, onlyMethods, collectionPart } from '../routing.ts'
import { EngineError } from '#platform/engine/errors.ts'

/** The owner of a full id is stripped and the name normalised (NFC) before its length is checked. */
const body = z.looseObject({
  name: z
    .string()
    .transform((name) => normalizedName(toPlainName(name)))
    .pipe(createCollectionRequest.shape.name),
})

export function collectionRoutes(parts: ServerParts): Hono<Environment> {
  const { collections } = parts.engine
  const key = requireKey(parts, 'raw')
  return new Hono<Environment>()
    .get('/', key, async (c) => c.json(await collections.list(c.get('key').user)))
    .post('/', key, async (c) => {
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
    .put('/:name/sharing', key, async (c) => {
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

/** Shorter than the timeouts of gateways and clients: a longer pass gets 504 and goes on (interface, "Errors"). */
const ANSWER_MS = 45_000

export function indexPassRoutes(parts: ServerParts): Hono<Environment> {
  const { collections } = parts.engine
  const key = requireKey(parts, 'raw')
  return new Hono<Environment>()
    .post('/:name/generate-index', key, awaitEnd, async (c) => {
      const stop = new AbortController()
      const late = delay(parts.passAnswerMs ?? ANSWER_MS, undefined, { signal: stop.signal, ref: false }).catch(
        () => undefined,
      )
      try {
        const result = await Promise.race([collections.generateIndex(c.get('key').user, collectionPart(c)), late])
        if (result !== undefined) {
          const { indexed, failed, chunks } = result
          const counts = `The index pass is over. Files indexed: ${indexed}, failed: ${failed}; chunks: ${chunks}.`
          const message = failed === 0 ? counts : `${counts} The file list says why (error_msg).`
          return c.json({ message, files_indexed: indexed, files_failed: failed, chunks_indexed: chunks })
        }
      } finally {
        stop.abort()
      }
      throw new EngineError('upstream-timeout', 'The index pass goes on: look at the file list for its end.', {
        reason: 'pass_running',
      })
    })
    .all('/:name/generate-index', onlyMethods('POST'))
    .delete('/:name/delete-index', key, awaitEnd, async (c) => {
      await collections.removeIndex(c.get('key').user, collectionPart(c))
      return c.json({ message: 'The index was deleted; the files are still there.' })
    })
    .all('/:name/delete-index', onlyMethods('DELETE'))
}
