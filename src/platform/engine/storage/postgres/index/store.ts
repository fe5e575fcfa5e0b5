import type { Pool } from '#sql/postgres/pool.ts'
import { createSeparateSql, type SeparateSql } from '#sql/postgres/sql.ts'
import type { EngineLog } from '#platform/engine/types.ts'
import type { IndexStore } from '#platform/engine/storage/types.ts'
import { migrate } from '#sql/postgres/migrate.ts'
import { type Analyse, createAnalysis } from './analyst-calls.ts'
import { createExactSearch, plainVectors } from './exact.ts'
import { openPgvectorSearch } from './pgvector.ts'
import { hasExtension, INDEX_STEPS } from './schema.ts'
import { createSearch } from './search.ts'
import { addVectors, findBare, type VectorSearch } from './vectors.ts'
import { dropIndex, findOutdated, keepFiles, putFile, readFile, removeFiles } from './write.ts'

export interface PostgresIndexOptions {
  readonly log: EngineLog
  /**
   * Age below which an index is never cleaned up: another process may just have created its collection. Default 10 min.
   */
  readonly sweepAfterMs?: number
  /** With pgvector: an index of more chunks is searched by its graph. Default 50,000. */
  readonly exactChunks?: number
}

/** Version 0.8 or newer: its graph continues the search where a filter leaves too few. */
const PGVECTOR = { name: 'vector', proof: "SELECT '[1]'::vector; SET LOCAL hnsw.iterative_scan = strict_order" }

async function openVectorSearch(
  sql: SeparateSql,
  analyse: Analyse,
  { log, exactChunks }: PostgresIndexOptions,
): Promise<VectorSearch> {
  return (await hasExtension(sql, log, PGVECTOR))
    ? openPgvectorSearch({ sql, analyse, log, exactChunks })
    : createExactSearch({ sql, analyse, log, ...plainVectors })
}

/**
 * The index of every collection in PostgreSQL, for any number of processes. Threads of this process chunk, analyse and
 * rank. The caller owns the pool.
 */
export async function openPostgresIndexStore(pool: Pool, options: PostgresIndexOptions): Promise<IndexStore> {
  await migrate(pool, 'index', INDEX_STEPS)
  const sql = createSeparateSql(pool)
  const analysis = createAnalysis()
  const vectors = await openVectorSearch(sql, analysis.questions, options)
  const search = createSearch({ sql, analyse: analysis.questions, vectors })
  const parts = { sql, analyse: analysis.files, vectors: vectors.table }
  return {
    // The thread reads the next file while the database writes this one.
    filesAtOnce: 4,
    put: (index, file) => putFile(parts, index, file),
    remove: (index, fileIds) => removeFiles(parts, index, fileIds),
    keep: (index, files) => keepFiles(parts, index, files),
    outdated: (index, files) => findOutdated(sql, index, files),
    search,
    bare: (index, request) => findBare(sql, vectors, index, request),
    vectors: (index, request) => addVectors(sql, vectors, index, request),
    read: (index, fileId) => readFile(sql, vectors, index, fileId),
    drop: (index) => dropIndex(parts, index),
    async sweep(known) {
      const rows = await sql.all<{ name: string }>(
        "SELECT name FROM fb_index WHERE made_at <= now() - $1 * interval '1 millisecond'",
        options.sweepAfterMs ?? 600_000,
      )
      const stray = rows.filter(({ name }) => !known.has(name))
      // oxlint-disable-next-line no-await-in-loop -- one after the other: nobody waits for it
      for (const { name } of stray) await dropIndex(parts, name)
      return stray.length
    },
    close: () => analysis.close(),
  }
}
