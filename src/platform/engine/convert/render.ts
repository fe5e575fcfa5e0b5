import type { ConversionQuery, ConversionResult } from '#platform/wire/documents.ts'
import { type RowMark, withRowNote } from '#lib/table-rows.ts'
import { toDocTags } from './markdown/doc-tags.ts'
import type { DocumentKind } from './document-kind.ts'
import type { Pictures } from './images/pictures.ts'
import type { PageText } from './reader.ts'

/** Marks the pages of a PDF by comments, which rendered markdown hides. Slides and sheets have headings. */
function toMarkdown(kind: DocumentKind, pages: readonly PageText[]): string {
  const parts: string[] = []
  const marks: RowMark[] = []
  let lines = 0
  for (const { page, markdown, rows = [] } of pages) {
    parts.push(kind === 'pdf' ? `<!-- page ${page} -->\n\n${markdown}` : markdown)
    for (const { line, row } of rows) marks.push({ line: lines + line, row })
    lines += countLines(markdown) + 1
  }
  return withRowNote(parts.join('\n\n'), marks)
}

const countLines = (text: string) => (text.match(/\r\n?|\n/g)?.length ?? 0) + 1

async function toHtml(kind: DocumentKind, pages: readonly PageText[]): Promise<string> {
  const { default: MarkdownIt } = await import('markdown-it')
  const parser = new MarkdownIt('default', { html: false, breaks: true })
  // A table cell has no other form of line break; every other tag stays text.
  parser.inline.ruler.before('html_inline', 'cell_break', (state, silent) => {
    if (!state.src.startsWith('<br>', state.pos)) return false
    if (!silent) state.push('hardbreak', 'br', 0)
    state.pos += 4
    return true
  })
  // A one-word footnote looks like a link definition: it is not one.
  parser.block.ruler.before('reference', 'note', (state, start, end) => {
    const from = (state.bMarks[start] ?? 0) + (state.tShift[start] ?? 0)
    if (!/^\[\^[^\]\s]+\]:/.test(state.src.slice(from, state.eMarks[start]))) return false
    let next = start + 1
    while (next < end && !state.isEmpty(next)) next += 1
    state.push('paragraph_open', 'p', 1).map = [start, next]
    const inline = state.push('inline', '', 0)
    inline.content = state.getLines(start, next, state.blkIndent, false).trim()
    inline.map = [start, next]
    inline.children = []
    state.push('paragraph_close', 'p', -1)
    state.line = next
    return true
  })
  const rendered = pages.map(({ markdown }) => parser.render(markdown))
  if (kind !== 'pdf') return rendered.join('')
  return pages.map(({ page }, index) => `<section data-page="${page}">\n${rendered[index] ?? ''}</section>\n`).join('')
}

/** The result in the requested form; only the field of that form is set. */
export async function render(
  document: { readonly name: string; readonly kind: DocumentKind; readonly pages: readonly PageText[] },
  query: ConversionQuery,
  { images }: Pictures,
): Promise<ConversionResult> {
  const { kind, pages } = document
  const type = query.response_type
  const base = { filename: document.name, response_type: type, images: [...images] }
  switch (type) {
    case 'markdown':
      return { ...base, markdown: toMarkdown(kind, pages) }
    case 'json':
      return { ...base, json_data: { kind, pages: pages.map(({ page, markdown }) => ({ page, markdown })) } }
    case 'tokens':
      return { ...base, tokens: await toDocTags(pages) }
    case 'html':
    default:
      return { ...base, html: await toHtml(kind, pages) }
  }
}
