import { child, elements, parseXml, textOf, type XmlElement } from './xml.ts'
import type { Archive } from './zip.ts'

interface Numbering {
  readonly list: string
  readonly level: number
}

/** What is no paragraph of its own for the reader: the same text for older programs, and text boxes, which it moves. */
const ELSEWHERE = new Set(['Fallback', 'txbxContent'])

function paragraphsOf(parent: XmlElement): XmlElement[] {
  return elements(parent).flatMap((part) => {
    if (ELSEWHERE.has(part.name)) return []
    return part.name === 'p' ? [part, ...paragraphsOf(part)] : paragraphsOf(part)
  })
}

/** What a paragraph says; boxes in it are paragraphs of their own. */
const wordsOf = (parent: XmlElement): string =>
  elements(parent)
    .map((part) => (part.name === 't' ? textOf(part) : ELSEWHERE.has(part.name) ? '' : wordsOf(part)))
    .join('')

const atLevel = (parent: XmlElement, name: string, level: number) =>
  elements(parent, name).find((one) => Number(one.attributes['w:ilvl'] ?? 0) === level)

const valueOf = (element: XmlElement | undefined) => element?.attributes['w:val']

function numberingOf(properties: XmlElement | undefined): Numbering | undefined {
  const numbering = child(properties, 'numPr')
  const list = valueOf(child(numbering, 'numId'))
  return list === undefined ? undefined : { list, level: Number(valueOf(child(numbering, 'ilvl')) ?? 0) }
}

/** Numbering by the id of a style, also where it stands in one that the style is based on. */
function readStyles(archive: Archive): (id: string | undefined) => Numbering | undefined {
  const content = archive.read('word/styles.xml')
  const styles = new Map(
    elements(content === undefined ? undefined : parseXml(content), 'style').map((style) => [
      style.attributes['w:styleId'],
      style,
    ]),
  )
  const find = (id: string | undefined, depth: number): Numbering | undefined => {
    const style = id === undefined || depth > 10 ? undefined : styles.get(id)
    if (style === undefined) return undefined
    return numberingOf(child(style, 'pPr')) ?? find(valueOf(child(style, 'basedOn')), depth + 1)
  }
  return (id) => find(id, 0)
}

/** Counts as Word does: lists of one definition count on, unless one says where it starts. */
function createCounter(numbering: XmlElement): (paragraph: Numbering) => number | undefined {
  const definitions = new Map(
    elements(numbering, 'abstractNum').map((one) => [one.attributes['w:abstractNumId'], one]),
  )
  const lists = new Map(elements(numbering, 'num').map((one) => [one.attributes['w:numId'], one]))
  const counts = new Map<XmlElement, number[]>()
  const begun = new Set<string>()
  return ({ list, level }) => {
    const used = lists.get(list)
    const definition = definitions.get(valueOf(child(used, 'abstractNumId')))
    if (used === undefined || definition === undefined) return undefined
    const count = counts.get(definition) ?? []
    counts.set(definition, count)
    const key = `${list} ${level}`
    const restart = begun.has(key)
      ? undefined
      : valueOf(child(atLevel(used, 'lvlOverride', level), 'startOverride'))
    begun.add(key)
    const first = Number(valueOf(child(atLevel(definition, 'lvl', level), 'start')) ?? 1)
    const next = restart === undefined ? (count[level] ?? first - 1) + 1 : Number(restart)
    count[level] = next
    count.length = level + 1
    return Number.isInteger(next) && next >= 0 ? next : undefined
  }
}

/** The numbers that Word shows before paragraphs, by what the paragraphs say; of equal ones in their order. */
export function readNumbers(archive: Archive): Map<string, (number | undefined)[]> {
  const numbers = new Map<string, (number | undefined)[]>()
  const content = archive.read('word/document.xml')
  const lists = archive.read('word/numbering.xml')
  if (content === undefined || lists === undefined) return numbers
  const styles = readStyles(archive)
  const count = createCounter(parseXml(lists))
  for (const paragraph of paragraphsOf(parseXml(content))) {
    const properties = child(paragraph, 'pPr')
    const numbering = numberingOf(properties) ?? styles(valueOf(child(properties, 'pStyle')))
    if (numbering === undefined || numbering.list === '0') continue
    const words = wordsOf(paragraph)
    const known = numbers.get(words) ?? []
    numbers.set(words, known)
    known.push(count(numbering))
  }
  return numbers
}
