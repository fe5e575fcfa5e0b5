import type { Token } from 'markdown-it'
import type { PageText } from '../reader.ts'

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Text of an inline token without its marks. */
const plainText = ({ children, content }: Token): string =>
  (children ?? [])
    .map((one) => (one.type === 'softbreak' || one.type === 'hardbreak' ? ' ' : one.content))
    .join('')
    .trim() || (children === null ? content.trim() : '')

/** The title of a document, then sections from level 1, as Docling counts them. */
const headingTag = (level: number) => (level === 1 ? 'title' : `section_header_level_${Math.min(level, 6) - 1}`)

const LISTS: Readonly<Record<string, string>> = {
  bullet_list_open: '<unordered_list>',
  bullet_list_close: '</unordered_list>',
  ordered_list_open: '<ordered_list>',
  ordered_list_close: '</ordered_list>',
  list_item_open: '<list_item>',
  list_item_close: '</list_item>',
  table_open: '<otsl>',
  table_close: '</otsl>',
  tr_close: '<nl>',
}

function toTags(tokens: readonly Token[]): string[] {
  const tags: string[] = []
  let around: string | undefined
  for (const token of tokens) {
    const { type } = token
    const mark = LISTS[type]
    if (mark !== undefined) tags.push(mark)
    else if (type === 'heading_open') around = headingTag(Number(token.tag.slice(1)))
    // The text of a tight list is hidden in its item; a loose one has paragraphs.
    else if (type === 'paragraph_open') around = token.level > 0 && token.hidden ? '' : 'text'
    else if (type === 'th_open') around = 'ched'
    else if (type === 'td_open') around = 'fcel'
    else if (type === 'fence' || type === 'code_block')
      tags.push(`<code>${escape(token.content.replace(/\n$/, ''))}</code>`)
    else if (type === 'inline') {
      const text = escape(plainText(token))
      if (around === 'ched' || around === 'fcel') tags.push(text === '' ? '<ecel>' : `<${around}>${text}`)
      else if (text !== '') tags.push(around === '' || around === undefined ? text : `<${around}>${text}</${around}>`)
    }
  }
  return tags
}

/**
 * The document in DocTags, the form that Docling calls document tokens: the deployed service answers with it (D,
 * inferred from its software; docling-core, `export_to_document_tokens`). Without the places on the page, which not
 * every reader knows.
 */
export async function toDocTags(pages: readonly PageText[]): Promise<string> {
  const { default: MarkdownIt } = await import('markdown-it')
  const parser = new MarkdownIt('default', { html: false })
  const parts = pages.map(({ markdown }) => toTags(parser.parse(markdown, {})).join('\n'))
  return `<doctag>${parts.join('\n<page_break>\n')}\n</doctag>`
}
