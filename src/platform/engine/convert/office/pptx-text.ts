import { createLevels } from '../markdown/levels.ts'
import type { MarkdownWriter } from '../markdown/writer.ts'
import { child, descendants, elements, textOf, type XmlElement } from './xml.ts'

/** Target of a relation by its id. */
export type Resolve = (id: string | undefined) => string | undefined

/** What a shape is a placeholder for; `obj` where it doesn't say, undefined where it is none. */
export function placeholderOf(shape: XmlElement): string | undefined {
  const placeholder = child(shape, 'nvSpPr', 'nvPr', 'ph')
  return placeholder === undefined ? undefined : (placeholder.attributes['type'] ?? 'obj')
}

export const isTitle = (placeholder: string | undefined): boolean =>
  placeholder === 'title' || placeholder === 'ctrTitle'

export function writeTitle(writer: MarkdownWriter, number: number, tree: XmlElement | undefined): void {
  const shape = descendants(tree, 'sp').find((one) => isTitle(placeholderOf(one)))
  const title = elements(child(shape, 'txBody'), 'p')
    .map((paragraph) => textOf(paragraph).trim())
    .filter((text) => text !== '')
    .join(' ')
  writer.open('h2')
  writer.text(title === '' ? `Slide ${number}` : `Slide ${number}: ${title}`)
  writer.close('h2')
}

const isOn = (value: string | undefined) => value === '1' || value === 'true'

const isMonospaced = (run: XmlElement) =>
  /courier|consol|mono\b|menlo/i.test(child(run, 'rPr', 'latin')?.attributes['typeface'] ?? '')

function writeRun(writer: MarkdownWriter, run: XmlElement, resolve: Resolve): void {
  const { b, i } = child(run, 'rPr')?.attributes ?? {}
  const href = resolve(child(run, 'rPr', 'hlinkClick')?.attributes['r:id'])
  const marks = [
    ...(isOn(b) ? ['strong'] : []),
    ...(isOn(i) ? ['em'] : []),
    ...(isMonospaced(run) ? ['code'] : []),
  ]
  if (href !== undefined) writer.open('a', { href })
  for (const mark of marks) writer.open(mark)
  writer.text(textOf(child(run, 't')))
  for (const mark of marks.toReversed()) writer.close(mark)
  if (href !== undefined) writer.close('a')
}

function writeCode(writer: MarkdownWriter, paragraph: XmlElement): void {
  writer.open('pre')
  for (const part of elements(paragraph)) {
    if (part.name === 'br') writer.text('\n')
    else if (part.name === 'r') writer.text(textOf(child(part, 't')))
  }
  writer.close('pre')
}

/** Paragraphs of a shape; in a bulleted one each is an item where it doesn't say that it has no bullet. */
export function writeParagraphs(
  writer: MarkdownWriter,
  body: XmlElement | undefined,
  style: 'bulleted' | 'plain',
  resolve: Resolve,
): void {
  const levels = createLevels(writer)
  for (const paragraph of elements(body, 'p')) {
    const properties = child(paragraph, 'pPr')
    const isOrdered = child(properties, 'buAutoNum') !== undefined
    const hasBullet = child(properties, 'buChar') !== undefined || child(properties, 'buBlip') !== undefined
    const isItem =
      isOrdered || hasBullet || (style === 'bulleted' && child(properties, 'buNone') === undefined)
    if (textOf(paragraph).trim() === '') continue
    const runs = elements(paragraph, 'r')
    if (runs.length > 0 && runs.every(isMonospaced)) {
      levels.end()
      writeCode(writer, paragraph)
      continue
    }
    if (isItem) levels.item(Number(properties?.attributes['lvl'] ?? 0), isOrdered)
    else {
      levels.end()
      writer.open('p')
    }
    for (const part of elements(paragraph)) {
      if (part.name === 'br') writer.open('br')
      else if (part.name === 'r' || part.name === 'fld') writeRun(writer, part, resolve)
    }
    if (!isItem) writer.close('p')
  }
  levels.end()
}
