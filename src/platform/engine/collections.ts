import { randomUUID } from 'node:crypto'
import { toCollectionId } from '../wire/names.ts'
import type { CollectionIndexStatus, CollectionRecord } from '../wire/collection.ts'
import type { Blobs } from './blobs.ts'
import type { Catalog, CollectionRow, UserRow } from './catalog/catalog.ts'
import { EngineError } from './errors.ts'
import type { IndexStore } from './index/client.ts'
import { toCollectionName } from './names.ts'
import type { Passes, PassResult } from './passes.ts'
import type { EngineClock } from './ports.ts'

/** Name and version of what retrieves; they stand in every collection record. */
export const engineVersions = { tool: '0.1.0', index: 'fts5-1' } as const

export interface CollectionService {
  list(user: UserRow): Promise<CollectionRecord[]>
  /** @throws {EngineError} `invalid`, `conflict` */
  create(user: UserRow, name: string): Promise<CollectionRecord>
  get(user: UserRow, name: string): Promise<CollectionRecord>
  remove(user: UserRow, name: string): Promise<void>
  /** Resolves when the pass is over. @throws {EngineError} `conflict` while one runs. */
  generateIndex(user: UserRow, name: string): Promise<PassResult>
  /** Takes all files out of the index; they stay, `NOT_INDEXED`. */
  removeIndex(user: UserRow, name: string): Promise<void>
  /** @throws {EngineError} `invalid`, `not-found` */
  require(user: UserRow, name: string): Promise<CollectionRow>
  /** By full id, for chat: one's own, a public one, or one that is shared. @throws `not-found`, `forbidden` */
  readable(user: UserRow, id: string): Promise<CollectionRow>
}

export interface CollectionParts {
  readonly catalog: Catalog
  readonly blobs: Blobs
  readonly index: IndexStore
  readonly passes: Passes
  readonly clock: EngineClock
}

const toIso = (time: number) => new Date(time).toISOString()

function statusOf(row: CollectionRow, running: boolean): CollectionIndexStatus {
  if (running) return 'PROCESSING'
  if (row.filesFailed > 0) return 'ERROR'
  return row.filesIndexed < row.fileCount || row.indexedAt === null ? 'NOT_INDEXED' : 'INDEXED'
}

export function createCollections(parts: CollectionParts): CollectionService {
  const { catalog, passes, clock } = parts

  async function toRecord(row: CollectionRow): Promise<CollectionRecord> {
    const running = passes.isRunning(row.id)
    return {
      name: row.name,
      id: toCollectionId(row.ownerName, row.name),
      owner_user_name: row.ownerName,
      file_count: row.fileCount,
      size: row.sizeBytes,
      created_at: toIso(row.createdAt),
      updated_at: toIso(row.updatedAt),
      index_info:
        row.indexedAt === null && !running && row.filesFailed === 0
          ? null
          : {
              index_status: statusOf(row, running),
              embeddings_model: null,
              total_files_indexed: row.filesIndexed,
              total_chunks_indexed: row.chunks,
              error_msg: row.firstError,
              cli_version: engineVersions.tool,
              vector_db_version: engineVersions.index,
            },
      sharing: { visibility: row.visibility, users: [...(await catalog.collections.readers(row.id))] },
    }
  }

  async function requireCollection(user: UserRow, nameOrId: string): Promise<CollectionRow> {
    const name = toCollectionName(nameOrId)
    const row = await catalog.collections.get(user.id, name)
    if (row !== undefined) return row
    throw new EngineError('not-found', `There is no collection ${name}.`)
  }

  return {
    require: requireCollection,
    async list(user) {
      return Promise.all((await catalog.collections.list(user.id)).map(toRecord))
    },
    async create(user, nameOrId) {
      const name = toCollectionName(nameOrId)
      const row = await catalog.collections.create(user.id, name, randomUUID(), clock())
      if (row === undefined) throw new EngineError('conflict', `The collection ${name} exists already.`)
      return toRecord(row)
    },
    async get(user, name) {
      return toRecord(await requireCollection(user, name))
    },
    async remove(user, name) {
      const row = await requireCollection(user, name)
      await passes.idle(row.id)
      const files = await catalog.files.list(row.id)
      await catalog.collections.remove(row.id)
      await parts.index.drop(row.indexName)
      await Promise.all(files.map((file) => parts.blobs.remove(file.blob)))
    },
    async generateIndex(user, name) {
      return passes.start(await requireCollection(user, name))
    },
    async removeIndex(user, name) {
      const row = await requireCollection(user, name)
      await passes.idle(row.id)
      // The catalog first: from here on no chunk counts, whatever happens to the index.
      await catalog.files.resetIndex(row.id, clock())
      await parts.index.drop(row.indexName)
    },
    async readable(user, id) {
      const [owner = '', name = ''] = id.split('/')
      const holder = await catalog.users.get(owner)
      const row =
        holder === undefined ? undefined : await catalog.collections.get(holder.id, name.normalize('NFC'))
      if (row === undefined) throw new EngineError('not-found', `There is no collection ${id}.`)
      if (row.ownerId === user.id || row.visibility === 'public') return row
      if ((await catalog.collections.readers(row.id)).includes(user.name)) return row
      throw new EngineError('forbidden', `The collection ${id} is not shared with the owner of this key.`)
    },
  }
}
