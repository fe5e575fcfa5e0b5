import type { CollectionRow, Collections, FileRow, Files, StoredFile } from '../catalog.ts'
import type { Sql, Statements } from './pool.ts'

const SELECT_COLLECTIONS = `
  SELECT fb_collection.id, owner_id AS "ownerId", fb_user.name AS "ownerName", fb_collection.name,
         index_name AS "indexName", visibility, fb_collection.created_at AS "createdAt",
         fb_collection.updated_at AS "updatedAt", indexed_at AS "indexedAt", pass_started_at AS "passStartedAt",
         count(fb_file.id) AS "fileCount", coalesce(sum(fb_file.size), 0)::bigint AS "sizeBytes",
         count(*) FILTER (WHERE index_status = 'INDEXED') AS "filesIndexed",
         count(*) FILTER (WHERE index_status = 'ERROR') AS "filesFailed",
         coalesce(sum(chunks) FILTER (WHERE index_status = 'INDEXED'), 0) AS chunks,
         min((fb_file.name || ': ' || index_error) COLLATE "C") FILTER (WHERE index_status = 'ERROR') AS "firstError"
  FROM fb_collection JOIN fb_user ON fb_user.id = owner_id
    LEFT JOIN fb_file ON fb_file.collection_id = fb_collection.id`
const GROUP_COLLECTIONS = 'GROUP BY fb_collection.id, fb_user.name'

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createPostgresCollections(sql: Sql): Collections {
  const get = (ownerId: number, name: string) =>
    sql.get<CollectionRow>(
      `${SELECT_COLLECTIONS} WHERE owner_id = $1 AND fb_collection.name = $2 ${GROUP_COLLECTIONS}`,
      ownerId,
      name,
    )
  return {
    async create(ownerId, name, indexName, now) {
      const made = await sql.run(
        `INSERT INTO fb_collection (owner_id, name, index_name, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
         ON CONFLICT (owner_id, name) DO NOTHING`,
        ownerId,
        name,
        indexName,
        now,
      )
      return made === 0 ? undefined : get(ownerId, name)
    },
    get,
    list: (ownerId) =>
      sql.all<CollectionRow>(
        `${SELECT_COLLECTIONS} WHERE owner_id = $1 ${GROUP_COLLECTIONS} ORDER BY fb_collection.name`,
        ownerId,
      ),
    all: () => sql.all<CollectionRow>(`${SELECT_COLLECTIONS} ${GROUP_COLLECTIONS} ORDER BY fb_collection.id`),
    sharedWith: (userId) =>
      sql.all<CollectionRow>(
        `${SELECT_COLLECTIONS} WHERE fb_collection.id IN (SELECT collection_id FROM fb_collection_reader WHERE user_id = $1)
           AND owner_id <> $1
         ${GROUP_COLLECTIONS} ORDER BY fb_user.name, fb_collection.name`,
        userId,
      ),
    remove: (id) =>
      sql.transaction(async (one) => {
        // After this lock a file added meanwhile is visible, or finds no collection.
        await one.run('SELECT 1 FROM fb_collection WHERE id = $1 FOR UPDATE', id)
        const gone = await one.all<StoredFile>('SELECT id, blob FROM fb_file WHERE collection_id = $1', id)
        await one.run('DELETE FROM fb_collection WHERE id = $1', id)
        return gone
      }),
    async setSharing(id, { visibility, userIds }, now) {
      await sql.transaction(async (one) => {
        const found = await one.run(
          'UPDATE fb_collection SET visibility = $1, updated_at = $2 WHERE id = $3',
          visibility,
          now,
          id,
        )
        if (found === 0) return
        await one.run('DELETE FROM fb_collection_reader WHERE collection_id = $1', id)
        await one.run(
          'INSERT INTO fb_collection_reader (collection_id, user_id) SELECT $1, unnest($2::int[])',
          id,
          userIds,
        )
      })
    },
    async readers(id) {
      const rows = await sql.all<{ name: string }>(
        `SELECT fb_user.name FROM fb_collection_reader JOIN fb_user ON fb_user.id = user_id
         WHERE collection_id = $1 ORDER BY 1`,
        id,
      )
      return rows.map((row) => row.name)
    },
    async passStarted(id, now) {
      await sql.run('UPDATE fb_collection SET pass_started_at = $1 WHERE id = $2', now, id)
    },
    async passEnded(id, now) {
      await sql.run(
        'UPDATE fb_collection SET pass_started_at = NULL, indexed_at = $1, updated_at = $1 WHERE id = $2',
        now,
        id,
      )
    },
  }
}

