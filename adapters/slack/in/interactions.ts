import type { Author, ConversationRef, Inbound } from '../../../src/bridge/port/message.ts'
import type { Api } from '../api.ts'
import type { Directory } from '../directory.ts'
import { list, text, toFields } from '../../shared/json.ts'
import type { Fields } from '../../shared/json.ts'
import { readSubmission, toView, unpackPrompt } from '../out/buttons.ts'
import { boundThread, readButtonId } from '../out/blocks.ts'

/** Buttons and the dialogs that they open. */
export interface PressReader {
  readonly action: (body: unknown) => Promise<Inbound | undefined>
  /** True: the button asks for a text first, and the dialog is open. @throws {AdapterError} */
  readonly ask: (body: unknown) => Promise<boolean>
  readonly submitted: (body: unknown) => Promise<Inbound | undefined>
}

interface PressParts {
  readonly api: Api
  readonly directory: Directory
  readonly keyOf: (channel: string, ...parts: readonly string[]) => string
  readonly conversationOf: (channel: string, thread: string) => ConversationRef
  readonly authorOf: (wire: Fields) => Promise<Author>
}

/** The way to a dialog is open for 3 seconds: nobody's language is worth more of them. */
const languageMs = 250

interface Press {
  readonly channel: string
  readonly thread: string
  readonly messageId: string
  readonly by: string
  readonly id: string
  readonly value: string
  readonly at: string
  readonly prompted: boolean
}

function readPress(body: Fields): Press | undefined {
  const [pressed = {}] = list(body, 'actions')
  const container = toFields(body['container'])
  const channel = text(toFields(body['channel']), 'id') ?? text(container, 'channel_id')
  const messageId = text(container, 'message_ts')
  const button = readButtonId(text(pressed, 'action_id') ?? '')
  const by = text(toFields(body['user']), 'id')
  if (channel === undefined || messageId === undefined || button === undefined || by === undefined)
    return undefined
  const thread =
    boundThread(text(pressed, 'block_id') ?? '') ??
    text(container, 'thread_ts') ??
    text(toFields(body['message']), 'thread_ts') ??
    messageId
  const value = text(pressed, 'value') ?? ''
  return { channel, thread, messageId, by, value, at: text(pressed, 'action_ts') ?? '', ...button }
}

export function createPressReader(parts: PressParts): PressReader {
  const { api, directory, keyOf, conversationOf, authorOf } = parts

  return {
    async action(raw) {
      const press = readPress(toFields(raw))
      if (press === undefined || press.prompted) return undefined
      const { channel, thread, messageId, by, id, value, at } = press
      return {
        kind: 'action',
        key: keyOf(channel, messageId, 'action', at, by),
        conversation: conversationOf(channel, thread),
        author: await authorOf({ user: by }),
        messageId,
        action: { id, value },
      }
    },
    async ask(raw) {
      const body = toFields(raw)
      const press = readPress(body)
      const packed = press?.prompted === true ? unpackPrompt(press.value) : undefined
      if (press === undefined || packed === undefined) return false
      const { channel, thread, messageId, id: action } = press
      const dialog = { channel, thread, messageId, action, value: packed.value }
      const language = (await directory.find(press.by, languageMs))?.language
      const view = toView(dialog, packed.prompt, toFields(body['message']), language)
      const trigger = text(body, 'trigger_id') ?? ''
      await api.call('views.open', (web) => web.views.open({ trigger_id: trigger, view }), { patient: false })
      return true
    },
    async submitted(raw) {
      const body = toFields(raw)
      const by = text(toFields(body['user']), 'id')
      const submission = readSubmission(toFields(body['view']))
      if (by === undefined || submission === undefined) return undefined
      const { channel, thread, messageId, action, value } = submission.dialog
      return {
        kind: 'action',
        key: keyOf(channel, messageId, 'dialog', submission.id, by),
        conversation: conversationOf(channel, thread),
        author: await authorOf({ user: by }),
        messageId,
        action: { id: action, value, text: submission.text },
      }
    },
  }
}
