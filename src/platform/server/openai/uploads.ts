import { Hono } from 'hono'
import type { FileEntry, ReceivedFile } from '#platform/engine/api/files.ts'
import type { Engine } from '#platform/engine/engine.ts'
import { EngineError } from '#platform/engine/errors.ts'
import type { UserRow } from '#platform/engine/storage/catalog.ts'
import { UPLOAD_PART } from '#platform/wire/collections.ts'
import { toCollectionId } from '#platform/wire/names.ts'
import { type UploadedFile, uploadListQuery } from '#platform/wire/vector-stores.ts'
import { requireKey } from '../auth.ts'
import { awaitEnd } from '../http/body.ts'
import { type FileReceiver, readForm, type ReceivedForm } from '../http/form.ts'
import { type Environment, filePart, onlyMethods, type ServerParts } from '../routing.ts'
import { isFileId, toFileId } from './ids.ts'
import { createLibrary, type Library } from './library.ts'
import { readQuery, toPage } from './lists.ts'
import { notDone } from './refusals.ts'

const toFile = (file: FileEntry): UploadedFile => ({
  id: toFileId(file.name, file.sha256),
  object: 'file',
  created_at: Math.floor(file.createdAt / 1000),
  bytes: file.sizeBytes,
  filename: file.name,
  purpose: 'assistants',
  status: 'processed',
})

const PURPOSES: readonly string[] = ['assistants', 'user_data']

function checkFields({ fields }: Pick<ReceivedForm<ReceivedFile>, 'fields'>): void {
  const { purpose = 'assistants' } = fields
  if (!PURPOSES.includes(purpose)) {
    const sentence = 'Files are only searched here: set `purpose` to `assistants` or `user_data`.'
    throw new EngineError('invalid', sentence, { reason: 'unsupported_value' })
  }
  if (Object.keys(fields).some((name) => name.startsWith('expires_after'))) {
    throw new EngineError('invalid', 'Files do not expire: leave `expires_after` out, and delete them.')
  }
}

/** Stores an upload once; the same bytes under the same name are the same file. */
const createTake =
  ({ files }: Pick<Engine, 'files'>, library: Library) =>
  async (user: UserRow, { name, content, fields }: ReceivedForm<ReceivedFile>): Promise<FileEntry> => {
    let isTaken = false
    try {
      checkFields({ fields })
      const uploads = await library.uploads(user)
      const there = await files.entry(uploads, name)
      if (there?.sha256 === content.sha256) return there
      if (there !== undefined) {
        const sentence = `A different file named ${there.name} exists already: delete it first, or give this one another name.`
        throw new EngineError('conflict', sentence)
      }
      // The engine discards what it refuses.
      isTaken = true
      const made = await files.upload(user, toCollectionId(user.name, uploads.name), { name, content })
      const stored = await files.entry(uploads, made.name)
      if (stored === undefined) throw new EngineError('not-found', `${made.name} was deleted meanwhile.`)
      return stored
    } finally {
      if (!isTaken) await files.discard(content)
    }
  }

/** Files of all collections that the user has or that are shared by name; one that is in several of them comes once. */
export function uploadRoutes(parts: ServerParts): Hono<Environment> {
  const { files } = parts.engine
  const library = createLibrary(parts.engine)
  const take = createTake(parts.engine, library)
  const key = requireKey(parts, 'bearer')
  const receiver: FileReceiver<ReceivedFile> = {
    receive: (content) => files.receive(content),
    discard: (content) => files.discard(content),
  }

  return new Hono<Environment>()
    .get('/files', key, async (c) => {
      const query = readQuery(c, uploadListQuery)
      const rows = await library.rows(c.get('key').user)
      const lists = await Promise.all(rows.map((row) => files.entries(row)))
      const byId = new Map(lists.flat().map((file) => [toFileId(file.name, file.sha256), toFile(file)]))
      const isAny = query.purpose === undefined || PURPOSES.includes(query.purpose)
      return c.json(toPage(isAny ? [...byId.values()] : [], query, isFileId))
    })
    .post('/files', key, async (c) =>
      c.json(toFile(await take(c.get('key').user, await readForm(c, UPLOAD_PART, receiver)))),
    )
    .all('/files', onlyMethods('GET', 'POST'))
    .get('/files/:file', key, async (c) => {
      const [{ file }] = await library.holders(c.get('key').user, filePart(c))
      return c.json(toFile(file))
    })
    .delete('/files/:file', key, awaitEnd, async (c) => {
      const { user } = c.get('key')
      const held = await library.holders(user, filePart(c))
      const own = held.filter(({ collection }) => collection.ownerId === user.id)
      // A file that is only shared is refused, by the first of its collections.
      for (const one of own.length === 0 ? held : own) {
        // oxlint-disable-next-line no-await-in-loop -- changes go one after the other
        await library.remove(user, one)
      }
      return c.json({ id: filePart(c), object: 'file', deleted: true })
    })
    .all('/files/:file', onlyMethods('GET', 'DELETE'))
    .get('/files/:file/content', key, async (c) => {
      const { user } = c.get('key')
      const [{ collection, file }] = await library.holders(user, filePart(c))
      const id = toCollectionId(collection.ownerName, collection.name)
      const { content, sizeBytes } = await files.download(user, id, file.name)
      const headers = {
        'content-type': 'application/octet-stream',
        'content-length': String(sizeBytes),
        // Stored content must never be shown as a page of this origin.
        'content-disposition': 'attachment',
        'x-content-type-options': 'nosniff',
      }
      if (c.req.method === 'GET') return c.body(content, 200, headers)
      await content.cancel()
      return c.body(null, 200, headers)
    })
    .all('/files/:file/content', onlyMethods('GET'))
    .all('/uploads', key, notDone('Uploads in parts are not supported: send the whole file by POST /v1/files'))
}
