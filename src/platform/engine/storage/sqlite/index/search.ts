import { findNear, type Matrix, type Near } from '#platform/engine/search/nearest.ts'
import { bytesOf, findBest, isCommon, type Postings, sizeOf } from '#platform/engine/search/postings.ts'
import { type Question, toQuestion, toTelling } from '#platform/engine/search/question.ts'
import { type ChunkRow, rankRows, type Totals, toWanted } from '#platform/engine/search/rank.ts'
import type { AnalysedChunk } from '#platform/engine/search/score.ts'
import { LAST_LETTER, MAX_BEGINNING, type SearchRequest, type SearchResult } from '#platform/engine/search/types.ts'
import { createLru } from '#lib/lru.ts'
import type { IndexReader } from './database.ts'
import { type Places, readPlaces, readPostings } from './postings.ts'

/** Facts of an index, valid until the next write. */
export interface IndexFacts extends Totals {
  readonly languages: readonly string[]
  readonly places: Places
  /** Number of chunks that hold a term. */
  readonly found: (term: string) => number
  /** The terms that begin so. */
  readonly beginning: (letters: string) => readonly string[]
  readonly postings: (term: string) => Postings
  /** The candidates in this order, as far as they are there. */
  rows(ids: readonly number[]): readonly ChunkRow[]
  /** The vectors, read when first asked for. */
  matrix(): Matrix | undefined
}

/** Cache of postings, over all indexes, by bytes. */
const knownPostings = createLru(64 * 1024 * 1024, bytesOf)
/** Cache of ranked chunks, by state of an index and number; some 15 kB each. */
const knownChunks = createLru<ChunkRow & { analysed?: AnalysedChunk }, number>(1_000)
const STATE_SIZE = 2 ** 32
/** Index size up to which reading postings is as fast as their number. */
const FEW_CHUNKS = 2_000
/** Factor on the number of candidates when words were found without counts. */
const ROUGH_PART = 3

const CHUNKS_BY_ID = `
  SELECT chunk.id, file.id AS fileId, file.revision, file.name, file.language, chunk.body, chunk.lead, chunk.headings,
    chunk.page, chunk.line_from AS lineFrom, chunk.line_to AS lineTo
  FROM json_each(?) AS wanted CROSS JOIN chunk ON chunk.id = wanted.value CROSS JOIN file ON file.id = chunk.file_id`

/** Number of index states read: it keeps cached data of two states apart. */
let lastState = 0

export function readFacts(database: IndexReader, matrix: () => Matrix | undefined): IndexFacts {
  const sums = database
    .read('SELECT coalesce(sum(chunks), 0) AS total, coalesce(sum(terms), 0) AS terms FROM file')
    .get()
  const languages = database.read('SELECT language FROM file GROUP BY language ORDER BY sum(chunks) DESC').all()
  const total = Number(sums?.['total'] ?? 0)
  const averageTerms = total === 0 ? 0 : Number(sums?.['terms'] ?? 0) / total
  const state = (lastState += 1)
  const places = readPlaces(database, averageTerms)
  const count = database.read(
    'SELECT sum(found) AS found FROM segment CROSS JOIN posting ON posting.segment = segment.first AND term = ?',
  )
  const terms = database.read(
    `SELECT DISTINCT term FROM segment CROSS JOIN posting ON posting.segment = segment.first AND term >= ? AND term < ?
     LIMIT ${MAX_BEGINNING}`,
  )
  // The numbers of lists count chunks that are gone.
  const isExact = database.read('SELECT 1 FROM segment WHERE dead > 0 LIMIT 1').get() === undefined
  const counts = new Map<string, number>()
  const read = (term: string) => {
    const made = readPostings(database, places, term)
    knownPostings.set(`${state} ${term}`, made)
    return made
  }
  const found = (term: string): number => {
    const postings = knownPostings.get(`${state} ${term}`)
    const known = postings === undefined ? counts.get(term) : sizeOf(postings)
    if (known !== undefined) return known
    const size = total > FEW_CHUNKS && isExact ? Number(count.get(term)?.['found'] ?? 0) : sizeOf(read(term))
    counts.set(term, size)
    return size
  }
  return {
    total,
    averageTerms,
    languages: languages.map((one) => String(one['language'])),
    places,
    found,
    beginning: (letters) => terms.all(letters, `${letters}${LAST_LETTER}`).map((row) => String(row['term'])),
    postings: (term) => knownPostings.get(`${state} ${term}`) ?? read(term),
    recall: (row: ChunkRow & { analysed?: AnalysedChunk }, make) => (row.analysed ??= make(row)),
    rows(ids) {
      const rows = new Map(ids.map((id) => [id, knownChunks.get(state * STATE_SIZE + id)]))
      const missing = ids.filter((id) => rows.get(id) === undefined)
      if (missing.length > 0) {
        for (const row of database.read(CHUNKS_BY_ID).all(JSON.stringify(missing)) as unknown as readonly ChunkRow[]) {
          rows.set(row.id, row)
          knownChunks.set(state * STATE_SIZE + row.id, row)
        }
      }
      return [...rows.values()].filter((row) => row !== undefined)
    },
    matrix,
  }
}

/** Vectors of another model or length are not comparable with this question. */
function nearTo(facts: IndexFacts, { vector, fileId }: SearchRequest, wanted: number): Near | undefined {
  if (vector === undefined) return undefined
  const matrix = facts.matrix()
  if (matrix?.model !== vector.model || matrix.dimensions !== vector.values.length) return undefined
  return findNear(matrix, vector.values, wanted, fileId)
}

/** Ids of the chunks whose words match best, best first. */
function findIds({ places, postings }: IndexFacts, question: Question, request: SearchRequest, wanted: number) {
  const lookups = toTelling(question).map(({ weight, terms }) => ({ weight, postings: terms.map(postings) }))
  // Counts of common words are known only in the ranking, so more candidates are ranked.
  const isRough = lookups.some((one) => one.postings.some(isCommon))
  const range = request.fileId === undefined ? { from: 0, to: places.total } : places.rangeOf(request.fileId)
  return findBest(places.norms, lookups, isRough ? wanted * ROUGH_PART : wanted, range).map((place) =>
    places.idAt(place),
  )
}

/** The result of a question to an index without a file. */
export function searchNothing(request: SearchRequest): SearchResult {
  const { language } = toQuestion(request.question, [], { total: 0, found: () => 0 })
  return { hits: [], quotes: [], language }
}

/** The best chunks, best first, with their sentences that answer. */
export function search(facts: IndexFacts, request: SearchRequest): SearchResult {
  const question = toQuestion(request.question, facts.languages, facts, request.others)
  if (facts.total === 0) return { hits: [], quotes: [], language: question.language }
  const wanted = toWanted(request.limit)
  const near = nearTo(facts, request, wanted)
  const ids = new Set([...findIds(facts, question, request, wanted), ...(near?.nearest.map(({ id }) => id) ?? [])])
  return rankRows(question, facts, facts.rows([...ids]), near, request)
}
