import { Hono } from 'hono'
import type { HeldFile, ReceivedFile } from '#platform/engine/api/files.ts'
import { EngineError } from '#platform/engine/errors.ts'
import type { CollectionRow, UserRow } from '#platform/engine/storage/catalog.ts'
import { UPLOAD_PART } from '#platform/wire/collections.ts'
import { toCollectionId } from '#platform/wire/names.ts'
import { type UploadedFile, uploadListQuery } from '#platform/wire/vector-stores.ts'
import { requireKey } from '../auth.ts'
import { awaitEnd } from '../http/body.ts'
import { respondWithFile } from '../http/file.ts'
import { readForm, type ReceivedForm } from '../http/form.ts'
import { type Environment, filePart, onlyMethods, type ServerParts } from '../routing.ts'
import { isFileId, toFileId } from './ids.ts'
import { createLibrary } from './library.ts'
import { readQuery, toPage } from './lists.ts'
import { notDone } from './refusals.ts'

type Stored = Omit<HeldFile['file'], 'status' | 'error'>

const toFile = (file: Stored): UploadedFile => ({
  id: toFileId(file),
  object: 'file',
  created_at: Math.floor(file.createdAt / 1000),
  bytes: file.sizeBytes,
  filename: file.name,
  purpose: 'assistants',
  status: 'processed',
})

const PURPOSES: readonly string[] = ['assistants', 'user_data']

function checkFields({ fields }: Pick<ReceivedForm<ReceivedFile>, 'fields'>): void {
  if (!PURPOSES.includes(fields['purpose'] ?? 'assistants')) {
    const sentence = 'Files are only searched here: set `purpose` to `assistants` or `user_data`.'
    throw new EngineError('invalid', sentence, { reason: 'unsupported_value' })
  }
  if (Object.keys(fields).some((name) => name.startsWith('expires_after')))
    throw new EngineError('invalid', 'Files do not expire: leave `expires_after` out, and delete them.')
  const unknown = Object.keys(fields).find((name) => name !== 'purpose')
  if (unknown !== undefined)
    throw new EngineError('invalid', `\`${unknown.slice(0, 50)}\` is not supported: leave it out.`)
}

/** Files of all collections that the user has or that are shared by name; one that is in several of them comes once. */
export function uploadRoutes(parts: ServerParts): Hono<Environment> {
  const { files } = parts.engine
  const library = createLibrary(parts.engine)
  const key = requireKey(parts, 'bearer')

  /** Stores an upload once; the same bytes under the same name are the same file. */
  async function take(user: UserRow, { name, content, fields }: ReceivedForm<ReceivedFile>): Promise<Stored> {
    const { sha256, sizeBytes } = content
    let uploads: CollectionRow
    try {
      checkFields({ fields })
      uploads = await library.uploads(user)
    } catch (error) {
      await files.discard(content)
      throw error
    }
    try {
      const made = await files.upload(user, toCollectionId(user.name, uploads.name), { name, content })
      return { name: made.name, sha256, sizeBytes, createdAt: Date.parse(made.created_at) }
    } catch (error) {
      if (!(error instanceof EngineError && error.code === 'conflict')) throw error
      const [there] = await files.held([uploads], [name])
      if (there === undefined) throw error
      if (there.file.sha256 === sha256) return there.file
      const sentence = `A different file named ${there.file.name} exists already: delete it first, or give this one another name.`
      throw new EngineError('conflict', sentence, { cause: error })
    }
  }

  return new Hono<Environment>()
    .get('/files', key, async (c) => {
      const query = readQuery(c, uploadListQuery)
      const isAny = query.purpose === undefined || PURPOSES.includes(query.purpose)
      const all = isAny ? await library.all(c.get('key').user) : []
      const byId = new Map(all.map(({ file }) => [toFileId(file), toFile(file)]))
      return c.json(toPage([...byId.values()], query, isFileId))
    })
    .post('/files', key, async (c) =>
      c.json(toFile(await take(c.get('key').user, await readForm(c, UPLOAD_PART, files)))),
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
      const [held] = await library.holders(c.get('key').user, filePart(c))
      const type = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' }
      return respondWithFile(c, await library.download(c.get('key').user, held), type)
    })
    .all('/files/:file/content', onlyMethods('GET'))
    .all('/uploads', key, notDone('Uploads in parts are not supported: send the whole file by POST /v1/files'))
}
