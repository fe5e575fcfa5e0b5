import { AdapterError } from '#bridge/port/errors.ts'
import type { Outgoing } from '#bridge/port/message.ts'
import { cut, mentionedPeople, mentionLine } from '#adapters/shared/outgoing.ts'
import { TEXT_BUDGET_BYTES } from '../config.ts'
import { actionBlocks, type Blocks } from './buttons.ts'
import { escapeMentions, escapeText, measure } from './markup.ts'
import { type Fold, lineBlocks, lineSize, passageBlocks } from './references.ts'
import { tableBlocks } from './tables.ts'

const PERSON_ID = /^[UW][A-Z0-9]{2,30}$/
/** Slack refuses more than 4,000. */
const MAX_FALLBACK = 3_000

export function checkLength(markdown: string): void {
  const length = measure(markdown)
  if (length > TEXT_BUDGET_BYTES)
    throw new AdapterError(
      'too-long',
      `A message for Slack may have ${TEXT_BUDGET_BYTES} bytes; this one has ${length}. Split the text.`,
    )
}

/** Mentions of the people in `notify`; nothing else in a message becomes a mention. */
export const mentionsOf = (outgoing: Outgoing): string => mentionLine(mentionedPeople(outgoing, PERSON_ID))

/** Mentions have a block of their own, since mentions in the text are escaped. */
export function renderHead(outgoing: Outgoing): Blocks {
  const text = mentionsOf(outgoing)
  return text === '' ? [] : [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }]
}

/** Minimum size of reference lines and buttons, bytes. */
export const footSize = ({ references = [], actions = [], note = '' }: Outgoing): number =>
  Buffer.byteLength(note) +
  references.reduce((sum, reference) => sum + lineSize(reference), 0) +
  actions.reduce((sum, action) => sum + Buffer.byteLength(action.label), 0)

/** Small print: one line of plain words. */
export const noteBlocks = ({ note }: Pick<Outgoing, 'note'>): Blocks =>
  note === undefined ? [] : [{ type: 'context', elements: [{ type: 'plain_text', text: note, emoji: false }] }]

/**
 * The foot of a message: one line per reference, foldable passages, buttons.
 * @param room in bytes.
 * @param fold `none` if Slack refuses containers: then the lines only.
 */
export function renderFoot(outgoing: Outgoing, room: number, fold: Fold): Blocks {
  const { references = [], passagesTitle: name } = outgoing
  const passages = references.length > 0 ? passageBlocks(references, room - footSize(outgoing), { fold, name }) : []
  return [...lineBlocks(references), ...passages, ...noteBlocks(outgoing), ...actionBlocks(outgoing.actions ?? [])]
}

/** The text as one markdown block, which supports tables, lists and code. */
export const renderText = (markdown: string): Blocks =>
  markdown.trim() === '' ? [] : [{ type: 'markdown', text: escapeMentions(markdown) }]

/** The text of an answer: its table is a block of its own, which people can sort and filter. */
export const renderAnswer = (markdown: string, withChart = true): Blocks =>
  tableBlocks(markdown, renderText, withChart) ?? renderText(markdown)

/** Fallback text for notifications and screen readers; not shown together with blocks. */
export const renderFallback = (markdown: string): string => cut(escapeText(escapeMentions(markdown)), MAX_FALLBACK)
