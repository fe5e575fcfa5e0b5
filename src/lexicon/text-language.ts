import { createLanguageDetector, type LanguageDetector } from '#lib/language.ts'
import { LANGUAGES } from './languages.ts'
import type { Lexicon } from './lexicon.ts'
import { oneOf, phrasesIn, matchWhole, wordsIn } from './match.ts'

const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Thai}/gu, 'th'],
]

const MIN_LETTERS = 40
/** The least share of letters in a script that makes a text one of that script, and of small words that makes it one of that language. */
const SCRIPT_SHARE = 0.2
const WORD_SHARE = 0.06

/** Made when it is first used. */
let detectLatin: LanguageDetector | undefined

/** The language of a text, ISO 639-1; undefined where there is too little of it, or nothing tells. */
export function textLanguage(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters < MIN_LETTERS) return undefined
  const script = SCRIPTS.find(([pattern]) => (text.match(pattern)?.length ?? 0) / letters > SCRIPT_SHARE)
  if (script !== undefined) return script[1]
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  // Ordered by their codes: on a tie German wins over English, whose words it borrows.
  detectLatin ??= createLanguageDetector(
    LANGUAGES.filter(({ tells }) => tells?.long !== undefined)
      .map(({ code, tells }) => [code, wordsIn(tells?.long)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    WORD_SHARE,
  )
  return detectLatin(words)
}

/** How a short message tells one language. */
interface MessageWords {
  readonly code: string
  readonly words: ReadonlySet<string>
  readonly phrases: RegExp
  readonly shared: ReadonlySet<string>
  readonly first: ReadonlySet<string>
  readonly ending: RegExp
}

const toMessageWords = ({ code, tells }: Lexicon): readonly MessageWords[] =>
  tells?.short === undefined
    ? []
    : [
        {
          code,
          words: new Set(wordsIn(tells.short)),
          phrases: matchWhole(phrasesIn(tells.shortPhrases)),
          shared: new Set(wordsIn(tells.shared)),
          first: new Set(wordsIn(tells.first)),
          ending: new RegExp(`${oneOf(wordsIn(tells.endings))}$`, 'u'),
        },
      ]
const SHORT: readonly MessageWords[] = LANGUAGES.flatMap(toMessageWords)

/** ISO 639-1 codes of the languages that are answered in: a message can be told to be in one of these. */
export const ANSWERED_LANGUAGES: readonly string[] = SHORT.map(({ code }) => code)

function scoreOf(asked: MessageWords, words: readonly string[], counted: ReadonlySet<number>): number {
  const own = words.filter(
    (word, at) => (at === 0 && beginsIn(asked, words)) || (!counted.has(at) && isOf(asked, word)),
  )
  const company = words.filter((word, at) => !counted.has(at) && !isOf(asked, word) && asked.shared.has(word))
  return own.length + (own.length > 0 ? company.length : 0)
}
const isOf = ({ words, phrases }: MessageWords, word: string) => words.has(word) || phrases.test(word)

/** A first word that another language has within a sentence: `Was` is German, but not in `Was payment received?` */
const beginsIn = (asked: MessageWords, words: readonly string[]): boolean =>
  asked.first.has(words[0] ?? '') &&
  !SHORT.some((other) => other !== asked && words.some((word) => other.ending.test(word)))

/**
 * The language of a short message by its words, of those that are answered in; undefined where none has most.
 *
 * @param lead words that it has more than the next one, at least
 */
export function messageLanguage(text: string, lead = 1): string | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const first = new Set(SHORT.some((one) => beginsIn(one, words)) ? [0] : [])
  const scored = SHORT.map((one) => ({ code: one.code, score: scoreOf(one, words, first) }))
  const [best, second] = scored.toSorted((one, other) => other.score - one.score)
  return best === undefined || best.score - (second?.score ?? 0) < lead ? undefined : best.code
}
