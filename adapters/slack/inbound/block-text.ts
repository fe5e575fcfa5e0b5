import { type Fields, list, number, text, toFields } from '#adapters/shared/json.ts'
import { escapeText } from '../outbound/markup.ts'

/** Longest text that is read from the blocks of one message, in characters. */
const MAX_CHARS = 8_000
/** Blocks inside blocks; Slack allows fewer. */
const MAX_DEPTH = 8
const LIST_INDENT = 4
/** Seconds that a date can have: ECMAScript's limit. */
const MAX_SECONDS = 8.64e12

/** Things to press and to fill in say nothing. */
const SILENT = new Set(['actions', 'context_actions', 'input', 'button', 'divider', 'feedback_buttons', 'icon_button'])

const plain = (fields: Fields, name: string): string => escapeText(text(fields, name) ?? '')

/** The day of a time in seconds, where a date has no other words. */
const dayOf = (seconds: number | undefined): string =>
  seconds === undefined || Math.abs(seconds) > MAX_SECONDS ? '' : new Date(seconds * 1000).toISOString().slice(0, 10)

/** Pieces of a line of rich text (https://docs.slack.dev/reference/block-kit/blocks/rich-text-block). */
const INLINE: Readonly<Record<string, (piece: Fields) => string>> = {
  text: (piece) => plain(piece, 'text'),
  link: (piece) =>
    `<${(text(piece, 'url') ?? '').replaceAll('|', '%7C')}${piece['text'] === undefined ? '' : `|${plain(piece, 'text')}`}>`,
  emoji: (piece) => `:${text(piece, 'name') ?? ''}:`,
  user: (piece) => `<@${text(piece, 'user_id') ?? ''}>`,
  channel: (piece) => `<#${text(piece, 'channel_id') ?? ''}>`,
  usergroup: (piece) => `<!subteam^${text(piece, 'usergroup_id') ?? ''}>`,
  broadcast: (piece) => `@${text(piece, 'range') ?? ''}`,
  date: (piece) => plain(piece, 'fallback') || dayOf(number(piece, 'timestamp')),
  color: (piece) => plain(piece, 'value'),
}

const lines = (parts: readonly string[]): string => parts.filter((part) => part.trim() !== '').join('\n')

/** Parts of a block that hold text, in the order in which Slack shows them. */
const PARTS = [
  'title',
  'rich_text_title',
  'subtitle',
  'text',
  'fields',
  'body',
  'details',
  'output',
  'caption',
  'description',
  'elements',
  'child_blocks',
  'tasks',
  'rows',
]

function rowOf(cells: unknown, depth: number): string {
  const words = (Array.isArray(cells) ? cells : []).map((cell) => markupOf(toFields(cell), depth).replaceAll('\n', ' '))
  return words.length === 0 ? '' : `| ${words.join(' | ')} |`
}

function partOf(value: unknown, name: string, depth: number): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return escapeText(value)
  if (!Array.isArray(value)) return markupOf(toFields(value), depth)
  return lines(value.map((one) => (name === 'rows' ? rowOf(one, depth) : markupOf(toFields(one), depth))))
}

/** A list; each deeper level is a list of its own, which says how deep it is. */
function listMarkup(block: Fields, depth: number): string {
  const first = (number(block, 'offset') ?? 0) + 1
  const indent = ' '.repeat(LIST_INDENT * Math.min(Math.max(number(block, 'indent') ?? 0, 0), MAX_DEPTH))
  const mark = (at: number) => (text(block, 'style') === 'ordered' ? `${first + at}.` : '-')
  const items = list(block, 'elements').map((item, at) => `${indent}${mark(at)} ${markupOf(item, depth + 1)}`)
  return lines(items)
}

/** The text of a block, an element or a text object, as Slack's markup. */
function markupOf(block: Fields, depth = 0): string {
  const type = text(block, 'type') ?? ''
  if (depth > MAX_DEPTH || SILENT.has(type)) return ''
  const parts = list(block, 'elements')
  switch (type) {
    // The markup of a section is Slack's; that of a `markdown` block nearly so, and no code in it is touched.
    case 'mrkdwn':
    case 'markdown':
      return text(block, 'text') ?? ''
    case 'plain_text':
    case 'raw_text':
      return plain(block, 'text')
    case 'raw_number':
      return `${number(block, 'value') ?? ''}`
    case 'image':
      return lines([partOf(block['title'], 'title', depth + 1), plain(block, 'alt_text')])
    case 'rich_text_section':
      return parts.map((piece) => INLINE[text(piece, 'type') ?? '']?.(piece) ?? '').join('')
    case 'rich_text_preformatted':
      return `\`\`\`\n${parts.map((piece) => plain(piece, 'text') || plain(piece, 'url')).join('')}\n\`\`\``
    case 'rich_text_quote':
      return parts
        .map((piece) => INLINE[text(piece, 'type') ?? '']?.(piece) ?? '')
        .join('')
        .replace(/^/gm, '> ')
    case 'rich_text_list':
      return listMarkup(block, depth)
    default:
      return lines(PARTS.map((name) => partOf(block[name], name, depth + 1)))
  }
}

/** The text of these blocks, as Slack's markup. */
export const blocksMarkup = (blocks: readonly Fields[]): string =>
  lines(blocks.map((block) => markupOf(block))).slice(0, MAX_CHARS)

/** The text of an attachment of the older kind; `fallback` is shown only where there is nothing else. */
function attachmentMarkup(attachment: Fields): string {
  const fields = list(attachment, 'fields').map((field) =>
    [text(field, 'title'), text(field, 'value')].filter((part) => part !== undefined).join(': '),
  )
  const words = ['pretext', 'author_name', 'title', 'text'].map((name) => text(attachment, name) ?? '')
  const shown = lines([...words, ...fields, blocksMarkup(list(attachment, 'blocks'))])
  return (shown === '' ? (text(attachment, 'fallback') ?? '') : shown).slice(0, MAX_CHARS)
}

const bare = (markup: string): string => markup.replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Words of a program's message: its text is often a summary of its blocks, or empty. */
export const programMarkup = (wire: Fields): string =>
  joinParts(text(wire, 'text') ?? '', [
    blocksMarkup(list(wire, 'blocks')),
    ...list(wire, 'attachments').map(attachmentMarkup),
  ])

/** A text with its blocks and attachments, each word once; blocks that say the same as the text are left out. */
export function joinParts(said: string, parts: readonly string[]): string {
  if (parts.every((part) => part === '' || bare(part) === bare(said))) return said.trim() === '' ? lines(parts) : said
  const isRepeated = parts.some((part) => bare(part).includes(bare(said)))
  return lines(isRepeated ? parts : [said, ...parts.filter((part) => !bare(said).includes(bare(part)))])
}
