import { formatNumber } from '../markdown/list-numbers.ts'
import type { XmlElement } from './xml.ts'

/** Formats of ECMA-376, 20.1.10.61: digits, letters or Roman numbers, and the signs around them. */
const FORMAT = /^(alpha|roman|arabic)(Lc|Uc)?(ParenBoth|ParenR|Period|Plain)$/
const STYLES = { alphaLc: 'a', alphaUc: 'A', romanLc: 'i', romanUc: 'I' } as const

function toLabel(number: number, format: string): string {
  const [, kind = '', capitals = '', around = 'Period'] = FORMAT.exec(format) ?? []
  const style = Object.entries(STYLES).find(([name]) => name === kind + capitals)?.[1] ?? '1'
  const text = formatNumber(number, style)
  if (around === 'ParenBoth') return `(${text})`
  return `${text}${around === 'ParenR' ? ')' : around === 'Period' ? '.' : ''}`
}

/** Counts the paragraphs of a shape as slides do: a number goes on until another format or an outer level comes. */
export function createSlideNumbers() {
  let counts: { readonly key: string; number: number }[] = []
  return {
    /** Number and label of a paragraph; `numbers`: its format, undefined where it has none. */
    count(level: number, numbers: XmlElement['attributes'] | undefined): { number?: number; label?: string } {
      counts = counts.slice(0, level + 1)
      if (numbers === undefined) {
        counts = counts.slice(0, level)
        return {}
      }
      const { type = 'arabicPeriod', startAt = '1' } = numbers
      const key = `${type} ${startAt}`
      const before = counts[level]
      const number = before?.key === key ? before.number + 1 : Number(startAt)
      counts[level] = { key, number }
      return { number, label: toLabel(number, type) }
    },
  }
}
