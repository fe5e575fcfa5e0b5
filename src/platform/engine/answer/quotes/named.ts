import { allPhrases, capitalisesNouns, matchStart } from '#lexicon/match.ts'
import { messageLanguage } from '#lexicon/text-language.ts'
import type { Passage } from '#platform/engine/api/retrieve.ts'
import { nearestWords } from '#platform/engine/text/slips.ts'
import { isSameWord, toStem, toWordList } from '../tables/stems.ts'

/** Words with a capital letter within a question, abbreviations left out. */
const NAME = /(?<=[^\s.!?:]\s{1,9}["'(\u201c]?)\p{Lu}[\p{Ll}'\u2019-]{2,40}(?!\p{L})/gu

const ASKS_FOR_RULE = matchStart(allPhrases('requests', 'may'))

/** Whether a passage has none of the names in a question: it is about others. */
export function hasNoName(question: string, language: string, { file, headings, lead, body }: Passage): boolean {
  // Behind its mark a message has greetings, and the name of who asks.
  const [asked = ''] = question.split('?')
  const names = asked.match(NAME) ?? []
  if (names.length === 0 || ASKS_FOR_RULE.test(asked)) return false
  if ([language, messageLanguage(question) ?? ''].some(capitalisesNouns)) return false
  const words = new Set(toWordList([file, ...headings, lead, body].join('\n')))
  const stems = Array.from(words, toStem)
  const isThere = (name: string) =>
    words.has(name) || nearestWords(name, words).length > 0 || stems.some((stem) => isSameWord(stem, toStem(name)))
  return !names.flatMap(toWordList).some(isThere)
}
