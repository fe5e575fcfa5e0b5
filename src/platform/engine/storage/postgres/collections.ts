import type { PostgresSql, Statements } from '#sql/postgres/sql.ts'
import type { Collections, FileRow, Files, StoredFile } from '../catalog.ts'
import { FILE_COLUMNS } from '../tables/collections.ts'

/** Changes of collections in a transaction. */
export const createCollectionChanges = (sql: PostgresSql): Pick<Collections, 'remove' | 'setSharing'> => ({
  remove: (id) =>
    sql.transaction(async (one) => {
      // After this lock a file added meanwhile is visible, or finds no collection.
      await one.run('SELECT 1 FROM fb_collection WHERE id = $1 FOR UPDATE', id)
      const gone = await one.all<StoredFile>('SELECT id, blob FROM fb_file WHERE collection_id = $1', id)
      await one.run('DELETE FROM fb_collection WHERE id = $1', id)
      return gone
    }),
  async setSharing(id, { visibility, users }, now) {
    const update = 'UPDATE fb_collection SET visibility = $1, updated_at = $2 WHERE id = $3'
    const insert = 'INSERT INTO fb_collection_reader (collection_id, user_name) SELECT $1, unnest($2::text[])'
    await sql.transaction(async (one) => {
      if ((await one.run(update, visibility, now, id)) === 0) return
      await one.run('DELETE FROM fb_collection_reader WHERE collection_id = $1', id)
      await one.run(insert, id, users)
    })
  },
})

/** Keeps the collection until the end of the transaction. False: it is gone. */
const hold = async (one: Statements, collectionId: number) =>
  (await one.run('SELECT 1 FROM fb_collection WHERE id = $1 FOR NO KEY UPDATE', collectionId)) > 0

const touch = (one: Statements, collectionId: number, now: number) =>
  one.run('UPDATE fb_collection SET updated_at = $1 WHERE id = $2', now, collectionId)

/** Keeps the collection, and the file that it was made from, while it is added; no row: one is gone, or the name is taken. */
const ADD_FILE = `
  WITH held AS MATERIALIZED (
    SELECT id FROM fb_collection WHERE id = $1 FOR NO KEY UPDATE
  ), source AS MATERIALIZED (
    SELECT fb_file.id FROM fb_file JOIN held ON true WHERE fb_file.id = $7::int FOR KEY SHARE OF fb_file
  ), added AS (
    INSERT INTO fb_file (collection_id, name, format, blob, size, sha256, source_id, created_at, updated_at)
    SELECT held.id, $2, $3, $4, $5::bigint, $6, $7::int, $8::bigint, $8::bigint FROM held
    WHERE $7::int IS NULL OR EXISTS (SELECT FROM source)
    ON CONFLICT (collection_id, name) DO NOTHING RETURNING *
  ), touched AS (
    UPDATE fb_collection SET updated_at = $8::bigint WHERE id = $1 AND EXISTS (SELECT FROM added)
  )
  SELECT ${FILE_COLUMNS} FROM added`

/** Changes of files in a transaction, and what SQLite asks in its own way. */
export const createFileChanges = (
  sql: PostgresSql,
): Pick<Files, 'byIds' | 'add' | 'replace' | 'remove' | 'resetIndex'> => ({
  byIds: (ids) => sql.all<FileRow>(`SELECT ${FILE_COLUMNS} FROM fb_file WHERE id = ANY($1::int[])`, ids),
  add: (collectionId, { name, format, blob, sizeBytes, sha256, sourceId }, now) =>
    sql.get<FileRow>(ADD_FILE, collectionId, name, format, blob, sizeBytes, sha256, sourceId, now),
  replace: (collectionId, { name, format, blob, sizeBytes, sha256 }, now) =>
    sql.transaction(async (one) => {
      // Locks the collection before its files, always in this order, against deadlocks.
      if (!(await hold(one, collectionId))) return undefined
      const found = 'SELECT id, blob FROM fb_file WHERE collection_id = $1 AND name = $2 FOR UPDATE'
      const before = await one.get<StoredFile>(found, collectionId, name)
      if (before === undefined) return undefined
      const values = [format, blob, sizeBytes, sha256, now, before.id]
      // A file never indexed keeps its null; any other becomes not indexed.
      const row = await one.get<FileRow>(
        `UPDATE fb_file SET format = $1, blob = $2, size = $3, sha256 = $4, updated_at = $5, revision = revision + 1,
           chunks = 0, index_error = NULL,
           index_status = CASE WHEN index_status IS NULL THEN NULL ELSE 'NOT_INDEXED' END
         WHERE id = $6 RETURNING ${FILE_COLUMNS}`,
        ...values,
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
})
