import { allPhrases, capitalisesNouns, matchStart } from '#lexicon/match.ts'
import type { Passage, Retrieved } from '#platform/engine/api/retrieve.ts'
import type { Quote } from '#platform/engine/search/types.ts'
import { detectLanguage } from '#platform/engine/text/languages.ts'
import { createHolds, toAsked } from './asked-kind.ts'
import { leastEvidence } from './least-evidence.ts'

/** A single word is found in a sentence by chance. */
const MIN_WORDS = 2

/** Whether a sentence with its headings has all words of the question that name something. */
const hasAll = ({ words }: Quote) => words !== undefined && words.asked >= MIN_WORDS && words.held === words.asked

/** Whether a sentence has half of them, and the text around it the others. */
const hasHalf = ({ words }: Quote) =>
  words !== undefined && words.asked >= MIN_WORDS && 2 * words.held >= words.asked && words.near === words.asked

const ASKS = matchStart(allPhrases('requests', 'questionStarts'))

/**
 * The sentences that have the whole question and the kind of fact that it asks for, with enough evidence to answer;
 * undefined where the best one has not. Where the kind is known, half of the words may be in the text around it.
 *
 * @param needsKind a question for no kind that a sentence shows is not answered
 */
export function withWhole(question: string, found: Retrieved, needsKind: boolean): Retrieved | undefined {
  const asked = toAsked(question)
  const has = asked && createHolds(question, asked, found.passages)
  const isWhole = (quote: Quote) => {
    const passage = found.passages[quote.hit]
    if (has === undefined) return !needsKind && hasAll(quote)
    return hasHalf(quote) && passage !== undefined && has(quote.text, passage, true)
  }
  const [best] = found.quotes
  if (best === undefined || !ASKS.test(question) || !isWhole(best)) return undefined
  const least = leastEvidence(found.language)
  const quotes = found.quotes.filter(isWhole)
  return { ...found, quotes: quotes.map((quote) => ({ ...quote, evidence: Math.max(quote.evidence, least) })) }
}

/** A passage must have all words of a question that has so few. */
const MAX_ALL_NEAR = 2

/** Whether a question names something by one or two words, and the passage lacks one of them. */
export const lacksOne = ({ words }: Quote, language: string): boolean =>
  // A compound has the word in a longer one.
  !capitalisesNouns(language) &&
  words !== undefined &&
  words.asked > 0 &&
  words.asked <= MAX_ALL_NEAR &&
  words.near < words.asked

/** One word cannot be scattered. */
const MIN_SPREAD = 2

/** Whether a passage has the words of the question, but no sentence has two of them. */
export function isScattered({ words }: Quote, { body }: Passage, language: string): boolean {
  if (words === undefined || words.asked < MIN_SPREAD || words.held > 1) return false
  // Compounds, and words of another language, are found in fewer places.
  return !capitalisesNouns(language) && detectLanguage(body, [language]) === language
}
