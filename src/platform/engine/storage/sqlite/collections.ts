import type { Sql } from '../../../../lib/sqlite.ts'
import type { CollectionRow, Collections, FileRow, Files, StoredFile } from '../catalog.ts'

const SELECT_COLLECTIONS = `
  SELECT collection.id, owner_id AS ownerId, user.name AS ownerName, collection.name, index_name AS indexName,
         visibility, collection.created_at AS createdAt, collection.updated_at AS updatedAt, indexed_at AS indexedAt,
         pass_started_at AS passStartedAt,
         count(file.id) AS fileCount, coalesce(sum(file.size), 0) AS sizeBytes,
         count(CASE WHEN index_status = 'INDEXED' THEN 1 END) AS filesIndexed,
         count(CASE WHEN index_status = 'ERROR' THEN 1 END) AS filesFailed,
         coalesce(sum(CASE WHEN index_status = 'INDEXED' THEN chunks END), 0) AS chunks,
         min(CASE WHEN index_status = 'ERROR' THEN file.name || ': ' || index_error END) AS firstError
  FROM collection JOIN user ON user.id = owner_id LEFT JOIN file ON file.collection_id = collection.id`

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createSqliteCollections(sql: Sql): Collections {
  const get = (ownerId: number, name: string) =>
    sql.get<CollectionRow>(
      `${SELECT_COLLECTIONS} WHERE owner_id = ? AND collection.name = ? GROUP BY collection.id`,
      ownerId,
      name,
    )
  return {
    async create(ownerId, name, indexName, now) {
      const made = sql.run(
        `INSERT INTO collection (owner_id, name, index_name, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)
         ON CONFLICT (owner_id, name) DO NOTHING`,
        ownerId,
        name,
        indexName,
        now,
      )
      return made === 0 ? undefined : get(ownerId, name)
    },
    async get(ownerId, name) {
      return get(ownerId, name)
    },
    async list(ownerId) {
      return sql.all<CollectionRow>(
        `${SELECT_COLLECTIONS} WHERE owner_id = ? GROUP BY collection.id ORDER BY collection.name`,
        ownerId,
      )
    },
    async all() {
      return sql.all<CollectionRow>(`${SELECT_COLLECTIONS} GROUP BY collection.id ORDER BY collection.id`)
    },
    async sharedWith(userId) {
      return sql.all<CollectionRow>(
        `${SELECT_COLLECTIONS} WHERE collection.id IN (SELECT collection_id FROM collection_reader WHERE user_id = ?1)
           AND owner_id <> ?1
         GROUP BY collection.id ORDER BY user.name, collection.name`,
        userId,
      )
    },
    async remove(id) {
      return sql.transaction(() => {
        const gone = sql.all<StoredFile>('SELECT id, blob FROM file WHERE collection_id = ?', id)
        sql.run('DELETE FROM collection WHERE id = ?', id)
        return gone
      })
    },
    async setSharing(id, { visibility, userIds }, now) {
      sql.transaction(() => {
        sql.run('UPDATE collection SET visibility = ?, updated_at = ? WHERE id = ?', visibility, now, id)
        sql.run('DELETE FROM collection_reader WHERE collection_id = ?', id)
        sql.run(
          `INSERT INTO collection_reader (collection_id, user_id) SELECT ?1, value FROM json_each(?2)
           WHERE EXISTS (SELECT 1 FROM collection WHERE id = ?1)`,
          id,
          JSON.stringify(userIds),
        )
      })
    },
    async readers(id) {
      const rows = sql.all<{ name: string }>(
        'SELECT user.name FROM collection_reader JOIN user ON user.id = user_id WHERE collection_id = ? ORDER BY 1',
        id,
      )
      return rows.map((row) => row.name)
    },
    async passStarted(id, now) {
      sql.run('UPDATE collection SET pass_started_at = ? WHERE id = ?', now, id)
    },
    async passEnded(id, now) {
      sql.run('UPDATE collection SET pass_started_at = NULL, indexed_at = ?1, updated_at = ?1 WHERE id = ?2', now, id)
    },
  }
}

