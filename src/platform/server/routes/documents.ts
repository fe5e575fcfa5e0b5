import { Hono } from 'hono'
import { conversionQuery, documentPart } from '../../wire/documents.ts'
import { requireKey } from '../auth.ts'
import { check, limitUpload, readBytes, readForm } from '../body.ts'
import type { Environment, ServerParts } from '../environment.ts'

export function documentRoutes(parts: ServerParts): Hono<Environment> {
  return new Hono<Environment>().post(
    '/documents/convert',
    requireKey(parts, 'bearer'),
    limitUpload,
    async (c) => {
      const query = check(conversionQuery, c.req.query(), 'query')
      const { file } = await readForm(c, documentPart)
      const document = { name: file.name, bytes: await readBytes(file) }
      return c.json(await parts.engine.convert(document, query, c.req.raw.signal))
    },
  )
}
