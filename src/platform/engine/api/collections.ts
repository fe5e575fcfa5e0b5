import { normalizedName } from '#lib/unicode.ts'
import { randomUUID } from 'node:crypto'
import type { CollectionIndexStatus, CollectionRecord, SharingRequest } from '#platform/wire/collections.ts'
import { collectionName, toCollectionId, toPlainName } from '#platform/wire/names.ts'
import { EngineError } from '../errors.ts'
import type { Passes } from '../indexing/passes.ts'
import type { PassResult } from '../indexing/run-pass.ts'
import type { Catalog, CollectionRow, UserRow } from '../storage/catalog.ts'
import type { Blobs, IndexStore } from '../storage/types.ts'
import type { EngineClock } from '../types.ts'
import { userName } from './keys.ts'

/**
 * Plain name of a collection, without the owner of a full id.
 *
 * @throws {EngineError} `invalid`
 */
function toCollectionName(nameOrId: string): string {
  const parsed = collectionName.safeParse(normalizedName(toPlainName(nameOrId)))
  if (parsed.success) return parsed.data
  throw new EngineError(
    'invalid',
    'A collection name has 1 to 100 characters, none of them a slash, a control character or one that turns the direction of writing.',
  )
}

/** Version of indexing and retrieval, shown in every collection record. */
export const ENGINE_VERSION = '0.1.0'

/**
 * A plain name is the caller's own collection, else the only shared one of that name. A full id is the named owner's,
 * where it exists.
 */
export interface CollectionService {
  /** The caller's own, then those shared by name with the caller. */
  list(user: UserRow): Promise<CollectionRecord[]>
  /** The same, as rows of the catalog. */
  rows(user: UserRow): Promise<readonly CollectionRow[]>
  /** @throws {EngineError} `invalid`, `conflict` */
  create(user: UserRow, name: string): Promise<CollectionRecord>
  /** @throws as `reading` */
  get(user: UserRow, name: string): Promise<CollectionRecord>
  /** @throws as `require`, `locked` */
  remove(user: UserRow, name: string): Promise<void>
  /** Replaces the sharing settings. @throws as `require`; `invalid` for a text that cannot be a user's name */
  share(user: UserRow, name: string, sharing: SharingRequest): Promise<CollectionRecord>
  /** Resolves when the pass is over. @throws {EngineError} `conflict` while one runs. */
  generateIndex(user: UserRow, name: string): Promise<PassResult>
  /** Takes all files out of the index; they stay, `NOT_INDEXED`. @throws as `require`, `locked` */
  removeIndex(user: UserRow, name: string): Promise<void>
  /** A collection of the caller, for changes. @throws {EngineError} as `reading`; `forbidden`: it is only shared */
  require(user: UserRow, name: string): Promise<CollectionRow>
  /** A collection that the caller may read: own, public or shared. @throws {EngineError} `invalid`, `not-found` */
  reading(user: UserRow, name: string): Promise<CollectionRow>
  /** Collection by full id, for chat. @throws {EngineError} `not-found` */
  readable(user: UserRow, id: string): Promise<CollectionRow>
}

export interface CollectionParts {
  readonly catalog: Catalog
  readonly blobs: Blobs
  readonly index: IndexStore
  /** Name and version of the index, for collection records. */
  readonly indexVersion: string
  /** Name of the embedding model; undefined: only words are searched. */
  readonly embeddingsModel: () => string | undefined
  readonly passes: Passes
  readonly clock: EngineClock
}

const toIso = (time: number) => new Date(time).toISOString()

function statusOf(row: CollectionRow, running: boolean): CollectionIndexStatus {
  if (running) return 'PROCESSING'
  if (row.filesFailed > 0) return 'ERROR'
  return row.filesIndexed < row.fileCount || row.indexedAt === null ? 'NOT_INDEXED' : 'INDEXED'
}

const missing = (name: string) => new EngineError('not-found', `There is no collection ${name}.`)

const mayRead = (user: UserRow, row: CollectionRow) =>
  row.ownerId === user.id || row.visibility === 'public' || row.readers.includes(user.name)

type Access = Pick<CollectionService, 'require' | 'reading' | 'readable'>

