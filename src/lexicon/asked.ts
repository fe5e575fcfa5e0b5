import { isSmallTalk, wordsOf } from './follow-up.ts'
import { allPhrases, allWords, oneOf } from './match.ts'
import { readableSentences } from './sentences.ts'

/** The question within a message: people greet, excuse themselves, thank, and say that they ask. */

const SLOTS = { whom: String.raw`(?:[\p{L}@._'-]+\s?){1,5}`, rest: String.raw`[^.!?:;,\n]{0,80}` }
const COURTESY = oneOf([...allPhrases('requests', 'courtesies'), ...allPhrases('talk', 'farewells')], SLOTS)
const MARK = String.raw`[,.!:;\u2026\u2013\u2014\n)]|\s-\s|\p{Extended_Pictographic}`
const FIRST = new RegExp(
  String.raw`^[\s\u00a1\u00bf(-]*${COURTESY}\s*(?:${MARK})[\s\p{P}\p{Extended_Pictographic}]*`,
  'iu',
)
const LAST = new RegExp(
  String.raw`(?<=[,.?!;\u2026\n])[\s\p{P}\p{Extended_Pictographic}]*${COURTESY}[\s\p{P}\p{Extended_Pictographic}]*$`,
  'iu',
)
const HELLO = new RegExp(String.raw`^\s*${oneOf(allWords('requests', 'hello'))}\s+(?=\p{L})`, 'iu')
const OPENING = new RegExp(String.raw`^[\s\u00bf]*${oneOf(allPhrases('requests', 'openings'))}[\s,:]+(?=\p{L})`, 'iu')
/** Longer messages are documents. */
const MAX_MESSAGE_CHARS = 2_000
/** Courtesies on each side of a question. */
const MAX_COURTESIES = 6

/** Whether words are left. */
const says = (text: string) => /\p{L}/u.test(text) && !isSmallTalk(text)

function without(pattern: RegExp, text: string): string {
  let left = text
  for (let count = 0; count < MAX_COURTESIES; count += 1) {
    const next = left.replace(pattern, '')
    if (next === left || !says(next)) break
    left = next
  }
  return left
}

/** The message without greetings, apologies and thanks around what it says; as it is where it says nothing else. */
export function withoutCourtesies(text: string): string {
  if (text.length > MAX_MESSAGE_CHARS) return text
  const bare = without(OPENING, without(HELLO, without(LAST, without(FIRST, text))))
  return bare.replace(/^[\s,;:]+|[\s,;:]+$/g, '')
}

/** Most questions of one message that are answered each. */
const MAX_QUESTIONS = 4
/** A question of fewer words may need what was said before it. */
const MIN_QUESTION_WORDS = 3

/**
 * The questions of a message, as sentences of their own; empty where it is one sentence, or where one of them has too few
 * words to be asked alone.
 */
export function questionsIn(text: string): readonly string[] {
  const bare = withoutCourtesies(text)
  if (bare.length > MAX_MESSAGE_CHARS || !bare.includes('?')) return []
  const sentences = readableSentences(bare).map(({ start, end }) => bare.slice(start, end))
  const questions = sentences.filter((one) => one.endsWith('?')).map(withoutCourtesies)
  if (sentences.length < 2 || questions.length > MAX_QUESTIONS) return []
  return questions.some((one) => wordsOf(one).length < MIN_QUESTION_WORDS) ? [] : questions
}
