import { escapeText } from '#platform/engine/convert/markdown/inline.ts'
import { toMarkdownTable } from '#platform/engine/convert/markdown/table.ts'
import { joinLines } from '../layout/tables.ts'
import type { Box } from '../native-reader.ts'
import type { getDocumentProxy } from 'unpdf'

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>

/** Elements of a page that are looked at, cells of a table, and letters of one: longer ones are parts of a page. */
const MAX_ELEMENTS = 50_000
const MAX_CELLS = 10_000
const MAX_CELL_LETTERS = 1500

/** An element of the structure that the program wrote into the document, or the mark of a text. */
type StructureNode =
  | { readonly role: string; readonly children: readonly StructureNode[] }
  | { readonly type: string; readonly id: string }

/** A text of the page in the order of drawing, with the mark that it belongs to. */
interface MarkedText extends Box {
  readonly text: string
  readonly mark: string
}

/** A table as the program that wrote the document says it. */
interface TaggedTable {
  readonly box: Box
  readonly markdown: string
  /** The texts of its cells, one after the other. */
  readonly text: string
}

interface Cell {
  readonly text: string
  readonly left: number
  readonly right: number
}

type Element = Extract<StructureNode, { readonly role: string }>
const isElement = (node: StructureNode): node is Element => 'role' in node

/** Elements with one of the roles, without those within such an element. */
const within = (node: Element, roles: ReadonlySet<string>): readonly Element[] =>
  node.children.flatMap((child) => {
    if (!isElement(child)) return []
    return roles.has(child.role) ? [child] : within(child, roles)
  })

const TABLE: ReadonlySet<string> = new Set(['Table'])
const ROW: ReadonlySet<string> = new Set(['TR'])
const CELL: ReadonlySet<string> = new Set(['TH', 'TD'])

const marksOf = (node: Element): readonly string[] =>
  node.children.flatMap((child) => (isElement(child) ? marksOf(child) : [child.id]))

/** Gap between two texts of one word, in their height. */
const WORD_GAP = 0.15

function joinTexts(texts: readonly MarkedText[]): string {
  let joined = ''
  for (const [index, one] of texts.entries()) {
    const before = texts[index - 1]
    const isSameLine = before !== undefined && Math.abs(one.y - before.y) < Math.max(one.height, before.height) / 2
    const isSameWord = isSameLine && Math.abs(one.x - before.x - before.width) < one.height * WORD_GAP
    joined = isSameWord ? joined + one.text : isSameLine ? `${joined} ${one.text}` : joinLines(joined, one.text)
  }
  return joined.replace(/\s+/g, ' ').trim()
}

const cellOf = (texts: readonly MarkedText[]): Cell => ({
  text: joinTexts(texts),
  left: Math.min(...texts.map(({ x }) => x)),
  right: Math.max(...texts.map(({ x, width }) => x + width)),
})

const textsIn = (cells: readonly Cell[]) => cells.filter(({ text }) => text !== '')

const isFromLeft = (cells: readonly Cell[]) =>
  cells.every(({ left }, index) => left >= (cells[index - 1]?.left ?? -Infinity))

/** Cells in their columns: those of a row with fewer of them, or in another order, are where its texts lie. */
function alignCells(given: readonly (readonly Cell[])[]): readonly (readonly string[])[] {
  const width = Math.max(...given.map((row) => row.length))
  // Tags may have the cells of a row in another order than the page.
  const rows = given.map((row) =>
    textsIn(row).length === width ? row.toSorted((one, other) => one.left - other.left) : row,
  )
  const full = rows.filter((row) => row.length === width && isFromLeft(textsIn(row)))
  const columns = Array.from({ length: width }, (_, at) => {
    const cells = textsIn(full.flatMap((row) => row[at] ?? []))
    return { left: Math.min(...cells.map(({ left }) => left)), right: Math.max(...cells.map(({ right }) => right)) }
  })
  return rows.map((row) => {
    const texts = textsIn(row)
    if (row.length === width && isFromLeft(texts)) return row.map(({ text }) => text)
    const placed = columns.map(() => '')
    let next = 0
    for (const { text, left, right } of texts.toSorted((one, other) => one.left - other.left)) {
      const at = columns.findIndex((column, index) => index >= next && left < column.right && right > column.left)
      const own = at === -1 ? Math.min(next, width - 1) : at
      placed[own] = `${placed[own] ?? ''} ${text}`.trim()
      next = own + 1
    }
    return placed
  })
}

