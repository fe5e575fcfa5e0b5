import type { IndexDatabase } from './database.ts'
import type { SearchRequest, SearchResult } from './protocol.ts'
import { toMatch, toQuestion } from './question.ts'
import { toQuotes, type QuotedHit } from './quotes.ts'
import { scoreChunk } from './score.ts'

/** What is known of an index between two writes. */
export interface IndexFacts {
  readonly total: number
  readonly averageTerms: number
  readonly languages: readonly string[]
  /** How many chunks hold a term; filled as questions come. */
  readonly found: Map<string, number>
}

/** The table's own ranking is asked for this many more than wanted, because ours may order them anew. */
const spare = 10

export function readFacts(database: IndexDatabase): IndexFacts {
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

const columns = `file.id AS fileId, file.revision, file.name, file.language, chunk.body, chunk.lead, chunk.headings,
  chunk.page, chunk.line_from AS lineFrom, chunk.line_to AS lineTo`

const bestOfAll = `
  SELECT ${columns}
  FROM (SELECT rowid AS id FROM term WHERE term MATCH ? ORDER BY rank LIMIT ?) AS best
  JOIN chunk ON chunk.id = best.id JOIN file ON file.id = chunk.file_id`

const bestOfFile = `
  SELECT ${columns}
  FROM term JOIN chunk ON chunk.id = term.rowid JOIN file ON file.id = chunk.file_id
  WHERE term MATCH ? AND chunk.file_id = ? ORDER BY rank LIMIT ?`

/** Words of a file's name belong to what stands above each of its chunks. */
export function toHeadingText(fileName: string, headings: readonly string[]): string {
  return [fileName.replace(/\.[^.]*$/, ''), ...headings].join(' \n ')
}

/** The chunks that answer best, best first, with the sentences in them that do. */
export function search(database: IndexDatabase, facts: IndexFacts, request: SearchRequest): SearchResult {
  const found = createFound(database, facts)
  const question = toQuestion(request.question, facts.languages, { total: facts.total, found })
  if (question.concepts.length === 0 || facts.total === 0) {
    return { hits: [], quotes: [], language: question.language }
  }
  const match = toMatch(question)
  const wanted = request.limit + Math.max(spare, request.limit)
  const rows = (request.fileId === undefined
    ? database.read(bestOfAll).all(match, wanted)
    : database.read(bestOfFile).all(match, request.fileId, wanted)) as unknown as readonly Row[]
  const hits = rows
    .map(({ name, ...row }): QuotedHit => {
      const headings = JSON.parse(row.headings) as readonly string[]
      const text = {
        headings: toHeadingText(name, headings),
        body: `${row.lead}${row.body}`,
        language: row.language,
      }
      const { score, coverage } = scoreChunk(question.concepts, text, facts.averageTerms)
      return { ...row, headings, score, coverage, words: score }
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, request.limit)
  const quotes = request.quotes === true ? toQuotes(question.concepts, hits, facts.total) : []
  return { hits, quotes, language: question.language }
}
