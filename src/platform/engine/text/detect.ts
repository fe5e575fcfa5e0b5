import { LANGUAGES } from './languages.ts'
import { toWords } from './words.ts'

/** Enough to tell a language by its small words, and no more. */
const SAMPLE_LENGTH = 20_000

/**
 * A text has at least this part of small words in its own language (usual are a third to a half). Fewer are names and
 * borrowed words in a text of another language.
 */
const MIN_PART = 0.1

let codes: Map<string, string[]> | undefined

/** Every stop word with the languages that have it: sixteen looks for each word of a file would be a part of indexing it. */
function stopWordCodes(): ReadonlyMap<string, readonly string[]> {
  if (codes !== undefined) return codes
  codes = new Map()
  for (const [code, { stopWords }] of LANGUAGES) {
    for (const word of stopWords) codes.set(word, [...(codes.get(word) ?? []), code])
  }
  return codes
}

/**
 * ISO 639-1 code of the language whose stop words stand in the text most often; `und` when none does. A text in an
 * unspaced script has no stop words and needs no stemmer.
 */
export function detectLanguage(text: string): string {
  const words = toWords(text.slice(0, SAMPLE_LENGTH))
  const codesOf = stopWordCodes()
  const found = new Map<string, number>()
  for (const word of words) {
    for (const code of codesOf.get(word.text) ?? []) found.set(code, (found.get(code) ?? 0) + 1)
  }
  let best = 'und'
  let most = words.length * MIN_PART
  for (const code of LANGUAGES.keys()) {
    const hits = found.get(code) ?? 0
    // Lists differ in length; the first of the order (English) wins a tie.
    if (hits > most) {
      most = hits
      best = code
    }
  }
  return best
}
