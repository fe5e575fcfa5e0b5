import MarkdownIt, { type Token } from 'markdown-it'
import { findFormulas } from '../formulas/find-formulas.ts'

/** Renders model text without HTML: raw HTML stays text, images become words, only http(s) links work. */
const createParser = () => new MarkdownIt({ html: false, linkify: false, breaks: true })
const plain = createParser()
const withFormulas = createParser().use(findFormulas)

export interface MarkdownParts<N> {
  readonly element: (
    tag: string,
    attributes: Readonly<Record<string, string | number>>,
    children: readonly (N | string)[],
  ) => N
  /** Draws a citation mark; undefined leaves the text as it is. */
  readonly cite: (number: number) => N | undefined
  /** Draws a sign such as a check mark; undefined leaves it as it is. */
  readonly sign?: (sign: string) => N | undefined
  /** Draws an address that was made text, since no file has it: its host, and the whole to copy. */
  readonly address?: (host: string, whole: string) => N
  /** Draws a formula in LaTeX; without it, formulas stay text. */
  readonly formula?: (source: string, isBlock: boolean) => N
  readonly codeBlock: (code: string, language: string) => N
  readonly table: (children: readonly (N | string)[]) => N
}

export function renderMarkdown<N>(text: string, parts: MarkdownParts<N>): (N | string)[] {
  return children((parts.formula ? withFormulas : plain).parse(text, {}), parts)
}

const joined = (inner: readonly string[]) => inner.join('')

/** The words of a text alone, as a screen reader shall say them. */
export function toPlainText(text: string): string {
  const parts: MarkdownParts<string> = {
    element: (tag, _attributes, inner) => joined(inner) + (SEPARATED.get(tag) ?? ''),
    cite: () => '',
    codeBlock: (code) => `${code}\n`,
    table: joined,
  }
  return joined(renderMarkdown(text, parts))
    .replaceAll(/(?<! ) +(?=[\n.,;:!?])/g, '')
    .trim()
}

const SEPARATED = new Map([
  ...['p', 'li', 'h2', 'tr', 'br', 'hr', 'blockquote'].map((tag) => [tag, '\n'] as const),
  ['td', ', '],
  ['th', ', '],
])

const BLOCKS = new Set(['p', 'ul', 'ol', 'li', 'blockquote', 'thead', 'tbody', 'tr', 'th', 'td', 'strong', 'em', 's'])

/** Nests the flat list of tokens. */
function children<N>(tokens: readonly Token[], parts: MarkdownParts<N>): (N | string)[] {
  const nodes: (N | string)[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (!token) break
    if (token.nesting !== 1) {
      nodes.push(...leaf(token, parts))
      continue
    }
    const end = closing(tokens, at)
    const inner = tokens.slice(at + 1, end)
    at = end
    nodes.push(...element(token, children(inner, parts), parts))
  }
  return nodes
}

function closing(tokens: readonly Token[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at += 1) {
    depth += tokens[at]?.nesting ?? 0
    if (depth === 0) return at
  }
  return tokens.length
}

function element<N>(token: Token, inner: (N | string)[], parts: MarkdownParts<N>): (N | string)[] {
  // The text of a tight list item is a hidden paragraph.
  if (token.hidden) return inner
  if (token.tag === 'table') return [parts.table(inner)]
  if (token.tag === 'a') return link(token, inner, parts)
  // All headings are `h2`, to keep the page's outline; their size shows the level.
  if (token.type === 'heading_open') return [parts.element('h2', { class: `heading ${token.tag}` }, inner)]
  if (!BLOCKS.has(token.tag)) return inner
  const start = attribute(token, 'start')
  const style = attribute(token, 'style')
  const align = /text-align:\s*(\w+)/.exec(style ?? '')?.[1]
  return [
    parts.element(
      token.tag,
      { ...(start && { start: Number(start) }), ...(align && { class: `align-${align}` }) },
      inner,
    ),
  ]
}

function link<N>(token: Token, inner: (N | string)[], parts: MarkdownParts<N>): (N | string)[] {
  const href = attribute(token, 'href') ?? ''
  if (!/^https?:\/\//i.test(href)) return inner
  return [parts.element('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, inner)]
}

function leaf<N>(token: Token, parts: MarkdownParts<N>): (N | string)[] {
  switch (token.type) {
    case 'inline':
      return children(token.children ?? [], parts)
    case 'text':
      return citations(token.content, parts).flatMap((node) => (typeof node === 'string' ? signs(node, parts) : [node]))
    case 'code_inline':
      return [address(token.content, parts) ?? parts.element('code', {}, [token.content])]
    case 'fence':
    case 'code_block':
      return [parts.codeBlock(token.content, token.info.trim().split(/\s/, 1)[0] ?? '')]
    case 'formula':
      return [parts.formula?.(token.content, token.block) ?? token.content]
    case 'softbreak':
    case 'hardbreak':
      return [parts.element('br', {}, [])]
    case 'hr':
      return [parts.element('hr', {}, [])]
    default:
      return token.content === '' ? [] : [token.content]
  }
}

/** `[1]`, `[1, 2]`: marks of existing references. */
function citations<N>(text: string, parts: MarkdownParts<N>): (N | string)[] {
  const nodes: (N | string)[] = []
  for (const [index, piece] of text.split(/(\[\d+(?:\s*,\s*\d+)*\])/).entries()) {
    if (index % 2 === 0) {
      if (piece !== '') nodes.push(piece)
      continue
    }
    const marks = piece
      .slice(1, -1)
      .split(',')
      .map((number) => parts.cite(Number(number)))
    const known = marks.filter((mark) => mark !== undefined)
    nodes.push(...(known.length < marks.length ? [piece] : joinMarks(nodes, known, parts)))
  }
  return nodes
}

/** A longer word may break before its mark. */
const LAST_WORD = /(?<!\S)\S{1,20} ?$/

/** No line begins with a mark: it is held together with the word before it, which is taken off the nodes. */
function joinMarks<N>(nodes: (N | string)[], marks: readonly N[], parts: MarkdownParts<N>): readonly N[] {
  const before = nodes.at(-1)
  const word = typeof before === 'string' ? LAST_WORD.exec(before)?.[0] : undefined
  if (typeof before !== 'string' || word === undefined || typeof marks[0] === 'string') return marks
  nodes[nodes.length - 1] = before.slice(0, -word.length)
  return [parts.element('span', { class: 'joined' }, [word, ...marks])]
}

/** Undefined: it is not an address alone. */
function address<N>(text: string, parts: MarkdownParts<N>): N | undefined {
  const url = /^(?:https?:\/\/|www\.)\S+$/i.test(text) ? URL.parse(/^www/i.test(text) ? `https://${text}` : text) : null
  return url === null || url.host === '' ? undefined : parts.address?.(url.host, text)
}

/** Pictures among the letters, which a machine without their font shows as boxes. */
const SIGN = /(\p{Emoji_Presentation}|\p{Emoji}\uFE0F)/u

function signs<N>(text: string, { sign }: MarkdownParts<N>): (N | string)[] {
  if (sign === undefined) return [text]
  return text.split(SIGN).flatMap((piece, index): (N | string)[] => {
    if (piece === '') return []
    return [(index % 2 === 1 ? sign(piece) : undefined) ?? piece]
  })
}

function attribute(token: Token, name: string): string | undefined {
  const value = token.attrs?.find(([key]) => key === name)?.[1]
  return value === undefined ? undefined : String(value)
}
