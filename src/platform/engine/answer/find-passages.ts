import { withoutCourtesies } from '#lexicon/asked.ts'
import { type ChatRequest, lastQuestion, type RequestedRetrieval } from '#platform/wire/chat.ts'
import type { CollectionService } from '../api/collections.ts'
import type { Retrieve, Retrieved } from '../api/retrieve.ts'
import type { Dictionary } from '../dictionary/dictionary.ts'
import type { UserRow } from '../storage/catalog.ts'
import { inSpan, type Trace } from '../trace.ts'
import { asMeant } from './question/as-meant.ts'
import { namedFile } from './question/named-file.ts'
import { answerLanguage } from './extractive.ts'
import { addOtherWords, evidenceOf, lessSure, searchInOtherWords } from './other-words.ts'
import { toSearchText } from './prompt.ts'
import { leastEvidence } from './quotes/least-evidence.ts'
import { searchByDictionary } from './quotes/by-dictionary.ts'
import { answerFromTables, type TableAnswer } from './tables/table-answer.ts'
import type { ReadTableFiles } from './tables/table-files.ts'

/** Default number of chunks for an answer. */
const RETRIEVAL_LIMIT = 6
/** Evidence that a question loses whose typing errors were mended: another word may have been meant. */
const SLIP_DOUBT = 0.05

const surer = (one: Retrieved, other: Retrieved) => (evidenceOf(other) > evidenceOf(one) ? other : one)

/** Parts that find passages. */
export interface FindParts {
  readonly collections: CollectionService
  readonly retrieve: Retrieve
  /** The same without vectors. */
  readonly retrieveByWords: Retrieve
  readonly tables: ReadTableFiles
  readonly dictionary?: Dictionary | undefined
  readonly trace?: Trace
}

interface Wanted {
  readonly user: UserRow
  readonly request: ChatRequest
  readonly retrieval?: RequestedRetrieval
}

export type FoundPassages = Retrieved & {
  /** The question, with its typing errors mended. */
  readonly asked: string
  /** The answer that was computed from tables. */
  readonly computed: TableAnswer | undefined
}

/**
 * Finds passages for a chat in its collections; undefined where it names no collection.
 *
 * @throws {EngineError} `not-found` when the user may not read one of them
 */
export function createFindPassages(parts: FindParts) {
  const { retrieve, retrieveByWords, collections, tables, dictionary, trace } = parts

  async function search(call: Wanted, retrieval: RequestedRetrieval, quotes: boolean): Promise<FoundPassages> {
    // One unreadable collection refuses the question: an answer without it would be half an answer.
    const rows = await Promise.all(
      retrieval.collections.map((name) =>
        name.includes('/') ? collections.readable(call.user, name) : collections.reading(call.user, name),
      ),
    )
    const question = toSearchText(call.request.messages)
    const { filename, limit = RETRIEVAL_LIMIT } = retrieval
    const quotedBy = (by: Retrieve) => (words: string) => by(rows, { question: words, limit, quotes: true, filename })
    const [quoted, byWords] = [quotedBy(retrieve), quotedBy(retrieveByWords)]
    const typed = quotes ? await quoted(question) : await retrieve(rows, { question, limit, filename })
    const meant = asMeant(question, typed)
    const asked = asMeant(withoutCourtesies(lastQuestion(call.request)), typed)
    const own = quotes && meant !== question ? surer(typed, lessSure(await quoted(meant), SLIP_DOUBT)) : typed
    const retrieved = quotes
      ? await searchByDictionary(meant, await searchInOtherWords(meant, own, quoted, byWords), dictionary, (others) =>
          retrieve(rows, { question: meant, limit, quotes: true, filename, others }),
        )
      : await addOtherWords(meant, own, quoted, byWords)
    const sources = await tables(rows, retrieved.passages, filename)
    const computed = answerFromTables(asked, sources, answerLanguage(asked))
    const named = quotes && filename === undefined ? namedFile(asked, retrieved.passages) : undefined
    if (computed !== undefined || named === undefined) return { ...retrieved, asked, computed }
    // A file that the question names goes first.
    const inFile = await retrieve(rows, { question: meant, limit, quotes, filename: named })
    return { ...(evidenceOf(inFile) >= leastEvidence(inFile.language) ? inFile : retrieved), asked, computed }
  }

  /** @param quotes also the sentences that may answer */
  return async (call: Wanted, quotes: boolean): Promise<FoundPassages | undefined> => {
    const { retrieval } = call
    if (retrieval === undefined) return undefined
    const attributes = { 'gen_ai.operation.name': 'retrieval', 'footbridge.collections': retrieval.collections.length }
    return inSpan(trace, 'retrieval', attributes, async (span) => {
      const found = await search(call, retrieval, quotes)
      span?.set({ 'footbridge.passages': found.passages.length })
      return found
    })
  }
}
