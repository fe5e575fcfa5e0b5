import { chartToMarkdown } from './charts.ts'
import { diagramToMarkdown } from './diagrams.ts'
import { linesOf } from './word-drawing.ts'
import { child, elements, findTree, type Relations, textOf, type XmlElement } from './xml.ts'
import type { Archive } from './zip.ts'

const partsOf = (element: XmlElement, ...names: readonly string[]) =>
  names.map((name) => toFormula(child(element, name)))

const inBrackets = (text: string) => (Array.from(text).length > 1 ? `(${text})` : text)
const valueOf = (element: XmlElement | undefined, fallback: string) => element?.attributes['m:val'] ?? fallback

/** A formula in one line, as people type it: (a + b)/2, x^2, √(x), ∑_(i=1)^n. */
export function toFormula(element: XmlElement | undefined): string {
  if (element === undefined) return ''
  const { name } = element
  if (name === 't') return textOf(element)
  const [base = '', over = '', under = ''] = partsOf(element, 'e', 'sup', 'sub')
  const bounds = `${under === '' ? '' : `_${inBrackets(under)}`}${over === '' ? '' : `^${inBrackets(over)}`}`
  if (name === 'f') return partsOf(element, 'num', 'den').map(inBrackets).join('/')
  if (name === 'rad') return `√${inBrackets(base)}`
  if (name === 'sSup' || name === 'sSub' || name === 'sSubSup') return `${base}${bounds}`
  if (name === 'func') return ` ${partsOf(element, 'fName', 'e').join(' ')}`
  if (name === 'limLow' || name === 'limUpp') {
    return `${base}${name === 'limLow' ? '_' : '^'}${inBrackets(toFormula(child(element, 'lim')))}`
  }
  if (name === 'nary') return `${valueOf(child(element, 'naryPr', 'chr'), '∫')}${bounds} ${base}`
  if (name === 'd') {
    const properties = child(element, 'dPr')
    const inner = elements(element, 'e')
      .map(toFormula)
      .join(valueOf(child(properties, 'sepChr'), ', '))
    return `${valueOf(child(properties, 'begChr'), '(')}${inner}${valueOf(child(properties, 'endChr'), ')')}`
  }
  const parts = elements(element).map(toFormula)
  return name === 'm' || name === 'eqArr' ? parts.filter((part) => part !== '').join('; ') : parts.join('')
}

const isOn = (element: XmlElement | undefined) =>
  element !== undefined && !['0', 'false', 'off'].includes(element.attributes['w:val'] ?? '')

/** Half points: letters of two points are not for readers. */
const MIN_SIZE = 4

/** Whether readers of the document do not see a run; white letters are seen in cells and on a ground. */
export function isHidden(run: XmlElement, isOnGround: boolean): boolean {
  const look = child(run, 'rPr')
  if (look === undefined) return false
  if (isOn(child(look, 'vanish'))) return true
  if (Number(child(look, 'sz')?.attributes['w:val'] ?? Infinity) <= MIN_SIZE) return true
  const isWhite = /^f{6}$/i.test(child(look, 'color')?.attributes['w:val'] ?? '')
  return isWhite && !isOnGround && child(look, 'shd') === undefined && child(look, 'highlight') === undefined
}

/** Texts outside that of the document: charts, diagrams, comments, heads and feet, each once. */
export function readOtherParts(archive: Archive, relations: Relations, quotes: ReadonlyMap<string, string>): string {
  const roots = (usual: RegExp, ...types: readonly string[]) => {
    const named = new Set(types.flatMap(relations.allOfType))
    return archive.names.flatMap((name) => (usual.test(name) || named.has(name) ? (findTree(archive, name) ?? []) : []))
  }
  const charts = roots(/^word\/charts\/chart(?:Ex)?\d*\.xml$/, 'chart', 'chartEx').map(chartToMarkdown)
  const diagrams = roots(/^word\/diagrams\/data\d*\.xml$/, 'diagramData').map(diagramToMarkdown)
  const comments = roots(/^word\/comments\.xml$/, 'comments').flatMap((root) =>
    elements(root, 'comment').map((comment) => {
      const author = comment.attributes['w:author'] ?? ''
      const quote = (quotes.get(comment.attributes['w:id'] ?? '') ?? '').replace(/\s+/g, ' ').trim()
      const about = quote === '' ? '' : `${author === '' ? '' : ' '}on “${quote}”`
      return `- ${author === '' && about === '' ? '' : `${author}${about}: `}${linesOf(comment).join(' ')}`
    }),
  )
  // A number alone is that of a page.
  const edges = [...new Set(roots(/^word\/(?:header|footer)\d*\.xml$/, 'header', 'footer').flatMap(linesOf))].filter(
    (line) => /\p{L}/u.test(line),
  )
  return [
    ...charts,
    ...diagrams,
    comments.length === 0 ? '' : `## Comments\n\n${comments.join('\n')}`,
    edges.length === 0 ? '' : `## Head and foot\n\n${edges.join('\n\n')}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
