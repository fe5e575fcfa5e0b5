/** The number of a cell, with all that makes it comparable to another one. */
interface CellNumber {
  readonly value: number
  /** Currency and unit: 300 m is less than 5 km. */
  readonly unit: string
  /** `thousands`: 1,250 is 1.25 where commas are decimal; `comma`: they are. */
  readonly style: 'plain' | 'thousands' | 'comma'
}

const MARK = /\s*\[\d{1,3}\]/g
/** A currency or its three letters, a sign before or after it, or parentheses around it all, and a unit: `(£16,900)`. */
const CELL = /^(\(?)\s*([-+]?)\s*(\p{Sc}|[A-Z]{3}(?=[ \d]))?\s*([-+]?)\s*(\d[\d.,]{0,20})(\)?)\s*([^\d()]{0,12})$/u
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))
const MINUS = /[\u2212\u2013]/g
const PLUS = new Set(['', '+'])

function digitsOf(digits: string): Pick<CellNumber, 'value' | 'style'> | undefined {
  if (/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(digits)) {
    const isOpen = /^\d+,\d{3}$/.test(digits)
    return { value: Number(digits.replaceAll(',', '')), style: isOpen ? 'thousands' : 'plain' }
  }
  const german = digits.replaceAll('.', '').replace(',', '.')
  if (/^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/.test(digits)) return { value: Number(german), style: 'comma' }
  if (!/^(?:0|[1-9]\d*)(?:[.,]\d{1,2}|[.,]\d{4,})?$/.test(digits)) return undefined
  return { value: Number(digits.replace(',', '.')), style: digits.includes(',') ? 'comma' : 'plain' }
}

function read(cell: string): CellNumber | undefined {
  const found = CELL.exec(cell.replaceAll(MARK, '').replaceAll(MINUS, '-').trim())
  if (found === null) return undefined
  const [, open = '', before = '', currency = '', after = '', digits = '', close = '', unit = ''] = found
  const known = digitsOf(digits)
  // MAY 2024 and ISO 9001 are names.
  if (/[A-Z]/.test(currency) && !CURRENCIES.has(currency)) return undefined
  if (known === undefined || (open === '') !== (close === '') || (before !== '' && after !== '')) return undefined
  const isNegative = open !== '' || !PLUS.has(before + after)
  return { ...known, value: isNegative ? -known.value : known.value, unit: `${currency} ${unit.trim()}` }
}

/**
 * The numbers of a column, such as `£16,900 [1]` and `(£300)`. Undefined unless each cell is one, all in the same unit:
 * 007 and F-150 are names, and 1.234 is two numbers in two countries.
 *
 * @param mayBeComma the heading is in a language that writes 1.5 as 1,5: then 1,234 may be 1.234
 */
export function numbersIn(cells: readonly string[], mayBeComma = false): readonly number[] | undefined {
  const numbers = cells.map(read)
  const known = numbers.filter((number) => number !== undefined)
  const [first] = known
  if (first === undefined || known.length < cells.length || known.some(({ unit }) => unit !== first.unit))
    return undefined
  const styles = new Set(known.map(({ style }) => style))
  return styles.has('thousands') && (mayBeComma || styles.has('comma')) ? undefined : known.map(({ value }) => value)
}
