import { carryOver, isSmallTalk, pointsBack, wordsOf } from './follow-up.ts'
import { allPhrases, allWords, matchStart, matchWithin, oneOf } from './match.ts'
import { execFirst, type PhrasePatterns, phrasePatterns } from './phrase-patterns.ts'
import { readableSentences } from './sentences.ts'

/** The question within a message: people greet, excuse themselves, thank, and say that they ask. */

const ANY = String.raw`(?:[^\S\n]*[^\s.!?:;,][^.!?:;,\n]{0,79})?`
const PHRASES = [...allPhrases('requests', 'courtesies'), ...allPhrases('talk', 'farewells')]
const TITLE = oneOf(allWords('documents', 'abbreviations'))
/** Words keep to one way of dividing a text: a space divides two of them. A full stop is part of a title. */
const WORD = String.raw`[\p{L}@_'-]+(?:\.[\p{L}@_'-]+)*(?:(?<=(?<!\p{L})${TITLE})\.)?`
const FREE = { whom: String.raw`${WORD}(?:\s+${WORD}){0,4}`, rest: ANY, clause: ANY }
/** Before a colon, free words after a greeting would be a subject: `Sorry policy: what is it?` */
const CLOSED = { whom: oneOf(allWords('talk', 'everybody')), rest: '', clause: ANY }
const MARK = String.raw`[,.!;\u2026\u2013\u2014\n)]|\s-\s|\p{Extended_Pictographic}`
const LEAD = /^[\s\u00a1\u00bf(-]*/
const FIRST = phrasePatterns(PHRASES, (phrase) => String.raw`^${phrase}\s*(?:${MARK})`, FREE)
const FIRST_CLOSED = phrasePatterns(PHRASES, (phrase) => String.raw`^${phrase}\s*:`, CLOSED)
const WHOLE = phrasePatterns(PHRASES, (phrase) => `^${phrase}$`, FREE)
const GREETING: PhrasePatterns = (text) => [...FIRST(text), ...FIRST_CLOSED(text)]
/** Spaces and signs between two words. */
const GAPS = /[\s\p{P}\p{Extended_Pictographic}]+/gu
const GAP_AT_START = /^[\s\p{P}\p{Extended_Pictographic}]+/u
const GAP_AT_END = /(?<![\s\p{P}\p{Extended_Pictographic}])[\s\p{P}\p{Extended_Pictographic}]+$/u
const MARK_IN_GAP = /[,.?!;\u2026\n]/
const HELLO = [new RegExp(String.raw`^${oneOf(allWords('requests', 'hello'))}\s+(?=\p{L})`, 'iu')]
const OPENING = phrasePatterns(allPhrases('requests', 'openings'), (phrase) => String.raw`^${phrase}[\s,:]+(?=\p{L})`)
/** Longer messages are documents. */
const MAX_MESSAGE_CHARS = 2_000
/** Courtesies on each side of a question. */
const MAX_COURTESIES = 6
/** Longest courtesy: no more is looked at on each side. */
const MAX_COURTESY_CHARS = 240

/** Whether words are left. */
const says = (text: string) => /\p{L}/u.test(text) && !isSmallTalk(text)

/** The text after what these patterns find at its start, marks before it aside. */
function withoutStart(patternsFor: PhrasePatterns, text: string): string {
  const from = LEAD.exec(text)?.[0].length ?? 0
  const start = text.slice(from, from + MAX_COURTESY_CHARS)
  const found = execFirst(patternsFor(start), start)?.[0]
  return found === undefined ? text : text.slice(from + found.length)
}

function withoutFirst(text: string): string {
  const left = withoutStart(GREETING, text)
  return left === text ? text : left.replace(GAP_AT_START, '')
}

function withoutLast(text: string): string {
  const from = Math.max(0, text.length - MAX_COURTESY_CHARS)
  const tail = text.slice(from)
  const gaps = [...tail.matchAll(GAPS)].map((gap) => ({
    start: gap.index,
    end: gap.index + gap[0].length,
    text: gap[0],
  }))
  const last = gaps.at(-1)
  const end = last?.end === tail.length ? last.start : tail.length
  // A question is asked to its end: `if I smoke, have a dog?`
  if (/[?\uff1f]/.test(tail.slice(end))) return text
  const courtesies = WHOLE(tail)
  for (const gap of gaps) {
    const mark = gap.text.search(MARK_IN_GAP)
    if (mark !== -1 && gap.end < end && courtesies.some((one) => one.test(tail.slice(gap.end, end))))
      return text.slice(0, from + gap.start + mark + 1)
  }
  return text
}

/** Cuts as often as something is cut and words are left. */
function without(cut: (text: string) => string, text: string): string {
  let left = text
  for (let count = 0; count < MAX_COURTESIES; count += 1) {
    const next = cut(left)
    if (next === left || !says(next)) break
    left = next
  }
  return left
}

const withoutOpening = (text: string) => withoutStart(OPENING, text)
const withoutHello = (text: string) => withoutStart(() => HELLO, text)

/** The message without greetings, apologies and thanks around what it says; as it is where it says nothing else. */
export function withoutCourtesies(text: string): string {
  if (text.length > MAX_MESSAGE_CHARS) return text
  const bare = without(withoutOpening, without(withoutHello, without(withoutLast, without(withoutFirst, text))))
  return bare.replace(/^[\s,;:]+|(?<![\s,;:])[\s,;:]+$/g, '')
}

/** Most questions of one message that are answered each. */
const MAX_QUESTIONS = 4
/** A question of fewer words may need what was said before it. */
const MIN_QUESTION_WORDS = 3

function isCourtesy(sentence: string): boolean {
  const bare = sentence.replace(LEAD, '').replace(GAP_AT_END, '')
  return sentence.length <= MAX_COURTESY_CHARS && WHOLE(bare).some((one) => one.test(bare))
}

const AND = oneOf(allWords('requests', 'beforeQuestions'))
const ASKING = oneOf(allPhrases('requests', 'directQuestions'))
/** `What is the fee, and who is the vet?` are two. */
const NEXT_QUESTION = new RegExp(String.raw`,\s+${AND}\s+(?=${ASKING}(?!\p{L}))`, 'iu')
const NEXT_WITHOUT_COMMA = new RegExp(String.raw`(?<!\s)\s+${AND}\s+(?=${ASKING}(?!\p{L}))`, 'iu')
const ASKS_WITHIN = new RegExp(String.raw`\s${ASKING}(?!\p{L})`, 'iu')
const ASKS_FIRST = new RegExp(String.raw`^(?:${AND}\s+)?${ASKING}(?!\p{L})`, 'iu')

/** `Which is nearer?` and `how many in June?` leave their noun to the question before them. */
const WITHOUT_NOUN = new RegExp(
  String.raw`^${oneOf(allPhrases('requests', 'nounQuestions'))}\s+${oneOf([...allWords('talk', 'empty'), ...allWords('talk', 'prepositions')])}(?!\p{L})`,
  'iu',
)

const WITH_NOUN = matchStart(allPhrases('requests', 'withNoun'))

/** Without a comma, a second part belongs to the first one where that one has such a part already, or points to it. */
function divideWithoutComma(question: string): readonly string[] {
  const parts = question.split(NEXT_WITHOUT_COMMA)
  const [first = ''] = parts
  return ASKS_WITHIN.test(first) || pointsBack(first) ? [question] : parts
}

const SUM = matchWithin(allPhrases('tables', 'sum'))
/** `How many were cancelled, and what was their total?`: a sum of the things that the part before it names. */
const isTheirSum = (part: string) => pointsBack(part) && SUM.test(part.toLowerCase())

/** Whether a part can't be asked without the first one. */
const isOfFirst = (part: string) => (WITHOUT_NOUN.test(part) && !WITH_NOUN.test(part)) || isTheirSum(part)

/** The questions of one sentence. */
function divide(sentence: string): readonly string[] {
  if (!sentence.endsWith('?') || !ASKS_FIRST.test(sentence)) return [sentence]
  const parts = sentence.split(NEXT_QUESTION).flatMap(divideWithoutComma)
  if (parts.slice(1).some(isOfFirst)) return [sentence]
  return parts.map((part, at) => (at + 1 < parts.length ? `${part}?` : part))
}

/** One line that begins as a question is one, whether it ends with its mark or not. */
const withMark = (text: string) =>
  text.length <= MAX_COURTESY_CHARS && ASKS_FIRST.test(text) && !/[.!?\n]/.test(text) ? `${text}?` : text

/** Whether one question points to something that the words of those before it do not tell. */
const isUnclear = (question: string, before: readonly string[]) =>
  before.length > 0 && pointsBack(question) && carryOver(question, before) === undefined

/**
 * The questions of a message, each as one; empty where it is one question, where one of them can't be asked
 * alone, or where something else is said about several of them.
 */
export function questionsIn(text: string): readonly string[] {
  const bare = withMark(withoutCourtesies(text))
  if (bare.length > MAX_MESSAGE_CHARS || !bare.includes('?')) return []
  const sentences = readableSentences(bare).flatMap(({ start, end }) =>
    divide(withoutCourtesies(bare.slice(start, end))),
  )
  const questions = sentences.filter((one) => one.endsWith('?'))
  if (sentences.length < 2 || questions.length > MAX_QUESTIONS) return []
  if (questions.some((one) => wordsOf(one).length < MIN_QUESTION_WORDS)) return []
  if (questions.length < 2) return questions
  const isTold = sentences.some((one) => !one.endsWith('?') && says(one) && !isCourtesy(one))
  return isTold || questions.some((one, at) => isUnclear(one, questions.slice(0, at))) ? [] : questions
}
