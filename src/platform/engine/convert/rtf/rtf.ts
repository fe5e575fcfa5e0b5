import { createLevels } from '../markdown/list-levels.ts'
import { createMarkdownWriter, type MarkdownWriter } from '../markdown/writer.ts'
import { isName } from '../markdown/table.ts'
import type { Pictures } from '../images/pictures.ts'
import { asOnePart, type ReadDocument } from '../reader.ts'
import type { RtfParagraph, RtfRun } from './rtf-paragraphs.ts'
import { parseRtf } from './rtf-parser.ts'

function writeRun(writer: MarkdownWriter, pictures: Pictures, run: RtfRun, isHeading: boolean): void {
  if (run.note !== undefined) {
    writer.open('a', { href: `#fn${run.note}` })
    return writer.close('a')
  }
  if (run.picture !== undefined) {
    const name = pictures.add(run.picture)
    return name === '' ? undefined : writer.inline(name)
  }
  const marks = isHeading ? [] : run.marks
  if (run.href !== '') writer.open('a', { href: run.href })
  for (const mark of marks) writer.open(mark)
  for (const [index, line] of run.text.split('\n').entries()) {
    if (index > 0) writer.open('br')
    writer.text(line)
  }
  for (const mark of marks.toReversed()) writer.close(mark)
  if (run.href !== '') writer.close('a')
}

/** Tracks the table, row and cell of the current paragraph. */
function createTable(writer: MarkdownWriter) {
  const open: string[] = []
  const closeTo = (depth: number) => {
    while (open.length > depth) writer.close(open.pop() ?? '')
  }
  return {
    enter() {
      for (const name of ['table', 'tr', 'td'].slice(open.length)) {
        writer.open(name)
        open.push(name)
      }
    },
    endCell: () => closeTo(2),
    endRow: () => closeTo(1),
    leave: () => closeTo(0),
  }
}

/** Says the name of a cell again in the rows below that it spans. */
function createAbove(writer: MarkdownWriter) {
  let texts: string[] = []
  let column = 0
  let own = ''
  return {
    take({ runs, inTable, ends, isCovered }: RtfParagraph) {
      if (!inTable) texts = []
      own = inTable ? `${own}${runs.map(({ text }) => text).join('')}` : ''
      if (ends === 'row') column = 0
      if (ends !== 'cell') return
      const name = texts[column] ?? ''
      if (isCovered === true && own.trim() === '' && isName(name)) writer.text(name)
      else texts[column] = own.trim()
      column += 1
      own = ''
    },
  }
}

/** Paragraphs of rich text, with headings by outline or style, lists by their markers. */
export function rtfToMarkdown(bytes: Buffer, pictures: Pictures = { add: () => '', images: [] }): string {
  const { paragraphs, notes, heads } = parseRtf(bytes)
  const writer = createMarkdownWriter()
  const levels = createLevels(writer)
  const table = createTable(writer)
  const above = createAbove(writer)
  const writeParagraph = (paragraph: RtfParagraph) => {
    const { runs, heading, item, inTable, ends } = paragraph
    const isEmpty = runs.every((run) => run.text.trim() === '' && run.note === undefined && run.picture === undefined)
    if (isEmpty && ends === 'paragraph') return
    if (item === undefined || inTable) levels.end()
    if (!inTable) table.leave()
    else if (ends !== 'row') table.enter()
    const name = heading > 0 ? `h${heading}` : 'p'
    if (!isEmpty) {
      if (item === undefined || inTable) writer.open(name)
      else levels.item(item.level, item.ordered, item)
      if (inTable && item?.label !== undefined) writer.text(`${item.label} `)
      for (const run of runs) writeRun(writer, pictures, run, heading > 0)
      if (item === undefined || inTable) writer.close(name)
    }
    above.take(paragraph)
    if (ends === 'cell') table.endCell()
    if (ends === 'row') table.endRow()
  }
  for (const paragraph of paragraphs) writeParagraph(paragraph)
  levels.end()
  table.leave()
  if (heads.size > 0) writer.block('## Head and foot')
  for (const runs of heads.values()) {
    writer.open('p')
    for (const run of runs) writeRun(writer, pictures, run, false)
    writer.close('p')
  }
  for (const [index, runs] of notes.entries()) {
    writer.open('li', { id: `fn${index + 1}` })
    for (const run of runs) writeRun(writer, pictures, run, false)
    writer.close('li')
  }
  return writer.finish()
}

export const readRtf: ReadDocument = ({ bytes, pictures }) => Promise.resolve(asOnePart(rtfToMarkdown(bytes, pictures)))
