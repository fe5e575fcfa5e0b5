/** What begins with `[` or `![`. */
export type Bracketed =
  | { readonly kind: 'link'; readonly text: string; readonly target: string; readonly length: number }
  /** `[label]:` at the beginning of a line gives `label` an address. */
  | { readonly kind: 'definition'; readonly label: string; readonly length: number }
  | { readonly kind: 'none' }

const LONGEST_TEXT = 400
const LONGEST_TARGET = 2500

/** Where the bracket at `from` is closed; -1: nowhere; undefined: not yet. */
function closing(text: string, from: number, longest: number): number | undefined {
  const open = text[from]
  const close = open === '[' ? ']' : ')'
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]
    if (at - from > longest || (character === '\n' && /^\n[ \t]*\n/.test(text.slice(at, at + 80)))) return -1
    if (character === '\\') at += 1
    else if (character === open) depth += 1
    else if (character === close) {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return undefined
}

/** @param complete nothing follows the text. Undefined: more of it is needed to tell. */
export function parseBracketed(text: string, complete: boolean): Bracketed | undefined {
  const none = { kind: 'none' } as const
  const from = text.startsWith('!') ? 1 : 0
  const end = closing(text, from, LONGEST_TEXT)
  if (end === undefined) return complete ? none : undefined
  if (end === -1) return none
  const label = text.slice(from + 1, end)
  const next = text[end + 1]
  if (next === undefined) return complete ? none : undefined
  if (next === ':') return { kind: 'definition', label, length: end + 2 }
  if (next !== '(') return none
  const last = closing(text, end + 1, LONGEST_TARGET)
  if (last === undefined) return complete ? none : undefined
  if (last === -1) return none
  const inside = text.slice(end + 2, last).trim()
  const target = /^<([^<>\n]*)>/.exec(inside)?.[1] ?? /^\S*/.exec(inside)?.[0] ?? ''
  return { kind: 'link', text: label, target, length: last + 1 }
}
