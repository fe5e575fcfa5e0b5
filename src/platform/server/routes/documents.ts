import { Hono } from 'hono'
import { conversionQuery, documentPart } from '../../wire/documents.ts'
import { requireKey } from '../auth.ts'
import { check, limitUpload } from '../http/body.ts'
import { type Environment, type ServerParts, onlyMethods } from '../routing.ts'
import { readForm } from '../http/form.ts'

const path = '/documents/convert'

export function documentRoutes(parts: ServerParts): Hono<Environment> {
  const { documents } = parts.engine
  return new Hono<Environment>()
    .post(path, requireKey(parts, 'bearer'), limitUpload, async (c) => {
      const query = check(conversionQuery, c.req.query(), 'query')
      const { name, content } = await readForm(c, documentPart, {
        keep: (bytes) => documents.receive(bytes),
        discard: (received) => documents.discard(received),
      })
      return c.json(await documents.convert({ name, content }, query, c.req.raw.signal))
    })
    .all(path, onlyMethods('POST'))
}
