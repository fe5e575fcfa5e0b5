import { errorText } from '#platform/engine/errors.ts'
import type { SearchRequest } from '#platform/engine/search/types.ts'
import type { EngineLog } from '#platform/engine/types.ts'
import { toUnit } from '#platform/engine/search/nearest.ts'
import type { SeparateSql } from '#sql/postgres/sql.ts'
import type { Analyse, Nearby } from './analyst-calls.ts'
import { createExactSearch } from './exact.ts'
import { withExtensionLock, SEGMENT_SIZE } from './schema.ts'
import type { IndexState, VectorSearch } from './vectors.ts'

/** Numbers of at most `wanted` chunks, evenly spread over all files of the index. */
async function sampleChunks(sql: SeparateSql, index: number, wanted: number): Promise<number[]> {
  const rows = await sql.all<{ segment: number; chunks: number }>(
    'SELECT segment, chunks FROM fb_index_file WHERE index_id = $1 AND chunks > 0 ORDER BY segment',
    index,
  )
  const total = rows.reduce((sum, { chunks }) => sum + chunks, 0)
  const step = Math.max(1, total / wanted)
  const ids: number[] = []
  let before = 0
  for (const { segment, chunks } of rows) {
    for (let place = Math.ceil(ids.length * step); place < before + chunks; place = Math.ceil(ids.length * step)) {
      ids.push(segment * SEGMENT_SIZE + place - before)
    }
    before += chunks
  }
  return ids
}

/** Up to this size all vectors are compared in the thread: exact, and faster. */
const MAX_EXACT_CHUNKS = 50_000
/** Size of the sample that estimates the cosines of chance. */
const SAMPLE_SIZE = 1000
/** Longest vectors that the graph takes at full and at half precision. */
const MAX_DIMENSIONS = { vector: 2000, halfvec: 4000 } as const

const EMBEDDING_TABLE = 'fb_index_embedding'

/** Vectors of another length (another model's) are never found: model and length are both in the query. */
const EMBEDDING_SCHEMA = `
  CREATE TABLE IF NOT EXISTS ${EMBEDDING_TABLE} (
    index_id INTEGER NOT NULL,
    chunk_id BIGINT NOT NULL,
    file_id BIGINT NOT NULL,
    data vector NOT NULL,
    PRIMARY KEY (index_id, chunk_id)
  );
  DELETE FROM fb_index_vector;`

const toText = (unit: Float32Array) => `[${unit.join(',')}]`

/** `vector_send`: two numbers of two bytes, then the values, the highest byte first. */
const decode = (bytes: Buffer) => Buffer.from(bytes.subarray(4)).swap32()

/** Column type of the graph for this vector length; undefined: too long for any. */
function typeFor(dimensions: number): 'vector' | 'halfvec' | undefined {
  if (dimensions <= MAX_DIMENSIONS.vector) return 'vector'
  return dimensions <= MAX_DIMENSIONS.halfvec ? 'halfvec' : undefined
}

interface Neighbour {
  readonly id: number
  readonly cosine: number
}

/** The nearest by the graph; within one file, or where the graph finds too few, the server compares all. */
async function findNearest(sql: SeparateSql, state: IndexState, unit: Float32Array, wanted: number, fileId?: number) {
  const question = toText(unit)
  const type = fileId === undefined ? typeFor(unit.length) : undefined
  const nearest = type === undefined ? [] : await byGraph(sql, state, question, unit.length, type, wanted)
  if (nearest.length >= wanted) return nearest
  const rows = await sql.all<Neighbour>(
    `WITH mine AS MATERIALIZED (
       SELECT chunk_id, data FROM ${EMBEDDING_TABLE}
       WHERE index_id = $1 AND vector_dims(data) = ${unit.length} AND ($3::bigint IS NULL OR file_id = $3)
     )
     SELECT chunk_id AS id, -(data <#> $2::vector) AS cosine FROM mine ORDER BY data <#> $2::vector LIMIT ${wanted}`,
    state.id,
    question,
    fileId ?? null,
  )
  return rows
}

function byGraph(
  sql: SeparateSql,
  state: IndexState,
  question: string,
  dimensions: number,
  type: string,
  wanted: number,
) {
  const distance = `data::${type}(${dimensions}) <#> $2::${type}(${dimensions})`
  return sql.transaction(async (client) => {
    // Without this only the graph's forty nearest of all indexes are filtered, and few or none remain.
    await client.run('SET LOCAL hnsw.iterative_scan = strict_order; SET LOCAL hnsw.ef_search = 100')
    return client.all<Neighbour>(
      `SELECT chunk_id AS id, -(${distance}) AS cosine FROM ${EMBEDDING_TABLE}
       WHERE index_id = $1 AND vector_dims(data) = ${dimensions} ORDER BY ${distance} LIMIT ${wanted}`,
      state.id,
      question,
    )
  })
}

