import { Hono } from 'hono'
import { acceptedFormats, sourceField, uploadPart } from '../../wire/file.ts'
import { requireKey } from '../auth.ts'
import { awaitEnd, limitUpload, readBytes, readForm } from '../body.ts'
import type { Environment, ServerParts } from '../environment.ts'
import { onlyMethods } from '../methods.ts'
import { collectionPart, filePart } from '../path-part.ts'

const files = '/:name/files'

const mimeTypes = new Map<string, string>(acceptedFormats.map(({ format, mimeType }) => [format, mimeType]))

/** RFC 6266: a plain name for old readers, the real one beside it. */
function toDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

export function fileRoutes(parts: ServerParts): Hono<Environment> {
  const { engine } = parts
  const key = requireKey(parts, 'raw')
  return new Hono<Environment>()
    .get(files, key, async (c) => c.json(await engine.files.list(c.get('key').user, collectionPart(c))))
    .post(files, key, limitUpload, async (c) => {
      const { file, fields } = await readForm(c, uploadPart)
      const source = fields[sourceField]
      const upload = {
        name: file.name,
        bytes: await readBytes(file),
        ...(source === undefined ? {} : { source }),
      }
      return c.json(await engine.files.upload(c.get('key').user, collectionPart(c), upload), 201)
    })
    .all(files, onlyMethods('GET', 'POST'))
    .put(`${files}/:file`, key, limitUpload, async (c) => {
      const { file } = await readForm(c, uploadPart)
      // The path says which file; what the part calls it does not matter.
      const upload = { name: filePart(c), bytes: await readBytes(file) }
      return c.json(await engine.files.replace(c.get('key').user, collectionPart(c), upload))
    })
    .delete(`${files}/:file`, key, awaitEnd, async (c) => {
      await engine.files.remove(c.get('key').user, collectionPart(c), filePart(c))
      return c.json({ message: `The file ${filePart(c)} was deleted.` })
    })
    .all(`${files}/:file`, onlyMethods('PUT', 'DELETE'))
    .get(`${files}/:file/download`, key, async (c) => {
      const file = await engine.files.download(c.get('key').user, collectionPart(c), filePart(c))
      const type = mimeTypes.get(file.format) ?? 'application/octet-stream'
      return c.body(file.bytes, 200, {
        'content-type': type,
        'content-length': String(file.bytes.length),
        'content-disposition': toDisposition(file.name),
        // Stored content is never run as a page of ours.
        'x-content-type-options': 'nosniff',
      })
    })
    .all(`${files}/:file/download`, onlyMethods('GET'))
}