/** Resolves names to collections, and checks who may read or change them. */
function createAccess(catalog: Catalog): Access {
  /** A missing row and one that is not shared get the same refusal, so that it does not tell which names exist. */
  async function readableOf(user: UserRow, owner: UserRow, name: string, asked = name): Promise<CollectionRow> {
    const row = await catalog.collections.get(owner.id, normalizedName(name))
    if (row === undefined || !mayRead(user, row)) throw missing(asked)
    return row
  }

  async function find(user: UserRow, nameOrId: string): Promise<CollectionRow> {
    const name = toCollectionName(nameOrId)
    const owner = nameOrId.slice(0, -toPlainName(nameOrId).length - 1)
    // A full id of another owner must not resolve to the caller's own collection.
    const other = owner === '' || owner === user.name ? undefined : await catalog.users.get(owner)
    if (other !== undefined) return readableOf(user, other, name)
    const row = await catalog.collections.get(user.id, name)
    if (row !== undefined) return row
    // A full id never means one that is shared.
    if (owner !== '') throw missing(name)
    const shared = (await catalog.collections.sharedWith(user)).filter((one) => one.name === name)
    if (shared.length > 1) {
      const ids = shared.map((one) => toCollectionId(one.ownerName, one.name)).join(', ')
      throw new EngineError('conflict', `Several collections ${name} are shared with you: say which of ${ids}.`)
    }
    const only = shared[0]
    if (only === undefined) throw missing(name)
    return only
  }

  async function requireOwn(user: UserRow, nameOrId: string): Promise<CollectionRow> {
    const row = await find(user, nameOrId)
    if (row.ownerId === user.id) return row
    throw new EngineError('forbidden', `The collection ${row.name} is ${row.ownerName}'s: only its owner changes it.`)
  }

  return {
    require: requireOwn,
    reading: find,
    async readable(user, id) {
      const [owner = '', name = '', ...others] = id.split('/')
      const holder = await catalog.users.get(owner)
      if (holder === undefined || others.length > 0) throw missing(id)
      return readableOf(user, holder, name, id)
    },
  }
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createCollections(parts: CollectionParts): CollectionService {
  const { catalog, passes, clock } = parts
  const access = createAccess(catalog)
  const requireOwn = access.require

  async function toRecord(row: CollectionRow): Promise<CollectionRecord> {
    const running = await passes.isRunning(row)
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
              embeddings_model: parts.embeddingsModel() ?? null,
              total_files_indexed: row.filesIndexed,
              total_chunks_indexed: row.chunks,
              error_msg: row.firstError,
              cli_version: ENGINE_VERSION,
              vector_db_version: parts.indexVersion,
            },
      sharing: { visibility: row.visibility, users: [...row.readers] },
    }
  }

  async function rows(user: UserRow): Promise<readonly CollectionRow[]> {
    const own = await catalog.collections.list(user.id)
    return [...own, ...(await catalog.collections.sharedWith(user))]
  }

  /** A change of an own collection while no pass runs; the collection may be gone by then. */
  async function change(user: UserRow, name: string, work: (row: CollectionRow) => Promise<void>): Promise<void> {
    const { id } = await requireOwn(user, name)
    await passes.change(id, async () => {
      const row = await requireOwn(user, name)
      if (row.id !== id) throw missing(row.name)
      await work(row)
    })
  }

  return {
    ...access,
    rows,
    list: async (user) => Promise.all((await rows(user)).map(toRecord)),
    async create(user, nameOrId) {
      const name = toCollectionName(nameOrId)
      const row = await catalog.collections.create(user.id, name, randomUUID(), clock())
      if (row === undefined) throw new EngineError('conflict', `The collection ${name} exists already.`)
      return toRecord(row)
    },
    async get(user, name) {
      return toRecord(await access.reading(user, name))
    },
    async share(user, name, { visibility, users }) {
      const row = await requireOwn(user, name)
      // The names are not looked up, so that the answer does not tell which users exist.
      const readers = new Set(users.filter((one) => one !== user.name).map(userName))
      await catalog.collections.setSharing(row.id, { visibility, users: [...readers] }, clock())
      return toRecord(await requireOwn(user, name))
    },
    remove: (user, name) =>
      change(user, name, async (row) => {
        const files = await catalog.collections.remove(row.id)
        await parts.index.drop(row.indexName)
        await Promise.all(files.map((file) => parts.blobs.remove(file.blob)))
      }),
    async generateIndex(user, name) {
      return passes.start(await requireOwn(user, name))
    },
    removeIndex: (user, name) =>
      change(user, name, async (row) => {
        // The catalog first: from here on its chunks are not retrieved, even if clearing the index fails.
        await catalog.files.resetIndex(row.id, clock())
        await parts.index.drop(row.indexName)
      }),
  }
}
