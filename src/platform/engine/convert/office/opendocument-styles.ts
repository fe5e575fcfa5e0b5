import { type ListLevel, readLevels } from './opendocument-numbers.ts'
import { child, descendants, elements, type XmlElement } from './xml.ts'

/** The part of a style that markdown can show. */
export interface OpenStyle {
  readonly bold: boolean
  readonly italic: boolean
  readonly struck: boolean
  /** Superscript or subscript. */
  readonly position: 'sup' | 'sub' | undefined
  readonly role: 'title' | 'code' | 'quote' | undefined
  /** Readers do not see it; `white` is seen on a ground only. */
  readonly isHidden: boolean
  readonly isWhite: boolean
  /** Name of the list that numbers it; empty: none does. */
  readonly list: string | undefined
}

export interface OpenStyles {
  of(name: string | undefined): OpenStyle
  /** True for the style of a sheet or slide that is not shown. */
  isHiddenPart(name: string | undefined): boolean
  /** Name of the page on which a part of this style is printed. */
  pageOf(name: string | undefined): string | undefined
  /** The numbered levels of a list by their places, from 1. */
  levelsOf(listStyle: string | undefined): ReadonlyMap<number, ListLevel>
  /** Numbered levels of headings. */
  readonly outline: ReadonlyMap<number, ListLevel>
}

const NONE: OpenStyle = {
  bold: false,
  italic: false,
  struck: false,
  position: undefined,
  role: undefined,
  isHidden: false,
  isWhite: false,
  list: undefined,
}

/** Letters of two points are not for readers. */
const MIN_POINTS = 2

function roleOf(name: string): OpenStyle['role'] {
  // Names keep their spaces as _20_.
  if (/^(?:Preformatted|Source_20_Code|Source_20_Text|Verbatim|Code)/i.test(name)) return 'code'
  if (/^(?:Quotations?|Quote|Block_20_Text)/i.test(name)) return 'quote'
  return name === 'Title' ? 'title' : undefined
}

/** Styles by name, each with the properties inherited from its parents. */
export function readStyles(roots: readonly XmlElement[]): OpenStyles {
  const styles = new Map<string, XmlElement>()
  const lists = new Map<string, ReadonlyMap<number, ListLevel>>()
  const outlines = roots.flatMap((root) => descendants(root, 'outline-style'))
  for (const root of roots) {
    for (const group of elements(root)) {
      for (const style of elements(group, 'style')) styles.set(style.attributes['style:name'] ?? '', style)
    }
    for (const list of descendants(root, 'list-style')) {
      lists.set(list.attributes['style:name'] ?? '', readLevels(elements(list, 'list-level-style-number')))
    }
  }
  const known = new Map<string, OpenStyle>()
  const resolve = (name: string, depth: number): OpenStyle => {
    const before = known.get(name)
    if (before !== undefined) return before
    const style = styles.get(name)
    const parent = style?.attributes['style:parent-style-name']
    const above = parent === undefined || depth > 20 ? NONE : resolve(parent, depth + 1)
    const text = child(style, 'text-properties')?.attributes ?? {}
    const weight = text['fo:font-weight']
    const slant = text['fo:font-style']
    const line = text['style:text-line-through-style']
    const position = text['style:text-position']
    const display = text['text:display']
    const color = text['fo:color']
    const ground =
      text['fo:background-color'] ?? child(style, 'paragraph-properties')?.attributes['fo:background-color']
    const size = /^([\d.]+)pt$/.exec(text['fo:font-size'] ?? '')?.[1]
    const found: OpenStyle = {
      bold: weight === undefined ? above.bold : weight === 'bold' || Number(weight) >= 600,
      italic: slant === undefined ? above.italic : slant === 'italic' || slant === 'oblique',
      struck: line === undefined ? above.struck : line !== 'none',
      position: position === undefined ? above.position : toPosition(position),
      role: roleOf(name) ?? above.role,
      isHidden:
        display === undefined && size === undefined ? above.isHidden : display === 'none' || Number(size) <= MIN_POINTS,
      isWhite:
        (color === undefined ? above.isWhite : /^#f{6}$/i.test(color)) && (ground ?? 'transparent') === 'transparent',
      list: style?.attributes['style:list-style-name'] ?? above.list,
    }
    known.set(name, found)
    return found
  }
  return {
    of: (name) => (name === undefined ? NONE : resolve(name, 0)),
    isHiddenPart(name) {
      const style = styles.get(name ?? '')
      return (
        child(style, 'table-properties')?.attributes['table:display'] === 'false' ||
        child(style, 'drawing-page-properties')?.attributes['presentation:visibility'] === 'hidden'
      )
    },
    pageOf: (name) => styles.get(name ?? '')?.attributes['style:master-page-name'],
    levelsOf: (listStyle) => lists.get(listStyle ?? '') ?? new Map(),
    outline: readLevels(elements(outlines[0], 'outline-level-style')),
  }
}

function toPosition(position: string): 'sup' | 'sub' | undefined {
  if (/^(?:super|[1-9])/.test(position)) return 'sup'
  return /^(?:sub|-)/.test(position) ? 'sub' : undefined
}
