import { escapeText } from '../markdown/inline.ts'
import type { Box, NativeAnnotation, NativeField, NativePage } from './native-reader.ts'

/** Fields and remarks of one page; more are a trap. */
const MAX_EXTRAS = 1000
const MAX_LETTERS = 4000
/** Points between a field and its label. */
const NEAR = 150
const NEXT_TO_BOX = 40
const ABOVE = 25
const SLACK = 3
/** Bit of a field whose value is not shown, ISO 32000-1, table 228. */
const PASSWORD = 1 << 13

type Placed = Box & { readonly text: string }

const lineOf = (text: string) => escapeText(text.replace(/\s+/g, ' ').trim().slice(0, MAX_LETTERS))
const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

const itemsOf = ({ textItems = [] }: NativePage): readonly Placed[] =>
  textItems.map(({ text, x = 0, y = 0, width = 0, height = 0 }) => ({ text, x, y, width, height }))

const middleOf = ({ y, height }: Box) => y + height / 2
const isLevelWith = (one: Box, other: Box) =>
  Math.abs(middleOf(one) - middleOf(other)) < Math.max(one.height, other.height) / 2

const isWithin = (inner: Box, outer: Box) => {
  const [x, y] = [inner.x + inner.width / 2, middleOf(inner)]
  return x > outer.x && x < outer.x + outer.width && y > outer.y && y < outer.y + outer.height
}

/** The text next to a field, or above it; for a box to tick, the text after it first. */
function labelOf({ rect, fieldType, alternateName, name = '' }: NativeField, items: readonly Placed[]): string {
  const nearest = (gapOf: (item: Placed) => number, most: number) => {
    const near = items.filter((item) => gapOf(item) > -SLACK && gapOf(item) < most)
    return near.toSorted((one, other) => gapOf(one) - gapOf(other))[0]?.text
  }
  const level = (gap: (item: Placed) => number) => (item: Placed) =>
    rect !== undefined && isLevelWith(item, rect) ? gap(item) : Infinity
  const { x = 0, y = 0, width = 0 } = rect ?? {}
  const behind = () =>
    nearest(
      level((item) => item.x - x - width),
      NEXT_TO_BOX,
    )
  const before = () =>
    nearest(
      level((item) => x - item.x - item.width),
      NEAR,
    )
  const above = () =>
    nearest(
      (item) =>
        rect !== undefined && item.x < x + width && item.x + item.width > x ? y - item.y - item.height : Infinity,
      ABOVE,
    )
  const isBox = fieldType === 'checkbox' || fieldType === 'radio'
  const found = isBox ? (behind() ?? before()) : (before() ?? above())
  // Names of fields may have many parts: the last one is the field's own.
  const label =
    found ??
    alternateName ??
    name
      .split('.')
      .at(-1)
      ?.replace(/\[\d+\]$/, '') ??
    ''
  return label.replace(/[\s:._]+$/, '')
}

/** Value of one of several buttons of one name, where it is a word: `Yes` and `Choice1` are for programs. */
function chosenValue({ fieldType, value = '', name }: NativeField, label: string, all: readonly NativeField[]): string {
  const isOneOf = fieldType === 'radio' && all.filter((other) => other.name === name).length > 1
  const isName = isOneOf && /^\p{L}[\p{L} '-]{2,}$/u.test(value) && !/^(?:yes|off)$/i.test(value)
  return isName && value !== label ? ` ${lineOf(value)}` : ''
}

/** A line for a field that holds a value; undefined where the page shows it, or it has no value. */
function fieldLine(field: NativeField, items: readonly Placed[], all: readonly NativeField[]): string | undefined {
  const { fieldType, value = '', checked, rect, fieldFlags = 0, selectedOptions = [] } = field
  if (fieldType === 'checkbox' || fieldType === 'radio') {
    const label = labelOf(field, items)
    return checked === true ? `- ${lineOf(label)}: ☒${chosenValue(field, label, all)}` : undefined
  }
  // A choice has a value for programs, and an entry for people.
  const text = selectedOptions.length > 0 ? selectedOptions.join(', ') : value
  if (fieldType === 'pushbutton' || fieldType === 'signature' || text.trim() === '' || (fieldFlags & PASSWORD) !== 0)
    return undefined
  if (rect !== undefined && items.some((item) => isWithin(item, rect))) return undefined
  return `- ${lineOf(labelOf(field, items))}: ${lineOf(text)}`
}

const WITHOUT_WORDS: ReadonlySet<string> = new Set(['widget', 'link', 'popup'])

/** Words that a mark lies on. */
function markedBy({ quadpointRects = [] }: NativeAnnotation, { textItems = [] }: NativePage): string {
  const words = textItems.flatMap(({ words: own = [] }) => own)
  return words
    .filter((word) => quadpointRects.some((rect) => isWithin(word, rect)))
    .map(({ text }) => text)
    .join(' ')
}

/** A line for a remark; undefined where the page shows it. */
function remarkLine(annotation: NativeAnnotation, page: NativePage, shown: string): string | undefined {
  const { subtype = '', contents = '', title = '' } = annotation
  if (WITHOUT_WORDS.has(subtype) || contents.trim() === '') return undefined
  if (subtype === 'freetext' && shown.includes(lettersOf(contents))) return undefined
  const marked = lineOf(markedBy(annotation, page))
  const about = marked === '' ? '' : ` (on “${marked}”)`
  return title === '' ? `- ${lineOf(contents)}${about}` : `- ${lineOf(title)}: ${lineOf(contents)}${about}`
}

const toBlock = (title: string, lines: readonly (string | undefined)[]) => {
  const filled = lines.filter((line) => line !== undefined)
  return filled.length === 0 ? [] : [`### ${title}\n\n${filled.join('\n')}`]
}

/** Values of form fields that the page does not draw, and remarks that people put on it; empty where it has none. */
export function extrasOf(page: NativePage): string {
  const { annotations = [], formFields = [] } = page
  const fields = formFields.slice(0, MAX_EXTRAS)
  if (annotations.length === 0 && formFields.length === 0) return ''
  const items = itemsOf(page)
  const shown = lettersOf(page.text)
  return [
    ...toBlock(
      'Form fields',
      fields.map((field) => fieldLine(field, items, fields)),
    ),
    ...toBlock(
      'Comments',
      annotations.slice(0, MAX_EXTRAS).map((one) => remarkLine(one, page, shown)),
    ),
  ].join('\n\n')
}
