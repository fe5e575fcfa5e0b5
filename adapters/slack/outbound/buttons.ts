import { textsFor } from './texts.ts'
import type { types } from '@slack/bolt'
import { AdapterError } from '#bridge/port/errors.ts'
import type { Action } from '#bridge/port/message.ts'
import { type Fields, number, parseFields, text, toFields } from '#adapters/shared/json.ts'
import { cut, quotedWords } from '#adapters/shared/outgoing.ts'
import { reasonsFor, toReason } from '#adapters/shared/reasons.ts'
import { decodeEntities, stripGuards } from './markup.ts'

export type Blocks = (types.KnownBlock | types.Block)[]
type Prompt = NonNullable<Action['prompt']>

/** A dialog carries all data needed at its submission, so that it survives a restart. */
interface Dialog {
  readonly channel: string
  readonly thread: string
  readonly messageId: string
  readonly action: string
  readonly value: string
}

/** Ids of our buttons: the number makes them unique in a message, `?` marks a button with a dialog, `!` with a form. */
const BUTTON_ID = /^fb:\d+([?!])?:(.+)$/
export const ANY_BUTTON = /^fb:\d+[?!]?:/
export const DIALOG_CALLBACK = 'fb:prompt'
const FIELD = 'fb:text'
const BOXES = 'fb:reasons'

/** https://docs.slack.dev/reference/block-kit/block-elements/button-element */
const MAX_BUTTON_LABEL = 75
const MAX_BUTTON_VALUE = 2_000
const BUTTONS_PER_BLOCK = 25
/** https://docs.slack.dev/reference/views/modal-views */
const MAX_TITLE = 24
const MAX_FIELD_LABEL = 2_000
const MAX_FIELD = 3_000

export function readButtonId(
  id: string,
): { readonly id: string; readonly prompted: boolean; readonly hasForm: boolean } | undefined {
  const [, mark, action] = BUTTON_ID.exec(id) ?? []
  return action === undefined ? undefined : { id: action, prompted: mark === '?', hasForm: mark === '!' }
}

const valueOf = ({ value, prompt }: Action) => (prompt === undefined ? value : packPrompt(value, prompt))

export function actionBlocks(actions: readonly Action[]): Blocks {
  if (actions.length === 0) return []
  for (const action of actions) {
    if (valueOf(action).length > MAX_BUTTON_VALUE)
      throw new AdapterError(
        'invalid',
        `The value of button ${action.id} is over Slack's ${MAX_BUTTON_VALUE} characters. Keep it in the store and send its key.`,
      )
  }
  const buttons = actions.map((action, index): types.Button => ({
    type: 'button',
    action_id: `fb:${index}${action.prompt === undefined ? (action.form === true ? '!' : '') : '?'}:${action.id}`,
    text: { type: 'plain_text', text: cut(action.label, MAX_BUTTON_LABEL), emoji: false },
    value: valueOf(action),
    style: action.style,
  }))
  const blocks: Blocks = []
  for (let from = 0; from < buttons.length; from += BUTTONS_PER_BLOCK)
    blocks.push({ type: 'actions', elements: buttons.slice(from, from + BUTTONS_PER_BLOCK) })
  return blocks
}

/** An ephemeral message is shown outside of its thread, so its buttons carry the thread. */
export const bindToThread = (blocks: Blocks, thread: string | undefined): Blocks =>
  blocks.map((block, index) =>
    block.type === 'actions' && thread !== undefined ? { ...block, block_id: `fb:in:${thread}:${index}` } : block,
  )
export const boundThread = (blockId: string): string | undefined => /^fb:in:([\d.]+):\d+$/.exec(blockId)?.[1]

/** Packs a prompt into the value of its button. */
const packPrompt = (value: string, { title, label, prefill, reasons }: Prompt): string =>
  JSON.stringify({ v: value, t: title, l: label, p: prefill && 1, r: reasons && 1 })

export function unpackPrompt(packed: string): { readonly value: string; readonly prompt: Prompt } | undefined {
  const fields = parseFields(packed)
  const title = text(fields, 't')
  const label = text(fields, 'l')
  if (title === undefined || label === undefined) return undefined
  const prefill = number(fields, 'p') === 1 ? 'message' : undefined
  const reasons = number(fields, 'r') === 1 ? true : undefined
  return { value: text(fields, 'v') ?? '', prompt: { title, label, prefill, reasons } }
}

/** The original text of our message, from the fallback text that Slack returns. */
export const ownText = (message: Fields): string =>
  stripGuards(decodeEntities((text(message, 'text') ?? '').replace(/^(?:<@[UW][A-Z0-9]+> ?)+\n/, '')))

/** https://docs.slack.dev/reference/block-kit/block-elements/checkboxes-element */
const plain = (words: string) => ({ type: 'plain_text', text: words, emoji: false }) as const

function boxesBlock(language: string | undefined): types.KnownBlock {
  const { label, options } = reasonsFor(language)
  return {
    type: 'input',
    block_id: BOXES,
    optional: true,
    label: plain(label),
    element: {
      type: 'checkboxes',
      action_id: BOXES,
      options: options.map(({ value, label: words }) => ({ text: plain(words), value })),
    },
  }
}

export function toView(dialog: Dialog, prompt: Prompt, message: Fields, language: string | undefined): types.ModalView {
  const { send, cancel } = textsFor(language)
  const begin = prompt.prefill === 'message' ? cut(quotedWords(ownText(message)), MAX_FIELD) : ''
  return {
    type: 'modal',
    callback_id: DIALOG_CALLBACK,
    private_metadata: JSON.stringify(dialog),
    title: { type: 'plain_text', text: cut(prompt.title, MAX_TITLE), emoji: false },
    submit: { type: 'plain_text', text: send },
    close: { type: 'plain_text', text: cancel },
    blocks: [
      ...(prompt.reasons ? [boxesBlock(language)] : []),
      {
        type: 'input',
        block_id: FIELD,
        optional: prompt.reasons,
        label: { type: 'plain_text', text: cut(prompt.label, MAX_FIELD_LABEL), emoji: false },
        element: {
          type: 'plain_text_input',
          action_id: FIELD,
          multiline: true,
          max_length: MAX_FIELD,
          initial_value: begin === '' ? undefined : begin,
        },
      },
    ],
  }
}

/** Undefined: not our dialog. */
export function readSubmission(
  view: Fields,
): { readonly dialog: Dialog; readonly text: string; readonly id: string } | undefined {
  const kept = parseFields(text(view, 'private_metadata') ?? '')
  const [channel, thread, messageId, action] = ['channel', 'thread', 'messageId', 'action'].map((name) =>
    text(kept, name),
  )
  const id = text(view, 'id')
  if (channel === undefined || thread === undefined || messageId === undefined) return undefined
  if (action === undefined || id === undefined) return undefined
  const values = toFields(toFields(view['state'])['values'])
  const typed = text(toFields(toFields(values[FIELD])[FIELD]), 'value') ?? ''
  const { selected_options: boxes } = toFields(toFields(values[BOXES])[BOXES])
  const ticked = Array.isArray(boxes) ? boxes.map((box) => text(toFields(box), 'value') ?? '') : []
  const value = text(kept, 'value') ?? ''
  return { id, text: toReason(ticked, typed), dialog: { channel, thread, messageId, action, value } }
}
