import type { CollectionRow, Collections, StoredFile } from '../catalog.ts'
import type { Sql } from './sql.ts'

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
    sharedWith: (userId) =>
      sql.all<CollectionRow>(
        `${SELECT_COLLECTIONS} WHERE fb_collection.id IN (SELECT collection_id FROM fb_collection_reader WHERE user_id = $1)
           AND owner_id <> $1
         ${GROUP_COLLECTIONS} ORDER BY fb_user.name, fb_collection.name`,
        userId,
      ),
    remove: (id) =>
      sql.transaction(async (one) => {
        // Whoever adds a file meanwhile has finished by then, or waits and finds no collection.
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
