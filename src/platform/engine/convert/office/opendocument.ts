import { ConvertError, type PageText, type ReadDocument, type Source } from '../reader.ts'
import { toMarkdownSheet, toSheetPage } from '../markdown/sheet.ts'
import type { MergedCells, SheetRow } from '../markdown/sheet-blocks.ts'
import { type CellBudget, createCellBudget, toMarkdownTable } from '../markdown/table.ts'
import { createMarkdownWriter } from '../markdown/writer.ts'
import { htmlToMarkdown } from '../web/html.ts'
import { readStyles } from './opendocument-styles.ts'
import { type OpenText, writeBody, writeComments, writeNotes } from './opendocument-text.ts'
import { child, descendants, elements, findTree, textOf, type XmlElement } from './xml.ts'
import { type Archive, openArchive, resolvePart } from './zip.ts'

/** Most repetitions of a cell or row: higher counts are only padding. */
const MAX_REPEAT = 1000
/** Limits of all repeated cells of a document. */
const MAX_REPEATED_CELLS = 1_000_000
const MAX_REPEATED_CHARACTERS = 4_000_000

const countOf = (count: string | undefined) => Math.max(Math.trunc(Number(count ?? 1)) || 1, 1)
const repeat = (count: string | undefined) => Math.min(countOf(count), MAX_REPEAT)

function rowsOf(table: XmlElement): XmlElement[] {
  return elements(table).flatMap((part) => {
    if (part.name === 'table-row') return [part]
    return /^table-(?:header-rows|rows|row-group)$/.test(part.name) ? rowsOf(part) : []
  })
}

/** Text with its blanks, which are elements where there are several. */
const spacedText = (element: XmlElement): string =>
  element.children
    .map((part) => {
      if (typeof part === 'string') return part
      if (part.name === 's') return ' '.repeat(repeat(part.attributes['text:c']))
      return part.name === 'tab' || part.name === 'line-break'
        ? ' '
        : part.name === 'annotation'
          ? ''
          : spacedText(part)
    })
    .join('')

/** Texts of a row with their repetitions; blank cells at its end are padding. */
function cellsOf(row: XmlElement, budget: CellBudget): string[] {
  const cells = elements(row)
    .filter(({ name }) => name === 'table-cell' || name === 'covered-table-cell')
    .map((cell) => ({
      text: elements(cell, 'p').map(spacedText).join('\n'),
      count: repeat(cell.attributes['table:number-columns-repeated']),
    }))
  const end = cells.findLastIndex(({ text }) => text.trim() !== '') + 1
  return cells.slice(0, end).flatMap(({ text, count }) => {
    budget.take(count - 1, (count - 1) * text.length)
    return Array.from({ length: count }, () => text)
  })
}

const spanOf = (value: string | undefined) => Math.min(countOf(value), MAX_REPEAT)

/** Merged cells of a row, which is repeated nowhere. */
function mergesOf(row: XmlElement, number: number): MergedCells[] {
  let column = 0
  return elements(row).flatMap(({ attributes }) => {
    const at = column
    column += countOf(attributes['table:number-columns-repeated'])
    const height = spanOf(attributes['table:number-rows-spanned'])
    const width = spanOf(attributes['table:number-columns-spanned'])
    return height * width > 1 ? [{ row: number, column: at, height, width }] : []
  })
}

const isCollapsed = ({ attributes }: XmlElement) => /^(?:collapse|filter)$/.test(attributes['table:visibility'] ?? '')

function columnsOf(table: XmlElement): XmlElement[] {
  return elements(table).flatMap((part) => {
    if (part.name === 'table-column') return [part]
    return /^table-(?:header-columns|columns|column-group)$/.test(part.name) ? columnsOf(part) : []
  })
}

function readHiddenColumns(sheet: XmlElement): ReadonlySet<number> {
  const hidden = new Set<number>()
  let at = 0
  for (const column of columnsOf(sheet)) {
    const count = repeat(column.attributes['table:number-columns-repeated'])
    for (let own = 0; own < count && isCollapsed(column); own += 1) hidden.add(at + own)
    at += count
  }
  return hidden
}

function readRows(sheet: XmlElement, budget: CellBudget) {
  const merges: MergedCells[] = []
  let next = 1
  const rows = rowsOf(sheet).flatMap((row): SheetRow[] => {
    const number = next
    const count = row.attributes['table:number-rows-repeated']
    next += countOf(count)
    const cells = cellsOf(row, budget)
    if (cells.length === 0) return []
    for (const merge of mergesOf(row, number)) merges.push(merge)
    const more = repeat(count) - 1
    const characters = cells.reduce((sum, cell) => sum + cell.length, 0)
    budget.take(more * cells.length, more * characters)
    const isHidden = isCollapsed(row)
    return Array.from({ length: more + 1 }, (_, index) => ({ number: number + index, cells, isHidden }))
  })
  return { rows, layout: { merges, hiddenColumns: readHiddenColumns(sheet) } }
}

/** A sheet as a table under its name; cells as the program shows them. */
function writeSheet(
  sheet: XmlElement,
  index: number,
  budget: CellBudget,
  { chart, styles }: Pick<OpenText, 'chart' | 'styles'>,
): PageText[] {
  const { rows, layout } = readRows(sheet, budget)
  const table = toMarkdownSheet(rows, layout, budget)
  const charts = descendants(sheet, 'object').map(({ attributes }) => chart(attributes['xlink:href'] ?? ''))
  const hidden = styles.isHiddenPart(sheet.attributes['table:style-name']) ? ' (hidden)' : ''
  return toSheetPage(index + 1, `${sheet.attributes['table:name'] ?? `Sheet ${index + 1}`}${hidden}`, table, charts)
}

