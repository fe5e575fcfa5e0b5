import { Hono } from 'hono'
import { ACCEPTED_FORMATS, SOURCE_FIELD, UPLOAD_PART } from '#platform/wire/collections.ts'
import { requireKey } from '../auth.ts'
import { awaitEnd } from '../http/body.ts'
import { type Environment, type ServerParts, onlyMethods, collectionPart, filePart } from '../routing.ts'
import { respondWithFile } from '../http/file.ts'
import { readForm } from '../http/form.ts'

const FILES_PATH = '/:name/files'

const MIME_TYPES = new Map<string, string>(ACCEPTED_FORMATS.map(({ format, mimeType }) => [format, mimeType]))

/** RFC 6266: an ASCII name for old clients, and the real name. */
function toDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

export function fileRoutes(parts: ServerParts): Hono<Environment> {
  const { engine } = parts
  const key = requireKey(parts, 'raw')
  return new Hono<Environment>()
    .get(FILES_PATH, key, async (c) => c.json(await engine.files.list(c.get('key').user, collectionPart(c))))
    .post(FILES_PATH, key, async (c) => {
      const { name, content, fields } = await readForm(c, UPLOAD_PART, engine.files)
      const source = fields[SOURCE_FIELD]
      const upload = { name, content, source }
      return c.json(await engine.files.upload(c.get('key').user, collectionPart(c), upload), 201)
    })
    .all(FILES_PATH, onlyMethods('GET', 'POST'))
    .put(`${FILES_PATH}/:file`, key, async (c) => {
      const { content } = await readForm(c, UPLOAD_PART, engine.files)
      // The path names the file; the name in the multipart body is ignored.
      const upload = { name: filePart(c), content }
      return c.json(await engine.files.replace(c.get('key').user, collectionPart(c), upload))
    })
    .delete(`${FILES_PATH}/:file`, key, awaitEnd, async (c) => {
      await engine.files.remove(c.get('key').user, collectionPart(c), filePart(c))
      return c.json({ message: `The file ${filePart(c)} was deleted.` })
    })
    .all(`${FILES_PATH}/:file`, onlyMethods('PUT', 'DELETE'))
    .get(`${FILES_PATH}/:file/download`, key, async (c) => {
      const file = await engine.files.download(c.get('key').user, collectionPart(c), filePart(c))
      const type = MIME_TYPES.get(file.format) ?? 'application/octet-stream'
      return respondWithFile(c, file, { 'content-type': type, 'content-disposition': toDisposition(file.name) })
    })
    .all(`${FILES_PATH}/:file/download`, onlyMethods('GET'))
}
