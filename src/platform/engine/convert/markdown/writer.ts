import { createBlocks } from './blocks.ts'
import { createInline, type Mark } from './inline.ts'
import { createTableRows, type TableRows, toMarkdownTable } from './table.ts'

export type Attributes = Readonly<Record<string, string>>

/** Takes elements under their HTML names, well nested, and makes markdown of them. */
export interface MarkdownWriter {
  open(name: string, attributes?: Attributes): void
  text(text: string): void
  close(name: string): void
  /** A block that is markdown already. */
  block(markdown: string): void
  /** A name within the text that is markdown already, such as that of a picture. */
  inline(markdown: string): void
  finish(): string
}

const marks: Readonly<Record<string, Mark>> = {
  strong: 'strong',
  b: 'strong',
  em: 'em',
  i: 'em',
  del: 'del',
  s: 'del',
  strike: 'del',
  code: 'code',
  kbd: 'code',
  samp: 'code',
  tt: 'code',
  sup: 'sup',
  sub: 'sub',
}

const blockNames = new Set(
  (
    'p div section article aside main header footer figure figcaption dl dt dd table caption address details summary ' +
    'fieldset form hgroup center body'
  ).split(' '),
)

/** What the writers of Word, pandoc and others call the two ends of a footnote. */
const noteTarget = /^#?(?<kind>fn|footnote|endnote|_ftn|_edn|note)[-_:]?(?<number>\d+)$/i
const noteOrigin = /^#(?:fnref|footnote-ref|endnote-ref|_ftnref|_ednref|noteref)[-_:]?\d+$/i

/** Labels of footnotes, counted as they are met; the ids in the files are no numbers for readers. */
function createNotes(): (id: string | undefined) => string | undefined {
  const numbers = new Map<string, number>()
  return (id) => {
    const note = noteTarget.exec(id ?? '')?.groups
    if (note === undefined) return undefined
    const key = `${note['kind']?.toLowerCase()} ${note['number']}`
    const number = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, number)
    return `[^${number}]`
  }
}

/** What at the start of a paragraph would make another block of it. */
const escapeStart = (text: string) =>
  text.replace(
    /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|~~~|(?:-{3,}|={3,}|_{3,})$)|^(\d{1,9})(?=[.)](?:\s|$))/gm,
    (start, number?: string) => (number === undefined ? `\\${start}` : `${number}\\`),
  )

interface List {
  readonly ordered: boolean
  /** Number of the item before. */
  count: number
  isEmpty: boolean
}

/** A number that an item can have; a longer one is no item to readers of markdown. */
const toNumber = (value: string | undefined): number | undefined =>
  value !== undefined && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : undefined

