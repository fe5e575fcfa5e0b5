import { sentencesOf, type Span } from './sentences.ts'

const words = new Intl.Segmenter('und', { granularity: 'word' })
const CITED = /\[(\d{1,6})\]/g
/** Scripts without spaces are compared by pairs of characters: a dictionary cuts the same words differently. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** A word with its ending left out: `Tage` and `Tagen`, `leave` and `leaves`. */
const stemOf = (word: string) =>
  word.length > 5 ? word.slice(0, Math.max(5, Math.ceil(word.length * 0.7))) : word

function termsOf(text: string): ReadonlySet<string> {
  const plain = text.replace(CITED, ' ').normalize('NFKC').toLowerCase()
  const terms = new Set<string>()
  for (const { segment, isWordLike } of words.segment(plain)) {
    if (isWordLike !== true || DENSE.test(segment)) continue
    terms.add(/\d/.test(segment) ? segment : stemOf(segment))
  }
  const dense = plain.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu) ?? []
  for (const run of dense) {
    const letters = Array.from(run)
    for (const [index, letter] of letters.entries()) terms.add(letter + (letters[index + 1] ?? ''))
  }
  return terms
}

/**
 * What the answer says with the marks of this number: the sentence that carries one, and those before it in its paragraph that
 * carry none, since people and models set one mark behind all that it stands for. All of the answer where no mark is.
 */
export function citingText(answer: string, number: number): string {
  // A mark behind the full stop belongs to the sentence before it.
  const blanked = answer.replace(CITED, (mark) => ' '.repeat(mark.length))
  const spans = sentencesOf(blanked)
  const marks = Array.from(answer.matchAll(CITED), ({ 1: digits, index }) => {
    const before = blanked.slice(0, index).trimEnd().length
    return {
      number: Number(digits),
      carrier: Math.max(
        0,
        spans.findLastIndex(({ start }) => start < before),
      ),
    }
  })
  const carriers = new Set(marks.map(({ carrier }) => carrier))
  const claims = new Set<string>()
  for (const { carrier } of marks.filter((mark) => mark.number === number)) {
    const isBare = (at: number) =>
      !carriers.has(at) && !blanked.slice(spans[at]?.end, spans[at + 1]?.start).includes('\n')
    let first = carrier
    while (first > 0 && isBare(first - 1)) first -= 1
    const [begin, end] = [spans[first], spans[carrier]]
    if (begin !== undefined && end !== undefined) claims.add(blanked.slice(begin.start, end.end))
  }
  return claims.size === 0 ? answer : [...claims].join(' ')
}

/** How many sentences of the passage a term stands in says how little it tells. */
function weigh(
  terms: ReadonlySet<string>,
  sentences: readonly ReadonlySet<string>[],
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const term of terms) {
    const found = sentences.filter((sentence) => sentence.has(term)).length
    if (found === 0) continue
    const rarity = Math.log(1 + sentences.length / found)
    weights.set(term, rarity * (/\d/.test(term) ? 2 : Math.min(1, term.length / 4)))
  }
  return weights
}

/**
 * The sentence of the passage that says most of what the answer says; of two that say as much, the shorter one. Of several that
 * the answer repeats, the one that has most of the question. Undefined where none has anything in common with it.
 *
 * @param claim what the answer says with the mark of this passage.
 * @param question decides alone where the claim has no word in common with the passage, as across languages.
 */
export function findSupport(passage: string, claim: string, question: string): string | undefined {
  const spans = sentencesOf(passage).filter((span) => !isHeading(passage, span))
  const sentences = spans.map(({ start, end }) => termsOf(passage.slice(start, end)))
  const asked = weigh(termsOf(question), sentences)
  const candidates = sentencesOf(claim).flatMap(({ start, end }) => {
    const found = bestOf(sentences, weigh(termsOf(claim.slice(start, end)), sentences))
    return found === undefined ? [] : [{ ...found, asked: scoreOf(sentences[found.index], asked) }]
  })
  const [best] = candidates.toSorted((one, other) => other.asked - one.asked || other.score - one.score)
  const span = spans[(best ?? bestOf(sentences, asked))?.index ?? -1]
  return span && passage.slice(span.start, span.end)
}

function bestOf(sentences: readonly ReadonlySet<string>[], weights: ReadonlyMap<string, number>) {
  let best: { readonly index: number; readonly score: number } | undefined
  for (const [index, terms] of sentences.entries()) {
    const score = scoreOf(terms, weights)
    if (score > (best?.score ?? 0)) best = { index, score }
  }
  return best
}

function scoreOf(terms: ReadonlySet<string> = new Set(), weights: ReadonlyMap<string, number>): number {
  let score = 0
  for (const term of terms) score += weights.get(term) ?? 0
  // A long sentence holds many words by chance.
  return score / (1 + terms.size / 60)
}

/** A heading says what follows is about, and the rule of a table nothing. */
function isHeading(passage: string, { start, end }: Span): boolean {
  const line = passage.slice(passage.lastIndexOf('\n', start - 1) + 1, end)
  return /^ {0,3}#{1,6}[ \t]/.test(line) || /^[|:\-\s]+$/.test(line)
}
