import { allPhrases, allSet, allWords, capitalisesNouns, matchStart, namesByPlace, oneOf } from '#lexicon/match.ts'
import { messageLanguage } from '#lexicon/text-language.ts'
import type { Passage, Retrieved } from '#platform/engine/api/retrieve.ts'
import { toStem, toWordList } from '../tables/stems.ts'
import { isAmong } from './asked-thing.ts'

/** Words with a capital letter within a question, abbreviations left out. */
const NAME = /(?<=[^\s.!?:]\s{1,9}["'(\u201c]?)\p{Lu}[\p{Ll}'\u2019-]{2,40}(?!\p{L})/gu

const SMALL = allSet('search', 'stopWords')
/** The end of the question itself: thanks and the name of who asks may follow. */
const END = new RegExp(String.raw`\?|(?<!\p{L})${oneOf(allWords('talk', 'thankful'))}`, 'iu')
const ASKS_FOR_RULE = matchStart(allPhrases('requests', 'may'))

/** `Alexa 65`, `Unit 4`: a number of another thing is another one. */
const NUMBERED = /(?<!\p{L})(?<name>\p{Lu}\p{L}{2,40})\s(?<number>\d{1,3}\p{L}?)(?![\p{L}\d:.,/%-])/gu
const MONTHS = new Set([...namesByPlace('months', 12).flat(), ...namesByPlace('monthStarts', 12).flat()])

const hasCapitalNouns = (question: string, language: string) =>
  [language, messageLanguage(question) ?? ''].some(capitalisesNouns)

/** Whether the passages have other numbers of a thing, but not the one that the question names. */
export function lacksNumbered(question: string, { language, passages }: Retrieved): boolean {
  if (hasCapitalNouns(question, language)) return false
  const named = Array.from(question.matchAll(NUMBERED), ({ groups }) => groups ?? {})
  return named.some(({ name = '', number = '' }) => {
    if (MONTHS.has(name.toLowerCase())) return false
    const start = String.raw`${RegExp.escape(name)}\P{L}{0,4}?(?<!\d)0{0,2}`
    const [own, any] = [`${start}${number}(?!\\d)`, String.raw`${start}\d`].map((source) => new RegExp(source, 'iu'))
    const texts = passages.map(({ file, headings, lead, body }) => [file, ...headings, lead, body].join('\n'))
    return texts.some((text) => any?.test(text)) && !texts.some((text) => own?.test(text))
  })
}

/** Whether a passage has none of the names in a question: it is about others. */
export function hasNoName(question: string, language: string, { file, headings, lead, body }: Passage): boolean {
  const [asked = ''] = question.split(END)
  const names = (asked.match(NAME) ?? []).filter((name) => !SMALL.has(name.toLowerCase()))
  if (names.length === 0 || ASKS_FOR_RULE.test(asked)) return false
  if (hasCapitalNouns(question, language)) return false
  const words = new Set(toWordList([file, ...headings, lead, body].join('\n')))
  const stems = Array.from(words, toStem)
  return !names.flatMap(toWordList).some((name) => isAmong(name, words, stems))
}