export function createMarkdownWriter(): MarkdownWriter {
  const blocks = createBlocks()
  const inline = createInline()
  const lists: List[] = []
  const noteLabel = createNotes()
  let heading = 0
  let pre: { text: string; language: string } | undefined
  let table: TableRows | undefined
  /** Tables inside a cell: their cells follow each other in its text. */
  let inner = 0
  let cell: { readonly columns: number; readonly rows: number } | undefined
  /** Inside the mark that leads back from a footnote. */
  let hidden = 0
  /** The sign of an item in a cell stands there, its text not yet. */
  let isAtItem = false

  const flush = () => {
    if (cell !== undefined) return inline.isEmpty() || isAtItem ? undefined : inline.lineBreak()
    const text = inline.take()
    if (text === '') return
    if (heading === 0) blocks.write(escapeStart(text))
    else if (lists.length > 0) blocks.write(`**${text.replaceAll('\n', ' ').replaceAll('**', '')}**`)
    else blocks.write(`${'#'.repeat(heading)} ${text.replaceAll('\n', ' ').replace(/^\*\*(.*)\*\*$/, '$1')}`)
  }

  const openList = (ordered: boolean, attributes: Attributes) => {
    flush()
    if (lists.length > 0 && cell === undefined) blocks.tight()
    lists.push({ ordered, count: (toNumber(attributes['start']) ?? 1) - 1, isEmpty: true })
  }
  const openItem = (attributes: Attributes) => {
    isAtItem = false
    flush()
    const list = lists.at(-1) ?? { ordered: false, count: 0, isEmpty: true }
    list.count = toNumber(attributes['value']) ?? list.count + 1
    if (cell !== undefined) {
      inline.markdown(list.ordered ? `${list.count}. ` : '- ')
      isAtItem = true
      return
    }
    const note = noteLabel(attributes['id'])
    if (note !== undefined) return blocks.enter(`${note}: `, '    ')
    if (!list.isEmpty || lists.length > 1) blocks.tight()
    list.isEmpty = false
    const marker = list.ordered ? `${list.count}. ` : '- '
    blocks.enter(marker, ' '.repeat(marker.length))
  }
  const closePre = () => {
    if (pre === undefined) return
    const code = pre.text.replaceAll('\r\n', '\n').replace(/^\n|\s+$/g, '')
    const { language } = pre
    pre = undefined
    if (code === '') return
    if (cell !== undefined) return inline.markdown(`\`${code.replace(/[\s`]+/g, ' ')}\``)
    const longest = Math.max(2, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length))
    const fence = '`'.repeat(longest + 1)
    blocks.write(`${fence}${language}\n${code}\n${fence}`)
  }
  const openTable = () => {
    flush()
    if (table === undefined) table = createTableRows()
    else inner += 1
  }
  const closeTable = () => {
    flush()
    if (inner > 0) inner -= 1
    else if (table !== undefined) {
      const { rows } = table
      table = undefined
      const markdown = toMarkdownTable(rows)
      if (markdown !== '') blocks.write(markdown)
    }
  }
  const openCell = (attributes: Attributes) => {
    if (inner > 0) return flush()
    if (table === undefined) return flush()
    // What stands between the cells is not shown by a browser either, but must not get into the next one.
    flush()
    cell = { columns: Number(attributes['colspan'] ?? 1), rows: Number(attributes['rowspan'] ?? 1) }
  }
  const closeCell = () => {
    isAtItem = false
    if (inner > 0 || cell === undefined || table === undefined) return flush()
    const { columns, rows } = cell
    cell = undefined
    table.cell(inline.take(), columns, rows)
  }
  const openLink = (attributes: Attributes) => {
    const href = attributes['href'] ?? ''
    const note = noteLabel(href)
    if (noteOrigin.test(href) || note !== undefined) {
      if (note !== undefined) inline.markdown(note)
      hidden += 1
    } else inline.openLink(href)
  }
  const closeLink = () => {
    if (hidden > 0) hidden -= 1
    else inline.closeLink()
  }

  const opened: Readonly<Record<string, (attributes: Attributes) => void>> = {
    br: () => inline.lineBreak(),
    hr: () => {
      flush()
      if (cell === undefined) blocks.write('---')
    },
    ul: (attributes) => openList(false, attributes),
    ol: (attributes) => openList(true, attributes),
    li: openItem,
    blockquote: () => {
      flush()
      if (cell === undefined) blocks.enter('> ', '> ')
    },
    pre: (attributes) => {
      flush()
      pre = { text: '', language: languageOf(attributes) }
    },
    table: openTable,
    tr: () => (inner > 0 ? flush() : table?.row()),
    td: openCell,
    th: openCell,
    a: openLink,
  }
  const closed: Readonly<Record<string, () => void>> = {
    ul: closeList,
    ol: closeList,
    li: () => {
      flush()
      if (cell === undefined) blocks.leave()
    },
    blockquote: () => {
      flush()
      if (cell === undefined) blocks.leave()
    },
    pre: closePre,
    table: closeTable,
    td: closeCell,
    th: closeCell,
    a: closeLink,
  }

  function closeList() {
    flush()
    lists.pop()
  }

  return {
    open(name, attributes = {}) {
      const mark = marks[name]
      if (pre !== undefined) {
        if (name === 'br') pre.text += '\n'
        else if (name === 'code' && pre.language === '') pre.language = languageOf(attributes)
      } else if (mark !== undefined) inline.open(mark)
      else if (/^h[1-6]$/.test(name)) {
        flush()
        if (cell === undefined) heading = Number(name[1])
      } else if (blockNames.has(name) && name !== 'table') flush()
      else opened[name]?.(attributes)
    },
    text(text) {
      if (text.trim() !== '') isAtItem = false
      if (pre !== undefined) pre.text += text
      else if (hidden === 0 && (table === undefined || cell !== undefined || text.trim() !== ''))
        inline.text(text)
    },
    close(name) {
      const mark = marks[name]
      if (pre !== undefined && name !== 'pre') {
        if (blockNames.has(name) && !pre.text.endsWith('\n')) pre.text += '\n'
      } else if (mark !== undefined) inline.close(mark)
      else if (/^h[1-6]$/.test(name)) {
        flush()
        heading = 0
      } else if (blockNames.has(name) && name !== 'table') flush()
      else closed[name]?.()
    },
    block(markdown) {
      flush()
      if (cell === undefined) blocks.write(markdown)
      else inline.markdown(markdown.replaceAll('\n', ' '))
    },
    inline(markdown) {
      isAtItem = false
      if (pre === undefined) inline.markdown(` ${markdown} `)
    },
    finish() {
      closePre()
      if (cell !== undefined) closeCell()
      while (table !== undefined) closeTable()
      flush()
      return blocks.finish()
    },
  }
}

function languageOf(attributes: Attributes): string {
  const names = `${attributes['class'] ?? ''} ${attributes['data-lang'] ?? ''}`
  const named = /(?:^|\s)(?:language-|lang-|sourceCode\s+)(?<name>[\w+#-]{1,20})/.exec(names)
  return (named?.groups?.['name'] ?? attributes['data-lang'] ?? '').replace(/[^\w+#-]/g, '').slice(0, 20)
}
