import { Tokenizer } from 'htmlparser2'
import type { Attributes } from '../markdown/code-block.ts'
import { createMarkdownWriter, type MarkdownWriter } from '../markdown/writer.ts'

/** What a document shows at an image: the name of the extracted picture, or words in its place. */
export type ShowImage = (attributes: Attributes) => string

/** What is not for readers; of `ruby` the reading aid beside the text. */
const hiddenNames = new Set(
  'script style template noscript head svg nav math object iframe rt rp select textarea'.split(' '),
)
const emptyNames = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))

/** Elements whose end is left out often: what closes them. */
const impliedEnds: Readonly<Record<string, readonly string[]>> = {
  li: ['li', 'p'],
  dt: ['dt', 'dd', 'p'],
  dd: ['dt', 'dd', 'p'],
  tr: ['tr', 'td', 'th', 'p', 'li', 'ul', 'ol', 'caption', 'colgroup'],
  td: ['td', 'th', 'p', 'li', 'ul', 'ol'],
  th: ['td', 'th', 'p', 'li', 'ul', 'ol'],
  thead: ['tr', 'td', 'th', 'p', 'caption', 'colgroup', 'thead', 'tbody', 'tfoot'],
  tbody: ['tr', 'td', 'th', 'p', 'caption', 'colgroup', 'thead', 'tbody', 'tfoot'],
  tfoot: ['tr', 'td', 'th', 'p', 'caption', 'colgroup', 'thead', 'tbody', 'tfoot'],
}
const closesParagraph = new Set(
  (
    'p div ul ol dl table blockquote pre h1 h2 h3 h4 h5 h6 hr section article aside main header footer figure ' +
    'address form fieldset'
  ).split(' '),
)

/** Elements whose content is no markup, closed in their own tag as XHTML does: HTML takes all that follows for it. */
const emptyRawText = /<(?:script|style|title|textarea|iframe|xmp|noembed|noframes)(?:\s[^<>]*)?\/>/gi

/** Deeper elements are read for their text only. */
const maxDepth = 1000
/** How far up an end tag is looked for: what is not found there, is ignored. */
const reach = 100

interface Events {
  open(name: string, attributes: Attributes): void
  close(name: string): void
  text(text: string): void
}

/** Elements in order, well nested, in time that grows with the length alone. */
function readElements(page: string, events: Events): void {
  const html = page.replace(emptyRawText, '')
  const isXhtml = /^\s*<\?xml|<html[^>]+xmlns\s*=\s*["']http:\/\/www\.w3\.org\/1999\/xhtml/i.test(
    html.slice(0, 2000),
  )
  const stack: string[] = []
  let tooDeep = 0
  let name = ''
  let attributes: Record<string, string> = {}
  let key = ''
  let value = ''

  const pop = () => events.close(stack.pop() ?? '')
  const imply = () => {
    if (closesParagraph.has(name) && stack.at(-1) === 'p') pop()
    const ends = impliedEnds[name]
    while (ends?.includes(stack.at(-1) ?? '') === true) pop()
  }
  const open = (isEmpty: boolean) => {
    imply()
    events.open(name, attributes)
    if (isEmpty) return events.close(name)
    if (stack.length < maxDepth) stack.push(name)
    else {
      tooDeep += 1
      events.close(name)
    }
  }
  const close = (closing: string) => {
    if (tooDeep > 0) {
      tooDeep -= 1
      return
    }
    const at = stack.lastIndexOf(closing)
    if (at === -1 || at < stack.length - reach) return
    while (stack.length > at) pop()
  }

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => events.text(html.slice(start, end)),
      ontextentity: (code) => events.text(String.fromCodePoint(code)),
      onopentagname(start, end) {
        name = html.slice(start, end).toLowerCase()
        attributes = {}
      },
      onattribname(start, end) {
        key = html.slice(start, end).toLowerCase()
        value = ''
      },
      onattribdata(start, end) {
        value += html.slice(start, end)
      },
      onattribentity(code) {
        value += String.fromCodePoint(code)
      },
      onattribend() {
        if (key !== '__proto__') attributes[key] ??= value
      },
      onopentagend: () => open(emptyNames.has(name)),
      // In HTML a slash at the end of a tag says nothing, but pages that are XHTML mean it, and so does whoever writes
      // it at what would hide the rest of the page.
      onselfclosingtag: () =>
        open(isXhtml || emptyNames.has(name) || hiddenNames.has(name) || name === 'a' || name === 'p'),
      onclosetag: (start, end) => close(html.slice(start, end).toLowerCase()),
      oncdata: (start, end) => events.text(html.slice(start, end)),
      oncomment: () => undefined,
      ondeclaration: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  while (stack.length > 0) pop()
}

/** A table that holds another one: what tells that it has rows and columns to be read, and does not only lay out. */
export type HoldsData = (table: {
  readonly hasHeads: boolean
  readonly rows: number
  readonly columns: number
}) => boolean

/** Tables that only lay a page out, by their order: those that hold another table, and no data of their own. */
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

const tableParts = new Set(['tr', 'td', 'th'])

/** Mails carry lines for the preview that nobody sees, pages what a script shows later; a whole page is never meant. */
const isHidden = (name: string, attributes: Attributes) =>
  hiddenNames.has(name) ||
  (!emptyNames.has(name) &&
    name !== 'html' &&
    name !== 'body' &&
    ((attributes['hidden'] ?? 'until-found') !== 'until-found' ||
      /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!|;|$)/i.test(
        attributes['style'] ?? '',
      )))

/** Writes a page into a document. @throws never for what the page holds. */
function writeHtml(html: string, writer: MarkdownWriter, showImage: ShowImage, holdsData: HoldsData): void {
  const layout = findLayoutTables(html, holdsData)
  const tables: boolean[] = []
  let count = 0
  let hidden = 0
  const shown = (name: string) => (tableParts.has(name) && tables.at(-1) === true ? 'div' : name)
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

/** Markdown of a page. Pages lay themselves out with tables; one with heads is for reading. */
export function htmlToMarkdown(
  html: string,
  showImage: ShowImage = () => '',
  holdsData: HoldsData = ({ hasHeads }) => hasHeads,
): string {
  const writer = createMarkdownWriter()
  writeHtml(html, writer, showImage, holdsData)
  return writer.finish()
}
