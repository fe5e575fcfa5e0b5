import { createMarkdownWriter } from '../markdown/writer.ts'

/** Plain text of a mail: paragraphs, and quotations, marked by > as in markdown. */
export function writePlain(text: string): string {
  const writer = createMarkdownWriter()
  for (const paragraph of text.replaceAll('\r\n', '\n').split(/\n{2,}/)) {
    const quoted = /^(?:>.*(?:\n|$))+$/.test(paragraph)
    writer.open(quoted ? 'blockquote' : 'p')
    for (const line of paragraph.split('\n')) {
      writer.text(quoted ? line.replace(/^>+ ?/, '') : line)
      writer.open('br')
    }
    writer.close(quoted ? 'blockquote' : 'p')
  }
  return writer.finish()
}

export const toSize = (bytes: { readonly byteLength: number }) => `${Math.ceil(bytes.byteLength / 1000)} kB`

/** Title of a mail, or of one within it (`depth` above 0). */
export function writeTitle(subject: string | undefined, depth: number): string {
  const title = createMarkdownWriter()
  const name = depth === 0 ? 'h1' : 'h2'
  title.open(name)
  title.text(subject ?? (depth === 0 ? '' : 'Attached mail'))
  title.close(name)
  return title.finish()
}

/** The heads that are not empty; dates are ISO 8601. */
export function writeHead(heads: Readonly<Record<string, string | undefined>>): string {
  const head = createMarkdownWriter()
  for (const [name, value] of Object.entries(heads)) {
    if (value === '' || value === undefined) continue
    head.text(`${name}: ${value.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/, '$1 $2 UTC')}`)
    head.open('br')
  }
  return head.finish()
}
