import type { CollectionRow, Collections, FileRow, Files } from '../catalog.ts'
import type { Value } from '#sql/sql.ts'
import type { Dialect } from './dialect.ts'

const selectCollections = ({ prefix }: Dialect) => `
  SELECT own.id, owner_id AS "ownerId", owner.name AS "ownerName", own.name, index_name AS "indexName", visibility,
         (SELECT CAST(coalesce(json_agg(user_name ORDER BY user_name), '[]') AS TEXT)
          FROM ${prefix}collection_reader WHERE collection_id = own.id) AS readers,
         own.created_at AS "createdAt", own.updated_at AS "updatedAt", indexed_at AS "indexedAt",
         pass_started_at AS "passStartedAt", count(file.id) AS "fileCount",
         CAST(coalesce(sum(file.size), 0) AS BIGINT) AS "sizeBytes",
         count(*) FILTER (WHERE index_status = 'INDEXED') AS "filesIndexed",
         count(*) FILTER (WHERE index_status = 'ERROR') AS "filesFailed",
         coalesce(sum(chunks) FILTER (WHERE index_status = 'INDEXED'), 0) AS chunks,
         min((file.name || ': ' || index_error) COLLATE "C") FILTER (WHERE index_status = 'ERROR') AS "firstError"
  FROM ${prefix}collection AS own JOIN ${prefix}user AS owner ON owner.id = owner_id
    LEFT JOIN ${prefix}file AS file ON file.collection_id = own.id`
const GROUPED = 'GROUP BY own.id, owner.name'

type Selected = Omit<CollectionRow, 'readers'> & { readonly readers: string }

const toCollection = (row: Selected): CollectionRow => ({ ...row, readers: JSON.parse(row.readers) as string[] })

export function createCollections(dialect: Dialect): Omit<Collections, 'remove' | 'setSharing'> {
  const { sql, prefix } = dialect
  const select = selectCollections(dialect)
  const [table, reader] = [`${prefix}collection`, `${prefix}collection_reader`]
  const all = async (rest: string, ...values: readonly Value[]) =>
    (await sql.all<Selected>(`${select} ${rest}`, ...values)).map(toCollection)
  const get = async (ownerId: number, name: string) =>
    (await all(`WHERE owner_id = ?1 AND own.name = ?2 ${GROUPED}`, ownerId, name))[0]
  return {
    async create(ownerId, name, indexName, now) {
      const insert = `INSERT INTO ${table} (owner_id, name, index_name, created_at, updated_at)
        VALUES (?1, ?2, ?3, ?4, ?4) ON CONFLICT (owner_id, name) DO NOTHING`
      return (await sql.run(insert, ownerId, name, indexName, now)) === 0 ? undefined : get(ownerId, name)
    },
    get,
    list: (ownerId) => all(`WHERE owner_id = ?1 ${GROUPED} ORDER BY own.name`, ownerId),
    all: () => all(`${GROUPED} ORDER BY own.id`),
    sharedWith: ({ id, name }) =>
      all(
        `WHERE own.id IN (SELECT collection_id FROM ${reader} WHERE user_name = ?1) AND owner_id <> ?2
         ${GROUPED} ORDER BY owner.name, own.name`,
        name,
        id,
      ),
    async passStarted(id, now) {
      await sql.run(`UPDATE ${table} SET pass_started_at = ?1 WHERE id = ?2`, now, id)
    },
    async passEnded(id, now) {
      const ended = 'pass_started_at = NULL, indexed_at = ?1, updated_at = ?1'
      await sql.run(`UPDATE ${table} SET ${ended} WHERE id = ?2`, now, id)
    },
  }
}

export const FILE_COLUMNS = `id, collection_id AS "collectionId", name, format, blob, size AS "sizeBytes", sha256, revision,
  source_id AS "sourceId", index_status AS status, chunks, index_error AS error, created_at AS "createdAt",
  updated_at AS "updatedAt"`

export function createFiles({ sql, prefix }: Dialect): Pick<Files, 'list' | 'get' | 'derived' | 'indexed' | 'pending'> {
  const files = `SELECT ${FILE_COLUMNS} FROM ${prefix}file`
  const select = `${files} WHERE collection_id = ?1`
  return {
    list: (collectionId) => sql.all<FileRow>(`${select} ORDER BY name`, collectionId),
    get: (collectionId, name) => sql.get<FileRow>(`${select} AND name = ?2`, collectionId, name),
    derived: (id) => sql.all<FileRow>(`${files} WHERE source_id = ?1 ORDER BY name`, id),
    async indexed({ id, revision }, outcome) {
      const [status, chunks, error] =
        'error' in outcome
          ? (['ERROR', 0, outcome.error] as const)
          : (['INDEXED', outcome.chunks, outcome.note ?? null] as const)
      const update = `UPDATE ${prefix}file SET index_status = ?1, chunks = ?2, index_error = ?3`
      await sql.run(`${update} WHERE id = ?4 AND revision = ?5`, status, chunks, error, id, revision)
    },
    pending: (collectionId) =>
      sql.all<FileRow>(`${select} AND index_status IS DISTINCT FROM 'INDEXED' ORDER BY updated_at, id`, collectionId),
  }
}
