import type { Retrieved } from '#platform/engine/api/retrieve.ts'
import type { Dictionary } from '#platform/engine/dictionary/dictionary.ts'
import type { OtherWords } from '#platform/engine/search/types.ts'
import { codesIn } from '#platform/engine/text/codes.ts'
import { toWords } from '#platform/engine/text/words.ts'
import { leastEvidence } from './least-evidence.ts'
import { withWhole } from './whole.ts'
import { evidenceOf, lessSure } from '../other-words.ts'

/** Evidence that words of a dictionary lose: each may mean something else. */
const DOUBT = 0.1
/** The same where a passage has at most half of the words: one of them, in another sense, would answer alone. */
const HALF_DOUBT = 0.25
/** Longer questions say enough themselves. */
const MAX_QUESTION_CHARS = 500

const isHalf = ({ quotes: [best] }: Retrieved) =>
  best?.words !== undefined && best.words.asked > 1 && 2 * best.words.near <= best.words.asked

/**
 * Searches once more with the words of the dictionary in addition to those of the question, where these find too little;
 * then with words for nearly the same thing, which answer only by a sentence with the whole question.
 *
 * @param found hits of the question's own words
 */
export async function searchByDictionary(
  question: string,
  found: Retrieved,
  dictionary: Dictionary | undefined,
  search: (others: OtherWords) => Promise<Retrieved>,
): Promise<Retrieved> {
  if (dictionary === undefined || found.nothingIndexed || question.length > MAX_QUESTION_CHARS) return found
  if (evidenceOf(found) >= leastEvidence(found.language)) return found
  const words = [...new Set(toWords(question).map(({ text }) => text))]
  const others = await dictionary.othersOf(words)
  const there = others.size === 0 ? found : await search(others)
  const translated =
    others.size === 0
      ? found
      : (withWhole(question, there, true) ?? lessSure(there, isHalf(there) ? HALF_DOUBT : DOUBT))
  const best = evidenceOf(translated) > evidenceOf(found) ? translated : found
  // A code, such as `2.13.2`, needs less evidence.
  if (evidenceOf(best) >= leastEvidence(best.language) || codesIn(question).length > 0) return best
  const near = await dictionary.nearOf(words)
  const shown = near.size === 0 ? best : await search(near)
  const whole = near.size === 0 ? undefined : withWhole(question, shown, false)
  if (whole !== undefined) return whole
  return evidenceOf(shown) > evidenceOf(best) ? lessSure(shown, evidenceOf(shown)) : best
}
