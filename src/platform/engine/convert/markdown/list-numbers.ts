import type { Attributes } from './blocks.ts'

/** How the items of a list are numbered; the names are those of HTML's `type`. */
export type NumberStyle = '1' | 'a' | 'A' | 'i' | 'I'

const ROMAN = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const

/** Beyond it Roman numbers need signs that no document uses. */
const MAX_ROMAN = 3999

function toRoman(number: number): string {
  let rest = number
  return ROMAN.map(([value, sign]) => {
    const times = Math.floor(rest / value)
    rest -= times * value
    return sign.repeat(times)
  }).join('')
}

/** a to z, then aa, ab and on, as browsers count. */
function toLetters(number: number): string {
  let letters = ''
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(97 + ((rest - 1) % 26)) + letters
  }
  return letters
}

/** A number from 1 on as a document shows it; digits where the style has no sign for it. */
export function formatNumber(number: number, style: NumberStyle): string {
  const isLetter = style === 'a' || style === 'A'
  const isRoman = style === 'i' || style === 'I'
  if (number < 1 || (isRoman && number > MAX_ROMAN) || (!isLetter && !isRoman)) return String(number)
  const text = isLetter ? toLetters(number) : toRoman(number)
  return style === 'A' || style === 'I' ? text.toUpperCase() : text
}

export interface List {
  readonly ordered: boolean
  readonly style: NumberStyle
  /** Number of the previous item. */
  count: number
  isEmpty: boolean
}

const STYLES: ReadonlySet<string> = new Set<NumberStyle>(['1', 'a', 'A', 'i', 'I'])
const isStyle = (type: string): type is NumberStyle => STYLES.has(type)

/** The number of a list item; markdown knows at most nine digits. */
const toNumber = (value: string | undefined): number | undefined =>
  value !== undefined && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : undefined

/** The styles of CSS that have letters or Roman numbers. */
const CSS_STYLES: Readonly<Record<string, NumberStyle>> = {
  'lower-alpha': 'a',
  'lower-latin': 'a',
  'upper-alpha': 'A',
  'upper-latin': 'A',
  'lower-roman': 'i',
  'upper-roman': 'I',
}
const CSS_STYLE =
  /list-style(?:-type)?\s{0,9}:\s{0,9}(?:(?:inside|outside)\s)?\s{0,9}((?:lower|upper)-(?:alpha|latin|roman))/i

/** A list with the attributes of HTML: `start`, `type`, the style of CSS. */
export function toList(ordered: boolean, { style = '', type = '1', start }: Attributes): List {
  const shown = CSS_STYLES[CSS_STYLE.exec(style)?.[1]?.toLowerCase() ?? ''] ?? type
  return { ordered, style: isStyle(shown) ? shown : '1', count: (toNumber(start) ?? 1) - 1, isEmpty: true }
}

/** A label that markdown has no number for: `1.2.3`, `(a)`, `IV.`, `Article II`. */
const LABEL = /^(?!\d{1,9}[.)]?$)\S(?:[^\n]{0,38}\S)?$/

/** Counts an item, and gives the label that has to be part of its text; undefined: markdown's own number or sign does. */
export function countItem(list: List, { value, label = '' }: Attributes): string | undefined {
  list.count = toNumber(value) ?? list.count + 1
  if (!list.ordered) return undefined
  if (LABEL.test(label)) return label
  return list.style === '1' ? undefined : `${formatNumber(list.count, list.style)}.`
}
