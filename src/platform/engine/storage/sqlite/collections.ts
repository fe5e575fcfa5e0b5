import type { CollectionRow, Collections, StoredFile } from '../catalog.ts'
import type { Sql } from './open.ts'

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
      sql.run(
        'UPDATE collection SET pass_started_at = NULL, indexed_at = ?1, updated_at = ?1 WHERE id = ?2',
        now,
        id,
      )
    },
  }
}
