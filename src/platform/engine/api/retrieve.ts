import { normalizedName } from '#lib/unicode.ts'
import { toPlace } from '../chunk/units.ts'
import { EngineError } from '../errors.ts'
import type { Hit, OtherWords, Quote } from '../search/types.ts'
import type { Catalog, CollectionRow, FileRow } from '../storage/catalog.ts'
import type { IndexStore } from '../storage/types.ts'

/** The stored file that a chunk is from. */
export interface Origin {
  /** Hexadecimal, of its bytes. */
  readonly sha256: string
}

export const toOrigin = ({ sha256 }: FileRow): Origin => ({ sha256 })

/** One retrieved chunk. */
export interface Passage {
  readonly file: string
  readonly origin?: Origin | undefined
  readonly place: string
  readonly headings: readonly string[]
  /** Header rows of the table, where the chunk is a later part of it. */
  readonly lead: string
  /** Verbatim. */
  readonly body: string
  /** 1 − score: 0 is nearest. The score of a lexical hit is its BM25 over the most that the question could reach. */
  readonly distance: number
  readonly coverage: number
}

export interface Retrieved {
  /** Best first. */
  readonly passages: readonly Passage[]
  /** Sentences that may answer, best first; `hit` is the index of the passage. */
  readonly quotes: readonly Quote[]
  /** ISO 639-1 code of the question's language, or `und`. */
  readonly language: string
  /** These collections have no indexed chunk. */
  readonly nothingIndexed: boolean
}

export interface RetrievalRequest {
  readonly question: string
  readonly limit: number
  /** Also find the sentences that answer. */
  readonly quotes?: boolean
  readonly others?: OtherWords
  /** Only the file of this name, in each collection. */
  readonly filename?: string
}

/** Relevance floor of quoted answers: the least weighted share of the question in a chunk. */
const MIN_COVERAGE = 0.2
/** The same for a model, which judges by itself: of the eight most telling words of the question. */
const MIN_REACH = 0.1

/** @throws {EngineError} `not-found` when no collection holds the file that is asked for */
export type Retrieve = (collections: readonly CollectionRow[], request: RetrievalRequest) => Promise<Retrieved>

interface Scope {
  readonly collection: CollectionRow
  readonly file: FileRow | undefined
}

interface Found {
  readonly passage: Passage
  readonly quotes: readonly Quote[]
}

export function createRetrieve(parts: { readonly catalog: Catalog; readonly index: IndexStore }): Retrieve {
  /** Scope of the search in each collection: all of it, or one file. */
  async function toScopes(collections: readonly CollectionRow[], filename: string | undefined) {
    if (filename === undefined) return collections.map((collection) => ({ collection, file: undefined }))
    const name = normalizedName(filename)
    const scopes = await Promise.all(
      collections.map(async (collection) => ({ collection, file: await parts.catalog.files.get(collection.id, name) })),
    )
    const holding = scopes.filter(({ file }) => file !== undefined)
    if (holding.length > 0) return holding
    const where = collections.map((one) => `${one.ownerName}/${one.name}`).join(', ')
    throw new EngineError('not-found', `There is no file ${name} in ${where}.`, { reason: 'file_not_found' })
  }

  async function searchOne({ collection, file: only }: Scope, request: RetrievalRequest) {
    const { question, limit, quotes, others } = request
    const result = await parts.index.search(collection.indexName, { question, limit, quotes, others, fileId: only?.id })
    const isRelevant = (hit: Hit) => (quotes === true ? hit.coverage >= MIN_COVERAGE : hit.reach >= MIN_REACH)
    const ids = [...new Set(result.hits.map((hit) => hit.fileId))]
    const files = new Map((await parts.catalog.files.byIds(ids)).map((file) => [file.id, file]))
    const found = result.hits.flatMap((hit, position): Found[] => {
      const file = files.get(hit.fileId)
      if (!isCurrent(hit, file) || !isRelevant(hit)) return []
      return [{ passage: toPassage(hit, file), quotes: result.quotes.filter((quote) => quote.hit === position) }]
    })
    return { found, language: result.language }
  }

  return async (collections, request) => {
    const scopes: readonly Scope[] = await toScopes(collections, request.filename)
    const results = await Promise.all(scopes.map((scope) => searchOne(scope, request)))
    const found = results
      .flatMap((result) => result.found)
      .toSorted((one, other) => one.passage.distance - other.passage.distance)
      .slice(0, request.limit)
    return {
      passages: found.map(({ passage }) => passage),
      quotes: found
        .flatMap(({ quotes }, hit) => quotes.map((quote) => ({ ...quote, hit })))
        .toSorted((one, other) => other.score - one.score),
      language: results[0]?.language ?? 'und',
      nothingIndexed: scopes.every(({ collection, file }) => (file ?? collection).chunks === 0),
    }
  }
}

/** Drops hits of replaced or deleted files, whose chunks may still be in the index. */
function isCurrent(hit: Hit, file: FileRow | undefined): file is FileRow {
  return file !== undefined && file.revision === hit.revision && file.status === 'INDEXED'
}

function toPassage(hit: Hit, file: FileRow): Passage {
  return {
    file: file.name,
    origin: toOrigin(file),
    place: toPlace(hit),
    headings: hit.headings,
    lead: hit.lead,
    body: hit.body,
    distance: Math.min(1, Math.max(0, 1 - hit.score)),
    coverage: hit.coverage,
  }
}
