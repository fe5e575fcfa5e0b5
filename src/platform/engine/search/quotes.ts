import { analyse } from '../text/terms.ts'
import { toSentences } from '../../../lib/sentences.ts'
import type { Hit, Quote } from '../storage/index-types.ts'
import type { Concept } from './question.ts'
import { countTerms, coverSentence } from './score.ts'

/** Chunks whose sentences are looked at; further ones hold the answer in one case of a hundred. */
const CHUNKS_READ = 5
const QUOTES_KEPT = 12
/** Weight of the chunk's own score beside the sentence's coverage. */
const CHUNK_PART = 0.4
/**
 * Weight of the chunk's lead over the next best: a question whose answer is there has one chunk that stands out, one
 * from another field finds many that are alike.
 */
const LEAD_PART = 0.5
/**
 * Weight of how much was asked and found at all: half of two telling words may be chance, half of eight is not. From so
 * many words as rare as rare ones of the collection on it is enough.
 */
const TELLING_PART = 0.2
const ENOUGH_TELLING = 2
/** Weight of the chunk's own score: words that it holds often, or side by side as in the question. */
const WORDS_PART = 0.2
/** In a smaller collection there is hardly anything that a chunk could stand out from. */
const FULL_TOTAL = 100
/** Instead of that lead, the smaller the collection the more: few files are asked about what stands in them. */
const SMALL_PART = 0.12

/** A heading, a rule of a table or a fence answers nothing. */
const NO_SENTENCE = /^\s*(?:#{1,6}\s|[|:\-\s]+$|`{3,}|~{3,})/

const toText = (raw: string) =>
  raw
    .replace(/^\s*(?:[-*+•>]|\d{1,3}[.)])\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()

/** A hit with what its words alone say of it: sentences are picked by their words. */
export type QuotedHit = Hit & {
  readonly language: string
  readonly words: number
  readonly wordCoverage: number
}

function quotesOf(concepts: readonly Concept[], hit: QuotedHit): { text: string; coverage: number }[] {
  const headings = countTerms(analyse([...hit.headings, hit.lead].join(' '), hit.language))
  const sentences = toSentences(hit.body).map((span) => {
    const raw = hit.body.slice(span.start, span.end)
    return { raw, terms: countTerms(analyse(raw, hit.language)) }
  })
  return sentences.flatMap(({ raw, terms }, index) => {
    const text = toText(raw)
    if (text === '' || NO_SENTENCE.test(raw)) return []
    const around = { headings, before: sentences[index - 1]?.terms, behind: sentences[index + 1]?.terms }
    return [{ text, coverage: coverSentence(concepts, terms, around) }]
  })
}

/** The sentences of the best chunks that say most of the question, best first. */
export function toQuotes(concepts: readonly Concept[], hits: readonly QuotedHit[], total: number): Quote[] {
  const scores = hits.map((hit) => hit.words).toSorted((one, other) => other - one)
  const [best = 0, next = 0] = scores
  const full = Math.min(1, total / FULL_TOTAL)
  const leads = LEAD_PART * full
  const small = SMALL_PART * (1 - full)
  const asked =
    concepts.reduce((sum, concept) => sum + concept.weight, 0) / Math.log(1 + Math.max(total, FULL_TOTAL))
  const quotes = hits.slice(0, CHUNKS_READ).flatMap((hit, position) =>
    quotesOf(concepts, hit).map(({ text, coverage }): Quote => {
      const score = coverage + (best === 0 ? 0 : (CHUNK_PART * hit.words) / best)
      const evidence =
        (coverage + hit.wordCoverage) / 2 +
        leads * (hit.words - next) +
        TELLING_PART * Math.min(1, (coverage * asked) / ENOUGH_TELLING) +
        WORDS_PART * hit.words +
        small
      return { hit: position, text, score, coverage, evidence }
    }),
  )
  return quotes.toSorted((one, other) => other.score - one.score).slice(0, QUOTES_KEPT)
}
