import type { types } from '@slack/bolt'
import type { Reference } from '#bridge/port/message.ts'
import { cut, oneLine } from '#adapters/shared/outgoing.ts'
import type { Blocks } from './buttons.ts'

type Piece = types.RichTextElement

/**
 * How passages are folded, best first. Slack's documentation and SDK name rich text among the blocks of a container; of its
 * validator it was said that it refuses it there, and takes sections.
 */
export const FOLDS = ['rich', 'plain', 'none'] as const
export type Fold = (typeof FOLDS)[number]

const MAX_PLAIN_LINES = 1_900
const MAX_NAME = 150
const MAX_PART = 60
const CHILDREN_PER_CONTAINER = 10
/** Bytes; a shorter excerpt is omitted. */
const MIN_PASSAGE = 80
/** Slack refuses longer addresses. */
const MAX_LINK = 3_000
/** The same of a section's text; in bytes, which are never fewer. */
const MAX_SECTION = 3_000

const size = (text: string) => Buffer.byteLength(text)

const nameOf = ({ file }: Reference) => cut(oneLine(file), MAX_NAME)
const join = (parts: readonly string[]) => parts.map((part) => ` · ${cut(oneLine(part), MAX_PART)}`).join('')

/** Details after the name: `p.3`, `v2`, the person who dropped it. */
const details = ({ place, version = 1, droppedBy }: Reference): readonly string[] =>
  [place, version > 1 ? `v${version}` : undefined, droppedBy].filter(
    (part): part is string => part !== undefined && part.trim() !== '',
  )

const head = (reference: Reference) => `[${reference.number}] ${nameOf(reference)}`
const title = (reference: Reference) =>
  `${head(reference)}${reference.place === undefined ? '' : join([reference.place])}`

/** Only known message URLs become links. */
export function linkOf({ link }: Reference): string | undefined {
  const url = link === undefined || link.length > MAX_LINK ? null : URL.parse(link)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined
}

/** Created on first use: it loads some MB. */
let fallbackDate: Intl.DateTimeFormat | undefined
const toFallback = (at: number) => {
  fallbackDate ??= new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return fallbackDate.format(at)
}

/** The date of a drop, shown in each reader's language and time zone. */
function datePieces({ droppedAt, droppedBy }: Reference): Piece[] {
  const at = Date.parse(droppedAt ?? '')
  if (Number.isNaN(at)) return []
  return [
    { type: 'text', text: droppedBy === undefined ? ' · ' : ', ' },
    { type: 'date', timestamp: Math.floor(at / 1000), format: '{date_short}', fallback: toFallback(at) },
  ]
}

/** Every piece is literal: names of files and people contain no markup, mention or link. */
function line(reference: Reference): types.RichTextSection {
  const url = linkOf(reference)
  const text = nameOf(reference)
  const rest = join(details(reference))
  return {
    type: 'rich_text_section',
    elements: [
      { type: 'text', text: `[${reference.number}] ` },
      url === undefined ? { type: 'text', text } : { type: 'link', url, text },
      ...(rest === '' ? [] : [{ type: 'text', text: rest } as const]),
      ...datePieces(reference),
    ],
  }
}

/** Small print, for lines of plain words. */
function plainLines(references: readonly Reference[]): Blocks {
  const groups: string[] = []
  for (const reference of references) {
    const words = `${head(reference)}${join(details(reference))}`
    const last = groups.at(-1)
    if (last !== undefined && last.length + words.length < MAX_PLAIN_LINES)
      groups[groups.length - 1] = `${last}\n${words}`
    else groups.push(words)
  }
  return groups.map((text) => ({ type: 'context', elements: [{ type: 'plain_text', text, emoji: false }] }))
}

/** One line per reference. A context block supports neither literal links nor dates. */
export function lineBlocks(references: readonly Reference[]): Blocks {
  if (references.length === 0) return []
  const rich = references.some((one) => linkOf(one) !== undefined || datePieces(one).length > 0)
  return rich ? [{ type: 'rich_text', elements: references.map(line) }] : plainLines(references)
}

/** Size of the line with its URL, bytes. */
export const lineSize = (reference: Reference): number =>
  size(head(reference)) + size(join(details(reference))) + size(linkOf(reference) ?? '') + 20

const plain = (text: string): Piece[] => (text === '' ? [] : [{ type: 'text', text }])

