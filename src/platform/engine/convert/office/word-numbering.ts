import { formatNumber } from '../markdown/list-numbers.ts'
import { child, elements, findTree, type XmlElement } from './xml.ts'
import type { Archive } from './zip.ts'

/** List and level of a paragraph. */
export interface Numbering {
  readonly list: string
  readonly level: number
}

/** Number of a paragraph, and its label as Word shows it: `2.1`, `(c)`, `Article II`. */
export interface Counted {
  readonly number: number
  readonly label: string
}

export const valueOf = (element: XmlElement | undefined): string | undefined => element?.attributes['w:val']

export function numberingOf(properties: XmlElement | undefined): Numbering | undefined {
  const numbering = child(properties, 'numPr')
  const list = valueOf(child(numbering, 'numId'))
  return list === undefined ? undefined : { list, level: Number(valueOf(child(numbering, 'ilvl')) ?? 0) }
}

/** Numbering by style id, inherited from the parent style where the style has none. */
function readStyles(archive: Archive, path: string): (id: string | undefined) => Numbering | undefined {
  const styles = new Map(
    elements(findTree(archive, path), 'style').map((style) => [style.attributes['w:styleId'], style]),
  )
  const find = (id: string | undefined, depth: number): Numbering | undefined => {
    const style = id === undefined || depth > 10 ? undefined : styles.get(id)
    if (style === undefined) return undefined
    return numberingOf(child(style, 'pPr')) ?? find(valueOf(child(style, 'basedOn')), depth + 1)
  }
  return (id) => find(id, 0)
}

const atLevel = (parent: XmlElement | undefined, name: string, level: number) =>
  elements(parent, name).find((one) => Number(one.attributes['w:ilvl'] ?? 0) === level)

/** After z comes aa, after it bb: Word repeats the letter. */
const toLetters = (number: number) =>
  number < 1 || number > 26 * 8
    ? String(number)
    : formatNumber(((number - 1) % 26) + 1, 'a').repeat(Math.ceil(number / 26))

/** A number in a format of ECMA-376, 17.18.59; undefined for signs and what is not shown. */
function toFormat(number: number, format: string | undefined): string | undefined {
  switch (format) {
    case 'bullet':
    case 'none':
      return undefined
    case 'decimalZero':
      return String(number).padStart(2, '0')
    case 'lowerLetter':
      return toLetters(number)
    case 'upperLetter':
      return toLetters(number).toUpperCase()
    case 'lowerRoman':
      return formatNumber(number, 'i')
    case 'upperRoman':
      return formatNumber(number, 'I')
    case undefined:
    default:
      return String(number)
  }
}

/** Counts as Word does: lists of one definition continue, unless a list sets its start. */
function createCounter(numbering: XmlElement | undefined): (paragraph: Numbering) => Counted | undefined {
  const definitions = new Map(elements(numbering, 'abstractNum').map((one) => [one.attributes['w:abstractNumId'], one]))
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
    const override = atLevel(used, 'lvlOverride', level)
    const restart = begun.has(key) ? undefined : valueOf(child(override, 'startOverride'))
    begun.add(key)
    const levelOf = (at: number) => child(atLevel(used, 'lvlOverride', at), 'lvl') ?? atLevel(definition, 'lvl', at)
    const firstOf = (at: number) => Number(valueOf(child(levelOf(at), 'start')) ?? 1)
    const next = restart === undefined ? (count[level] ?? firstOf(level) - 1) + 1 : Number(restart)
    count[level] = next
    count.length = level + 1
    if (!Number.isInteger(next) || next < 0) return undefined
    const own = levelOf(level)
    const isLegal = child(own, 'isLgl') !== undefined
    if (toFormat(next, valueOf(child(own, 'numFmt'))) === undefined) return { number: next, label: '' }
    const label = (valueOf(child(own, 'lvlText')) ?? '').replace(/%(\d)/g, (_, sign: string) => {
      const at = Number(sign) - 1
      const format = valueOf(child(levelOf(at), 'numFmt'))
      return toFormat(count[at] ?? firstOf(at), isLegal ? 'decimal' : format) ?? ''
    })
    return { number: next, label: label.trim() }
  }
}

/** Counts the paragraphs of a document, which come in their order. */
export function createNumbers(
  archive: Archive,
  paths: { readonly styles: string; readonly numbering: string },
): (properties: XmlElement | undefined) => Counted | undefined {
  const styles = readStyles(archive, paths.styles)
  const count = createCounter(findTree(archive, paths.numbering))
  return (properties) => {
    const numbering = numberingOf(properties) ?? styles(valueOf(child(properties, 'pStyle')))
    return numbering === undefined || numbering.list === '0' ? undefined : count(numbering)
  }
}
