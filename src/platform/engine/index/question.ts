import { toTerm } from '../text/analyse.ts'
import { detectLanguage } from '../text/detect.ts'
import { toLanguage } from '../text/languages.ts'
import { toWords } from '../text/words.ts'

/** One word of the question: the terms that it may stand as in the index, and how telling it is. */
export interface Concept {
  readonly terms: readonly string[]
  readonly weight: number
}

export interface Question {
  readonly concepts: readonly Concept[]
  readonly language: string
}

/** More words than this ask nothing more precisely, but cost. */
const mostConcepts = 48
/**
 * A pair of characters that stands nowhere in the collection is more often the seam between two words than a word:
 * its absence says less than that of a word between spaces.
 */
const seamPart = 0.3
/** Words that are looked at, to find the most telling ones among them. */
const mostWords = 400

/**
 * A collection of a few chunks says little about how common a word is: its counts are read as if they came from this
 * many. Else one word of the question that is missing would outweigh all that are there.
 */
const leastTotal = 100

/** Weight of a word that `found` of `total` chunks hold: Lucene's form, which is never below 0. */
function toWeight(total: number, found: number): number {
  return Math.log(1 + (Math.max(total, leastTotal) - found + 0.5) / (found + 0.5))
}

/**
 * The words of a question, each as the terms that it has in the languages of the collection. A stop word of any of
 * these, or of the question's own language, tells nothing.
 */
export function toQuestion(
  text: string,
  languages: readonly string[],
  index: { readonly total: number; found(term: string): number },
): Question {
  const language = detectLanguage(text)
  const silent = [...new Set([...languages, language])].map((code) => toLanguage(code).stopWords)
  const seen = new Set<string>()
  const concepts: Concept[] = []
  for (const word of toWords(text).slice(0, mostWords)) {
    if (seen.has(word.text) || silent.some((words) => words.has(word.text))) continue
    seen.add(word.text)
    const terms = new Set(languages.flatMap((code) => toTerm(word, code) ?? []))
    if (terms.size === 0) continue
    const found = Math.max(...[...terms].map((term) => index.found(term)))
    const weight = toWeight(index.total, Math.min(found, index.total))
    const seam = !word.inflected && found === 0
    concepts.push({ terms: [...terms], weight: seam ? weight * seamPart : weight })
  }
  const telling = concepts.toSorted((one, other) => other.weight - one.weight)
  return { concepts: telling.slice(0, mostConcepts), language }
}

/** OR of all terms, each quoted: a term is never read as an operator. */
export function toMatch(question: Question): string {
  const terms = new Set(question.concepts.flatMap((concept) => concept.terms))
  return [...terms].map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')
}
