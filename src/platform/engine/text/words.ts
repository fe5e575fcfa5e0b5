const CJK = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}`
/** Written without spaces between words: a dictionary has to find them. */
const UNSPACED = String.raw`\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}`

const PLAIN_RUN = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)*/gu
export const PLAIN_WORD = /[\p{L}\p{M}\p{N}]/u
export const NEEDS_CARE = new RegExp(`[[${CJK}${UNSPACED}]&&[\\p{L}\\p{M}\\p{N}]]`, 'v')
const MIXED_RUN = new RegExp(
  `(?<cjk>[[${CJK}]&&[\\p{L}\\p{M}\\p{N}]]+)|(?<unspaced>[[${UNSPACED}]&&[\\p{L}\\p{M}\\p{N}]]+)` +
    `|[[\\p{L}\\p{M}\\p{N}]--[${CJK}${UNSPACED}]]+(?:['’]\\p{L}+)*`,
  'gv',
)

let segmenter: Intl.Segmenter | undefined

function dictionaryWords(run: string): string[] {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(run)) if (isWordLike === true) words.push(segment)
  return words
}

function bigrams(run: string): string[] {
  const characters = Array.from(run)
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** A word as it stands in the text (NFKC, lower case), and whether a stemmer may touch it. */
export interface Word {
  readonly text: string
  readonly inflected: boolean
}

/** One form of what is written in several: composed or not, full width, capitals. */
export const normalize = (text: string): string => text.normalize('NFKC').toLowerCase()

/**
 * Words of a text in order: runs of letters and digits; Chinese, Japanese and Korean as overlapping pairs of
 * characters; Thai, Lao, Khmer and Burmese by dictionary.
 */
export function toWords(text: string): Word[] {
  const normal = normalize(text)
  if (!NEEDS_CARE.test(normal)) {
    return (normal.match(PLAIN_RUN) ?? []).map((word) => ({ text: withoutGenitive(word), inflected: true }))
  }
  return [...normal.matchAll(MIXED_RUN)].flatMap((match): Word[] => {
    if (match.groups?.['cjk'] !== undefined) {
      return bigrams(match[0]).map((pair) => ({ text: pair, inflected: false }))
    }
    if (match.groups?.['unspaced'] !== undefined) {
      return dictionaryWords(match[0]).map((word) => ({ text: word, inflected: false }))
    }
    return [{ text: withoutGenitive(match[0]), inflected: true }]
  })
}

/** `harbour's` → `harbour`; the apostrophe itself is no letter, so `don't` must stay whole for the stop words. */
export function withoutGenitive(word: string): string {
  return word.includes('’') || word.includes("'") ? word.replaceAll('’', "'").replace(/'s$/, '') : word
}
