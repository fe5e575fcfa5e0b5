import type { IndexDatabase } from './database.ts'
import { fuse } from './fuse.ts'
import { toHeadingText } from './heading-text.ts'
import type { SearchRequest, SearchResult } from './protocol.ts'
import { toMatch, toQuestion, type Question } from './question.ts'
import { toQuotes, type QuotedHit } from './quotes.ts'
import { scoreChunk } from './score.ts'
import { findNear, type Matrix, type Near } from './vectors.ts'

/** What is known of an index between two writes. */
export interface IndexFacts {
  readonly total: number
  readonly averageTerms: number
  readonly languages: readonly string[]
  /** How many chunks hold a term; filled as questions come. */
  readonly found: Map<string, number>
  /** The vectors, read when first asked for. */
  matrix(): Matrix | undefined
}

/** The table's own ranking is asked for this many more than wanted, because ours may order them anew. */
const spare = 10

export function readFacts(database: IndexDatabase, matrix: () => Matrix | undefined): IndexFacts {
  const row = database
    .read('SELECT coalesce(sum(chunks), 0) AS total, coalesce(sum(terms), 0) AS terms FROM file')
    .get()
  const languages = database
    .read('SELECT language FROM file GROUP BY language ORDER BY sum(chunks) DESC')
    .all()
  const total = Number(row?.['total'] ?? 0)
  return {
    total,
    averageTerms: total === 0 ? 0 : Number(row?.['terms'] ?? 0) / total,
    languages: languages.map((one) => String(one['language'])),
    found: new Map(),
    matrix,
  }
}

function createFound(database: IndexDatabase, facts: IndexFacts): (term: string) => number {
  const statement = database.read('SELECT doc FROM vocabulary WHERE term = ?')
  return (term) => {
    const known = facts.found.get(term)
    if (known !== undefined) return known
    const found = Number(statement.get(term)?.['doc'] ?? 0)
    facts.found.set(term, found)
    return found
  }
}

interface Row {
  readonly id: number
  readonly fileId: number
  readonly revision: number
  readonly name: string
  readonly language: string
  readonly body: string
  readonly lead: string
  readonly headings: string
  readonly page: number | null
  readonly lineFrom: number
  readonly lineTo: number
}

const columns = `chunk.id, file.id AS fileId, file.revision, file.name, file.language, chunk.body, chunk.lead, chunk.headings,
  chunk.page, chunk.line_from AS lineFrom, chunk.line_to AS lineTo`

const bestOfAll = `
  SELECT ${columns}
  FROM (SELECT rowid AS id FROM term WHERE term MATCH ? ORDER BY rank LIMIT ?) AS best
  JOIN chunk ON chunk.id = best.id JOIN file ON file.id = chunk.file_id`

const bestOfFile = `
  SELECT ${columns}
  FROM term JOIN chunk ON chunk.id = term.rowid JOIN file ON file.id = chunk.file_id
  WHERE term MATCH ? AND chunk.file_id = ? ORDER BY rank LIMIT ?`

const someChunks = (ids: readonly number[]) => `
  SELECT ${columns} FROM chunk JOIN file ON file.id = chunk.file_id
  WHERE chunk.id IN (${ids.map(Number).join(', ')})`

type Scored = Omit<QuotedHit, 'score'> & { readonly id: number }

function scoreRows(question: Question, facts: IndexFacts, rows: readonly Row[]): Scored[] {
  return rows.map(({ name, ...row }) => {
    const headings = JSON.parse(row.headings) as readonly string[]
    const text = {
      headings: toHeadingText(name, headings),
      body: `${row.lead}${row.body}`,
      language: row.language,
    }
    const { score, coverage } = scoreChunk(question, text, facts.averageTerms)
    return { ...row, headings, coverage, words: score, wordCoverage: coverage }
  })
}

/** Coverage of a chunk whose vector alone shows that it belongs to the question. */
const nearCoverage = 0.5

function fuseHits(scored: readonly Scored[], near: Near, alpha: number): QuotedHit[] {
  const fused = fuse(
    scored.map(({ id, words, coverage }) => ({ words, coverage, cosine: near.cosineOf(id) })),
    near,
    alpha,
  )
  return scored.map((hit, index) => {
    const one = fused[index]
    const coverage = one?.near === true ? Math.max(hit.coverage, nearCoverage) : hit.coverage
    return { ...hit, coverage, score: one?.score ?? 0 }
  })
}

/** Vectors of another model, or of another length, say nothing about this question. */
function nearTo(facts: IndexFacts, { vector, fileId }: SearchRequest, wanted: number): Near | undefined {
  if (vector === undefined) return undefined
  const matrix = facts.matrix()
  if (matrix?.model !== vector.model || matrix.dimensions !== vector.values.length) return undefined
  return findNear(matrix, vector.values, wanted, fileId)
}

function findRows(database: IndexDatabase, question: Question, request: SearchRequest, wanted: number) {
  if (question.concepts.length === 0) return []
  const match = toMatch(question)
  return (request.fileId === undefined
    ? database.read(bestOfAll).all(match, wanted)
    : database.read(bestOfFile).all(match, request.fileId, wanted)) as unknown as readonly Row[]
}

/** The chunks that answer best, best first, with the sentences in them that do. */
export function search(database: IndexDatabase, facts: IndexFacts, request: SearchRequest): SearchResult {
  const found = createFound(database, facts)
  const question = toQuestion(request.question, facts.languages, { total: facts.total, found })
  if (facts.total === 0) return { hits: [], quotes: [], language: question.language }
  const wanted = request.limit + Math.max(spare, request.limit)
  const rows = findRows(database, question, request, wanted)
  const near = nearTo(facts, request, wanted)
  const known = new Set(rows.map((row) => row.id))
  const further = near?.nearest.flatMap(({ id }) => (known.has(id) ? [] : [id])) ?? []
  const more =
    further.length === 0
      ? []
      : (database.reader.prepare(someChunks(further)).all() as unknown as readonly Row[])
  const scored = scoreRows(question, facts, [...rows, ...more])
  const ranked =
    near === undefined
      ? scored.map((hit): QuotedHit => ({ ...hit, score: hit.words }))
      : fuseHits(scored, near, request.vector?.alpha ?? 1)
  const hits = ranked.toSorted((one, other) => other.score - one.score).slice(0, request.limit)
  const quotes = request.quotes === true ? toQuotes(question.concepts, hits, facts.total) : []
  return { hits, quotes, language: question.language }
}