function checkLocks(archive: Archive): void {
  if (descendants(findTree(archive, 'META-INF/manifest.xml'), 'encryption-data').length > 0) {
    throw new ConvertError('encrypted')
  }
}

/** The picture of an image element; the path is written from the root of the archive. */
const findPicture =
  (archive: Archive, { pictures }: Source) =>
  (path: string) => {
    // A picture beside the document is none of its parts.
    const picture = /^[a-z]+:|^\.\.\//i.test(path) ? undefined : archive.need(resolvePart('content.xml', path))
    return picture === undefined ? '' : pictures.add(picture)
  }

const formulaOf = (math: string) => htmlToMarkdown(math.replaceAll(/<(\/?)math:/g, '<$1'))

/** The formula of an object in one line, or its chart: its titles, and the table that it draws. */
const findChart =
  (archive: Archive) =>
  (path: string): string => {
    const object = `${resolvePart('content.xml', path)}/content.xml`
    const root = path === '' ? undefined : findTree(archive, object)
    if (root?.name === 'math') return formulaOf(archive.read(object)?.toString() ?? '')
    const chart = descendants(root, 'chart').find((one) => child(one, 'plot-area'))
    if (chart === undefined) return ''
    const titles = ['title', 'subtitle'].map((name) => textOf(child(chart, name)).replace(/\s+/g, ' ').trim())
    const budget = createCellBudget(MAX_REPEATED_CELLS, MAX_REPEATED_CHARACTERS)
    const tables = elements(chart, 'table').map((table) =>
      toMarkdownTable(rowsOf(table).map((row) => cellsOf(row, budget))),
    )
    return [...titles, ...tables].filter((part) => part !== '').join('\n\n')
  }

const isTitle = ({ attributes }: XmlElement) => attributes['presentation:class'] === 'title'

function readSlide(slide: XmlElement, index: number, start: () => OpenText): PageText {
  const text = start()
  const frames = elements(slide, 'frame')
  const title = frames
    .filter(isTitle)
    .map((frame) => textOf(frame).replace(/\s+/g, ' ').trim())
    .join(' ')
  text.writer.open('h2')
  const name = `Slide ${index + 1}${text.styles.isHiddenPart(slide.attributes['draw:style-name']) ? ' (hidden)' : ''}`
  text.writer.text(title === '' ? name : `${name}: ${title}`)
  text.writer.close('h2')
  writeBody(text, { ...slide, children: slide.children.filter((part) => typeof part === 'string' || !isTitle(part)) })
  // Some programs omit the class; numbers, dates and footers have one.
  const notes = elements(child(slide, 'notes'), 'frame').filter(
    ({ attributes }) => (attributes['presentation:class'] ?? 'notes') === 'notes',
  )
  if (notes.some((frame) => textOf(frame).trim() !== '')) {
    text.writer.open('h3')
    text.writer.text('Notes')
    text.writer.close('h3')
    for (const frame of notes) writeBody(text, frame)
  }
  writeNotes(text)
  writeComments(text, '### Comments')
  return { page: index + 1, markdown: text.writer.finish() }
}

/** Heads and feet of the pages that say more than a number, each once. */
function edgesOf(styles: XmlElement | undefined): string[] {
  const edges = descendants(styles, 'master-page').flatMap((page) =>
    elements(page).filter(({ name }) => /^(?:header|footer)(?:-left|-first)?$/.test(name)),
  )
  const lines = edges
    .flatMap((edge) => descendants(edge, 'p'))
    .flatMap((paragraph) => {
      const line = textOf(paragraph).replace(/\s+/g, ' ').trim()
      const isNumber = descendants(paragraph, 'page-number').length > 0 && line.split(' ').length <= 4
      return /\p{L}/u.test(line) && !isNumber ? [line] : []
    })
  return [...new Set(lines)]
}

/** Text, spreadsheets and presentations of LibreOffice and others: ODT, ODS, ODP. */
export const readOpenDocument: ReadDocument = (source) => {
  const archive = openArchive(source.bytes, { ...source.limits, onLost: source.onLost })
  checkLocks(archive)
  const root = findTree(archive, 'content.xml')
  if (root === undefined) throw new ConvertError('broken')
  const shared = findTree(archive, 'styles.xml')
  const styles = readStyles(shared === undefined ? [root] : [root, shared])
  const picture = findPicture(archive, source)
  const chart = findChart(archive)
  const [kind] = elements(child(root, 'body'))
  const start = (): OpenText => ({
    writer: createMarkdownWriter(),
    styles,
    picture,
    chart,
    isOnGround: kind?.name !== 'text',
    isHidden: false,
    isMarked: false,
    comments: [],
    notes: [],
    counts: new Map(),
  })
  if (kind?.name === 'presentation') {
    return Promise.resolve(elements(kind, 'page').map((slide, index) => readSlide(slide, index, start)))
  }
  if (kind?.name === 'spreadsheet') {
    const budget = createCellBudget(MAX_REPEATED_CELLS, MAX_REPEATED_CHARACTERS)
    return Promise.resolve(
      elements(kind, 'table').flatMap((sheet, index) => writeSheet(sheet, index, budget, { chart, styles })),
    )
  }
  if (kind?.name !== 'text') throw new ConvertError('broken')
  const text = start()
  writeBody(text, kind)
  writeNotes(text)
  writeComments(text, '## Comments')
  const edges = edgesOf(shared)
  if (edges.length > 0) text.writer.block(['## Head and foot', ...edges].join('\n\n'))
  return Promise.resolve([{ page: 1, markdown: text.writer.finish() }])
}
