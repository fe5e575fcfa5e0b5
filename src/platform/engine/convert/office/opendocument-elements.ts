import { elements, type XmlElement } from './xml.ts'

/** Elements left out: notes of reviewers, removed text, tables of contents, counters. */
export const SKIPPED: ReadonlySet<string> = new Set([
  'annotation',
  'tracked-changes',
  'table-of-content',
  'sequence-decls',
  'forms',
  'notes',
  'bookmark',
  'ruby-text',
  'soft-page-break',
])

/** Drawn shapes; their paragraphs are blocks. */
export const SHAPES: ReadonlySet<string> = new Set(
  'custom-shape g rect line polyline polygon regular-polygon path circle ellipse connector caption'.split(' '),
)

/** Rows of a table, those of its groups too. */
export function rowsOf(table: XmlElement): XmlElement[] {
  return elements(table).flatMap((part) => {
    if (part.name === 'table-row') return [part]
    return /^table-(?:header-rows|rows|row-group)$/.test(part.name) ? rowsOf(part) : []
  })
}
