import type { Pictures } from '../images/pictures.ts'
import { toMarkdownSheet, toSheetPage } from '../markdown/sheet.ts'
import { createCellBudget } from '../markdown/table.ts'
import { ConvertError, type PageText, type ReadDocument } from '../reader.ts'
import { chartToMarkdown } from './charts.ts'
import { diagramToMarkdown } from './diagrams.ts'
import { sheetComments } from './comments.ts'
import { readEmbedded } from './embedded.ts'
import {
  child,
  descendants,
  elements,
  readRelations,
  readTree,
  type Relations,
  textOf,
  type XmlElement,
} from './xml.ts'
import { isOn, readCellStyles, readSheet, richText, type Workbook } from './xlsx-sheet.ts'
import { type Archive, openArchive, resolvePart } from './zip.ts'

const wordsOf = (element: XmlElement) => textOf(element).replace(/\s+/g, ' ').trim()

/** Comments, text boxes, charts, diagrams and pictures of a sheet. */
function readExtras(archive: Archive, parts: Relations, pictures: Pictures): string[] {
  const path = parts.ofType('drawing')
  const drawing = readTree(archive, path)
  const boxes = descendants(drawing, 'txBody').flatMap((body) => elements(body, 'p').map(wordsOf))
  const drawn = path === undefined ? undefined : readRelations(archive, path)
  const charts = descendants(drawing, 'chart').map((chart) => {
    const root = readTree(archive, drawn?.target(chart.attributes['r:id']))
    return root === undefined ? '' : chartToMarkdown(root)
  })
  const diagrams = descendants(drawing, 'relIds').map(({ attributes }) => {
    const root = readTree(archive, drawn?.target(attributes['r:dm']))
    return root === undefined ? '' : diagramToMarkdown(root)
  })
  const shown = descendants(drawing, 'blip').map(({ attributes }) => {
    const bytes = archive.need(drawn?.target(attributes['r:embed']))
    return bytes === undefined ? '' : pictures.add(bytes)
  })
  return [sheetComments(archive, parts, richText), ...boxes, ...charts, ...diagrams, ...shown]
}

/** Texts that cells share. */
function readTexts(archive: Archive, path: string | undefined): string[] {
  const texts: string[] = []
  readTree(archive, path, { name: 'si', take: (text) => void texts.push(richText(text)) })
  return texts
}

/** A workbook: each sheet with cells under its name, as a table. */
export const readXlsx: ReadDocument = async (source) => {
  const { bytes, limits, pictures, onLost } = source
  const archive = openArchive(bytes, { ...limits, onLost })
  const path = readRelations(archive, '').ofType('officeDocument') ?? 'xl/workbook.xml'
  const book = readTree(archive, path)
  if (book === undefined) throw new ConvertError('broken')
  const parts = readRelations(archive, path)
  // Some programs write parts under their usual names without naming them in the relations.
  const usual = (name: string) => archive.names.find((one) => one === resolvePart(path, name))
  const workbook: Workbook = {
    texts: readTexts(archive, parts.ofType('sharedStrings') ?? usual('sharedStrings.xml')),
    styles: readCellStyles(readTree(archive, parts.ofType('styles') ?? usual('styles.xml'))),
    epoch: isOn(child(book, 'workbookPr')?.attributes['date1904']) ? 1904 : 1900,
    isUncomputed: isOn(child(book, 'calcPr')?.attributes['fullCalcOnLoad']),
    budget: createCellBudget(),
  }
  const pages: PageText[] = []
  for (const [index, { attributes }] of elements(child(book, 'sheets'), 'sheet').entries()) {
    const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1]
    const sheetPath = parts.target(id) ?? usual(`worksheets/sheet${index + 1}.xml`)
    const sheetParts = sheetPath === undefined ? undefined : readRelations(archive, sheetPath)
    const { rows, layout, edges } = readSheet(archive, sheetPath, sheetParts, workbook)
    const table = toMarkdownSheet(rows, layout, workbook.budget)
    const beside = sheetParts === undefined ? [] : readExtras(archive, sheetParts, pictures)
    const hidden = /hidden/i.test(attributes['state'] ?? '') ? ' (hidden)' : ''
    const embedded = ['package', 'oleObject'].flatMap((type) => sheetParts?.allOfType(type) ?? [])
    // oxlint-disable-next-line no-await-in-loop -- in order
    const inner = await readEmbedded(archive, source, embedded)
    pages.push(...toSheetPage(index + 1, `${attributes['name'] ?? ''}${hidden}`, table, [...beside, edges, ...inner]))
  }
  return pages
}
