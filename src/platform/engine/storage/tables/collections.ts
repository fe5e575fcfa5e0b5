import type { CollectionRow, Collections, FileRow, Files, StoredFile } from '../catalog.ts'
import type { Sql, Statement, Value } from '#sql/sql.ts'

const SELECT_COLLECTIONS = `
  SELECT own.id, owner_id AS "ownerId", owner.name AS "ownerName", own.name, index_name AS "indexName", visibility,
         (SELECT CAST(coalesce(json_agg(user_name ORDER BY user_name), '[]') AS TEXT)
          FROM fb_collection_reader WHERE collection_id = own.id) AS readers,
         own.created_at AS "createdAt", own.updated_at AS "updatedAt", indexed_at AS "indexedAt",
         pass_started_at AS "passStartedAt", count(file.id) AS "fileCount",
         CAST(coalesce(sum(file.size), 0) AS BIGINT) AS "sizeBytes",
         count(*) FILTER (WHERE index_status = 'INDEXED') AS "filesIndexed",
         count(*) FILTER (WHERE index_status = 'ERROR') AS "filesFailed",
         coalesce(sum(chunks) FILTER (WHERE index_status = 'INDEXED'), 0) AS chunks,
         min((file.name || ': ' || index_error) COLLATE "C") FILTER (WHERE index_status = 'ERROR') AS "firstError"
  FROM fb_collection AS own JOIN fb_user AS owner ON owner.id = owner_id
    LEFT JOIN fb_file AS file ON file.collection_id = own.id`
const GROUPED = 'GROUP BY own.id, owner.name'

type Selected = Omit<CollectionRow, 'readers'> & { readonly readers: string }

const toCollection = (row: Selected): CollectionRow => ({ ...row, readers: JSON.parse(row.readers) as string[] })

export function createCollections(sql: Sql): Collections {
  const all = async (rest: string, ...values: readonly Value[]) =>
    (await sql.all<Selected>(`${SELECT_COLLECTIONS} ${rest}`, ...values)).map(toCollection)
  const get = async (ownerId: number, name: string) =>
    (await all(`WHERE owner_id = ?1 AND own.name = ?2 ${GROUPED}`, ownerId, name))[0]
  return {
    async create(ownerId, name, indexName, now) {
      const insert = `INSERT INTO fb_collection (owner_id, name, index_name, created_at, updated_at)
        VALUES (?1, ?2, ?3, ?4, ?4) ON CONFLICT (owner_id, name) DO NOTHING`
      return (await sql.run(insert, ownerId, name, indexName, now)) === 0 ? undefined : get(ownerId, name)
    },
    get,
    list: (ownerId) => all(`WHERE owner_id = ?1 ${GROUPED} ORDER BY own.name`, ownerId),
    all: () => all(`${GROUPED} ORDER BY own.id`),
    sharedWith: ({ id, name }) =>
      all(
        `WHERE own.id IN (SELECT collection_id FROM fb_collection_reader WHERE user_name = ?1) AND owner_id <> ?2
         ${GROUPED} ORDER BY owner.name, own.name`,
        name,
        id,
      ),
    async remove(id) {
      const [, gone = []] = await sql.together<StoredFile>(
        // After this lock a file added meanwhile is visible, or finds no collection.
        ['SELECT 1 FROM fb_collection WHERE id = ? FOR UPDATE', id],
        ['SELECT id, blob FROM fb_file WHERE collection_id = ?', id],
        ['DELETE FROM fb_collection WHERE id = ?', id],
      )
      return gone
    },
    async setSharing(id, { visibility, users }, now) {
      await sql.write(
        ['UPDATE fb_collection SET visibility = ?, updated_at = ? WHERE id = ?', visibility, now, id],
        ['DELETE FROM fb_collection_reader WHERE collection_id = ?', id],
        [
          `INSERT INTO fb_collection_reader (collection_id, user_name)
           SELECT ?1::int, value FROM json_array_elements_text(?2::json) AS value
           WHERE EXISTS (SELECT 1 FROM fb_collection WHERE id = ?1)`,
          id,
          JSON.stringify(users),
        ],
      )
    },
    async passStarted(id, now) {
      await sql.run(`UPDATE fb_collection SET pass_started_at = ?1 WHERE id = ?2`, now, id)
    },
    async passEnded(id, now) {
      const ended = 'pass_started_at = NULL, indexed_at = ?1, updated_at = ?1'
      await sql.run(`UPDATE fb_collection SET ${ended} WHERE id = ?2`, now, id)
    },
  }
}

const FILE_COLUMNS = `id, collection_id AS "collectionId", name, format, blob, size AS "sizeBytes", sha256, revision,
  source_id AS "sourceId", index_status AS status, chunks, index_error AS error, created_at AS "createdAt",
  updated_at AS "updatedAt"`
const FILES = `SELECT ${FILE_COLUMNS} FROM fb_file`

