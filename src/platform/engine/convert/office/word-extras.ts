import { toMarkdownTable } from '../markdown/table.ts'
import { chartToMarkdown } from './charts.ts'
import { child, descendants, elements, parseXml, textOf, type XmlElement } from './xml.ts'
import type { Archive } from './zip.ts'

const partsOf = (element: XmlElement, ...names: readonly string[]) =>
  names.map((name) => toFormula(child(element, name)))

const inBrackets = (text: string) => (Array.from(text).length > 1 ? `(${text})` : text)
const valueOf = (element: XmlElement | undefined, fallback: string) => element?.attributes['m:val'] ?? fallback

/** A formula in one line, as people type it: (a + b)/2, x^2, √(x), ∑_(i=1)^n. */
function toFormula(element: XmlElement | undefined): string {
  if (element === undefined) return ''
  const { name } = element
  if (name === 't') return textOf(element)
  const [base = '', over = '', under = ''] = partsOf(element, 'e', 'sup', 'sub')
  const bounds = `${under === '' ? '' : `_${inBrackets(under)}`}${over === '' ? '' : `^${inBrackets(over)}`}`
  if (name === 'f') return partsOf(element, 'num', 'den').map(inBrackets).join('/')
  if (name === 'rad') return `√${inBrackets(base)}`
  if (name === 'sSup' || name === 'sSub' || name === 'sSubSup') return `${base}${bounds}`
  if (name === 'nary') return `${valueOf(child(element, 'naryPr', 'chr'), '∫')}${bounds} ${base}`
  if (name === 'd') {
    const properties = child(element, 'dPr')
    const inner = elements(element, 'e')
      .map(toFormula)
      .join(valueOf(child(properties, 'sepChr'), ', '))
    return `${valueOf(child(properties, 'begChr'), '(')}${inner}${valueOf(child(properties, 'endChr'), ')')}`
  }
  return elements(element)
    .map(toFormula)
    .join(name === 'm' || name === 'eqArr' ? '; ' : '')
}

/** Text that the library leaves out, with the number of letters of its paragraph before it. */
export interface Insert {
  readonly at: number
  readonly text: string
}

const LEFT_OUT = new Set(['oMath', 'ruby'])

/** Inserts of a paragraph, in order: formulas, and the base text of ruby. */
export function insertsOf(paragraph: XmlElement, wordsOf: (parent: XmlElement) => string): readonly Insert[] {
  const inserts: Insert[] = []
  let at = 0
  for (const part of elements(paragraph)) {
    const left = LEFT_OUT.has(part.name) ? [part] : [...descendants(part, 'oMath'), ...descendants(part, 'ruby')]
    for (const one of left) {
      const text = one.name === 'ruby' ? textOf(child(one, 'rubyBase')) : toFormula(one)
      if (text !== '') inserts.push({ at: at + (one === part ? 0 : wordsOf(part).length), text })
    }
    at += LEFT_OUT.has(part.name) ? 0 : wordsOf(part).length
  }
  return inserts
}

/** Paragraphs of a part, one line each. */
const linesOf = (root: XmlElement) =>
  descendants(root, 'p')
    .map((paragraph) => descendants(paragraph, 't').map(textOf).join('').replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')

/** Texts beside that of the document: charts, diagrams, comments, heads and feet, each once. */
export function readBeside(archive: Archive): string {
  const read = (pattern: RegExp) => archive.names.filter((name) => pattern.test(name)).map((name) => archive.read(name))
  const roots = (pattern: RegExp) => read(pattern).flatMap((bytes) => (bytes === undefined ? [] : [parseXml(bytes)]))
  const charts = roots(/^word\/charts\/chart\d*\.xml$/).map(chartToMarkdown)
  const diagrams = roots(/^word\/diagrams\/data\d*\.xml$/).map((root) => {
    const texts = descendants(root, 'pt').map((point) => descendants(point, 't').map(textOf).join(' ').trim())
    return toMarkdownTable(texts.filter((text) => text !== '').map((text) => [text]))
  })
  const comments = roots(/^word\/comments\.xml$/).flatMap((root) =>
    elements(root, 'comment').map((comment) => {
      const author = comment.attributes['w:author'] ?? ''
      return `- ${author === '' ? '' : `${author}: `}${linesOf(comment).join(' ')}`
    }),
  )
  // A number alone is that of a page.
  const edges = [...new Set(roots(/^word\/(?:header|footer)\d*\.xml$/).flatMap(linesOf))].filter((line) =>
    /\p{L}/u.test(line),
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
