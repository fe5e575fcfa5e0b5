import type { Attributes } from '../markdown/code-block.ts'
import { createMarkdownWriter, type MarkdownWriter } from '../markdown/writer.ts'
import { EMPTY_NAMES, HIDDEN_NAMES, readElements } from './html-elements.ts'

/** Gives the text for an image: the name of the extracted picture, or words in its place. */
export type ShowImage = (attributes: Attributes) => string

/** Tells whether a table around another one holds data; otherwise it only lays the page out. */
export type HoldsData = (table: {
  readonly hasHeads: boolean
  readonly rows: number
  readonly columns: number
}) => boolean

/** Layout tables by their order: those that hold another table, and no data of their own. */
function findLayoutTables(html: string, holdsData: HoldsData): ReadonlySet<number> {
  const layout = new Set<number>()
  const open: {
    at: number
    hasInner: boolean
    hasHeads: boolean
    rows: number
    columns: number
    row: number
  }[] = []
  let count = 0
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)(table|tr|td|th|caption)\b/gi)) {
    const table = open.at(-1)
    const part = name.toLowerCase()
    if (part === 'table' && slash === '') {
      if (table !== undefined) table.hasInner = true
      open.push({ at: count, hasInner: false, hasHeads: false, rows: 0, columns: 0, row: 0 })
      count += 1
    } else if (part === 'table') {
      open.pop()
      if (table?.hasInner === true && !holdsData(table)) layout.add(table.at)
    } else if (table !== undefined && slash === '') {
      table.hasHeads ||= part === 'th' || part === 'caption'
      table.row = part === 'tr' ? 0 : table.row + Number(part !== 'caption')
      table.rows += Number(part === 'tr')
      table.columns = Math.max(table.columns, table.row)
    }
  }
  for (const { at, hasInner } of open) if (hasInner) layout.add(at)
  return layout
}

const TABLE_PARTS = new Set(['tr', 'td', 'th'])

/** Hidden are preview lines of mails and parts that a script shows later; `html` and `body` never are. */
const isHidden = (name: string, attributes: Attributes) =>
  HIDDEN_NAMES.has(name) ||
  (!EMPTY_NAMES.has(name) &&
    name !== 'html' &&
    name !== 'body' &&
    ((attributes['hidden'] ?? 'until-found') !== 'until-found' ||
      /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!|;|$)/i.test(
        attributes['style'] ?? '',
      )))

function writeHtml(html: string, writer: MarkdownWriter, showImage: ShowImage, holdsData: HoldsData): void {
  const layout = findLayoutTables(html, holdsData)
  const tables: boolean[] = []
  let count = 0
  let hidden = 0
  const shown = (name: string) => (TABLE_PARTS.has(name) && tables.at(-1) === true ? 'div' : name)
  readElements(html, {
    open(name, attributes) {
      if (hidden > 0 || isHidden(name, attributes)) {
        hidden += 1
        return
      }
      if (name === 'img') {
        const image = showImage(attributes)
        if (image !== '') writer.inline(image)
      } else if (name === 'input' && attributes['type'] === 'checkbox') {
        writer.inline('checked' in attributes ? '[x]' : '[ ]')
      } else if (name === 'table') {
        tables.push(layout.has(count))
        count += 1
        writer.open(tables.at(-1) === true ? 'div' : name, attributes)
      } else writer.open(shown(name), attributes)
    },
    text(text) {
      if (hidden === 0) writer.text(text)
    },
    close(name) {
      if (hidden > 0) hidden -= 1
      else if (name === 'table') writer.close(tables.pop() === true ? 'div' : name)
      else writer.close(shown(name))
    },
  })
}

/** Markdown of a page. Of tables around tables, by default those with header cells hold data. */
export function htmlToMarkdown(
  html: string,
  showImage: ShowImage = () => '',
  holdsData: HoldsData = ({ hasHeads }) => hasHeads,
): string {
  const writer = createMarkdownWriter()
  writeHtml(html, writer, showImage, holdsData)
  return writer.finish()
}
