import { allPhrases, allSet, allWords, capitalisesNouns, matchStart, oneOf } from '#lexicon/match.ts'
import { messageLanguage } from '#lexicon/text-language.ts'
import type { Passage } from '#platform/engine/api/retrieve.ts'
import { toStem, toWordList } from '../tables/stems.ts'
import { isAmong } from './asked-thing.ts'

/** Words with a capital letter within a question, abbreviations left out. */
const NAME = /(?<=[^\s.!?:]\s{1,9}["'(\u201c]?)\p{Lu}[\p{Ll}'\u2019-]{2,40}(?!\p{L})/gu

const SMALL = allSet('search', 'stopWords')
/** The end of the question itself: thanks and the name of who asks may follow. */
const END = new RegExp(String.raw`\?|(?<!\p{L})${oneOf(allWords('talk', 'thankful'))}`, 'iu')
const ASKS_FOR_RULE = matchStart(allPhrases('requests', 'may'))

/** Whether a passage has none of the names in a question: it is about others. */
export function hasNoName(question: string, language: string, { file, headings, lead, body }: Passage): boolean {
  const [asked = ''] = question.split(END)
  const names = (asked.match(NAME) ?? []).filter((name) => !SMALL.has(name.toLowerCase()))
  if (names.length === 0 || ASKS_FOR_RULE.test(asked)) return false
  if ([language, messageLanguage(question) ?? ''].some(capitalisesNouns)) return false
  const words = new Set(toWordList([file, ...headings, lead, body].join('\n')))
  const stems = Array.from(words, toStem)
  return !names.flatMap(toWordList).some((name) => isAmong(name, words, stems))
}
