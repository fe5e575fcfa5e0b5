/** Languages that speech models return by their English name. */
const CODES =
  'af ar bg bn ca cs da de el en es et fa fi fr gl he hi hr hu id is it ja kk ko lt lv mk ms nl no pl pt ro ru sk sl sr sv ta th tr uk ur vi zh'.split(
    ' ',
  )

/** Created on first use: language names take some MB. */
let byName: ReadonlyMap<string, string> | undefined

function codesByName(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'language' })
  return new Map(CODES.map((code) => [names.of(code)?.toLowerCase() ?? code, code]))
}

/** `german`, `German` or `de-DE` → `de`. Undefined: unknown. */
export function toLanguageCode(told: string | undefined): string | undefined {
  if (told === undefined) return undefined
  const lower = told.trim().toLowerCase()
  const code = lower.split(/[-_]/, 1)[0] ?? ''
  byName ??= codesByName()
  return byName.get(lower) ?? (CODES.includes(code) ? code : undefined)
}

/** Places of the languages of a word among the lists, and the part that it counts for each. */
interface Entry {
  readonly at: number[]
  part: number
}

/** The language of a row of words in lower case; `weigh` favours languages that are expected. */
export type LanguageDetector = (words: readonly string[], weigh?: (code: string) => number) => string | undefined

/**
 * Tells a language by its small words, in one look for each word. A word of several languages counts for each in part.
 *
 * @param lists small words by language; the first of those that are found equally often wins
 * @param leastShare undefined where no language has more than this share of the words
 * @param tellByLetters languages of a word that is no small word; of several it counts for each in part
 */
export function createLanguageDetector(
  lists: readonly (readonly [code: string, words: Iterable<string>])[],
  leastShare: number,
  tellByLetters: (word: string) => readonly string[] = () => [],
): LanguageDetector {
  const known = new Map<string, Entry>()
  for (const [at, [, words]] of lists.entries()) {
    for (const word of new Set(words)) {
      const entry = known.get(word)
      if (entry === undefined) known.set(word, { at: [at], part: 1 })
      else entry.part = 1 / Math.sqrt(entry.at.push(at))
    }
  }
  const places = new Map(lists.map(([code], at) => [code, at]))
  const toEntry = (codes: readonly string[]): Entry => ({
    at: codes.flatMap((code) => places.get(code) ?? []),
    part: 1 / Math.sqrt(Math.max(1, codes.length)),
  })
  return (words, weigh = () => 1) => {
    const counts = new Float64Array(lists.length)
    const weights = new Float64Array(lists.length)
    for (const word of words) {
      const entry = known.get(word) ?? toEntry(tellByLetters(word))
      for (const at of entry.at) {
        counts[at] = (counts[at] ?? 0) + 1
        weights[at] = (weights[at] ?? 0) + entry.part
      }
    }
    let best: string | undefined
    let most = 0
    for (const [at, [code]] of lists.entries()) {
      const value = (weights[at] ?? 0) * weigh(code)
      if ((counts[at] ?? 0) > words.length * leastShare && value > most) [best, most] = [code, value]
    }
    return best
  }
}
