import { Hono } from 'hono'
import { conversionQuery, DOCUMENT_PART } from '../../wire/documents.ts'
import { requireKey } from '../auth.ts'
import { check } from '../http/body.ts'
import { type Environment, type ServerParts, onlyMethods } from '../routing.ts'
import { readForm } from '../http/form.ts'

const CONVERT_PATH = '/documents/convert'

export function documentRoutes(parts: ServerParts): Hono<Environment> {
  const { documents } = parts.engine
  return new Hono<Environment>()
    .post(CONVERT_PATH, requireKey(parts, 'bearer'), async (c) => {
      const query = check(conversionQuery, c.req.query(), 'query')
      const { name, content } = await readForm(c, DOCUMENT_PART, {
        keep: (bytes) => documents.receive(bytes),
        discard: (received) => documents.discard(received),
      })
      const owner = `user ${c.get('key').user.id}`
      return c.json(await documents.convert({ name, content }, query, c.req.raw.signal, owner))
    })
    .all(CONVERT_PATH, onlyMethods('POST'))
}
