import type { SyncSql } from '#sql/sqlite/sql.ts'
import type { Collections, FileRow, Files, StoredFile } from '../catalog.ts'
import { FILE_COLUMNS } from '../tables/collections.ts'

/** Changes of collections in a transaction. */
export const createCollectionChanges = (sql: SyncSql): Pick<Collections, 'remove' | 'setSharing'> => ({
  async remove(id) {
    return sql.transaction(() => {
      const gone = sql.all<StoredFile>('SELECT id, blob FROM file WHERE collection_id = ?', id)
      sql.run('DELETE FROM collection WHERE id = ?', id)
      return gone
    })
  },
  async setSharing(id, { visibility, users }, now) {
    sql.transaction(() => {
      sql.run('UPDATE collection SET visibility = ?, updated_at = ? WHERE id = ?', visibility, now, id)
      sql.run('DELETE FROM collection_reader WHERE collection_id = ?', id)
      sql.run(
        `INSERT INTO collection_reader (collection_id, user_name) SELECT ?1, value FROM json_each(?2)
         WHERE EXISTS (SELECT 1 FROM collection WHERE id = ?1)`,
        id,
        JSON.stringify(users),
      )
    })
  },
})

/** Changes of files in a transaction, and what PostgreSQL asks in its own way. */
export function createFileChanges(sql: SyncSql): Pick<Files, 'byIds' | 'add' | 'replace' | 'remove' | 'resetIndex'> {
  const touch = (collectionId: number, now: number) =>
    sql.run('UPDATE collection SET updated_at = ? WHERE id = ?', now, collectionId)
  return {
    async byIds(ids) {
      const listed = `SELECT ${FILE_COLUMNS} FROM file WHERE id IN (SELECT value FROM json_each(?))`
      return sql.all<FileRow>(listed, JSON.stringify(ids))
    },
    async add(collectionId, { name, format, blob, sizeBytes, sha256, sourceId }, now) {
      const values = [collectionId, name, format, blob, sizeBytes, sha256, sourceId, now]
      return sql.transaction(() => {
        const row = sql.get<FileRow>(
          `INSERT INTO file (collection_id, name, format, blob, size, sha256, source_id, created_at, updated_at)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8 WHERE EXISTS (SELECT 1 FROM collection WHERE id = ?1)
             AND (?7 IS NULL OR EXISTS (SELECT 1 FROM file WHERE id = ?7))
           ON CONFLICT (collection_id, name) DO NOTHING RETURNING ${FILE_COLUMNS}`,
          ...values,
        )
        if (row !== undefined) touch(collectionId, now)
        return row
      })
    },
    async replace(collectionId, { name, format, blob, sizeBytes, sha256 }, now) {
      return sql.transaction(() => {
        const found = 'SELECT id, blob FROM file WHERE collection_id = ? AND name = ?'
        const before = sql.get<StoredFile>(found, collectionId, name)
        if (before === undefined) return undefined
        const values = [format, blob, sizeBytes, sha256, now, before.id]
        // A file never indexed keeps its null; any other becomes not indexed.
        const row = sql.get<FileRow>(
          `UPDATE file SET format = ?1, blob = ?2, size = ?3, sha256 = ?4, updated_at = ?5, revision = revision + 1,
             chunks = 0, index_error = NULL, index_status = CASE WHEN index_status IS NULL THEN NULL ELSE 'NOT_INDEXED' END
           WHERE id = ?6 RETURNING ${FILE_COLUMNS}`,
          ...values,
        )
        touch(collectionId, now)
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
  }
}
