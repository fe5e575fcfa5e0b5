import { LANGUAGES } from './languages.ts'
import type { Lexicon } from './lexicon.ts'

type Group = 'commands' | 'documents' | 'models' | 'requests' | 'search' | 'tables' | 'talk' | 'tells'
type GroupOf<Name extends Group> = NonNullable<Lexicon[Name]>
/** Names of the lists of a group. */
export type List<Name extends Group> = {
  [Key in keyof GroupOf<Name>]-?: GroupOf<Name>[Key] extends string | undefined ? Key : never
}[keyof GroupOf<Name>]

/** Whether a language writes 1.5 with a comma. */
export const usesComma = (code: string): boolean =>
  LANGUAGES.some((language) => language.code === code && language.decimals === 'comma')

/** Whether a capital letter is no sign of a name in a language. */
export const capitalisesNouns = (code: string): boolean =>
  LANGUAGES.some((language) => language.code === code && language.nouns === 'capital')

/** Named parts of a phrase, each with the source of its pattern: `{file}`. */
export type Slots = Readonly<Record<string, string>>

/** A list of each language, in their order; empty where a language has none. */
const byLanguage = <Name extends Group>(group: Name, list: List<Name>): readonly string[] =>
  LANGUAGES.map((lexicon) => {
    const lists: Partial<Record<PropertyKey, unknown>> = lexicon[group] ?? {}
    return String(lists[list] ?? '')
  })

/** The phrases of a list: divided by commas or line ends. */
export const phrasesIn = (list = ''): readonly string[] => list.split(/\s*[,\n]\s*/).filter((phrase) => phrase !== '')

/** The phrases of a list, of every language. */
export const allPhrases = <Name extends Group>(group: Name, list: List<Name>): readonly string[] =>
  byLanguage(group, list).flatMap(phrasesIn)

/** The phrases of a list, of the languages that write 1.5 with a comma. */
export const commaPhrases = <Name extends Group>(group: Name, list: List<Name>): readonly string[] =>
  byLanguage(group, list).flatMap((phrases, at) => (LANGUAGES[at]?.decimals === 'comma' ? phrasesIn(phrases) : []))

/** The words of a list: divided by white space. */
export const wordsIn = (list = ''): readonly string[] => list.split(/\s+/).filter((word) => word !== '')

/** The words of a list, of every language. */
export const allWords = <Name extends Group>(group: Name, list: List<Name>): readonly string[] =>
  byLanguage(group, list).flatMap(wordsIn)

export const allSet = <Name extends Group>(group: Name, list: List<Name>): ReadonlySet<string> =>
  new Set(allWords(group, list))

/** The names of each place of a row such as the months, of every language. */
export const namesByPlace = (
  list: 'monthStarts' | 'months' | 'numbers' | 'ordinals',
  count: number,
): readonly (readonly string[])[] => {
  const rows = byLanguage('tables', list).map(phrasesIn)
  return Array.from({ length: count }, (_, at) => rows.flatMap((row) => row[at] ?? []))
}

const SIGN = /\{(\w+)\}|\]\*?|[[(~']|\s+|[.*+?^$\\/]/g

/** How a phrase is written, as a pattern: see `phrase.ts`. */
function toSource(phrase: string, slots: Slots, space: string): string {
  return phrase.replace(SIGN, (sign, slot?: string) => {
    if (slot !== undefined) {
      const source = slots[slot]
      if (source === undefined) throw new Error(`No pattern is given for {${slot}} of the phrase ${phrase}`)
      return source
    }
    if (sign === '(' || sign === '[') return '(?:'
    if (sign === ']') return ')?'
    if (sign === ']*') return ')*'
    if (sign === '~') return String.raw`\p{L}*`
    if (sign === "'") return "['\u2019]"
    return sign.trim() === '' ? space : `\\${sign}`
  })
}

/** One of the phrases, as the source of a pattern. */
export const oneOf = (list: readonly string[], slots: Slots = {}, space = String.raw`\s+`): string =>
  list.length === 0 ? '(?!)' : `(?:${list.map((phrase) => toSource(phrase, slots, space)).join('|')})`

/** A whole text that is one of the phrases. */
export const matchWhole = (list: readonly string[], slots?: Slots): RegExp =>
  new RegExp(`^${oneOf(list, slots)}$`, 'iu')

/** A text that begins with one of the phrases. */
export const matchStart = (list: readonly string[]): RegExp => new RegExp(String.raw`^\s*${oneOf(list)}(?!\p{L})`, 'iu')

/** One of the phrases, where no letter touches it. */
export const matchWithin = (list: readonly string[], flags: 'iu' | 'giu' = 'iu', slots?: Slots): RegExp =>
  new RegExp(String.raw`(?<!\p{L})${oneOf(list, slots)}(?!\p{L})`, flags)

/** Whether a text holds one of the phrases; the ending `~` need not be read. */
export function matchPart(list: readonly string[]): RegExp {
  const sources = list.map((phrase) => {
    const bare = phrase.replace(/^~|~$/g, '')
    const [from, to] = [
      phrase.startsWith('~') ? '' : String.raw`(?<!\p{L})`,
      phrase.endsWith('~') ? '' : String.raw`(?!\p{L})`,
    ]
    return `${from}${oneOf([bare])}${to}`
  })
  return new RegExp(sources.length === 0 ? '(?!)' : sources.join('|'), 'iu')
}
