import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'

/** A longer formula stays text. */
const MAX_FORMULA_CHARS = 2000
/** Letters between dollars that make a sentence. */
const MAX_WORDS = 3

interface Pair {
  readonly open: string
  readonly close: string
  readonly isBlock: boolean
  /** Whether the text between the marks is a formula; the letter after them tells, too. */
  readonly isFormula: (source: string, next: string) => boolean
}

/** Names in brackets and classes of prices have no sign: `plan \(draft\).pdf`, `$$ or $$$`. */
const isMath = (source: string) => hasSign(source) || (/[\p{L}\p{N}]/u.test(source) && !/\p{L}{3}/u.test(source))
const hasSign = (source: string) => /[=^{]|\\[a-z]/i.test(source)

const DISPLAYED: readonly Pair[] = [
  { open: '$$', close: '$$', isBlock: true, isFormula: (source, next) => next !== '$' && isMath(source) },
  // Quotations have such brackets: `\[1\]`.
  { open: String.raw`\[`, close: String.raw`\]`, isBlock: true, isFormula: hasSign },
]
const PAIRS: readonly Pair[] = [
  ...DISPLAYED,
  { open: String.raw`\(`, close: String.raw`\)`, isBlock: false, isFormula: isMath },
  { open: '$', close: '$', isBlock: false, isFormula: isBetweenDollars },
]

/** Reads formulas in LaTeX as tokens: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`. */
export function findFormulas(parser: MarkdownIt): void {
  // Else `\(` is a bracket, and `_` a mark.
  parser.inline.ruler.before('escape', 'formula', readInline)
  parser.block.ruler.before('fence', 'formula', readBlock, { alt: ['paragraph', 'blockquote', 'list'] })
}

/** No formula ends with these: `$.50/$.75`, `${a}:${b}`. */
const OPEN_END = /[-–—+=/,:;("]$/

/** Prices and names of variables are no formula: `$5 and $10`, `US$ and A$`, `$HOME/$USER`. */
function isBetweenDollars(source: string, next: string): boolean {
  if (source !== source.trim() || source.includes('\n') || OPEN_END.test(source) || /^[–—)]/.test(source)) return false
  if (/[\p{L}\p{N}$]/u.test(next)) return false
  const words = source.replaceAll(/\\[a-z]+(?:\{[^{}]*\})?/gi, ' ').match(/\p{L}{2,}/gu) ?? []
  return words.length === 0 || (words.length <= MAX_WORDS && /^[^\d].*[\\^_=]/.test(source))
}

function readInline(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  const pair = PAIRS.find(({ open }) => src.startsWith(open, pos))
  if (pair === undefined || (pair.open === '$' && /[\p{L}\p{N}\\$]/u.test(src.slice(Math.max(0, pos - 1), pos))))
    return false
  const start = pos + pair.open.length
  const end = findEnd(src.slice(0, Math.min(posMax, start + MAX_FORMULA_CHARS)), start, pair.close)
  if (end === undefined) return false
  const source = src.slice(start, end)
  const after = end + pair.close.length
  if (!pair.isFormula(source, src.slice(after, after + 1))) return false
  if (!silent) {
    const token = state.push('formula', 'math', 0)
    token.content = source.trim()
    token.block = pair.isBlock
  }
  state.pos = after
  return true
}

/** Index of the closing mark, which is not after a backslash, nor at once. */
function findEnd(text: string, from: number, close: string): number | undefined {
  for (let at = text.indexOf(close, from); at !== -1; at = text.indexOf(close, at + 1))
    if (text[at - 1] !== '\\' && text.slice(from, at).trim() !== '') return at
  return undefined
}

/** A formula that has its lines to itself. */
function readBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const line = (at: number) => state.src.slice((state.bMarks[at] ?? 0) + (state.tShift[at] ?? 0), state.eMarks[at])
  const first = line(startLine)
  const pair = DISPLAYED.find(({ open }) => first.startsWith(open))
  if (pair === undefined) return false
  let text = first.slice(pair.open.length).trimEnd()
  let next = startLine + 1
  for (; text === '' || !text.endsWith(pair.close); next += 1) {
    if (next >= endLine || text.length > MAX_FORMULA_CHARS || state.isEmpty(next)) return false
    text += `\n${line(next).trimEnd()}`
  }
  const source = text.slice(0, -pair.close.length).trim()
  if (source === '' || source.includes(pair.close) || !pair.isFormula(source, '')) return false
  if (silent) return true
  const token = state.push('formula', 'math', 0)
  token.content = source
  token.block = true
  state.line = next
  return true
}
