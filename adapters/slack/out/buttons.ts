import type { types } from '@slack/bolt'
import type { Action } from '../../../src/bridge/port/message.ts'
import { number, text, toFields } from '../../shared/json.ts'
import type { Fields } from '../../shared/json.ts'
import { stripGuards } from './markup.ts'
import { cut } from './excerpt.ts'

/** A dialog that a button opens: everything it needs travels in the button and in the dialog, so that a restart costs nothing. */
export interface Dialog {
  readonly channel: string
  readonly thread: string
  readonly messageId: string
  readonly action: string
  readonly value: string
}

type Prompt = NonNullable<Action['prompt']>

/** https://docs.slack.dev/reference/views/modal-views */
const titleLength = 24
const labelLength = 2_000
const fieldLength = 3_000
export const dialogCallback = 'fb:prompt'
const field = 'fb:text'

/** Prompts travel in the value of their button. */
export const packPrompt = (value: string, { title, label, prefill }: Prompt): string =>
  JSON.stringify({ v: value, t: title, l: label, ...(prefill === undefined ? {} : { p: 1 }) })

function readPacked(packed: string): Fields {
  try {
    return toFields(JSON.parse(packed))
  } catch {
    return {}
  }
}

export function unpackPrompt(
  packed: string,
): { readonly value: string; readonly prompt: Prompt } | undefined {
  const fields = readPacked(packed)
  const title = text(fields, 't')
  const label = text(fields, 'l')
  if (title === undefined || label === undefined) return undefined
  const prefill = number(fields, 'p') === 1 ? ({ prefill: 'message' } as const) : {}
  return { value: text(fields, 'v') ?? '', prompt: { title, label, ...prefill } }
}

const words = (language: string | undefined) =>
  language?.toLowerCase().startsWith('de') === true
    ? { send: 'Senden', cancel: 'Abbrechen' }
    : { send: 'Send', cancel: 'Cancel' }

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** The text of a message of ours as it was written: what Slack gives back is our own fallback text. */
export const ownText = (message: Fields): string =>
  stripGuards(
    (text(message, 'text') ?? '')
      .replace(/^(?:<@[UW][A-Z0-9]+> ?)+\n/, '')
      .replace(/&(?:lt|gt|amp);/g, (entity) => entities[entity] ?? entity),
  )

export function toView(
  dialog: Dialog,
  prompt: Prompt,
  message: Fields,
  language: string | undefined,
): types.ModalView {
  const { send, cancel } = words(language)
  const begin = prompt.prefill === 'message' ? cut(ownText(message), fieldLength) : ''
  return {
    type: 'modal',
    callback_id: dialogCallback,
    private_metadata: JSON.stringify(dialog),
    title: { type: 'plain_text', text: cut(prompt.title, titleLength), emoji: false },
    submit: { type: 'plain_text', text: send },
    close: { type: 'plain_text', text: cancel },
    blocks: [
      {
        type: 'input',
        block_id: field,
        label: { type: 'plain_text', text: cut(prompt.label, labelLength), emoji: false },
        element: {
          type: 'plain_text_input',
          action_id: field,
          multiline: true,
          max_length: fieldLength,
          ...(begin === '' ? {} : { initial_value: begin }),
        },
      },
    ],
  }
}

/** What a submitted dialog says; undefined: it is none of ours. */
export function readSubmission(
  view: Fields,
): { readonly dialog: Dialog; readonly text: string; readonly id: string } | undefined {
  const kept = readPacked(text(view, 'private_metadata') ?? '')
  const [channel, thread, messageId, action] = ['channel', 'thread', 'messageId', 'action'].map((name) =>
    text(kept, name),
  )
  const id = text(view, 'id')
  if (channel === undefined || thread === undefined || messageId === undefined) return undefined
  if (action === undefined || id === undefined) return undefined
  const values = toFields(toFields(view['state'])['values'])
  const typed = text(toFields(toFields(values[field])[field]), 'value') ?? ''
  const value = text(kept, 'value') ?? ''
  return { id, text: typed, dialog: { channel, thread, messageId, action, value } }
}
