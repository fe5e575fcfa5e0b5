import { createLevels } from '../markdown/list-levels.ts'
import { createMarkdownWriter } from '../markdown/writer.ts'
import { child, descendants, textOf, type XmlElement } from './xml.ts'

/** Points that hold what people wrote; the others are arrows, frames and the diagram itself (ECMA-376, 21.4.7.51). */
const WRITTEN: ReadonlySet<string> = new Set(['node', 'asst'])
const MAX_DEPTH = 20

const typeOf = ({ attributes }: XmlElement) => attributes['type'] ?? 'node'
const wordsOf = (point: XmlElement) =>
  descendants(child(point, 't'), 'p')
    .map((paragraph) => textOf(paragraph).replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('; ')

/** Ids of the points below each, in the order of the diagram. */
function readChildren(root: XmlElement): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const links = descendants(root, 'cxn')
    .filter(({ attributes }) => (attributes['type'] ?? 'parOf') === 'parOf')
    .toSorted((one, other) => Number(one.attributes['srcOrd'] ?? 0) - Number(other.attributes['srcOrd'] ?? 0))
  for (const { attributes } of links) {
    const below = found.get(attributes['srcId'] ?? '') ?? []
    found.set(attributes['srcId'] ?? '', below)
    below.push(attributes['destId'] ?? '')
  }
  return found
}

/** A diagram (SmartArt) as a nested list; empty where nothing is written in it. */
export function diagramToMarkdown(root: XmlElement): string {
  const points = descendants(root, 'pt')
  const byId = new Map(points.map((point) => [point.attributes['modelId'] ?? '', point]))
  const children = readChildren(root)
  const writer = createMarkdownWriter()
  const levels = createLevels(writer)
  const done = new Set<XmlElement>()
  const write = (point: XmlElement, level: number): void => {
    if (done.has(point) || level > MAX_DEPTH) return
    done.add(point)
    const text = WRITTEN.has(typeOf(point)) ? wordsOf(point) : ''
    if (text !== '') {
      levels.item(level, false)
      writer.text(text)
    }
    const below = children.get(point.attributes['modelId'] ?? '') ?? []
    for (const id of below) {
      const next = byId.get(id)
      if (next !== undefined) write(next, text === '' ? level : level + 1)
    }
  }
  for (const point of points) if (typeOf(point) === 'doc') write(point, 0)
  // Points that nothing leads to.
  for (const point of points) write(point, 0)
  levels.end()
  return writer.finish()
}
