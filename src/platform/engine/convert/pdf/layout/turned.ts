import type { NativePage } from '../native-reader.ts'
import { isLevel, wordsOf } from './stretches.ts'

type NativeItem = NonNullable<NativePage['textItems']>[number]

/** Degrees. */
const MAX_SLANT = 5

/** Boxes of words as they would lie if the text were level, where the reader has cut it into letters. */
function levelled({ rotation = 0, words = [] }: NativeItem): typeof words | undefined {
  const quarter = Math.round(rotation / 90)
  const letters = words.filter(({ text }) => text.length === 1).length
  if (letters <= words.length / 2 || Math.abs(rotation - quarter * 90) > MAX_SLANT) return undefined
  return words.map(({ text, x, y, width, height }) => {
    if (quarter === 2) return { text, x: -x - width, y, width, height }
    return { text, x: quarter === 1 ? y : -y - height, y: x, width: height, height: width }
  })
}

/** Lines that run up, down or across a page, such as watermarks, remarks at its edge and names of axes. */
export function turnedLines({ textItems = [] }: NativePage): readonly string[] {
  return textItems.flatMap((item, at) => {
    if (isLevel(item)) return []
    const words = levelled(item)
    const line =
      words === undefined
        ? item.text
        : wordsOf(words, at, false)
            .map((word) => word.text)
            .join(' ')
    return /[\p{L}\p{N}]/u.test(line) ? [line.replace(/\s+/g, ' ').trim()] : []
  })
}
