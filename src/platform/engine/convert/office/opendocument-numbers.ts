import { formatNumber, type NumberStyle } from '../markdown/list-numbers.ts'
import { elements, type XmlElement } from './xml.ts'

/** How a level of a list, or of headings, shows its numbers (OpenDocument 1.3, section 16.30 to 16.34). */
export interface ListLevel {
  /** `1`, `a`, `A`, `i`, `I`, or signs of other scripts. */
  readonly format: string
  readonly prefix: string
  readonly suffix: string
  /** Levels whose numbers are shown, this one the last. */
  readonly shown: number
  /** Number of the first item. */
  readonly start: number
}

/** Levels by their places, from 1. A number without a format is not shown. */
export const readLevels = (levels: readonly XmlElement[]): ReadonlyMap<number, ListLevel> =>
  new Map(
    levels.flatMap(({ attributes }) => {
      const format = attributes['style:num-format'] ?? ''
      const level: ListLevel = {
        format,
        prefix: attributes['style:num-prefix'] ?? '',
        suffix: attributes['style:num-suffix'] ?? '',
        shown: toNumber(attributes['text:display-levels']) ?? 1,
        start: toNumber(attributes['text:start-value']) ?? 1,
      }
      return format === '' ? [] : [[toNumber(attributes['text:level']) ?? 1, level] as const]
    }),
  )

/** The label of an item by its number and those of the items around it, the outermost first: `(a)`, `2.1`. */
export function labelOf(levels: ReadonlyMap<number, ListLevel>, numbers: readonly number[]): string {
  const own = levels.get(numbers.length)
  if (own === undefined) return ''
  const first = numbers.length - Math.max(own.shown, 1)
  const shown = numbers.flatMap((number, at) => {
    const level = levels.get(at + 1)
    return at < first || level === undefined ? [] : [formatNumber(number, level.format as NumberStyle)]
  })
  return `${own.prefix}${shown.join('.')}${own.suffix}`.trim()
}

export const toNumber = (value: string | undefined): number | undefined =>
  value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined

/** LibreOffice writes a nested list as an item without text: it belongs to the previous item. */
export const isOnlyList = (item: XmlElement): boolean => {
  const parts = elements(item)
  return parts.length > 0 && parts.every(({ name }) => name === 'list')
}

export const itemsOf = (list: XmlElement): XmlElement[] =>
  elements(list).filter(({ name }) => name === 'list-item' || name === 'list-header')

/**
 * The items of lists of one style, and the number of the first: numbering continues across the blocks between lists.
 * `counts`: the number of the last item of each list, by id and by style.
 */
export function countList(
  lists: readonly XmlElement[],
  counts: Map<string, number>,
  levels: ReadonlyMap<number, ListLevel>,
): { readonly items: readonly XmlElement[]; readonly start: number } {
  const { attributes = {} } = lists[0] ?? {}
  const { 'text:style-name': style, 'text:continue-list': before } = attributes
  const goesOn = attributes['text:continue-numbering'] === 'true'
  const last = counts.get(before === undefined ? `style ${style}` : `id ${before}`)
  const first = levels.get(1)?.start ?? 1
  const start = before === undefined && !goesOn ? first : (last ?? first - 1) + 1
  const items = lists.flatMap(itemsOf)
  let count = start - 1
  for (const [index, item] of items.entries()) {
    if (index === 0 || !isOnlyList(item)) count = toNumber(item.attributes['text:start-value']) ?? count + 1
  }
  counts.set(`style ${style}`, count)
  for (const list of lists) counts.set(`id ${list.attributes['xml:id']}`, count)
  return { items, start }
}

/** Counts headings by their levels, from 1. */
export function createOutlineCounter(levels: ReadonlyMap<number, ListLevel>) {
  const counts: number[] = []
  return (level: number, start: string | undefined): string => {
    while (counts.length < level) counts.push((levels.get(counts.length + 1)?.start ?? 1) - 1)
    counts.length = level
    const next = (counts[level - 1] ?? 0) + 1
    counts[level - 1] = toNumber(start) ?? next
    return labelOf(levels, counts)
  }
}
