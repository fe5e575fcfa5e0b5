import type { Box, NativePage } from '../native-reader.ts'

type Items = NonNullable<NativePage['textItems']>
type Word = NonNullable<Items[number]['words']>[number]

interface PlacedTable {
  readonly box: Box
  readonly markdown: string
  readonly text: string
}

/** Share of letters that a table and the words at its place have in common. */
const MIN_SAME = 0.97

/** Stands for a table while the rest of the page is read. */
const tokenOf = (at: number) => `\u{f0000}${at}\u{f0001}`
const TOKEN = /(?:^(?:#{1,3}|-) )?\u{f0000}(\d+)\u{f0001}/gmu

const lettersOf = (text: string) => text.match(/[\p{L}\p{N}]/gu) ?? []

/** Share of letters that two texts have in common, in whatever order. */
function sameShare(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const letter of one) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  let same = 0
  for (const letter of other) {
    const left = counts.get(letter) ?? 0
    if (left > 0) same += 1
    counts.set(letter, left - 1)
  }
  return same / Math.max(1, one.length, other.length)
}

const isIn = ({ x, y, width, height }: Box, box: Box) => {
  const [middle, level] = [x + width / 2, y + height / 2]
  return middle >= box.x && middle <= box.x + box.width && level >= box.y && level <= box.y + box.height
}

const wordsOf = ({ words, text, x = 0, y = 0, width = 0, height = 0 }: Items[number]): readonly Word[] =>
  words === undefined || words.length === 0 ? [{ text, x, y, width, height }] : words

/** The page with a sign in the place of each table. Tables that hold other letters than their place are left alone. */
function withoutTables(page: NativePage, tables: readonly PlacedTable[]): NativePage | undefined {
  let items: Items = page.textItems ?? []
  let found = 0
  for (const [at, { box, text }] of tables.entries()) {
    const inside = items.flatMap((item) => wordsOf(item).filter((word) => isIn(word, box)))
    if (sameShare(lettersOf(text), lettersOf(inside.map((word) => word.text).join(''))) < MIN_SAME) continue
    const rest = items.flatMap((item) => {
      const words = wordsOf(item).filter((word) => !isIn(word, box))
      if (words.length === wordsOf(item).length) return [item]
      return words.length === 0 ? [] : [{ ...item, text: words.map((word) => word.text).join(' '), words }]
    })
    const token = tokenOf(at)
    items = [...rest, { text: token, ...box, words: [{ text: token, ...box }] }]
    found += 1
  }
  // The markdown of the native reader has the tables in its own way.
  return found === 0 ? undefined : { ...page, textItems: items, markdown: '', text: '' }
}

const rowsOf = (markdown: string): readonly string[] =>
  (markdown.match(/^\|.*\|$/gm) ?? []).flatMap((row) => {
    const cells = row.split(/(?<!\\)\|/).slice(1, -1)
    const letters = cells.map((cell) => lettersOf(cell).join(''))
    return letters.filter((cell) => cell !== '').length > 1 ? [letters.join('|')] : []
  })

/** Markdown with a table in the place of the blocks that hold its letters; undefined where no such blocks follow each other. */
function replaceBlocks(markdown: string, { text, markdown: table }: PlacedTable): string | undefined {
  const wanted = lettersOf(text)
  const blocks = markdown.split('\n\n')
  const letters = blocks.map((block) => lettersOf(block))
  for (let from = 0; from < blocks.length; from += 1) {
    let length = 0
    for (let to = from; to < blocks.length && length < wanted.length; to += 1) {
      length += letters[to]?.length ?? 0
      const isNear = length >= wanted.length * MIN_SAME && length * MIN_SAME <= wanted.length
      if (!isNear || sameShare(wanted, letters.slice(from, to + 1).flat()) < MIN_SAME) continue
      return [...blocks.slice(0, from), table, ...blocks.slice(to + 1)].join('\n\n')
    }
  }
  return undefined
}

/** Markdown with the tables that are known, where it has their rows otherwise; undefined where it has them among others. */
function withKnown(markdown: string, tables: readonly PlacedTable[]): string | undefined {
  let whole = markdown
  for (const table of tables) {
    const known = new Set(rowsOf(whole))
    if (rowsOf(table.markdown).every((row) => known.has(row))) continue
    const replaced = replaceBlocks(whole, table)
    if (replaced === undefined) return undefined
    whole = replaced
  }
  return whole
}

/** Markdown of a page whose tables are known, as far as they are found at their places. */
export function markdownWithTables(
  page: NativePage,
  tables: readonly PlacedTable[],
  toMarkdown: (page: NativePage) => string,
): string {
  const own = toMarkdown(page)
  const whole = withKnown(own, tables)
  if (whole !== undefined) return whole
  const rest = withoutTables(page, tables)
  const markdown = rest === undefined ? own : toMarkdown(rest)
  // A table within the row of another one has no form in markdown.
  if (/^\|.*\u{f0000}/mu.test(markdown)) return own
  return markdown
    .replace(TOKEN, (_, at: string) => `\n\n${tables[Number(at)]?.markdown ?? ''}\n\n`)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
