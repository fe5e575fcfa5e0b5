import { type Context, Hono } from 'hono'
import type { HeldFile } from '#platform/engine/api/files.ts'
import type { Passage } from '#platform/engine/api/retrieve.ts'
import type { CollectionRow } from '#platform/engine/storage/catalog.ts'
import {
  attachRequest,
  createStoreRequest,
  listQuery,
  searchRequest,
  storeFileListQuery,
  type StoreSearchPage,
  UPLOADS,
  type VectorStore,
  type VectorStoreFile,
} from '#platform/wire/vector-stores.ts'
import { requireKey } from '../auth.ts'
import { awaitEnd, readJson, signalOf } from '../http/body.ts'
import { type Environment, filePart, onlyMethods, type ServerParts } from '../routing.ts'
import { isFileId, isStoreId, toFileId, toStoreId } from './ids.ts'
import { createLibrary } from './library.ts'
import { readQuery, toPage } from './lists.ts'
import { toHit } from './passages.ts'
import { asInvalid, notDone } from './refusals.ts'

/** Unix time. */
const seconds = (ms: number) => Math.floor(ms / 1000)

const DEFAULT_RESULTS = 10

function toStore(row: CollectionRow): VectorStore {
  const { fileCount: total, filesIndexed: completed, filesFailed: failed } = row
  const in_progress = Math.max(0, total - completed - failed)
  return {
    id: toStoreId(row),
    object: 'vector_store',
    created_at: seconds(row.createdAt),
    last_active_at: seconds(row.updatedAt),
    name: row.name,
    usage_bytes: row.sizeBytes,
    status: in_progress > 0 ? 'in_progress' : 'completed',
    file_counts: { in_progress, completed, failed, cancelled: 0, total },
    expires_at: null,
    metadata: {},
  }
}

const STATUSES = { INDEXED: 'completed', ERROR: 'failed', NOT_INDEXED: 'in_progress' } as const

function toStoreFile({ collection, file }: HeldFile): VectorStoreFile {
  const status = STATUSES[file.status ?? 'NOT_INDEXED']
  return {
    id: toFileId(file),
    object: 'vector_store.file',
    created_at: seconds(file.createdAt),
    vector_store_id: toStoreId(collection),
    usage_bytes: file.sizeBytes,
    status,
    last_error: status === 'failed' ? { code: 'invalid_file', message: file.error ?? 'It cannot be read.' } : null,
    attributes: {},
    chunking_strategy: { type: 'other' },
  }
}

function toResult(passage: Passage): StoreSearchPage['data'][number] {
  const { text, ...hit } = toHit(passage)
  return { ...hit, content: [{ type: 'text', text }], place: passage.place }
}

const userOf = (c: Context<Environment>) => c.get('key').user

const idOf = (c: Context<Environment>) => c.req.param('id') ?? ''

const LAST_PAGE = { has_more: false, next_page: null } as const
const STORE = '/vector_stores/:id'

export function vectorStoreRoutes(parts: ServerParts): Hono<Environment> {
  const { engine } = parts
  const library = createLibrary(engine)
  const key = requireKey(parts, 'bearer')
  const storeOf = (c: Context<Environment>) => library.store(userOf(c), idOf(c))

  return new Hono<Environment>()
    .get('/vector_stores', key, async (c) => {
      const rows = await engine.collections.rows(userOf(c))
      const stores = rows.filter(({ name }) => name !== UPLOADS).map(toStore)
      return c.json(toPage(stores, readQuery(c, listQuery), isStoreId))
    })
    .post('/vector_stores', key, async (c) => {
      const user = userOf(c)
      const { name, file_ids: ids } = await readJson(c, createStoreRequest).catch(asInvalid)
      const signal = signalOf(c.req.raw)
      const sources = await library.sources(user, ids ?? [], signal)
      return c.json(toStore(await library.createStore(user, name ?? undefined, sources, signal)))
    })
    .all('/vector_stores', onlyMethods('GET', 'POST'))
    .get(STORE, key, async (c) => c.json(toStore(await storeOf(c))))
    .post(STORE, key, notDone('A vector store is not changed: make another one, and attach the files to it'))
    .delete(STORE, key, awaitEnd, async (c) => {
      const row = await storeOf(c)
      await library.removeStore(userOf(c), row)
      return c.json({ id: toStoreId(row), object: 'vector_store.deleted', deleted: true })
    })
    .all(STORE, onlyMethods('GET', 'POST', 'DELETE'))
    .post(`${STORE}/search`, key, async (c) => {
      const asked = await readJson(c, searchRequest).catch(asInvalid)
      const row = await storeOf(c)
      const [question = ''] = [asked.query].flat()
      const { passages } = await engine.retrieve([row], { question, limit: asked.max_num_results ?? DEFAULT_RESULTS })
      const least = asked.ranking_options?.score_threshold ?? 0
      const data = passages.map(toResult).filter(({ score }) => score >= least)
      return c.json({ object: 'vector_store.search_results.page', search_query: [question], data, ...LAST_PAGE })
    })
    .all(`${STORE}/search`, onlyMethods('POST'))
    .all(
      `${STORE}/file_batches`,
      key,
      notDone('Batches are not supported: attach files one by one, or name all in `file_ids`'),
    )
    .all(`${STORE}/file_batches/*`, key, notDone('Batches are not supported: GET the files of the vector store'))
    .route('/', storeFileRoutes(parts))
}

const FILES = `${STORE}/files`

function storeFileRoutes(parts: ServerParts): Hono<Environment> {
  const { engine } = parts
  const library = createLibrary(engine)
  const key = requireKey(parts, 'bearer')
  const heldOf = (c: Context<Environment>) => library.inStore(userOf(c), idOf(c), filePart(c))

  return new Hono<Environment>()
    .get(FILES, key, async (c) => {
      const query = readQuery(c, storeFileListQuery)
      const files = (await engine.files.held([await library.store(userOf(c), idOf(c))])).map(toStoreFile)
      const wanted = files.filter(({ status }) => status === (query.filter ?? status))
      return c.json(toPage(wanted, query, isFileId))
    })
    .post(FILES, key, async (c) => {
      const { file_id: id } = await readJson(c, attachRequest).catch(asInvalid)
      const [user, signal] = [userOf(c), signalOf(c.req.raw)]
      const into = await library.store(user, idOf(c))
      await library.attach(user, into, await library.sources(user, [id], signal), signal)
      return c.json(toStoreFile(await library.inStore(user, toStoreId(into), id)))
    })
    .all(FILES, onlyMethods('GET', 'POST'))
    .get(`${FILES}/:file`, key, async (c) => c.json(toStoreFile(await heldOf(c))))
    .post(`${FILES}/:file`, key, notDone('Files have no attributes: keep them in vector stores of their own'))
    .delete(`${FILES}/:file`, key, awaitEnd, async (c) => {
      await library.remove(userOf(c), await heldOf(c))
      return c.json({ id: filePart(c), object: 'vector_store.file.deleted', deleted: true })
    })
    .all(`${FILES}/:file`, onlyMethods('GET', 'POST', 'DELETE'))
    .get(`${FILES}/:file/content`, key, async (c) => {
      const { collection, file } = await heldOf(c)
      const passages = await engine.passages(collection, file.name)
      const data = passages.map(({ body }) => ({ type: 'text', text: body }))
      return c.json({ object: 'vector_store.file_content.page', data, ...LAST_PAGE })
    })
    .all(`${FILES}/:file/content`, onlyMethods('GET'))
}
