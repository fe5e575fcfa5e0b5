import type { Box, NativePage } from '../native-reader.ts'

type Sign = Box & { readonly text: string }

/** Signs of Chinese and Japanese, and their punctuation. */
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]$/u
const FEW_SIGNS = 20
const MIN_SHARE = 0.8
/** Distance of signs within a column, and least distance of columns, in heights of a sign. */
const STEP = 1.4
const APART = 1.3
const SENTENCE_END = /[。！？」]$/u

const rightOf = ({ x, width }: Box) => x + width

/** Columns from right to left: signs whose right edges are above each other. */
function columnsOf(signs: readonly Sign[], height: number): Sign[][] {
  const columns: Sign[][] = []
  for (const sign of signs.toSorted((one, other) => rightOf(other) - rightOf(one))) {
    const first = columns.at(-1)?.[0]
    if (first !== undefined && rightOf(first) - rightOf(sign) < height / 2) columns.at(-1)?.push(sign)
    else columns.push([sign])
  }
  return columns.map((column) => column.toSorted((one, other) => one.y - other.y))
}

const medianOf = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

/** Text that is written in columns from right to left; undefined where a page is not. The native reader reads it in rows. */
export function verticalOf({ textItems = [] }: NativePage): string | undefined {
  const words = textItems.flatMap(({ words: own = [] }) => own)
  const signs = words.filter(({ text }) => CJK.test(text))
  if (signs.length < FEW_SIGNS || signs.length < words.length * MIN_SHARE) return undefined
  const height = medianOf(signs.map((sign) => sign.height))
  const columns = columnsOf(signs, height)
  const steps = columns.flatMap((column) => column.slice(1).map(({ y }, index) => y - (column[index]?.y ?? y)))
  const gaps = columns.slice(1).map(([first], index) => {
    const [before] = columns[index] ?? []
    return first === undefined || before === undefined ? 0 : rightOf(before) - rightOf(first)
  })
  if (columns.length < 2 || medianOf(steps) > height * STEP || medianOf(gaps) < height * APART) return undefined
  return columns
    .map((column) => column.map(({ text }) => text).join(''))
    .reduce((all, column) => (SENTENCE_END.test(all) ? `${all}\n\n${column}` : all + column))
}
