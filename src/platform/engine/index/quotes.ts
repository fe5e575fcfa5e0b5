import { toSentences } from '../text/sentences.ts'
import type { Hit, Quote } from './protocol.ts'
import type { Concept } from './question.ts'
import { coverSentence } from './score.ts'

/** Chunks whose sentences are looked at; further ones hold the answer in one case of a hundred. */
const chunksRead = 5
const quotesKept = 12
/** Weight of the chunk's own score beside the sentence's coverage (measured: +1 % of answers). */
const chunkPart = 0.25

/** A heading, a rule of a table or a fence answers nothing. */
const noSentence = /^\s*(?:#{1,6}\s|[|:\-\s]+$|`{3,}|~{3,})/

const toText = (raw: string) =>
  raw
    .replace(/^\s*(?:[-*+•>]|\d{1,3}[.)])\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()

/** The sentences of the best chunks that say most of the question, best first. */
export function toQuotes(
  concepts: readonly Concept[],
  hits: readonly (Hit & { readonly language: string })[],
): Quote[] {
  const best = hits[0]?.score ?? 0
  const quotes = hits.slice(0, chunksRead).flatMap((hit, position) => {
    const above = [...hit.headings, hit.lead].join(' ')
    return toSentences(hit.body).flatMap((span): Quote[] => {
      const raw = hit.body.slice(span.start, span.end)
      const text = toText(raw)
      if (text === '' || noSentence.test(raw)) return []
      const coverage = coverSentence(concepts, raw, above, hit.language)
      const score = coverage + (best === 0 ? 0 : (chunkPart * hit.score) / best)
      return [{ hit: position, text, score, coverage }]
    })
  })
  return quotes.toSorted((one, other) => other.score - one.score).slice(0, quotesKept)
}
