import type { SeparateSql } from '#sql/postgres/sql.ts'
import { type ChunkRow, toWanted } from '#platform/engine/search/rank.ts'
import { LAST_LETTER, MAX_BEGINNING, type SearchRequest, type SearchResult } from '#platform/engine/search/types.ts'
import type { Analyse, Facts, Found, Lookup, Nearby } from './analyst-calls.ts'
import type { IndexState, VectorSearch } from './vectors.ts'

/**
 * Candidates from the lists of words, on any server. The database joins the lists and the thread adds the scores: in
 * SQL the sum takes several times as long.
 */
async function findByWords(
  { sql, analyse }: SearchParts,
  { id, facts }: KnownIndex,
  lookups: readonly Lookup[],
  { wanted, fileId }: { readonly wanted: number; readonly fileId: number | undefined },
): Promise<readonly number[]> {
  const rows = await sql.all<{ term: string; lists: Buffer }>(
    `SELECT asked.term, there.lists FROM unnest($2::text[]) AS asked (term) CROSS JOIN LATERAL (
       SELECT string_agg(list, ''::bytea) AS lists FROM fb_index_posting AS posting
       WHERE posting.index_id = $1 AND posting.term = asked.term AND ($3::bigint IS NULL OR posting.segment =
         (SELECT segment FROM fb_index_file WHERE index_id = $1 AND file_id = $3))
     ) AS there WHERE there.lists IS NOT NULL`,
    id,
    lookups.flatMap(({ terms }) => terms),
    fileId ?? null,
  )
  const lists = new Map(rows.map((row) => [row.term, row.lists]))
  const words = lookups.map(({ weight, terms }) => ({ weight, lists: terms.flatMap((term) => lists.get(term) ?? []) }))
  return analyse('candidates', { words, averageTerms: facts.averageTerms, wanted })
}

/** An index with cached facts of its current version. */
export interface KnownIndex extends IndexState {
  readonly facts: Facts
  /** Filled by questions. */
  readonly found: Map<string, number>
}

export interface SearchParts {
  readonly sql: SeparateSql
  readonly analyse: Analyse
  readonly vectors: VectorSearch
}

/** Indexes with cached facts; the least recently used is evicted first. */
const MAX_KNOWN = 1000
/** Terms of one index with cached counts. */
const MAX_FOUND = 20_000
/** A file may be replaced between two steps of a question, which is then repeated. */
const MAX_ATTEMPTS = 4

const NO_FACTS: Facts = { total: 0, averageTerms: 0, languages: [] }

interface FileSums {
  readonly language: string
  readonly chunks: number
  readonly terms: number
}

async function learn(sql: SeparateSql, index: number): Promise<Facts> {
  const rows = await sql.all<FileSums>(
    `SELECT language, sum(chunks) AS chunks, sum(terms)::bigint AS terms
     FROM fb_index_file WHERE index_id = $1 GROUP BY language ORDER BY sum(chunks) DESC, language`,
    index,
  )
  const sum = (pick: (row: FileSums) => number) => rows.reduce((total, row) => total + pick(row), 0)
  const total = sum((row) => row.chunks)
  if (total === 0) return NO_FACTS
  return { total, averageTerms: sum((row) => row.terms) / total, languages: rows.map((row) => row.language) }
}

// Planner statistics of a growing table are always old, and would make it scan the whole index. A lateral part with an
// aggregate or a limit forces a lookup key by key.