const FILE_COLUMNS = `id, collection_id AS "collectionId", name, format, blob, size AS "sizeBytes", sha256, revision,
         source_id AS "sourceId", index_status AS status, chunks, index_error AS error, created_at AS "createdAt",
         updated_at AS "updatedAt"`
const SELECT_FILES = `SELECT ${FILE_COLUMNS} FROM fb_file`

/** Keeps the collection until the end of the transaction. False: it is gone. */
const hold = async (one: Statements, collectionId: number) =>
  (await one.run('SELECT 1 FROM fb_collection WHERE id = $1 FOR NO KEY UPDATE', collectionId)) > 0

const touch = (one: Statements, collectionId: number, now: number) =>
  one.run('UPDATE fb_collection SET updated_at = $1 WHERE id = $2', now, collectionId)

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createPostgresFiles(sql: Sql): Files {
  return {
    list: (collectionId) => sql.all<FileRow>(`${SELECT_FILES} WHERE collection_id = $1 ORDER BY name`, collectionId),
    get: (collectionId, name) =>
      sql.get<FileRow>(`${SELECT_FILES} WHERE collection_id = $1 AND name = $2`, collectionId, name),
    byIds: (ids) => sql.all<FileRow>(`${SELECT_FILES} WHERE id = ANY($1::int[])`, ids),
    add: (collectionId, file, now) =>
      sql.transaction(async (one) => {
        if (!(await hold(one, collectionId))) return undefined
        if (file.sourceId !== null) {
          const source = await one.get('SELECT 1 FROM fb_file WHERE id = $1 FOR KEY SHARE', file.sourceId)
          if (source === undefined) return undefined
        }
        const row = await one.get<FileRow>(
          `INSERT INTO fb_file (collection_id, name, format, blob, size, sha256, source_id, created_at, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
           ON CONFLICT (collection_id, name) DO NOTHING RETURNING ${FILE_COLUMNS}`,
          collectionId,
          file.name,
          file.format,
          file.blob,
          file.sizeBytes,
          file.sha256,
          file.sourceId,
          now,
        )
        if (row !== undefined) await touch(one, collectionId, now)
        return row
      }),
    replace: (collectionId, file, now) =>
      sql.transaction(async (one) => {
        // Locks the collection before its files, always in this order, against deadlocks.
        if (!(await hold(one, collectionId))) return undefined
        const before = await one.get<StoredFile>(
          'SELECT id, blob FROM fb_file WHERE collection_id = $1 AND name = $2 FOR UPDATE',
          collectionId,
          file.name,
        )
        if (before === undefined) return undefined
        // A file never indexed keeps its null; any other becomes not indexed.
        const row = await one.get<FileRow>(
          `UPDATE fb_file SET format = $1, blob = $2, size = $3, sha256 = $4, updated_at = $5, revision = revision + 1,
             chunks = 0, index_error = NULL,
             index_status = CASE WHEN index_status IS NULL THEN NULL ELSE 'NOT_INDEXED' END
           WHERE id = $6 RETURNING ${FILE_COLUMNS}`,
          file.format,
          file.blob,
          file.sizeBytes,
          file.sha256,
          now,
          before.id,
        )
        await touch(one, collectionId, now)
        return row === undefined ? undefined : { row, before }
      }),
    remove: (id) =>
      sql.transaction(async (one) => {
        // After this lock a file derived meanwhile is visible, or finds no source.
        await one.run('SELECT 1 FROM fb_file WHERE id = $1 FOR UPDATE', id)
        return one.all<StoredFile>('DELETE FROM fb_file WHERE id = $1 OR source_id = $1 RETURNING id, blob', id)
      }),
    async indexed(file, outcome) {
      const failed = 'error' in outcome
      await sql.run(
        'UPDATE fb_file SET index_status = $1, chunks = $2, index_error = $3 WHERE id = $4 AND revision = $5',
        failed ? 'ERROR' : 'INDEXED',
        failed ? 0 : outcome.chunks,
        failed ? outcome.error : (outcome.note ?? null),
        file.id,
        file.revision,
      )
    },
    async resetIndex(collectionId, now) {
      await sql.transaction(async (one) => {
        await one.run('UPDATE fb_collection SET indexed_at = NULL, updated_at = $1 WHERE id = $2', now, collectionId)
        await one.run(
          `UPDATE fb_file SET index_status = 'NOT_INDEXED', chunks = 0, index_error = NULL
           WHERE collection_id = $1 AND index_status IS NOT NULL`,
          collectionId,
        )
      })
    },
    pending: (collectionId) =>
      sql.all<FileRow>(
        `${SELECT_FILES} WHERE collection_id = $1 AND index_status IS DISTINCT FROM 'INDEXED' ORDER BY updated_at, id`,
        collectionId,
      ),
  }
}
