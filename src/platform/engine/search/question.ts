import { detectLanguage, toLanguage } from '../text/languages.ts'
import { toTerm } from '../text/terms.ts'
import { tellingPart, toWords } from '../text/words.ts'

/** One word of the question: the terms that it may stand as in the index, and how telling it is. */
export interface Concept {
  readonly terms: readonly string[]
  readonly weight: number
  /** It may stand in another form: false for pairs of characters and words by dictionary. */
  readonly inflected: boolean
}

/** Two words that follow each other in the question. */
export interface Pair {
  readonly first: Concept
  readonly second: Concept
}

export interface Question {
  readonly concepts: readonly Concept[]
  readonly pairs: readonly Pair[]
  readonly language: string
}

/** More words than this ask nothing more precisely, but cost. */
const MAX_CONCEPTS = 48
/**
 * A pair of characters that stands nowhere in the collection is more often the seam between two words than a word:
 * its absence says less than that of a word between spaces.
 */
const SEAM_PART = 0.3
/** Words that are looked at, to find the most telling ones among them. */
const MAX_WORDS = 400
/** Characters of a question that are looked at. */
const MAX_QUESTION_LENGTH = 8_000

/**
 * A collection of a few chunks says little about how common a word is: its counts are read as if they came from this
 * many. Else one word of the question that is missing would outweigh all that are there.
 */
const MIN_TOTAL = 100

/** Weight of a word that `found` of `total` chunks hold: Lucene's form, which is never below 0. */
function toWeight(total: number, found: number): number {
  return Math.log(1 + (Math.max(total, MIN_TOTAL) - found + 0.5) / (found + 0.5))
}

/**
 * The words of a question, each as the terms that it has in the languages of the collection. A stop word of the
 * question's own language tells nothing; where that can't be told, one of any of these.
 */
export function toQuestion(
  text: string,
  languages: readonly string[],
  index: { readonly total: number; found(term: string): number },
): Question {
  const asked = text.slice(0, MAX_QUESTION_LENGTH)
  const language = detectLanguage(asked)
  const silent = (language === 'und' ? languages : [language]).map((code) => toLanguage(code).stopWords)
  const seen = new Set<string>()
  const known = new Set<string>()
  const concepts: Concept[] = []
  for (const word of toWords(asked).slice(0, MAX_WORDS)) {
    if (seen.has(word.text) || silent.some((words) => words.has(word.text))) continue
    seen.add(word.text)
    const terms = new Set(languages.flatMap((code) => toTerm(word, code) ?? []))
    // `cell` and `cells` are one word said twice.
    const key = [...terms].join(' ')
    if (terms.size === 0 || known.has(key)) continue
    known.add(key)
    const found = Math.max(...[...terms].map((term) => index.found(term)))
    const weight = toWeight(index.total, Math.min(found, index.total))
    const part = word.inflected ? 1 : Math.min(tellingPart(word.text, SEAM_PART), found === 0 ? SEAM_PART : 1)
    if (part > 0) concepts.push({ terms: [...terms], weight: weight * part, inflected: word.inflected })
  }
  const pairs = concepts.flatMap((second, at) => {
    const first = concepts[at - 1]
    return first === undefined ? [] : [{ first, second }]
  })
  const telling = concepts.toSorted((one, other) => other.weight - one.weight)
  return { concepts: telling.slice(0, MAX_CONCEPTS), pairs: pairs.slice(0, MAX_CONCEPTS), language }
}

/** Words that are looked up however common they are. */
const MIN_LOOKED_UP = 3
/** A word that says less than this part of the most telling one moves no chunk to the top, but most of them are read. */
const MIN_PART = 0.35

/**
 * The telling words. Common words beside rarer ones take no part in finding candidates, which costs by how many chunks
 * hold them; they count when these are ranked.
 */
export function toTelling({ concepts }: Question): readonly Concept[] {
  const least = (concepts[0]?.weight ?? 0) * MIN_PART
  return concepts.filter((concept, at) => at < MIN_LOOKED_UP || concept.weight >= least)
}
