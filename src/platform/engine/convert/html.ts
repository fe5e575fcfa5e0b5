import { decodeEntities, readHtml } from './html-tokens.ts'

/** Elements whose text is not for readers. */
const hidden = new Set(['script', 'style', 'template', 'noscript', 'head', 'svg', 'nav'])
const blocks = new Set(
  'p div section article main header footer figure dl dt dd ul ol table blockquote address'.split(' '),
)
const marks: Readonly<Record<string, string>> = { strong: '**', b: '**', em: '*', i: '*', code: '`' }
const deepestIndent = 8

/** Collects markdown; knows its last two characters, so that line ends need no look at the whole. */
function createPage() {
  const parts: string[] = []
  let tail = '\n\n'
  const write = (text: string) => {
    if (text === '') return
    parts.push(text)
    tail = `${tail}${text.slice(-2)}`.slice(-2)
  }
  return {
    write,
    /** White space here would be one too many. */
    atSpace: () => /\s$/.test(tail),
    /** Makes sure that `count` line ends stand before what comes. */
    breakLine: (count: 1 | 2) => {
      const have = tail === '\n\n' ? 2 : tail.endsWith('\n') ? 1 : 0
      write('\n'.repeat(Math.max(0, count - have)))
    },
    text: () =>
      parts
        .join('')
        .replace(/[ \t]+\n/g, '\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
  }
}

const hrefPattern = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i

function toHref(attributes: string): string {
  const match = hrefPattern.exec(attributes)
  return decodeEntities(match?.[1] ?? match?.[2] ?? match?.[3] ?? '')
}

/** Turns tags into markdown around the text that comes between them. */
function createConverter() {
  const page = createPage()
  const lists: { readonly ordered: boolean; count: number }[] = []
  const links: string[] = []
  let cells: string[] | undefined
  let rows = 0
  let pre = false

  const write = (text: string) => {
    if (cells === undefined) page.write(text)
    else if (cells.length > 0) cells[cells.length - 1] += text
  }
  const breakLine = (count: 1 | 2) => (cells === undefined ? page.breakLine(count) : write(' '))
  const endRow = () => {
    const texts = (cells ?? []).map((cell) => cell.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|'))
    cells = undefined
    if (texts.length === 0) return
    rows += 1
    page.write(`| ${texts.join(' | ')} |\n${rows === 1 ? `|${' --- |'.repeat(texts.length)}\n` : ''}`)
  }
  const openItem = () => {
    breakLine(1)
    const list = lists.at(-1)
    if (list !== undefined) list.count += 1
    const indent = '  '.repeat(Math.min(Math.max(0, lists.length - 1), deepestIndent))
    write(`${indent}${list?.ordered === true ? `${list.count}.` : '-'} `)
  }
  const openBlock = (name: string) => {
    const isList = name === 'ul' || name === 'ol'
    breakLine(isList && lists.length > 0 ? 1 : 2)
    if (isList) lists.push({ ordered: name === 'ol', count: 0 })
    if (name === 'table') rows = 0
    if (name === 'blockquote') write('> ')
  }
  const opened: Readonly<Record<string, (attributes: string) => void>> = {
    br: () => write(cells === undefined ? '\n' : ' '),
    hr: () => {
      breakLine(2)
      write('---\n\n')
    },
    li: openItem,
    a: (attributes) => {
      links.push(toHref(attributes))
      write('[')
    },
    pre: () => {
      breakLine(2)
      write('```\n')
      pre = true
    },
    tr: () => {
      endRow()
      cells = []
    },
    td: () => void cells?.push(''),
    th: () => void cells?.push(''),
  }
  const closed: Readonly<Record<string, () => void>> = {
    a: () => {
      const href = links.pop() ?? ''
      write(/^(?:https?:|mailto:)/i.test(href) ? `](${href})` : ']')
    },
    pre: () => {
      breakLine(1)
      write('```\n\n')
      pre = false
    },
    tr: endRow,
    table: () => {
      endRow()
      breakLine(2)
    },
  }
  return {
    text(raw: string) {
      const text = decodeEntities(raw)
      const flat = pre ? text : text.replace(/\s+/g, ' ')
      write(!pre && cells === undefined && page.atSpace() ? flat.trimStart() : flat)
    },
    open(name: string, attributes: string) {
      const heading = /^h([1-6])$/.exec(name)
      if (heading !== null) {
        breakLine(2)
        write(`${'#'.repeat(Number(heading[1]))} `)
      } else if (opened[name] !== undefined) opened[name](attributes)
      else if (marks[name] !== undefined && !pre) write(marks[name])
      else if (blocks.has(name)) openBlock(name)
    },
    close(name: string) {
      if (closed[name] !== undefined) closed[name]()
      else if (marks[name] !== undefined && !pre) write(marks[name])
      else if (/^h[1-6]$/.test(name)) breakLine(2)
      else if (blocks.has(name)) {
        if (name === 'ul' || name === 'ol') lists.pop()
        breakLine(lists.length === 0 ? 2 : 1)
      }
    },
    end() {
      endRow()
      return page.text()
    },
  }
}

/**
 * Markdown of a simple page, in one pass over its tags and with no recursion, so that the deepest nesting costs no more
 * than its length: headings, paragraphs, lists, links, emphasis, code, tables.
 */
export function htmlToMarkdown(html: string): string {
  const converter = createConverter()
  let skipping = ''
  let depth = 0
  for (const token of readHtml(html)) {
    if (skipping !== '') {
      if (token.kind !== 'text' && token.name === skipping) depth += token.kind === 'open' ? 1 : -1
      if (depth === 0) skipping = ''
    } else if (token.kind === 'text') converter.text(token.text)
    else if (token.kind === 'close') converter.close(token.name)
    else if (hidden.has(token.name)) {
      skipping = token.name
      depth = 1
    } else converter.open(token.name, token.attributes)
  }
  return converter.end()
}
