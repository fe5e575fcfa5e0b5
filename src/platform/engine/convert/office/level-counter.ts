import { toFormat } from './word-number-formats.ts'

/** How a level of a list is numbered in RTF and DOC: `\x00` to `\x08` in its text are the numbers of the levels. */
export interface Level {
  /** A number of Word for the format ([MS-OSHARED] section 2.2.1.3). */
  readonly format: number
  readonly start: number
  readonly text: string
  /** All numbers of its text are decimal. */
  readonly isLegal?: boolean
}

/** Formats in the words of newer documents; 23 is a bullet. */
const FORMATS: Readonly<Record<number, string>> = {
  0: 'decimal',
  1: 'upperRoman',
  2: 'lowerRoman',
  3: 'upperLetter',
  4: 'lowerLetter',
  5: 'ordinal',
  6: 'cardinalText',
  7: 'ordinalText',
  22: 'decimalZero',
}
const [BULLET, NOTHING] = [23, 255]

// oxlint-disable-next-line no-control-regex -- they are the signs of the levels
const NUMBER_OF_LEVEL = /[\0-\x08]/g

/** A paragraph of a list: the lists of one `key` are counted together. */
interface Counting {
  readonly key: number
  readonly levels: readonly Level[]
  readonly level: number
  /** The list begins anew with this number. */
  readonly restart?: number | undefined
}

/** Counts paragraphs, and gives the number or bullet of each as it is shown; empty where it shows nothing. */
export function createLevelCounter(): (counting: Counting) => string {
  const counts = new Map<number, number[]>()
  return ({ key, levels, level, restart }) => {
    const own = levels[level]
    if (own === undefined || own.format === NOTHING) return ''
    if (own.format === BULLET) return '•'
    const reached = counts.get(key) ?? []
    counts.set(key, reached)
    reached[level] = restart ?? (reached[level] ?? own.start - 1) + 1
    reached.length = level + 1
    const shown = own.text.replace(NUMBER_OF_LEVEL, (sign) => {
      const at = sign.charCodeAt(0)
      const { start = 1, format = 0 } = levels[at] ?? {}
      return toFormat(reached[at] ?? start, own.isLegal === true ? 'decimal' : (FORMATS[format] ?? 'decimal')) ?? ''
    })
    return shown.trim()
  }
}
