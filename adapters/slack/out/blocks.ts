import type { types } from '@slack/bolt'
import { AdapterError } from '../../../src/bridge/port/errors.ts'
import type { Action, Outgoing } from '../../../src/bridge/port/message.ts'
import { cut } from './excerpt.ts'
import { escapeMentions, escapeText } from './markup.ts'
import { packPrompt } from './buttons.ts'
import { lineBlocks, lineSize, passageBlocks } from './references.ts'

export type Blocks = (types.KnownBlock | types.Block)[]

/** Prefix of our buttons' ids; the number keeps them apart within a message, `?` says that the button asks for a text. */
const buttonId = /^fb:\d+(\?)?:(.+)$/
export const anyButton = /^fb:\d+\??:/
export function readButtonId(id: string): { readonly id: string; readonly prompted: boolean } | undefined {
  const [, mark, action] = buttonId.exec(id) ?? []
  return action === undefined ? undefined : { id: action, prompted: mark !== undefined }
}

const labelLength = 75
const valueLength = 2_000
const buttonsPerBlock = 25

const size = (text: string) => Buffer.byteLength(text)
const valueOf = ({ value, prompt }: Action) => (prompt === undefined ? value : packPrompt(value, prompt))

function actionBlocks(actions: readonly Action[]): Blocks {
  if (actions.length === 0) return []
  for (const action of actions) {
    if (valueOf(action).length > valueLength)
      throw new AdapterError(
        'invalid',
        `The value of button ${action.id} is over Slack's ${valueLength} characters. Keep it in the store and send its key.`,
      )
  }
  const buttons = actions.map((action, index): types.Button => ({
    type: 'button',
    action_id: `fb:${index}${action.prompt === undefined ? '' : '?'}:${action.id}`,
    text: { type: 'plain_text', text: cut(action.label, labelLength), emoji: false },
    value: valueOf(action),
    ...(action.style === undefined ? {} : { style: action.style }),
  }))
  const blocks: Blocks = []
  for (let from = 0; from < buttons.length; from += buttonsPerBlock)
    blocks.push({ type: 'actions', elements: buttons.slice(from, from + buttonsPerBlock) })
  return blocks
}

/** A message for one person stands beside the thread that it belongs to: its buttons remember which that is. */
export const bindToThread = (blocks: Blocks, thread: string | undefined): Blocks =>
  blocks.map((block, index) =>
    block.type === 'actions' && thread !== undefined
      ? { ...block, block_id: `fb:in:${thread}:${index}` }
      : block,
  )
export const boundThread = (blockId: string): string | undefined => /^fb:in:([\d.]+):\d+$/.exec(blockId)?.[1]

/** Bytes that the reference lines and buttons take at least. */
export const footSize = ({ references = [], actions = [] }: Outgoing): number =>
  references.reduce((sum, reference) => sum + lineSize(reference), 0) +
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
