import { toHeadingText } from '#platform/engine/search/score.ts'
import type { SearchRequest } from '#platform/engine/search/types.ts'
import { toUnit } from '#platform/engine/search/nearest.ts'
import type { BareChunk, IndexOperations } from '#platform/engine/storage/types.ts'
import type { SeparateSql, Statements } from '#sql/postgres/sql.ts'
import type { Nearby } from './analyst-calls.ts'
import { findIndex, SEGMENT_SIZE, shareIndex } from './schema.ts'

/** State of the index when a question begins. */
export interface IndexState {
  readonly id: number
  /** Changes with every write. */
  readonly version: number
  /** Model of its vectors; empty: none. */
  readonly model: string
  readonly total: number
}

/** Storage and comparison of the vectors. */
export interface VectorSearch {
  readonly table: string
  /** Type of a vector parameter, and the SQL that makes the value of column `data` of it. */
  readonly sentAs: 'bytea' | 'text'
  readonly toData: string
  encode(unit: Float32Array): Buffer | string
  /** SQL for the bytes of `data`; `decode` makes 32-bit floats of this machine's byte order of them. */
  readonly bytes: string
  decode(bytes: Buffer): Uint8Array
  /** Called before the first vectors of this length are stored. */
  prepare?(dimensions: number): Promise<void>
  /** Undefined: no vector is comparable with the question's. `ids`: the chunks that its words found. */
  near(state: IndexState, request: SearchRequest, wanted: number, ids: readonly number[]): Promise<Nearby | undefined>
}

/** Sets the model of the index; vectors of other models are deleted. */
async function chooseModel(sql: SeparateSql, backend: VectorSearch, index: number, model: string): Promise<void> {
  await sql.transaction(async (client) => {
    const changed = await client.run(
      'UPDATE fb_index SET model = $2, version = version + 1 WHERE id = $1 AND model <> $2',
      index,
      model,
    )
    if (changed !== 0) await client.run(`DELETE FROM ${backend.table} WHERE index_id = $1`, index)
  })
}

export async function findBare(
  sql: SeparateSql,
  backend: VectorSearch,
  name: string,
  { model, after, limit }: IndexOperations['bare']['request'],
): Promise<readonly BareChunk[]> {
  const index = await findIndex(sql, name)
  if (index === undefined) return []
  await chooseModel(sql, backend, index, model)
  const rows = await sql.all<{
    id: number
    fileId: number
    name: string
    headings: string
    lead: string
    body: string
  }>(
    `SELECT chunk.id, chunk.file_id AS "fileId", file.name, chunk.headings, chunk.lead, chunk.body
     FROM fb_index_chunk AS chunk JOIN fb_index_file AS file USING (index_id, file_id)
     WHERE index_id = $1 AND chunk.id > $2 AND NOT EXISTS (
       SELECT 1 FROM ${backend.table} AS vector WHERE vector.index_id = $1 AND vector.chunk_id = chunk.id
     )
     ORDER BY chunk.id LIMIT $3`,
    index,
    after,
    limit,
  )
  return rows.map(({ id, fileId, name: fileName, headings, lead, body }) => ({
    id,
    fileId,
    text: `${toHeadingText(fileName, JSON.parse(headings) as readonly string[])}\n\n${lead}${body}`,
  }))
}

/** Stores vectors, normalised to length 1, of chunks that still exist. */
export async function addVectors(
  sql: SeparateSql,
  backend: VectorSearch,
  name: string,
  { model, vectors }: IndexOperations['vectors']['request'],
): Promise<void> {
  const index = await findIndex(sql, name)
  if (index === undefined || vectors.length === 0) return
  await chooseModel(sql, backend, index, model)
  await backend.prepare?.(vectors[0]?.vector.length ?? 0)
  const fileIds = vectors.map(({ fileId }) => fileId)
  await sql.transaction(async (client) => {
    if (!(await shareIndex(client, index))) return
    // Locks the files first and in one order: no file is replaced meanwhile, and no deadlock arises.
    await client.run(
      'SELECT 1 FROM fb_index_file WHERE index_id = $1 AND file_id = ANY($2) ORDER BY file_id FOR UPDATE',
      index,
      fileIds,
    )
    await client.run(
      `INSERT INTO ${backend.table} (index_id, chunk_id, file_id, data)
       SELECT $1, chunk.id, chunk.file_id, ${backend.toData}
       FROM unnest($2::bigint[], $3::bigint[], $4::${backend.sentAs}[]) AS made (id, file_id, data)
       JOIN fb_index_chunk AS chunk ON chunk.index_id = $1 AND chunk.id = made.id AND chunk.file_id = made.file_id
       ON CONFLICT (index_id, chunk_id) DO UPDATE SET data = excluded.data`,
      index,
      vectors.map(({ id }) => id),
      fileIds,
      vectors.map(({ vector }) => backend.encode(toUnit(vector))),
    )
    await client.run(
      `UPDATE fb_index_file SET vector_stamp = stamp.next FROM (SELECT nextval('fb_index_segment') AS next) AS stamp
       WHERE index_id = $1 AND file_id = ANY($2)`,
      index,
      fileIds,
    )
    const changed = await client.run(
      'UPDATE fb_index SET version = version + 1 WHERE id = $1 AND model = $2',
      index,
      model,
    )
    // Another process changed the model meanwhile: these vectors are dropped.
    if (changed === 0) await client.run('ROLLBACK')
  })
}

export async function removeVectors(
  client: Statements,
  table: string,
  index: number,
  segments: readonly number[],
): Promise<void> {
  await client.run(
    `DELETE FROM ${table} USING unnest($2::bigint[]) AS old (segment)
     WHERE index_id = $1 AND chunk_id >= old.segment * ${SEGMENT_SIZE}
       AND chunk_id < (old.segment + 1) * ${SEGMENT_SIZE}`,
    index,
    segments,
  )
}
