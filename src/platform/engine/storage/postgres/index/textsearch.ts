import type { Pool } from 'pg'
import { errorText } from '#platform/engine/errors.ts'
import type { EngineLog } from '#platform/engine/types.ts'
import { toWord } from './block.ts'
import { withExtensionLock, ownIndex } from './schema.ts'
import type { KnownIndex, WordSearch } from './search.ts'

/** Size from which a text index pays off: it finds the best without reading all lists. */
const MIN_CHUNKS = 100_000

const WORDS_TABLE = 'fb_index_words'

const WORDS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS ${WORDS_TABLE} (
    index_id INTEGER NOT NULL,
    chunk_id BIGINT NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (index_id, chunk_id)
  );`

/** One text index for each collection: rarity differs between them, and a filter would leave too few. */
const nameOf = (index: number) => ownIndex(WORDS_TABLE, index)

export interface TextsearchParts {
  readonly pool: Pool
  readonly log: EngineLog
  /** Used for smaller indexes, for one file, and when the extension fails. */
  readonly otherwise: WordSearch
  /** Smaller indexes use the lists of words; default 100,000 chunks. */
  readonly leastChunks?: number | undefined
}

/**
 * Candidates by pg_textsearch: BM25 with our constants over our terms, headings three times. Its index is created when
 * a large collection is first asked.
 */
export async function openTextsearch(parts: TextsearchParts): Promise<WordSearch> {
  const { pool, log, otherwise } = parts
  await withExtensionLock(pool, WORDS_SCHEMA)
  const ready = new Set<number>()
  const building = new Map<number, Promise<void>>()
  let hasFailed = false

  function failed(error: unknown): void {
    if (!hasFailed) log.warn({ reason: errorText(error) }, 'pg_textsearch failed: words are searched without it')
    hasFailed = true
  }

  async function build(index: number): Promise<void> {
    try {
      await withExtensionLock(
        pool,
        `CREATE INDEX IF NOT EXISTS ${nameOf(index)} ON ${WORDS_TABLE} USING bm25 (words)
         WITH (text_config = 'simple', k1 = 1.0, b = 0.6) WHERE index_id = ${index}`,
      )
      ready.add(index)
      log.info({ index }, 'pg_textsearch searches the words of this index')
    } catch (error) {
      failed(error)
    } finally {
      building.delete(index)
    }
  }

  function isReady({ id, total, hasWords }: KnownIndex): boolean {
    if (hasFailed || !hasWords || total < (parts.leastChunks ?? MIN_CHUNKS)) return false
    if (ready.has(id)) return true
    if (!building.has(id)) building.set(id, build(id))
    return false
  }

  return {
    table: WORDS_TABLE,
    async find(state, lookups, wanted, fileId) {
      if (fileId !== undefined || !isReady(state)) return otherwise.find(state, lookups, wanted, fileId)
      try {
        const words = lookups.flatMap(({ terms }) => terms.map(toWord)).join(' ')
        const { rows } = await pool.query<{ id: number; score: number }>(
          `SELECT chunk_id AS id, words <@> asked AS score
           FROM ${WORDS_TABLE}, to_bm25query($1, '${nameOf(state.id)}') AS asked
           WHERE index_id = ${state.id} ORDER BY words <@> asked LIMIT ${wanted}`,
          [words],
        )
        // Scores are negative; 0 means none of the words.
        return rows.filter(({ score }) => score < 0).map(({ id }) => id)
      } catch (error) {
        failed(error)
        return otherwise.find(state, lookups, wanted, fileId)
      }
    },
    async close() {
      await Promise.allSettled(building.values())
    },
  }
}