function boxOf(texts: readonly MarkedText[]): Box {
  const [x, y] = [Math.min(...texts.map((one) => one.x)), Math.min(...texts.map((one) => one.y))]
  const right = Math.max(...texts.map((one) => one.x + one.width))
  const bottom = Math.max(...texts.map((one) => one.y + one.height))
  return { x, y, width: right - x, height: bottom - y }
}

/** The table of an element; undefined where it only places parts of a page, or holds next to nothing. */
function tableOf(element: Element, textsOf: ReadonlyMap<string, readonly MarkedText[]>): TaggedTable | undefined {
  const cells = within(element, ROW).map((row) =>
    within(row, CELL).map((cell) => marksOf(cell).flatMap((mark) => textsOf.get(mark) ?? [])),
  )
  const rows = cells.filter((row) => row.some((texts) => texts.length > 0)).map((row) => row.map(cellOf))
  const all = rows.flat()
  // Words from the right have another order here than on the page.
  const isFromRight = all.some(({ text }) => /\p{sc=Arabic}|\p{sc=Hebrew}/u.test(text))
  const isLayout =
    isFromRight || within(element, TABLE).length > 0 || all.some(({ text }) => text.length > MAX_CELL_LETTERS)
  if (isLayout || all.length > MAX_CELLS || rows.length < 2) return undefined
  const aligned = alignCells(rows)
  if (aligned.filter((row) => row.filter((text) => text !== '').length > 1).length < 2) return undefined
  return {
    box: boxOf(cells.flat(2)),
    markdown: toMarkdownTable(aligned.map((row) => row.map(escapeText))),
    text: all.map(({ text }) => text).join(' '),
  }
}

function isEndless(root: Element): boolean {
  let count = 0
  const open: StructureNode[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    count += 1
    if (count > MAX_ELEMENTS) return true
    if (isElement(node)) for (const child of node.children) open.push(child)
  }
  return false
}

const innermost = (element: Element): readonly Element[] => {
  const inner = within(element, TABLE)
  return inner.length === 0 ? [element] : inner.flatMap(innermost)
}

function taggedTablesOf(root: Element, texts: readonly MarkedText[]): readonly TaggedTable[] {
  if (isEndless(root)) return []
  const textsOf = Map.groupBy(texts, ({ mark }) => mark)
  return within(root, TABLE)
    .flatMap(innermost)
    .flatMap((element) => tableOf(element, textsOf) ?? [])
}

/** Texts of a page from its upper left corner, each with the mark that it is drawn within. */
async function readTexts(page: Page): Promise<readonly MarkedText[]> {
  const { items } = await page.getTextContent({ includeMarkedContent: true })
  const { transform } = page.getViewport({ scale: 1 })
  const [a = 1, b = 0, c = 0, d = -1, e = 0, f = 0] = transform as readonly number[]
  const open: string[] = []
  return items.flatMap((item) => {
    if (!('str' in item)) {
      if (item.type === 'endMarkedContent') open.pop()
      else open.push(item.id ?? open.at(-1) ?? '')
      return []
    }
    const mark = open.at(-1) ?? ''
    if (mark === '' || item.str.trim() === '') return []
    const [, , , , x = 0, y = 0] = item.transform as readonly number[]
    const { str: text, width, height } = item
    return [{ text, mark, x: a * x + c * y + e, y: b * x + d * y + f - height, width, height }]
  })
}

/** Tables of a page as its tags tell them; of tables within tables the inner ones. */
export async function readTaggedTables(page: Page): Promise<readonly TaggedTable[]> {
  const root: StructureNode | null = await page.getStructTree()
  if (root === null || !('role' in root)) return []
  return taggedTablesOf(root, await readTexts(page))
}
