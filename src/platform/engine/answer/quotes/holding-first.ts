import { allPhrases, matchStart } from '#lexicon/match.ts'
import { toSentences } from '#lexicon/sentences.ts'
import type { Passage, Retrieved } from '#platform/engine/api/retrieve.ts'
import type { Quote } from '#platform/engine/search/types.ts'
import { createHolds, toAsked } from './asked-kind.ts'
import { flat } from './fit-quotes.ts'

const BEGINS_WITH_PRONOUN = matchStart(allPhrases('requests', 'pronouns'))

/** A quotation with the sentence before it, where it begins with a pronoun such as `he`. */
function withSubject(quote: Quote, { body }: Passage): Quote {
  if (!BEGINS_WITH_PRONOUN.test(quote.text)) return quote
  const sentences = toSentences(body).map(({ start, end }) => flat(body.slice(start, end)))
  const before = sentences[sentences.findIndex((sentence) => sentence.endsWith(quote.text)) - 1]
  return before === undefined ? quote : { ...quote, text: `${before} ${quote.text}` }
}

/** Least coverage of a sentence with the kind of fact, relative to the best one: hardly a sentence names somebody by chance. */
const MIN_COVERAGE_OF_BEST = 0.6
const MIN_COVERAGE_WITH_NAME = 0.5

/** Quotes with those first that have the kind of fact in question; none where no quote has it. */
export function holdingFirst(question: string, { quotes, passages }: Retrieved): readonly Quote[] {
  const [best] = quotes
  const asked = toAsked(question)
  if (best === undefined || asked === undefined) return quotes
  const has = createHolds(question, asked, passages)
  const holds = ({ hit, text }: Quote, surely: boolean) => {
    const passage = passages[hit]
    return passage !== undefined && has(text, passage, surely)
  }
  if (holds(best, false)) return quotes
  const isPerson = asked.kind === 'person'
  const least = best.coverage * (isPerson ? MIN_COVERAGE_WITH_NAME : MIN_COVERAGE_OF_BEST)
  const told = quotes.map((quote) => {
    const passage = passages[quote.hit]
    return isPerson && passage !== undefined ? withSubject(quote, passage) : quote
  })
  // A pronoun for somebody says that the sentence before it names them.
  const at = told.findIndex((quote, index) => quote.coverage >= least && holds(quote, quote === quotes[index]))
  const found = told[at]
  return found === undefined ? [] : [found, ...quotes.filter((_, index) => index !== at)]
}
