import type { Retrieved } from '#platform/engine/api/retrieve.ts'
import type { Dictionary } from '#platform/engine/dictionary/dictionary.ts'
import type { OtherWords } from '#platform/engine/search/types.ts'
import { toWords } from '#platform/engine/text/words.ts'
import { leastEvidence } from './least-evidence.ts'
import { evidenceOf, lessSure } from '../other-words.ts'

/** Evidence that words of a dictionary lose: each may mean something else. */
const DOUBT = 0.1
/** Longer questions say enough themselves. */
const MAX_QUESTION_CHARS = 500

/**
 * Searches once more with the words of the dictionary in addition to those of the question, where these find too little.
 *
 * @param found hits of the question's own words
 */
export async function searchTranslated(
  question: string,
  found: Retrieved,
  dictionary: Dictionary | undefined,
  search: (others: OtherWords) => Promise<Retrieved>,
): Promise<Retrieved> {
  if (dictionary === undefined || found.nothingIndexed || question.length > MAX_QUESTION_CHARS) return found
  if (evidenceOf(found) >= leastEvidence(found.language)) return found
  const others = await dictionary.othersOf([...new Set(toWords(question).map(({ text }) => text))])
  if (others.size === 0) return found
  const translated = lessSure(await search(others), DOUBT)
  return evidenceOf(translated) > evidenceOf(found) ? translated : found
}