/** A passage by itself: the words above it, and as much of it as fits. */
export const passageField = (reference: Reference, bytes: number) => ({
  label: title(reference),
  value: excerpt(reference.passage, reference.support, bytes).join(''),
})

/** A rich text block: its texts are literal, so a passage can neither format nor notify. */
function passageBlock(reference: Reference, bytes: number): types.RichTextBlock {
  const [before, support, after] = excerpt(reference.passage, reference.support, bytes)
  const bold: Piece[] = support === '' ? [] : [{ type: 'text', text: support, style: { bold: true } }]
  return {
    type: 'rich_text',
    elements: [
      { type: 'rich_text_section', elements: [{ type: 'text', text: title(reference), style: { bold: true } }] },
      { type: 'rich_text_quote', elements: [...plain(before), ...bold, ...plain(after)] },
    ],
  }
}

/** The same without bold type. */
function plainPassage(reference: Reference, bytes: number): types.SectionBlock {
  const room = Math.min(bytes, MAX_SECTION - size(title(reference)) - 10)
  const { label, value } = passageField(reference, room)
  const text = `${label}\n${value}`
  return { type: 'section', text: { type: 'plain_text', text, emoji: false } }
}

/** Size limit for each so that all fit together: short ones whole, long ones an equal share. */
function share(sizes: readonly number[], room: number): number {
  let left = room
  const ascending = sizes.toSorted((a, b) => a - b)
  for (const [index, one] of ascending.entries()) {
    const each = Math.floor(left / (ascending.length - index))
    if (one > each) return each
    left -= one
  }
  return Number.MAX_SAFE_INTEGER
}

/** Foldable passages, each cut to fit. */
export function passageBlocks(
  all: readonly Reference[],
  room: number,
  { fold, name = 'Passages' }: { readonly fold: Fold; readonly name?: string },
): Blocks {
  const references = all.filter(({ passage }) => passage.trim() !== '')
  const heads = references.reduce((sum, reference) => sum + size(title(reference)), 0)
  const each = share(
    references.map(({ passage }) => size(passage)),
    room - heads - 40 * Math.ceil(references.length / CHILDREN_PER_CONTAINER),
  )
  if (each < MIN_PASSAGE || fold === 'none') return []
  const toBlock = fold === 'rich' ? passageBlock : plainPassage
  const blocks: Blocks = []
  for (let from = 0; from < references.length; from += CHILDREN_PER_CONTAINER) {
    const group = references.slice(from, from + CHILDREN_PER_CONTAINER)
    blocks.push({
      type: 'container',
      title: { type: 'plain_text', text: cut(oneLine(name), MAX_NAME) },
      is_collapsible: true,
      default_collapsed: true,
      child_blocks: group.map((reference) => toBlock(reference, each)),
    })
  }
  return blocks
}

/** Cuts to a number of bytes, at a character. */
function cutBytes(text: string, bytes: number): string {
  if (size(text) <= bytes) return text
  const kept = Buffer.from(text)
    .subarray(0, Math.max(bytes - 3, 0))
    .toString('utf8')
  return `${kept.replace(/\uFFFD$/, '').trimEnd()}…`
}

/** Cuts at the start, to a number of bytes. */
function cutStart(text: string, bytes: number): string {
  if (size(text) <= bytes) return text
  const whole = Buffer.from(text)
  const kept = whole.subarray(whole.length - Math.max(bytes - 3, 0)).toString('utf8')
  return `…${kept.replace(/^\uFFFD+/, '').trimStart()}`
}

/**
 * The part of a passage that fits, around the supporting sentence: before, sentence, after. Without such a sentence
 * everything is in the first.
 */
export function excerpt(
  passage: string,
  support: string | undefined,
  bytes: number,
): readonly [before: string, support: string, after: string] {
  const at = support === undefined || support === '' ? -1 : passage.indexOf(support)
  if (support === undefined || at < 0) return [cutBytes(passage, bytes), '', '']
  const [before, after] = [passage.slice(0, at), passage.slice(at + support.length)]
  const marked = cutBytes(support, bytes)
  const room = Math.max(bytes - size(marked), 0)
  const half = Math.floor(room / 2)
  const ahead = Math.min(size(before), Math.max(half, room - size(after)))
  const rest = Math.min(size(after), room - ahead)
  return [ahead < 4 ? '' : cutStart(before, ahead), marked, rest < 4 ? '' : cutBytes(after, rest)]
}
