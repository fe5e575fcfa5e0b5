import { isSameWord, stemsOf } from '#platform/engine/answer/tables/stems.ts'
import { allPhrases, allSet, allWords, matchWithin, namesByPlace, oneOf } from '#lexicon/match.ts'
import { ownWords } from '#lexicon/follow-up.ts'
import { toSentences } from '#lexicon/sentences.ts'
import type { Passage, Retrieved } from '#platform/engine/api/retrieve.ts'
import type { Quote } from '#platform/engine/search/types.ts'
import { normalize } from '#platform/engine/text/words.ts'
import { otherWordsOf } from '../other-words.ts'

export const flat = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Whether a text has one of these words, whatever their endings. */
export function hasOneOf(text: string, words: readonly string[]): boolean {
  const there = stemsOf(text)
  return words.flatMap(stemsOf).some((word) => there.some((other) => isSameWord(other, word)))
}

const SMALL = allSet('search', 'stopWords')
export const tellingWords = (question: string) => ownWords(normalize(question)).filter((word) => !SMALL.has(word))

const TIMES = [
  ...allWords('requests', 'weekdays'),
  ...namesByPlace('months', 12).flat(),
  ...allPhrases('requests', 'timeWords'),
]
const ASKS_WHY = new RegExp(String.raw`^\W*${oneOf(allPhrases('requests', 'why'))}(?!\p{L})`, 'iu')
const TELLS_WHY = matchWithin(allPhrases('requests', 'because'))
const ASKS_WHERE = new RegExp(String.raw`^\W*${oneOf(allPhrases('requests', 'where'))}(?!\p{L})`, 'iu')
/** Words before a place, but not before a time or a number. */
const TELLS_WHERE = new RegExp(
  String.raw`:\s|(?<!\p{L})${oneOf(allWords('requests', 'beforePlaces'))}\s+(?!${oneOf(TIMES)}(?!\p{L}))\D{3}`,
  'iu',
)

/** Whether a question asks for a reason or a place, and neither the sentence nor, for a reason, one near it tells any. */
export function hasNoReason(question: string, text: string, { body }: Passage): boolean {
  // A row has the place in a cell.
  if (ASKS_WHERE.test(question)) return !text.startsWith('|') && !TELLS_WHERE.test(text)
  if (!ASKS_WHY.test(question) || TELLS_WHY.test(text)) return false
  return sentenceNear(body, text, (sentence) => TELLS_WHY.test(sentence)) === undefined
}

const ASKS_LENGTH = matchWithin(allPhrases('requests', 'howLong'))
const TELLS_LENGTH = matchWithin(allPhrases('requests', 'lengths'))
const ASKS_NUMBER = matchWithin(allPhrases('requests', 'howMany'))
/** Part of a score that a sentence loses if it has no number where one is asked for. */
const NO_NUMBER_PART = 0.3

const worth = ({ text, score }: Quote) => score * (/\d/.test(text) ? 1 : 1 - NO_NUMBER_PART)

/** Quotes with those first that have the kind of fact in question: a number, a length of time, a reason. */
export function forQuestion(question: string, { quotes, passages }: Retrieved): readonly Quote[] {
  const [best] = quotes
  if (best !== undefined && ASKS_WHY.test(question) && !TELLS_WHY.test(best.text)) {
    const near = sentenceNear(passages[best.hit]?.body ?? '', best.text, (sentence) => TELLS_WHY.test(sentence))
    return near === undefined ? quotes : [best, { ...best, text: near }, ...quotes.slice(1)]
  }
  if (!ASKS_NUMBER.test(question)) return quotes
  const sorted = quotes.toSorted((one, other) => worth(other) - worth(one))
  const length = lengthNear(question, sorted[0], passages)
  return length === undefined ? sorted : [length, ...sorted.filter(({ text }) => text !== length.text)]
}

/** The sentence near the best one that tells a length of time in words of the question; undefined where the best one does. */
function lengthNear(question: string, best: Quote | undefined, passages: readonly Passage[]): Quote | undefined {
  if (best === undefined || !ASKS_LENGTH.test(question) || TELLS_LENGTH.test(best.text)) return undefined
  const words = tellingWords(question)
  const isIt = (sentence: string) => TELLS_LENGTH.test(sentence) && hasOneOf(sentence, words)
  const text = sentenceNear(passages[best.hit]?.body ?? '', best.text, isIt)
  return text === undefined ? undefined : { ...best, text }
}

/** The first matching sentence, at most two after or before this one. */
function sentenceNear(body: string, quoted: string, isIt: (sentence: string) => boolean): string | undefined {
  const sentences = toSentences(body).map(({ start, end }) => flat(body.slice(start, end)))
  const at = sentences.findIndex((sentence) => sentence.includes(quoted))
  return [at + 1, at + 2, at - 1, at - 2]
    .flatMap((index) => sentences[index] ?? [])
    .find((sentence) => at !== -1 && isIt(sentence))
}

const ATTRIBUTE = new RegExp(
  String.raw`^\W*${oneOf(allPhrases('requests', 'attributes'), { thing: String.raw`(?<thing>\p{L}[\p{L} -]{1,40}?)` })}\s+(?<name>\p{Lu}.{1,80})$`,
  'iu',
)
const NAMES = /^(?:\p{Lu}[\p{L}'\u2019-]*\s+)+\p{Lu}[\p{L}'\u2019-]*[\s?.!]*$/u

/** Whether a question asks for something of a person of which no passage has a word: sentences with the name do not answer it. */
export function isAboutAnother(question: string, passages: readonly Passage[]): boolean {
  const { thing = '', name = '' } = ATTRIBUTE.exec(question)?.groups ?? {}
  if (!NAMES.test(name)) return false
  const words = ownWords(thing).flatMap((word) => [word, ...otherWordsOf(word)])
  const [last = ''] = stemsOf(name).slice(-1)
  const isThere = ({ headings, lead, body }: Passage) => {
    const text = [...headings, lead, body].join('\n')
    return hasOneOf(text, [last]) && hasOneOf(text, words)
  }
  return words.length > 0 && !passages.some(isThere)
}

/** A shorter quotation is quoted whole. */
const MIN_LINES_LENGTH = 120
/** The beginning of a line of its own: a scanned form has no full stops. */
const BEGINS = /^(?:\p{Lu}|\d)/u

/** The lines that a question has words of, where a quotation is several lines without a sentence: those of a form. */
export function toAskedLines(question: string, quote: Quote, body: string): Quote {
  if (quote.text.length < MIN_LINES_LENGTH || quote.text.startsWith('|')) return quote
  const lines = body.split('\n').map(flat)
  const first = lines.findIndex((_, at) => lines.slice(at).join(' ').startsWith(quote.text))
  const own = lines.slice(Math.max(0, first)).filter((line) => line !== '' && quote.text.includes(line))
  if (first === -1 || own.length < 2 || own.some((line) => !BEGINS.test(line) || /[,;-]$/.test(line))) return quote
  const words = ownWords(normalize(question))
  const asked = own.filter((line) => hasOneOf(line, words))
  return asked.length === 0 ? quote : { ...quote, text: asked.join(' \u00b7 ') }
}
