import type { Outgoing, Reference } from '#bridge/port/message.ts'
import { oneLine } from '#adapters/shared/outgoing.ts'
import { MESSAGE_LIMITS } from '../config.ts'
import { tooLongError } from '../errors.ts'
import { escapeText } from './inline.ts'
import { toDiscord } from './markup.ts'

const MAX_QUOTE = 120
const MAX_NAME = 200
const MAX_PART = 60
const MAX_LINK = 300
/** Characters for the supporting sentence, and for the text before and after it. */
const MAX_SUPPORT = 240
const MAX_ASIDE = 60

export interface Composed {
  readonly content: string
  /** References that did not fit: each becomes a message after the answer. */
  readonly following: readonly string[]
  /** False: the mentions did not fit, and are in the first following message. */
  readonly mentionsFit: boolean
}

/**
 * The content of a message: mentions, text, one line per reference, small print. Parts that do not fit become following
 * messages; the text is never cut.
 *
 * @throws {AdapterError} `too-long`
 */
export function compose(outgoing: Pick<Outgoing, 'text' | 'references' | 'note'>, head = ''): Composed {
  // Discord refuses a message without a visible character.
  const words = toDiscord(outgoing.text) || '…'
  if (words.length > MESSAGE_LIMITS.content) throw tooLongError()
  const headed = head === '' ? words : `${head}\n${words}`
  const mentionsFit = headed.length <= MESSAGE_LIMITS.content
  const text = mentionsFit ? headed : words
  const before = mentionsFit ? [] : [head]
  const { references = [], note } = outgoing
  const lines = [...references.map(lineOf), ...(note === undefined ? [] : [`-# ${escapeText(note)}`])]
  if (lines.length === 0) return { content: text, following: before, mentionsFit }
  const whole = [text, '', ...lines].join('\n')
  if (whole.length <= MESSAGE_LIMITS.content) return { content: whole, following: before, mentionsFit }
  return { content: text, following: [...before, ...pagesOf(lines)], mentionsFit }
}

const escapedLine = (text: string, length: number) => escapeText(shorten(oneLine(text), length))

/** `[1] handbook.pdf, p.2 · v2 · Ada, 12 Nov · <url>` in small print; the date in each reader's language. */
function headOf({ number, file, place, version = 1, droppedBy, droppedAt, link }: Reference): string {
  const where = place === undefined ? '' : `, ${escapedLine(place, MAX_PART)}`
  const at = Date.parse(droppedAt ?? '')
  const who = droppedBy === undefined || droppedBy.trim() === '' ? [] : [escapedLine(droppedBy, MAX_PART)]
  const when = Number.isNaN(at) ? [] : [`<t:${Math.floor(at / 1000)}:d>`]
  const parts = [
    ...(version > 1 ? [`v${version}`] : []),
    ...(who.length + when.length === 0 ? [] : [[...who, ...when].join(', ')]),
    ...(isAddress(link) ? [`<${link}>`] : []),
  ]
  return `-# [${number}] **${escapedLine(file, MAX_NAME)}**${[where, ...parts].join(' · ')}`
}

/** Only known message URLs become links. */
const isAddress = (link: string | undefined): link is string =>
  link !== undefined && link.length <= MAX_LINK && /^https?:\/\/[^\s<>]+$/.test(link)

/** A heading or a row of a table has no full stop: on one line a stroke keeps it apart from its neighbours. */
const STROKE = ' / '

/** A passage on one line, without heading marks and table lines. */
function toLine(text: string): string {
  let line = ''
  let stands = false
  for (const { words, alone } of text.split('\n').map(withoutMarks)) {
    if (words === '') continue
    line += line === '' ? words : `${alone || stands ? STROKE : ' '}${words}`
    stands = alone
  }
  return line
}

/** `alone`: the line is no prose. */
function withoutMarks(text: string): { readonly words: string; readonly alone: boolean } {
  const row = text.trim()
  if (/^\|[\s:|-]+\|$/.test(row)) return { words: '', alone: false }
  const cells = row.split(/(?<!\\)\|/).map((cell) => oneLine(cell).replaceAll('\\|', '|'))
  // The supporting sentence may begin in the middle of a table row.
  if (cells.length > 2 && cells.at(-1) === '')
    return { words: cells.filter((cell) => cell !== '').join(' · '), alone: true }
  const words = text.replace(/^#{1,6}[ \t]+/, '')
  return { words: oneLine(words), alone: words !== text }
}

/** The passage around the supporting sentence, which is highlighted. */
function quoteOf({ passage, support }: Reference): string {
  const [whole, marked] = [passage, support ?? ''].map(toLine)
  if (whole === undefined || whole === '') return ''
  const at = marked === undefined || marked === '' ? -1 : whole.indexOf(marked)
  if (marked === undefined || at < 0) return `“${escapeText(shorten(whole, MAX_QUOTE))}”`
  const before = shortenStart(whole.slice(0, at).trim(), MAX_ASIDE)
  const after = shorten(whole.slice(at + marked.length).trim(), MAX_ASIDE)
  const bold = `**${escapeText(shorten(marked, MAX_SUPPORT))}**`
  return `“${[escapeText(before), bold, escapeText(after)].filter((part) => part !== '').join(' ')}”`
}

function lineOf(reference: Reference): string {
  const [head, quote] = [headOf(reference), quoteOf(reference)]
  if (quote === '') return head
  return reference.link === undefined ? `${head}: ${quote}` : `${head}\n-# ${quote}`
}

function pagesOf(lines: readonly string[]): string[] {
  const pages: string[] = []
  for (const line of lines) {
    const last = pages.at(-1)
    const joined = last === undefined ? line : `${last}\n${line}`
    if (last === undefined || joined.length > MESSAGE_LIMITS.content) pages.push(line)
    else pages[pages.length - 1] = joined
  }
  return pages
}

/** Cuts between graphemes, at a blank if one is near. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  const graphemes = Array.from(GRAPHEMES.segment(text), ({ segment }) => segment)
  if (graphemes.length <= length) return text
  const cut = graphemes.slice(0, length).join('')
  const blank = cut.lastIndexOf(' ')
  return `${(blank > cut.length * 0.6 ? cut.slice(0, blank) : cut).replace(/[ ·/]+$/, '')}…`
}

/** Like `shorten`, from the end. */
function shortenStart(text: string, length: number): string {
  if (text.length <= length) return text
  const graphemes = Array.from(GRAPHEMES.segment(text), ({ segment }) => segment)
  if (graphemes.length <= length) return text
  const cut = graphemes.slice(-length).join('')
  const blank = cut.indexOf(' ')
  return `…${(blank >= 0 && blank < cut.length * 0.4 ? cut.slice(blank) : cut).replace(/^[ ·/]+/, '')}`
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