export interface PgvectorParts {
  readonly sql: SeparateSql
  readonly analyse: Analyse
  readonly log: EngineLog
  /** Indexes up to this size are compared exactly; default 50,000 chunks. */
  readonly exactChunks?: number | undefined
}

/** Vectors in pgvector's type: large indexes are searched by its graph (HNSW), the others exactly. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export async function openPgvectorSearch(parts: PgvectorParts): Promise<VectorSearch> {
  const { sql, analyse, log } = parts
  await withExtensionLock(sql, EMBEDDING_SCHEMA)
  const where = {
    table: EMBEDDING_TABLE,
    sentAs: 'text' as const,
    toData: 'made.data::vector',
    encode: toText,
    bytes: 'vector_send(data)',
    decode,
  }
  const exact = createExactSearch({ sql, analyse, log, ...where })
  const prepared = new Set<number>()
  let hasFailed = false

  /** Cosines of a sample; they represent the whole index. */
  async function judge({ id, version, model, total }: IndexState, values: Float32Array) {
    // The sample has its own number, unlike any index: the thread may also hold all vectors of this index.
    const index = -id
    const [stale] = await analyse('missing', { index, model, segments: [{ segment: 0, stamp: version }] })
    if (stale !== undefined) {
      const rows = await sql.all<{ id: number; data: Buffer }>(
        `SELECT chunk_id AS id, vector_send(data) AS data FROM ${EMBEDDING_TABLE} WHERE index_id = $1 AND chunk_id = ANY($2)
         ORDER BY chunk_id`,
        id,
        await sampleChunks(sql, id, SAMPLE_SIZE),
      )
      const held = { ...stale, fileId: 0, ids: rows.map((row) => row.id), data: rows.map((row) => decode(row.data)) }
      await analyse('hold', { index, segments: [held] })
    }
    const request = { index, question: values, wanted: 0, fileId: undefined, ids: [] }
    const nearby = await analyse('near', request)
    if (nearby === null) return undefined
    const part = nearby.nearness.count / Math.min(total, SAMPLE_SIZE)
    return { ...nearby.nearness, count: Math.max(1, Math.round(part * total)) }
  }

  async function nearInLarge(state: IndexState, request: SearchRequest, wanted: number, ids: readonly number[]) {
    const values = request.vector?.values
    const sample = values === undefined ? undefined : await judge(state, values)
    if (values === undefined || sample === undefined) return undefined
    const unit = toUnit(values)
    const { fileId } = request
    const all = await findNearest(sql, state, unit, wanted)
    const nearest = fileId === undefined ? all : await findNearest(sql, state, unit, wanted, fileId)
    const rows = await sql.all<Neighbour>(
      `SELECT chunk_id AS id, -(data <#> $2::vector) AS cosine FROM ${EMBEDDING_TABLE}
       WHERE index_id = $1 AND chunk_id = ANY($3) AND vector_dims(data) = ${unit.length}`,
      state.id,
      toText(unit),
      ids,
    )
    const best = all[0]?.cosine ?? sample.best
    const fifth = (all[4] ?? all.at(-1))?.cosine ?? best
    return {
      nearness: { ...sample, best, fifth },
      nearest: nearest.map(({ id }) => id),
      cosines: new Map([...rows, ...nearest].map(({ id, cosine }) => [id, cosine])),
    } satisfies Nearby
  }

  return {
    ...where,
    async prepare(dimensions) {
      const type = typeFor(dimensions)
      if (type === undefined || prepared.has(dimensions)) return
      await withExtensionLock(
        sql,
        `CREATE INDEX IF NOT EXISTS ${EMBEDDING_TABLE}_${dimensions} ON ${EMBEDDING_TABLE}
         USING hnsw ((data::${type}(${dimensions})) ${type}_ip_ops) WHERE vector_dims(data) = ${dimensions}`,
      )
      prepared.add(dimensions)
    },
    async near(state, request, wanted, ids) {
      if (request.vector === undefined || request.vector.model !== state.model) return undefined
      if (state.total <= (parts.exactChunks ?? MAX_EXACT_CHUNKS)) return exact.near(state, request, wanted, ids)
      try {
        return await nearInLarge(state, request, wanted, ids)
      } catch (error) {
        if (!hasFailed) log.warn({ reason: errorText(error) }, 'pgvector failed: vectors are compared without it')
        hasFailed = true
        return exact.near(state, request, wanted, ids)
      }
    },
  }
}
