import type { FileRow, Files, StoredFile } from '../catalog.ts'
import type { Sql } from './open.ts'

const SELECT_FILES = `
  SELECT id, collection_id AS collectionId, name, format, blob, size AS sizeBytes, sha256, revision,
         source_id AS sourceId, index_status AS status, chunks, index_error AS error, created_at AS createdAt, updated_at AS updatedAt
  FROM file`

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
      return sql.all<FileRow>(
        `${SELECT_FILES} WHERE id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(ids),
      )
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
        // A file that no pass has seen yet stays as it is; one that was seen has to be indexed again.
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
        failed ? outcome.error : null,
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