const SELECT_FILES = `
  SELECT id, collection_id AS collectionId, name, format, blob, size AS sizeBytes, sha256, revision,
         source_id AS sourceId, index_status AS status, chunks, index_error AS error, created_at AS createdAt, updated_at AS updatedAt
  FROM file`

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createSqliteFiles(sql: Sql): Files {
  const get = (collectionId: number, name: string) =>
    sql.get<FileRow>(`${SELECT_FILES} WHERE collection_id = ? AND name = ?`, collectionId, name)
  const touch = (collectionId: number, now: number) =>
    sql.run('UPDATE collection SET updated_at = ? WHERE id = ?', now, collectionId)
  return {
    async list(collectionId) {
      return sql.all<FileRow>(`${SELECT_FILES} WHERE collection_id = ? ORDER BY name`, collectionId)
    },
    async get(collectionId, name) {
      return get(collectionId, name)
    },
    async byIds(ids) {
      return sql.all<FileRow>(`${SELECT_FILES} WHERE id IN (SELECT value FROM json_each(?))`, JSON.stringify(ids))
    },
    async add(collectionId, file, now) {
      return sql.transaction(() => {
        const made = sql.run(
          `INSERT INTO file (collection_id, name, format, blob, size, sha256, source_id, created_at, updated_at)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8 WHERE EXISTS (SELECT 1 FROM collection WHERE id = ?1)
             AND (?7 IS NULL OR EXISTS (SELECT 1 FROM file WHERE id = ?7))
           ON CONFLICT (collection_id, name) DO NOTHING`,
          collectionId,
          file.name,
          file.format,
          file.blob,
          file.sizeBytes,
          file.sha256,
          file.sourceId,
          now,
        )
        if (made === 0) return undefined
        touch(collectionId, now)
        return get(collectionId, file.name)
      })
    },
    async replace(collectionId, file, now) {
      return sql.transaction(() => {
        const before = sql.get<StoredFile>(
          'SELECT id, blob FROM file WHERE collection_id = ? AND name = ?',
          collectionId,
          file.name,
        )
        if (before === undefined) return undefined
        // A file never indexed keeps its null; any other becomes not indexed.
        sql.run(
          `UPDATE file SET format = ?1, blob = ?2, size = ?3, sha256 = ?4, updated_at = ?5, revision = revision + 1,
             chunks = 0, index_error = NULL, index_status = CASE WHEN index_status IS NULL THEN NULL ELSE 'NOT_INDEXED' END
           WHERE collection_id = ?6 AND name = ?7`,
          file.format,
          file.blob,
          file.sizeBytes,
          file.sha256,
          now,
          collectionId,
          file.name,
        )
        touch(collectionId, now)
        const row = get(collectionId, file.name)
        return row === undefined ? undefined : { row, before }
      })
    },
    async remove(id) {
      return sql.transaction(() => {
        const gone = sql.all<StoredFile>('SELECT id, blob FROM file WHERE id = ?1 OR source_id = ?1', id)
        sql.run('DELETE FROM file WHERE id = ?', id)
        return gone
      })
    },
    async indexed(file, outcome) {
      const failed = 'error' in outcome
      sql.run(
        'UPDATE file SET index_status = ?, chunks = ?, index_error = ? WHERE id = ? AND revision = ?',
        failed ? 'ERROR' : 'INDEXED',
        failed ? 0 : outcome.chunks,
        failed ? outcome.error : (outcome.note ?? null),
        file.id,
        file.revision,
      )
    },
    async resetIndex(collectionId, now) {
      sql.transaction(() => {
        sql.run(
          `UPDATE file SET index_status = 'NOT_INDEXED', chunks = 0, index_error = NULL
           WHERE collection_id = ? AND index_status IS NOT NULL`,
          collectionId,
        )
        sql.run('UPDATE collection SET indexed_at = NULL, updated_at = ? WHERE id = ?', now, collectionId)
      })
    },
    async pending(collectionId) {
      return sql.all<FileRow>(
        `${SELECT_FILES} WHERE collection_id = ? AND index_status IS NOT 'INDEXED' ORDER BY updated_at, id`,
        collectionId,
      )
    },
  }
}
