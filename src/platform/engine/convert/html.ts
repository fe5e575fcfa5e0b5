/** A tag or a comment as the scanner meets it. */
const token =
  /<!--[\s\S]*?(?:-->|$)|<(?<close>\/?)(?<name>[a-z][a-z0-9]*)(?<attributes>(?:"[^"]*"|'[^']*'|[^'">])*)>|[^<]+|</gi

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
  euro: '€',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return named[name] ?? whole
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : whole
  })
}

/** Elements whose text is not for readers. */
const hidden = new Set(['script', 'style', 'template', 'noscript', 'head', 'svg', 'nav'])
const blocks = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'header',
  'footer',
  'figure',
  'dl',
  'dt',
  'dd',
  'ul',
  'ol',
  'table',
  'blockquote',
  'address',
])
const marks: Readonly<Record<string, string>> = { strong: '**', b: '**', em: '*', i: '*', code: '`' }

/**
 * Markdown of a simple page, in one pass over its tags and with no recursion, so that the deepest nesting costs no more
 * than its length: headings, paragraphs, lists, links, emphasis, code, tables.
 */
export function htmlToMarkdown(html: string): string {
  let out = ''
  let skipping = ''
  let depth = 0
  let pre = false
  const lists: { ordered: boolean; count: number }[] = []
  const links: string[] = []
  let cells: string[] | undefined
  let rows = 0

  const write = (text: string) => {
    if (cells === undefined) out += text
    else if (cells.length > 0) cells[cells.length - 1] += text
  }
  const line = (breaks: number) => {
    if (cells !== undefined) return write(' ')
    const have = /\n*$/.exec(out.slice(-2))?.[0].length ?? 0
    if (out !== '') out += '\n'.repeat(Math.max(0, breaks - have))
  }
  const endRow = () => {
    if (cells === undefined) return
    const texts = cells.map((cell) => cell.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|'))
    cells = undefined
    if (texts.length === 0) return
    out += `| ${texts.join(' | ')} |\n`
    rows += 1
    if (rows === 1) out += `|${' --- |'.repeat(texts.length)}\n`
  }
  const open = (name: string, attributes: string) => {
    const list = lists.at(-1)
    if (/^h[1-6]$/.test(name)) {
      line(2)
      write(`${'#'.repeat(Number(name[1]))} `)
    } else if (name === 'br') write(cells === undefined ? '\n' : ' ')
    else if (name === 'hr') {
      line(2)
      write('---\n\n')
    } else if (name === 'li') {
      line(1)
      if (list !== undefined) list.count += 1
      const indent = '  '.repeat(Math.min(Math.max(0, lists.length - 1), 8))
      write(`${indent}${list?.ordered === true ? `${list.count}.` : '-'} `)
    } else if (name === 'a') {
      const href = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(attributes)
      links.push(decodeEntities(href?.[1] ?? href?.[2] ?? href?.[3] ?? ''))
      write('[')
    } else if (name === 'pre') {
      line(2)
      write('```\n')
      pre = true
    } else if (name === 'tr') {
      endRow()
      cells = []
    } else if (name === 'td' || name === 'th') cells?.push('')
    else if (marks[name] !== undefined && !pre) write(marks[name])
    else if (blocks.has(name)) {
      line(name === 'ul' || name === 'ol' ? (lists.length === 0 ? 2 : 1) : 2)
      if (name === 'ul' || name === 'ol') lists.push({ ordered: name === 'ol', count: 0 })
      if (name === 'table') rows = 0
      if (name === 'blockquote') write('> ')
    }
  }
  const close = (name: string) => {
    if (/^h[1-6]$/.test(name)) line(2)
    else if (name === 'a') {
      const href = links.pop() ?? ''
      write(/^(?:https?:|mailto:)/i.test(href) ? `](${href})` : ']')
    } else if (name === 'pre') {
      line(1)
      write('```\n\n')
      pre = false
    } else if (name === 'tr' || name === 'table') {
      endRow()
      if (name === 'table') line(2)
    } else if (marks[name] !== undefined && !pre) write(marks[name])
    else if (blocks.has(name)) {
      if (name === 'ul' || name === 'ol') lists.pop()
      line(lists.length === 0 ? 2 : 1)
    }
  }

  for (const match of html.matchAll(token)) {
    const name = match.groups?.['name']?.toLowerCase()
    const closing = match.groups?.['close'] === '/'
    if (skipping !== '') {
      if (name === skipping) depth += closing ? -1 : 1
      if (depth === 0) skipping = ''
      continue
    }
    if (name === undefined) {
      if (match[0].startsWith('<!')) continue
      const text = decodeEntities(match[0])
      const flat = pre ? text : text.replace(/\s+/g, ' ')
      write(!pre && cells === undefined && /(?:^|\n)$/.test(out) ? flat.trimStart() : flat)
    } else if (hidden.has(name) && !closing) {
      skipping = name
      depth = 1
    } else if (closing) close(name)
    else open(name, match.groups?.['attributes'] ?? '')
  }
  endRow()
  return out
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