async function readRows(sql: SeparateSql, index: number, ids: readonly number[]): Promise<readonly ChunkRow[]> {
  if (ids.length === 0) return []
  const rows = await sql.all<ChunkRow>(
    `SELECT chunk.id, chunk.file_id AS "fileId", file.revision, file.name, file.language, chunk.body, chunk.lead,
       chunk.headings, chunk.page, chunk.line_from AS "lineFrom", chunk.line_to AS "lineTo"
     FROM unnest($2::bigint[]) AS asked (id)
     CROSS JOIN LATERAL (SELECT * FROM fb_index_chunk WHERE index_id = $1 AND id = asked.id LIMIT 1) AS chunk
     CROSS JOIN LATERAL (
       SELECT * FROM fb_index_file WHERE index_id = $1 AND file_id = chunk.file_id LIMIT 1
     ) AS file`,
    index,
    ids,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Answers questions. Its cache of an index holds for one version, which every question reads first. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createSearch(parts: SearchParts) {
  const { sql, analyse, vectors } = parts
  const known = new Map<string, KnownIndex>()

  async function meet(row: { readonly id: number; readonly version: number; readonly model: string }) {
    const facts = await learn(sql, row.id)
    return { ...row, facts, total: facts.total, found: new Map<string, number>() }
  }

  async function know(name: string): Promise<KnownIndex | undefined> {
    const row = await sql.get<{ id: number; version: number; model: string }>(
      'SELECT id, version, model FROM fb_index WHERE name = $1',
      name,
    )
    const before = known.get(name)
    known.delete(name)
    if (row === undefined) return undefined
    const now = before?.id === row.id && before.version === row.version ? before : await meet(row)
    // Last in the map is last used.
    known.set(name, now)
    for (const one of known.keys()) {
      if (known.size <= MAX_KNOWN) break
      known.delete(one)
    }
    return now
  }

  /** Number of chunks that hold each of these terms. */
  async function count(index: KnownIndex, terms: readonly string[]): Promise<Map<string, number>> {
    if (index.found.size > MAX_FOUND) index.found.clear()
    const unknown = terms.filter((term) => !index.found.has(term))
    if (unknown.length > 0) {
      const rows = await sql.all<{ term: string; found: number }>(
        `SELECT asked.term, there.found FROM unnest($2::text[]) AS asked (term) CROSS JOIN LATERAL (
           SELECT coalesce(sum(chunks), 0) AS found FROM fb_index_posting AS posting
           WHERE posting.index_id = $1 AND posting.term = asked.term
         ) AS there`,
        index.id,
        unknown,
      )
      for (const { term, found } of rows) index.found.set(term, found)
    }
    return new Map(terms.map((term) => [term, index.found.get(term) ?? 0]))
  }

  /** Number of chunks that hold each term with one of these beginnings. */
  async function countBeginning({ id }: KnownIndex, beginnings: readonly string[]): Promise<Map<string, number>> {
    const rows = await sql.all<{ term: string; found: number }>(
      `SELECT there.term, there.found FROM unnest($2::text[]) AS asked (letters) CROSS JOIN LATERAL (
         SELECT term, sum(chunks) AS found FROM fb_index_posting AS posting
         WHERE posting.index_id = $1 AND posting.term >= asked.letters AND posting.term < asked.letters || $3
         GROUP BY term LIMIT $4
       ) AS there`,
      id,
      beginnings,
      LAST_LETTER,
      MAX_BEGINNING,
    )
    return new Map(rows.map(({ term, found }) => [term, found]))
  }

  /** Undefined: a found chunk is gone, and another attempt is left. */
  async function attempt(name: string, request: SearchRequest, isLast: boolean): Promise<SearchResult | undefined> {
    const index = await know(name)
    const rank = (found: Found, rows: readonly ChunkRow[], nearby?: Nearby) =>
      analyse('rank', { request, facts: index?.facts ?? NO_FACTS, found, rows, nearby })
    if (index === undefined || index.total === 0) return rank(new Map(), [])
    const { question, limit, fileId, others } = request
    const { facts } = index
    const wanted = toWanted(limit)
    const counted = await count(index, await analyse('terms', { question, others, languages: facts.languages }))
    const first = await analyse('lookups', { question, others, facts, found: counted })
    const slips = first.beginnings.length === 0 ? undefined : await countBeginning(index, first.beginnings)
    const found = slips === undefined ? counted : new Map([...counted, ...slips])
    const { lookups } = slips === undefined ? first : await analyse('lookups', { question, others, facts, found })
    const byWords = lookups.length === 0 ? [] : await findByWords(parts, index, lookups, { wanted, fileId })
    const nearby = await vectors.near(index, request, wanted, byWords)
    const ids = [...new Set([...byWords, ...(nearby?.nearest ?? [])])]
    const rows = await readRows(sql, index.id, ids)
    return rows.length < ids.length && !isLast ? undefined : rank(found, rows, nearby)
  }

  return async (name: string, request: SearchRequest): Promise<SearchResult> => {
    for (let left = MAX_ATTEMPTS; ; left -= 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
      const result = await attempt(name, request, left === 1)
      if (result !== undefined) return result
    }
  }
}
