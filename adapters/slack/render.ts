import type { types } from '@slack/bolt'
import { AdapterError } from '../../src/bridge/errors.ts'
import type { Action, Outgoing, Reference } from '../../src/bridge/message.ts'
import { escapeMentions, escapeText } from './markup.ts'

export type Blocks = (types.KnownBlock | types.Block)[]

/** Prefix of our buttons' ids; the number keeps them apart within a message. */
const buttonId = /^fb:\d+:(.+)$/
export const anyButton = /^fb:\d+:/
export const actionOf = (id: string): string | undefined => buttonId.exec(id)?.[1]

const labelLength = 75
const valueLength = 2_000
const linesLength = 1_900
const childrenPerContainer = 10
/** A shorter rest of a passage is not worth unfolding. */
const leastPassage = 80

const size = (text: string) => Buffer.byteLength(text)
const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`
const title = ({ number, file, place }: Reference) =>
  `[${number}] ${file}${place === undefined ? '' : ` · ${place}`}`

/** Cuts to a number of bytes, at a character. */
function cutBytes(text: string, bytes: number): string {
  if (size(text) <= bytes) return text
  const kept = Buffer.from(text)
    .subarray(0, Math.max(bytes - 3, 0))
    .toString('utf8')
  return `${kept.replace(/\uFFFD$/, '').trimEnd()}…`
}

/** Lines of the references in context blocks: plain text, in which nothing is markup. */
function lineBlocks(references: readonly Reference[]): Blocks {
  const groups: string[] = []
  for (const reference of references) {
    const line = cut(title(reference), 300)
    const last = groups.at(-1)
    if (last !== undefined && last.length + line.length < linesLength)
      groups[groups.length - 1] = `${last}\n${line}`
    else groups.push(line)
  }
  return groups.map((text) => ({ type: 'context', elements: [{ type: 'plain_text', text, emoji: false }] }))
}

/** A rich text block: its texts are literal, so a passage can neither format nor notify. */
const passageBlock = (reference: Reference, passage: string): types.RichTextBlock => ({
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_section',
      elements: [{ type: 'text', text: title(reference), style: { bold: true } }],
    },
    { type: 'rich_text_quote', elements: [{ type: 'text', text: passage }] },
  ],
})

/** The most that each may have so that all together fit: the short ones whole, the long ones an equal share. */
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

/** The passages behind a fold, as much of each as there is room for. */
function passageBlocks(references: readonly Reference[], room: number): Blocks {
  const heads = references.reduce((sum, reference) => sum + size(title(reference)), 0)
  const each = share(
    references.map(({ passage }) => size(passage)),
    room - heads - 40 * Math.ceil(references.length / childrenPerContainer),
  )
  if (each < leastPassage) return []
  const blocks: Blocks = []
  for (let from = 0; from < references.length; from += childrenPerContainer) {
    const group = references.slice(from, from + childrenPerContainer)
    blocks.push({
      type: 'container',
      title: { type: 'plain_text', text: 'Passages' },
      is_collapsible: true,
      default_collapsed: true,
      child_blocks: group.map((reference) => passageBlock(reference, cutBytes(reference.passage, each))),
    })
  }
  return blocks
}

function actionBlocks(actions: readonly Action[]): Blocks {
  if (actions.length === 0) return []
  for (const action of actions) {
    if (action.value.length > valueLength)
      throw new AdapterError(
        'invalid',
        `The value of button ${action.id} is over Slack's ${valueLength} characters. Keep it in the store and send its key.`,
      )
  }
  return [
    {
      type: 'actions',
      elements: actions.map((action, index) => ({
        type: 'button',
        action_id: `fb:${index}:${action.id}`,
        text: { type: 'plain_text', text: cut(action.label, labelLength), emoji: false },
        value: action.value,
        ...(action.style === undefined ? {} : { style: action.style }),
      })),
    },
  ]
}

/** Bytes that the reference lines and buttons take at least. */
export const footSize = ({ references = [], actions = [] }: Outgoing): number =>
  references.reduce((sum, reference) => sum + size(cut(title(reference), 300)) + 1, 0) +
  actions.reduce((sum, action) => sum + size(action.label), 0)

/**
 * What stands under the text: one line a reference, the passages behind a fold, the buttons.
 * @param room bytes that it may take.
 * @param fold false where Slack refused a container: then the lines alone.
 */
export function renderFoot(outgoing: Outgoing, room: number, fold: boolean): Blocks {
  const references = outgoing.references ?? []
  const passages = fold && references.length > 0 ? passageBlocks(references, room - footSize(outgoing)) : []
  return [...lineBlocks(references), ...passages, ...actionBlocks(outgoing.actions ?? [])]
}

/** The text as one markdown block: tables, lists and code come out as such. */
export const renderText = (markdown: string): Blocks =>
  markdown.trim() === '' ? [] : [{ type: 'markdown', text: escapeMentions(markdown) }]

/** What notifications and screen readers get; never shown where there are blocks. Slack refuses more than 4,000. */
export const renderFallback = (markdown: string): string => cut(escapeText(escapeMentions(markdown)), 3_000)
