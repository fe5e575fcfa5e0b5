import { toFormat } from './word-number-formats.ts'
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

/** Numbering by style id, inherited from the parent style where the style has none, with the style that has it. */
function readStyles(archive: Archive, path: string) {
  const styles = new Map(
    elements(findTree(archive, path), 'style').map((style) => [style.attributes['w:styleId'], style]),
  )
  const find = (id: string | undefined, depth: number): (Numbering & { readonly style: string }) | undefined => {
    const style = id === undefined || depth > 10 ? undefined : styles.get(id)
    if (id === undefined || style === undefined) return undefined
    const own = numberingOf(child(style, 'pPr'))
    return own === undefined ? find(valueOf(child(style, 'basedOn')), depth + 1) : { ...own, style: id }
  }
  return (id: string | undefined) => find(id, 0)
}

const atLevel = (parent: XmlElement | undefined, name: string, level: number) =>
  elements(parent, name).find((one) => Number(one.attributes['w:ilvl'] ?? 0) === level)

/** Counts as Word does: lists of one definition continue, unless a list sets its start. */
function createCounter(numbering: XmlElement | undefined) {
  const all = elements(numbering, 'abstractNum')
  const byStyle = new Map(all.map((one) => [valueOf(child(one, 'styleLink')), one]))
  /** A definition may be that of a style for lists. */
  const linked = (one: XmlElement) => byStyle.get(valueOf(child(one, 'numStyleLink')) ?? '') ?? one
  const definitions = new Map(all.map((one) => [one.attributes['w:abstractNumId'], linked(one)]))
  const lists = new Map(elements(numbering, 'num').map((one) => [one.attributes['w:numId'], one]))
  const counts = new Map<XmlElement, number[]>()
  const begun = new Set<string>()
  const definitionOf = (list: string) => definitions.get(valueOf(child(lists.get(list), 'abstractNumId')))
  /** The level that a list keeps for a style. */
  const levelOfStyle = (list: string, style: string): number | undefined => {
    const own = elements(definitionOf(list), 'lvl').find((one) => valueOf(child(one, 'pStyle')) === style)
    return own === undefined ? undefined : Number(own.attributes['w:ilvl'] ?? 0)
  }
  const count = ({ list, level }: Numbering): Counted | undefined => {
    const used = lists.get(list)
    const definition = definitionOf(list)
    if (used === undefined || definition === undefined) return undefined
    const reached = counts.get(definition) ?? []
    counts.set(definition, reached)
    const key = `${list} ${level}`
    const override = atLevel(used, 'lvlOverride', level)
    const restart = begun.has(key) ? undefined : valueOf(child(override, 'startOverride'))
    begun.add(key)
    const levelOf = (at: number) => child(atLevel(used, 'lvlOverride', at), 'lvl') ?? atLevel(definition, 'lvl', at)
    const firstOf = (at: number) => Number(valueOf(child(levelOf(at), 'start')) ?? 1)
    const next = restart === undefined ? (reached[level] ?? firstOf(level) - 1) + 1 : Number(restart)
    reached[level] = next
    reached.length = level + 1
    if (!Number.isInteger(next) || next < 0) return undefined
    const own = levelOf(level)
    const isLegal = child(own, 'isLgl') !== undefined
    if (toFormat(next, valueOf(child(own, 'numFmt'))) === undefined) return { number: next, label: '' }
    const label = (valueOf(child(own, 'lvlText')) ?? '').replace(/%(\d)/g, (_, sign: string) => {
      const at = Number(sign) - 1
      const format = valueOf(child(levelOf(at), 'numFmt'))
      return toFormat(reached[at] ?? firstOf(at), isLegal ? 'decimal' : format) ?? ''
    })
    return { number: next, label: label.trim() }
  }
  return { count, levelOfStyle }
}

/** Counts the paragraphs of a document, which come in their order. */
export function createNumbers(
  archive: Archive,
  paths: { readonly styles: string; readonly numbering: string },
): (properties: XmlElement | undefined) => Counted | undefined {
  const styles = readStyles(archive, paths.styles)
  const { count, levelOfStyle } = createCounter(findTree(archive, paths.numbering))
  const ofStyle = (id: string | undefined): Numbering | undefined => {
    const found = styles(id)
    return found === undefined ? undefined : { ...found, level: levelOfStyle(found.list, found.style) ?? found.level }
  }
  return (properties) => {
    const numbering = numberingOf(properties) ?? ofStyle(valueOf(child(properties, 'pStyle')))
    return numbering === undefined || numbering.list === '0' ? undefined : count(numbering)
  }
}