const ADD = `
  INSERT INTO fb_file (collection_id, name, format, blob, size, sha256, source_id, created_at, updated_at)
  SELECT ?1::int, ?2, ?3, ?4, ?5::bigint, ?6, ?7::int, ?8::bigint, ?8::bigint
  WHERE EXISTS (SELECT 1 FROM fb_collection WHERE id = ?1)
    AND (?7::int IS NULL OR EXISTS (SELECT 1 FROM fb_file WHERE id = ?7))
  ON CONFLICT (collection_id, name) DO NOTHING RETURNING ${FILE_COLUMNS}`

// A file never indexed keeps its null; any other becomes not indexed.
const REPLACE = `
  UPDATE fb_file SET format = ?, blob = ?, size = ?, sha256 = ?, updated_at = ?, revision = revision + 1, chunks = 0,
    index_error = NULL, index_status = CASE WHEN index_status IS NULL THEN NULL ELSE 'NOT_INDEXED' END
  WHERE collection_id = ? AND name = ? RETURNING ${FILE_COLUMNS}`

/** Keeps the collection until its files are changed: always in this order, against deadlocks. */
const HOLD = 'SELECT 1 FROM fb_collection WHERE id = ? FOR NO KEY UPDATE'

const TOUCH = `
  UPDATE fb_collection SET updated_at = ? WHERE id = ? AND EXISTS (SELECT 1 FROM fb_file WHERE blob = ?)`

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createFiles(sql: Sql): Files {
  const select = `${FILES} WHERE collection_id = ?1`
  return {
    list: (collectionId) => sql.all<FileRow>(`${select} ORDER BY name`, collectionId),
    get: (collectionId, name) => sql.get<FileRow>(`${select} AND name = ?2`, collectionId, name),
    among(collectionIds, names) {
      const within = `${FILES} WHERE collection_id IN (SELECT value::int FROM json_array_elements_text(?1::json) AS value)`
      const ids = JSON.stringify(collectionIds)
      if (names === undefined) return sql.all<FileRow>(`${within} ORDER BY name`, ids)
      const named = `${within} AND name IN (SELECT value FROM json_array_elements_text(?2::json) AS value)`
      return sql.all<FileRow>(`${named} ORDER BY name`, ids, JSON.stringify(names))
    },
    derived: (id) => sql.all<FileRow>(`${FILES} WHERE source_id = ? ORDER BY name`, id),
    byIds: (ids) =>
      sql.all<FileRow>(
        `${FILES} WHERE id IN (SELECT value::int FROM json_array_elements_text(?::json) AS value)`,
        JSON.stringify(ids),
      ),
    async add(collectionId, { name, format, blob, sizeBytes, sha256, sourceId }, now) {
      const source: Statement[] =
        sourceId === null ? [] : [['SELECT 1 FROM fb_file WHERE id = ? FOR KEY SHARE', sourceId]]
      const results = await sql.together<FileRow>(
        [HOLD, collectionId],
        ...source,
        [ADD, collectionId, name, format, blob, sizeBytes, sha256, sourceId, now],
        [TOUCH, now, collectionId, blob],
      )
      return results.at(-2)?.[0]
    },
    async replace(collectionId, { name, format, blob, sizeBytes, sha256 }, now) {
      const [, [before] = [], [row] = []] = await sql.together<FileRow>(
        [HOLD, collectionId],
        ['SELECT id, blob FROM fb_file WHERE collection_id = ? AND name = ? FOR UPDATE', collectionId, name],
        [REPLACE, format, blob, sizeBytes, sha256, now, collectionId, name],
        [TOUCH, now, collectionId, blob],
      )
      return before && row && { row, before }
    },
    async remove(id) {
      const [, gone = []] = await sql.together<StoredFile>(
        // After this lock a file derived meanwhile is visible, or finds no source.
        ['SELECT 1 FROM fb_file WHERE id = ? FOR UPDATE', id],
        ['SELECT id, blob FROM fb_file WHERE id = ?1 OR source_id = ?1 ORDER BY id FOR UPDATE', id],
        ['DELETE FROM fb_file WHERE id = ?', id],
      )
      return gone
    },
    async indexed({ id, revision }, outcome) {
      const [status, chunks, error] =
        'error' in outcome
          ? (['ERROR', 0, outcome.error] as const)
          : (['INDEXED', outcome.chunks, outcome.note ?? null] as const)
      const update = 'UPDATE fb_file SET index_status = ?, chunks = ?, index_error = ? WHERE id = ? AND revision = ?'
      await sql.run(update, status, chunks, error, id, revision)
    },
    resetIndex: (collectionId, now) =>
      sql.write(
        ['UPDATE fb_collection SET indexed_at = NULL, updated_at = ? WHERE id = ?', now, collectionId],
        [
          `UPDATE fb_file SET index_status = 'NOT_INDEXED', chunks = 0, index_error = NULL
           WHERE collection_id = ? AND index_status IS NOT NULL`,
          collectionId,
        ],
      ),
    pending: (collectionId) =>
      sql.all<FileRow>(`${select} AND index_status IS DISTINCT FROM 'INDEXED' ORDER BY updated_at, id`, collectionId),
  }
}
