import { readableSentences, type Span } from '#lexicon/sentences.ts'
import { DENSE_SCRIPTS, normalized } from '#lib/unicode.ts'

/** Made for the first text. */
let words: Intl.Segmenter | undefined
const CITED = /\[(\d{1,6})\]/g
/** Scripts without spaces are compared by character pairs: segmenters cut the same words differently. */
const DENSE = new RegExp(`[${DENSE_SCRIPTS}]`, 'u')
const DENSE_RUN = new RegExp(`[${DENSE_SCRIPTS}]+`, 'gu')
/** A crude stem: equal for `Tage` and `Tagen`, `leave` and `leaves`. */
const stemOf = (word: string) => (word.length > 5 ? word.slice(0, Math.max(5, Math.ceil(word.length * 0.7))) : word)

const toPlain = (text: string) => normalized(text, 'NFKC').toLowerCase()
const withoutMarks = (text: string) => text.replace(CITED, (mark) => ' '.repeat(mark.length))

/** The terms of each span of a text. Segments the text once, which is the expensive part. */
function termsOf(text: string, spans: readonly Span[]): readonly ReadonlySet<string>[] {
  const bare = withoutMarks(text)
  const all = spans.map(({ start, end }) => {
    const terms = new Set<string>()
    for (const run of toPlain(bare.slice(start, end)).match(DENSE_RUN) ?? []) {
      const letters = Array.from(run)
      for (const [index, letter] of letters.entries()) terms.add(letter + (letters[index + 1] ?? ''))
    }
    return terms
  })
  let at = 0
  words ??= new Intl.Segmenter('und', { granularity: 'word' })
  for (const { segment, index, isWordLike } of words.segment(bare)) {
    while (at < spans.length && index >= (spans[at]?.end ?? 0)) at += 1
    if (isWordLike !== true || index < (spans[at]?.start ?? Infinity) || DENSE.test(segment)) continue
    const word = toPlain(segment)
    all[at]?.add(/\d/.test(word) ? word : stemOf(word))
  }
  return all
}

const allTermsOf = (text: string): ReadonlySet<string> =>
  termsOf(text, [{ start: 0, end: text.length }])[0] ?? new Set()

/**
 * Returns a function from a reference number to its claims: the sentences with its mark, and those before them in the
 * paragraph without any mark, since one mark often covers several sentences. Without a mark of the number: the whole
 * answer.
 */
export function readCitations(answer: string): (number: number) => string {
  // A mark after the full stop belongs to the sentence before it.
  const blanked = withoutMarks(answer)
  const spans = readableSentences(blanked)
  const carriers = new Set<number>()
  const carriersOf = new Map<number, Set<number>>()
  let carrier = 0
  for (const { 1: digits, index } of answer.matchAll(CITED)) {
    while ((spans[carrier + 1]?.start ?? Infinity) < index) carrier += 1
    const number = Number(digits)
    carriers.add(carrier)
    carriersOf.set(number, (carriersOf.get(number) ?? new Set()).add(carrier))
  }
  const isBare = (at: number) =>
    !carriers.has(at) && !blanked.slice(spans[at]?.end, spans[at + 1]?.start).includes('\n')
  return (number) => {
    const claims = new Set<string>()
    for (const last of carriersOf.get(number) ?? []) {
      let first = last
      while (first > 0 && isBare(first - 1)) first -= 1
      const [begin, end] = [spans[first], spans[last]]
      if (begin !== undefined && end !== undefined) claims.add(blanked.slice(begin.start, end.end))
    }
    return claims.size === 0 ? answer : [...claims].join(' ')
  }
}

/** The sentences of a passage, and the sentences of each term. */
interface Sentences {
  readonly spans: readonly Span[]
  readonly sizes: readonly number[]
  readonly places: ReadonlyMap<string, readonly number[]>
}

function readSentences(passage: string): Sentences {
  const isText = isNoHeading(passage)
  const spans = readableSentences(passage).filter(isText)
  const places = new Map<string, number[]>()
  const sizes = termsOf(passage, spans).map((terms, index) => {
    for (const term of terms) {
      const known = places.get(term)
      if (known === undefined) places.set(term, [index])
      else known.push(index)
    }
    return terms.size
  })
  return { spans, sizes, places }
}

/** Score of each sentence for these terms: a term in fewer sentences weighs more. */
function scoresOf({ spans, sizes, places }: Sentences, terms: ReadonlySet<string>): ReadonlyMap<number, number> {
  const sums = new Map<number, number>()
  for (const term of terms) {
    const found = places.get(term) ?? []
    const rarity = Math.log(1 + spans.length / found.length)
    const weight = rarity * (/\d/.test(term) ? 2 : Math.min(1, term.length / 4))
    for (const index of found) sums.set(index, (sums.get(index) ?? 0) + weight)
  }
  // A long sentence contains many terms by chance.
  return new Map([...sums].map(([index, sum]) => [index, sum / (1 + (sizes[index] ?? 0) / 60)]))
}

function bestOf(scores: ReadonlyMap<number, number>) {
  let best: { readonly index: number; readonly score: number } | undefined
  for (const [index, score] of scores) {
    const isBetter = score > (best?.score ?? 0) || (score === best?.score && index < best.index)
    if (isBetter) best = { index, score }
  }
  return best
}

/** Longer passages are cut: chunks and answers are shorter. */
const MAX_PASSAGE_CHARS = 20_000
const MAX_CLAIM_CHARS = 10_000

/**
 * The sentence of the passage closest to the claim; on a tie the shorter one. Of several that the answer repeats, the
 * one closest to the question. Undefined if none has a common term.
 *
 * @param claim the answer's sentences with the mark of this passage.
 * @param question decides alone if the claim has no term in common with the passage, as across languages.
 */
export function findSupport(passage: string, claim: string, question: string): string | undefined {
  const sentences = readSentences(passage.slice(0, MAX_PASSAGE_CHARS))
  const asked = scoresOf(sentences, allTermsOf(question.slice(0, MAX_CLAIM_CHARS)))
  const said = claim.slice(0, MAX_CLAIM_CHARS)
  const candidates = termsOf(said, readableSentences(said)).flatMap((terms) => {
    const found = bestOf(scoresOf(sentences, terms))
    return found === undefined ? [] : [{ ...found, asked: asked.get(found.index) ?? 0 }]
  })
  const [best] = candidates.toSorted((one, other) => other.asked - one.asked || other.score - one.score)
  const span = sentences.spans[(best ?? bestOf(asked))?.index ?? -1]
  return span && passage.slice(span.start, span.end)
}

const MAX_RULE_CHARS = 1000

/** Excludes headings and table rules. Must be called in the order of the sentences. */
function isNoHeading(passage: string): (span: Span) => boolean {
  let lineStart = 0
  let lineEnd = passage.indexOf('\n')
  return ({ start, end }) => {
    while (lineEnd !== -1 && lineEnd < start) {
      lineStart = lineEnd + 1
      lineEnd = passage.indexOf('\n', lineStart)
    }
    const line = passage.slice(lineStart, end)
    const isRule = line.length < MAX_RULE_CHARS && /^[|:\-\s]+$/.test(line)
    return !isRule && !/^ {0,3}#{1,6}[ \t]/.test(line)
  }
}
