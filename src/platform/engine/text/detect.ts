import { languages } from './languages.ts'
import { toWords } from './words.ts'

/** Enough to tell a language by its small words, and no more. */
const sampleLength = 20_000

/**
 * A text has at least this part of small words in its own language (usual are a third to a half). Fewer are names and
 * borrowed words in a text of another language.
 */
const leastPart = 0.1

/**
 * ISO 639-1 code of the language whose stop words stand in the text most often; `und` when none does. A text in an
 * unspaced script has no stop words and needs no stemmer.
 */
export function detectLanguage(text: string, among: Iterable<string> = languages.keys()): string {
  const words = toWords(text.slice(0, sampleLength))
  let best = 'und'
  let most = words.length * leastPart
  for (const code of among) {
    const stopWords = languages.get(code)?.stopWords
    if (stopWords === undefined) continue
    const hits = words.reduce((sum, word) => sum + (stopWords.has(word.text) ? 1 : 0), 0)
    // Lists differ in length; the first of the order (English) wins a tie.
    if (hits > most) {
      most = hits
      best = code
    }
  }
  return best
}
