import type { Retrieved } from '#platform/engine/api/retrieve.ts'
import type { OtherWords } from '#platform/engine/search/types.ts'
import type { Library } from './library.ts'

/** As many passages as a chat is given, and the least share of the question in one of them (`MIN_COVERAGE`). */
const PASSAGES_ASKED = 6
const MIN_COVERAGE = 0.2

/** What a chat without a model is given for a question. */
export async function retrieveFrom(
  { store }: Library,
  index: string,
  question: string,
  others?: OtherWords,
): Promise<Retrieved> {
  const result = await store.search(index, { question, limit: PASSAGES_ASKED, quotes: true, others })
  const kept = result.hits.flatMap((hit, position) => (hit.coverage >= MIN_COVERAGE ? [{ hit, position }] : []))
  const quotes = result.quotes.flatMap((quote) => {
    const hit = kept.findIndex(({ position }) => position === quote.hit)
    return hit === -1 ? [] : [{ ...quote, hit }]
  })
  return {
    passages: kept.map(({ hit }) => ({ ...hit, file: 'document.md', place: '', distance: 1 - hit.score })),
    quotes,
    language: result.language,
    nothingIndexed: false,
  }
}
