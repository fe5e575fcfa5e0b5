import { setTimeout as delay } from 'node:timers/promises'
import { Hono } from 'hono'
import { EngineError } from '../../engine/errors.ts'
import { requireKey } from '../auth.ts'
import { awaitEnd } from '../body.ts'
import type { Environment, ServerParts } from '../environment.ts'
import { onlyMethods } from '../methods.ts'
import { collectionPart } from '../path-part.ts'

/** Less than gateways and clients wait: a long pass is answered while it goes on (interface, "Errors": 504). */
const answerMs = 45_000

export function indexPassRoutes(parts: ServerParts): Hono<Environment> {
  const { collections } = parts.engine
  const key = requireKey(parts, 'raw')
  return new Hono<Environment>()
    .post('/:name/generate-index', key, awaitEnd, async (c) => {
      const stop = new AbortController()
      const late = delay(parts.passAnswerMs ?? answerMs, undefined, {
        signal: stop.signal,
        ref: false,
      }).catch(() => undefined)
      try {
        const result = await Promise.race([
          collections.generateIndex(c.get('key').user, collectionPart(c)),
          late,
        ])
        if (result !== undefined) {
          const { indexed, failed, chunks } = result
          const message = `The index pass is over: ${indexed} files indexed, ${failed} failed, ${chunks} chunks.`
          return c.json({ message, files_indexed: indexed, files_failed: failed, chunks_indexed: chunks })
        }
      } finally {
        stop.abort()
      }
      throw new EngineError(
        'upstream-timeout',
        'The index pass goes on: look at the file list for its end.',
        {
          reason: 'pass_running',
        },
      )
    })
    .all('/:name/generate-index', onlyMethods('POST'))
    .delete('/:name/delete-index', key, awaitEnd, async (c) => {
      await collections.removeIndex(c.get('key').user, collectionPart(c))
      return c.json({ message: 'The index was deleted; the files are still there.' })
    })
    .all('/:name/delete-index', onlyMethods('DELETE'))
}
