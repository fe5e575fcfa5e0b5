/** Where prose may be cut. */

export interface BoundaryRange {
  /** Where reading begins: at a safe place at or before `from`. */
  readonly begin: number
  /** First and last place of interest. */
  readonly from: number
  readonly end: number
  readonly unit: 'sentence' | 'word' | 'grapheme'
}

// The language is not known here; the root rules know the scripts that write without spaces.
const segmenters = {
  sentence: new Intl.Segmenter('und', { granularity: 'sentence' }),
  word: new Intl.Segmenter('und', { granularity: 'word' }),
  grapheme: new Intl.Segmenter('und', { granularity: 'grapheme' }),
}

/** Code, links, bold and addresses are kept whole where they can be. */
const WHOLE = /(`+)[^`\n]+\1|!?\[[^\]\n]{0,300}\]\([^)\n]{0,500}\)|\*\*[^*\n]{1,300}\*\*|https?:\/\/[^\s>)]+/
/** The same, begun shortly before the end of what is known. */
const BEGUN = /`[^`\n]{1,100}$|!?\[[^\]\n]{1,100}(?:\]\([^)\n]{0,300})?$|\*\*[^\s*][^*\n]{0,100}$/
const INSEPARABLE = new RegExp(`${WHOLE.source}|${BEGUN.source}`, 'g')

function insides(text: string): readonly (readonly [start: number, end: number])[] {
  return Array.from(text.matchAll(INSEPARABLE), (match) => [match.index, match.index + match[0].length])
}

/** The boundaries in a text from the last to the first. Nothing behind `end` is looked at. */
export function boundariesBefore(text: string, { begin, from, end, unit }: BoundaryRange): readonly number[] {
  const known = text.slice(begin, end)
  const found: number[] = []
  // The character behind the end is what did not fit, so it is there and stays.
  const endsAtSpace = unit === 'word' && /\s/.test(text.slice(end - 1, end + 1))
  const whole = unit === 'grapheme' ? [] : insides(known)
  let next = 0
  for (const { index, isWordLike } of segmenters[unit].segment(known)) {
    if (index === 0 || begin + index < from) continue
    while (next < whole.length && (whole[next]?.[1] ?? 0) <= index) next += 1
    const [insideFrom] = whole[next] ?? []
    if (insideFrom !== undefined && insideFrom < index) continue
    if (unit === 'word' && !endsWord(known, index, isWordLike === true)) continue
    found.push(begin + index)
  }
  return endsAtSpace && end > from ? [end, ...found.toReversed()] : found.toReversed()
}

/** After white space; between words only where the script has none. */
function endsWord(text: string, index: number, wordFollows: boolean): boolean {
  const before = text[index - 1] ?? ''
  if (/\s/.test(before)) return true
  return wordFollows && before > '\u0E00' && !/[\uDC00-\uDFFF\u2000-\u206F]/.test(before)
}
