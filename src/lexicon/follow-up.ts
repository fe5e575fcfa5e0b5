import { matchStart, oneOf, allPhrases, matchWhole, matchWithin, allWords, allSet } from './match.ts'

/** Whether a message can be understood alone, or needs words of earlier ones. Small words tell. */

const GREETING = new RegExp(
  String.raw`^(?:${oneOf(allPhrases('talk', 'greetings'))}|${oneOf(allPhrases('talk', 'praise'))}` +
    String.raw`(?:[\s,!.]+${oneOf(allPhrases('talk', 'thanks'))})?)` +
    String.raw`(?:[\s,]+${oneOf(['footbridge', ...allWords('talk', 'everybody')])})?[\s!.,:)😊🙏👍]*$`,
  'iu',
)
const FAREWELL = new RegExp(String.raw`(?<!\p{L})${oneOf(allPhrases('talk', 'farewells'))}(?![\p{L}\p{N}])`, 'giu')
const WITH_FAREWELL = [...allPhrases('talk', 'withFarewells'), ...allWords('talk', 'and'), 'footbridge']
const FAREWELL_WORDS = new RegExp(String.raw`(?<![\p{L}\p{N}])${oneOf(WITH_FAREWELL)}(?![\p{L}\p{N}])`, 'giu')
/** Signs, faces and their names. */
const SIGNS = /:[a-z0-9_+-]{1,30}:|[\p{P}\p{S}\p{M}\p{Extended_Pictographic}\s\u200D]/giu
/** A longer text says more. */
const MAX_CLOSING_CHARS = 160

/** Whether the whole text is thanks or a goodbye. */
export function isClosing(text: string): boolean {
  if (text.length > MAX_CLOSING_CHARS || text.includes('?')) return false
  const left = text.replace(FAREWELL, ' ')
  const hasFarewell = left !== text || /^[\s🙏👋\p{Emoji_Modifier}]+$/u.test(text.trim())
  return hasFarewell && left.replace(FAREWELL_WORDS, ' ').replace(SIGNS, '') === ''
}

/** Whether this is a greeting, thanks or a goodbye. */
export const isSmallTalk = (text: string): boolean => GREETING.test(text.trim()) || isClosing(text)

const THANKS = new RegExp(oneOf(allWords('talk', 'thankful')), 'i')

export const isThanks = (text: string): boolean => isSmallTalk(text) && THANKS.test(text)

const WORDS = /[\p{L}\p{N}]{2,}/gu
export const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(WORDS) ?? []

const POINTING = allSet('talk', 'pointing')
const EMPTY = allSet('talk', 'empty')
const GOES_ON = matchStart(allPhrases('talk', 'goingOn'))
const ONLY_PLACE = new RegExp(String.raw`^\s*${oneOf(allWords('talk', 'prepositions'))}\s+\S+(?:\s+\S+){0,2}$`, 'iu')
const EXISTS = matchWithin(allPhrases('talk', 'exists'), 'giu')
/** A question with fewer words of its own needs context. */
const FEW_WORDS = 3

/** The words of a text that name something: no small ones. */
export const ownWords = (text: string): readonly string[] =>
  wordsOf(text).filter((word) => !EMPTY.has(word) && !POINTING.has(word))

/** Whether earlier turns may change the meaning of a text: a cheap check before a model is asked. */
export function mayDepend(text: string): boolean {
  return GOES_ON.test(text) || wordsOf(text).some((word) => POINTING.has(word)) || ownWords(text).length < FEW_WORDS
}

/** Whether a text has a word such as `his` or `there`, apart from `is there`. */
export const pointsBack = (text: string): boolean =>
  wordsOf(text.replaceAll(EXISTS, ' ')).some((word) => POINTING.has(word))

/** Whether a text can't be understood without earlier ones: it has no words of its own, or few that go on or point. */
function needsMore(text: string): boolean {
  const own = ownWords(text).length
  if (own === 0 || own >= FEW_WORDS) return own === 0
  return GOES_ON.test(text) || ONLY_PLACE.test(text) || pointsBack(text)
}

/** Longest chain of texts of which each needs the one before. */
const MAX_CHAIN = 3

/** Extremes: the smallest number or the first date, and the largest or last. */
export const LOWEST = allPhrases('talk', 'least')
export const HIGHEST = allPhrases('talk', 'most')
/** They are extremes at the end of a question: `the last one?`, but not `last week`. */
export const LOWEST_AT_END = allPhrases('talk', 'leastAtEnd')
export const HIGHEST_AT_END = allPhrases('talk', 'mostAtEnd')

const EXTREME = matchWhole([...LOWEST, ...HIGHEST])
const AT_END = [...LOWEST_AT_END, ...HIGHEST_AT_END]
const END = new RegExp(String.raw`(?<!\p{L})${oneOf(AT_END)}(?= ${oneOf(allWords('talk', 'one'))}\W*$|\W*$)`, 'u')
const AFTER_MOST = matchWhole(allPhrases('talk', 'afterMost'))

/** A follow-up that asks for another extreme leaves the first one out. */
function extremesOf(text: string): readonly string[] {
  const atEnd = END.exec(text.toLowerCase().trimEnd())?.[0]
  const words = wordsOf(text)
  const isOfTwo = (word: string, at: number) => AFTER_MOST.test(word) && EXTREME.test(words[at - 1] ?? '')
  return [...words.filter((word, at) => EXTREME.test(word) || isOfTwo(word, at)), ...wordsOf(atEnd ?? '')]
}

/**
 * Adds the words that a text leaves out: those of the last text that can be understood alone, and of the texts after it.
 *
 * @param before earlier texts of the same people, oldest first; greetings and thanks are passed over.
 * @returns undefined: it is complete, or there is nothing to add.
 */
export function carryOver(text: string, before: readonly string[]): string | undefined {
  if (isSmallTalk(text) || !needsMore(text)) return undefined
  const said = before.filter((each) => !isSmallTalk(each) && ownWords(each).length > 0)
  const whole = said.findLastIndex((each) => !needsMore(each))
  const from = Math.max(whole, said.length - MAX_CHAIN, 0)
  const own = new Set(wordsOf(text))
  // `And the most expensive one?` takes the place of the cheapest.
  const isExtreme = extremesOf(text).length > 0
  const wordsLeft = (earlier: string) => {
    const old = new Set(isExtreme ? extremesOf(earlier) : [])
    return ownWords(earlier).filter((word) => !own.has(word) && !old.has(word))
  }
  const added = [...new Set(said.slice(from).toReversed().flatMap(wordsLeft))]
  return added.length === 0 ? undefined : `${text} ${added.join(' ')}`
}
