import { allPhrases, allSet, allWords, oneOf } from '#lexicon/match.ts'
import type { Passage } from '#platform/engine/api/retrieve.ts'
import { detectLanguage } from '#platform/engine/text/languages.ts'
import { nearestWords, swapsOf } from '#platform/engine/text/slips.ts'
import { otherWordsOf } from '../other-words.ts'
import { isSameWord, toStem, toWordList } from '../tables/stems.ts'

const SMALL = allSet('search', 'stopWords')
const PLACING = oneOf([...allWords('talk', 'prepositions'), ...allWords('tables', 'placing')])
/** `the wifi password` of `What is the wifi password in the mess room?` */
const THING = new RegExp(
  String.raw`^\W{0,9}${oneOf(allPhrases('requests', 'things'), { thing: String.raw`(?<thing>[\p{L}\p{N}'-]{2,30}(?:\s[\p{L}\p{N}'-]{2,30}){0,3}?)` })}\s${PLACING}\s`,
  'iu',
)

/** Whether these have the word, a synonym of it, or a word that is spelt nearly like it. */
export function isAmong(word: string, words: ReadonlySet<string>, stems: readonly string[]): boolean {
  const forms = [word, ...swapsOf(word), ...otherWordsOf(word).flatMap(toWordList)]
  return (
    forms.some((form) => words.has(form) || stems.some((stem) => isSameWord(stem, toStem(form)))) ||
    nearestWords(word, words).length > 0
  )
}

/** Whether a passage has no word for the thing that is asked for. It may have those of its place: the mess room. */
export function hasNoThing(question: string, language: string, { file, headings, lead, body }: Passage): boolean {
  const thing = THING.exec(question)?.groups?.['thing']
  const asked = toWordList(thing ?? '').filter((word) => word.length > 2 && !SMALL.has(word))
  // A passage in another language has other words for it.
  if (asked.length === 0 || detectLanguage(body, [language]) !== language) return false
  const words = new Set(toWordList([file, ...headings, lead, body].join('\n')))
  const stems = Array.from(words, toStem)
  return !asked.some((word) => isAmong(word, words, stems))
}
