/** What a page is made of, for a reader of its text. */
export type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open' | 'close'; readonly name: string; readonly attributes: string }

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
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

export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (whole: string, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        ? String.fromCodePoint(code)
        : whole
    },
  )
}

/** Position behind the `>` that ends the tag at `start`, quoted ones passed over; -1 when it never ends. */
function tagEnd(html: string, start: number): number {
  let quote = ''
  for (let index = start; index < html.length; index += 1) {
    const character = html[index] ?? ''
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '>') return index + 1
  }
  return -1
}

/** Their content is no markup: `a<b` in a script opens nothing. */
const rawText = new Set(['script', 'style'])

function rawEnd(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}`, 'gi')
  close.lastIndex = from
  return close.exec(html)?.index ?? html.length
}

const tagHead = /^<(\/?)([a-z][a-z0-9]{0,20})/i

/**
 * Tags and text in order, comments and declarations left out. Each character is looked at a bounded number of times:
 * behind a tag that never ends all is text.
 */
export function* readHtml(html: string): Generator<HtmlToken> {
  let at = 0
  while (at < html.length) {
    const next = html.indexOf('<', at)
    const textEnd = next === -1 ? html.length : next
    if (textEnd > at) yield { kind: 'text', text: html.slice(at, textEnd) }
    if (next === -1) return
    at = next
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4)
      at = end === -1 ? html.length : end + 3
      continue
    }
    const head = tagHead.exec(html.slice(at, at + 24))
    const isDeclaration = /^<[!?]/.test(html.slice(at, at + 2))
    if (head === null && !isDeclaration) {
      yield { kind: 'text', text: '<' }
      at += 1
      continue
    }
    const end = tagEnd(html, at + 1)
    if (end === -1) {
      yield { kind: 'text', text: html.slice(at) }
      return
    }
    if (head !== null) {
      const attributes = html.slice(at + head[0].length, end - 1)
      const name = (head[2] ?? '').toLowerCase()
      const kind = head[1] === '/' ? 'close' : 'open'
      yield { kind, name, attributes }
      at = kind === 'open' && rawText.has(name) ? rawEnd(html, name, end) : end
    } else at = end
  }
}
