import { referenceMark } from '../../wire/chat.ts'
import type { Quote } from '../storage/index-types.ts'
import type { Passage, Retrieved } from '../api/retrieve.ts'
import { answerLanguage, TEXTS } from './texts.ts'

/** The model without a model: it answers in the files' own words. */
export const EXTRACTIVE_MODEL = 'extractive'

/** Sentences that an answer quotes at most. */
const MAX_QUOTES = 3
/**
 * Least evidence of a sentence (what it and its chunk hold of the question, how much that is, and the chunk's lead);
 * below it the answer is "not in this collection". Tuned on halves of XQuAD in three languages, with claims of SciFact as questions
 * from another field: docs/retrieval.md.
 */
const MIN_EVIDENCE = 0.65
/** Further sentences have to come near the best one. */
const MIN_SCORE_OF_BEST = 0.5

export interface ExtractiveAnswer {
  readonly text: string
  /** What the text refers to; empty when it refuses. */
  readonly passages: readonly Passage[]
}

function pick({ quotes }: Retrieved): readonly Quote[] {
  const best = quotes[0]
  if (best === undefined) return []
  if (best.evidence < MIN_EVIDENCE) return []
  const seen = new Set<string>()
  return quotes
    .filter((quote) => {
      if (seen.has(quote.text) || quote.score < best.score * MIN_SCORE_OF_BEST) return false
      seen.add(quote.text)
      return true
    })
    .slice(0, MAX_QUOTES)
}

/** `| soup | 4.20 |` as `soup · 4.20`: outside its table a row has no lines. */
function toWords(quoted: string): string {
  if (!/^\|.*\|$/.test(quoted)) return quoted
  const cells = quoted.slice(1, -1).split(/(?<!\\)\|/)
  return cells
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
    .filter((cell) => cell !== '')
    .join(' · ')
}

/** Up to three sentences, verbatim, each with the mark of its passage; or that the answer is not there. */
export function answerFromPassages(question: string, retrieved: Retrieved): ExtractiveAnswer {
  const say = TEXTS[answerLanguage(question)]
  if (question.trim() === '') return { text: say.noQuestion, passages: [] }
  if (retrieved.nothingIndexed) return { text: say.nothingIndexed, passages: [] }
  const quotes = pick(retrieved)
  if (quotes.length === 0) return { text: say.notInCollection, passages: [] }
  const lines = quotes.map((quote) => `> ${toWords(quote.text)} ${referenceMark(quote.hit + 1)}`)
  return { text: `${say.fromFiles}\n\n${lines.join('\n>\n')}\n`, passages: retrieved.passages }
}

/** Without a collection there is nothing to answer from. */
export function answerWithoutFiles(question: string): string {
  return TEXTS[answerLanguage(question)].noModel
}
