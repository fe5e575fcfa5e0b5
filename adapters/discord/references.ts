import type { Outgoing, Reference } from '../../src/bridge/message.ts'
import { messageLimits } from './config.ts'
import { tooLongError } from './errors.ts'
import { escapeText } from './inline.ts'
import { toDiscord } from './markup.ts'

const quoteLength = 120
const nameLength = 200

export interface Composed {
  readonly content: string
  /** References that found no room: each one message that follows the answer. */
  readonly following: readonly string[]
}

/**
 * What a message shows: its text, and one line for each reference. References that would not fit go into messages of
 * their own; the text is never cut.
 *
 * @throws {AdapterError} `too-long`
 */
export function compose(outgoing: Pick<Outgoing, 'text' | 'references'>): Composed {
  // Discord refuses a message without a visible character.
  const text = toDiscord(outgoing.text) || '…'
  if (text.length > messageLimits.content) throw tooLongError()
  const lines = (outgoing.references ?? []).map(lineOf)
  if (lines.length === 0) return { content: text, following: [] }
  const whole = [text, '', ...lines].join('\n')
  if (whole.length <= messageLimits.content) return { content: whole, following: [] }
  return { content: text, following: pagesOf(lines) }
}

/** `[1] handbook.pdf, p.2: "The first words of the passage…"`, in small print. */
function lineOf({ number, file, place, passage }: Reference): string {
  const where = place === undefined ? '' : `, ${escapeText(oneLine(place))}`
  // On one line the marks of headings are only noise.
  const quote = shorten(oneLine(passage.replaceAll(/^#{1,6}[ \t]+/gm, '')), quoteLength)
  const quoted = quote === '' ? '' : `: “${escapeText(quote)}”`
  return `-# [${number}] **${escapeText(shorten(oneLine(file), nameLength))}**${where}${quoted}`
}

function pagesOf(lines: readonly string[]): string[] {
  const pages: string[] = []
  for (const line of lines) {
    const last = pages.at(-1)
    const joined = last === undefined ? line : `${last}\n${line}`
    if (last === undefined || joined.length > messageLimits.content) pages.push(line)
    else pages[pages.length - 1] = joined
  }
  return pages
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** By whole graphemes, and at a blank where there is one near. */
function shorten(text: string, length: number): string {
  const graphemes = [...segmenter.segment(text)]
  if (graphemes.length <= length) return text
  const cut = graphemes
    .slice(0, length)
    .map(({ segment }) => segment)
    .join('')
  const blank = cut.lastIndexOf(' ')
  return `${(blank > cut.length * 0.6 ? cut.slice(0, blank) : cut).trimEnd()}…`
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
