import { allSet } from '#lexicon/match.ts'
import type { Retrieved } from '#platform/engine/api/retrieve.ts'
import type { Quote } from '#platform/engine/search/types.ts'
import { createHolds, toAsked } from './asked-kind.ts'
import { hasOneOf, tellingWords } from './fit-quotes.ts'

const LIGHT = allSet('search', 'light')

/**
 * The question itself, of a message that repeats it with words of earlier questions for the search: `And families?`,
 * then `And families? fee month`. Undefined where a message repeats nothing.
 */
export function ownPart(message: string): string | undefined {
  const end = message.indexOf('\n\n')
  const own = end === -1 ? '' : message.slice(0, end)
  return own !== '' && message.startsWith(`${own} `, end + 2) ? own : undefined
}

/**
 * Quotes for a question that continues an earlier one, whose words found the passages. If the best quote has no word of
 * the new question, only quotes that have one are left: those of the same passage, or those with the kind of fact that
 * is asked for. They have at least the evidence of the best quote.
 */
export function withOwnWords(question: string, retrieved: Retrieved): Retrieved {
  const { quotes } = retrieved
  const [best] = quotes
  const own = tellingWords(question)
  if (best === undefined || hasOneOf(best.text, own)) return retrieved
  const near = quotes.filter(({ hit, text }) => hit === best.hit && hasOneOf(text, own))
  const left = near.length > 0 ? near : elsewhere(question, retrieved)
  const atLeast = left.map((quote) => ({ ...quote, evidence: Math.max(quote.evidence, best.evidence) }))
  return atLeast.length === 0 ? retrieved : { ...retrieved, quotes: atLeast }
}

/** `Students pay £22` for `How much is it for students?`, after a question about keys. */
function elsewhere(question: string, { quotes, passages }: Retrieved): readonly Quote[] {
  const asked = toAsked(question)
  const naming = tellingWords(question).filter((word) => !LIGHT.has(word))
  if (asked === undefined || naming.length === 0) return []
  const has = createHolds(question, asked, passages)
  return quotes.filter(({ hit, text }) => {
    const passage = passages[hit]
    return passage !== undefined && hasOneOf(text, naming) && has(text, passage, true)
  })
}
