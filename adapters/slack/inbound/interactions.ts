import { overviewOf } from '#bridge/port/forms.ts'
import type { ConversationRef, Inbound } from '#bridge/port/message.ts'
import { type Fields, list, text, toFields } from '#adapters/shared/json.ts'
import type { Api } from '../api.ts'
import type { Identity } from '../config.ts'
import type { Directory } from '../directory.ts'
import { boundThread, readButtonId, readSubmission, toView, unpackPrompt } from '../outbound/buttons.ts'
import { packOrigin, readForm, waitingView } from '../outbound/views.ts'
import { keyOf } from './events.ts'
import type { MessageReader } from './message.ts'

/** Buttons and the dialogs that they open. */
export interface InteractionReader {
  readonly button: (body: unknown) => Promise<Inbound | undefined>
  /** True: the button has a dialog, and it is open. @throws {AdapterError} */
  readonly openDialog: (body: unknown) => Promise<boolean>
  readonly submission: (body: unknown) => Promise<Inbound | undefined>
  readonly formSubmission: (body: unknown) => Promise<Inbound | undefined>
}

/** A dialog must open within 3 s, so the look-up of the language gets little time. */
const LANGUAGE_LOOKUP_MS = 250

interface Press {
  readonly channel: string
  readonly thread: string
  readonly messageId: string
  readonly user: string
  readonly id: string
  readonly value: string
  readonly at: string
  readonly prompted: boolean
  readonly hasForm: boolean
  readonly isPrivate: boolean
  readonly ticket?: string
}

function readPress(body: Fields): Press | undefined {
  const [pressed = {}] = list(body, 'actions')
  const container = toFields(body['container'])
  const user = text(toFields(body['user']), 'id')
  // A press in App Home belongs to no channel: its answers go to the direct message with this person.
  const home = text(container, 'type') === 'view' ? user : undefined
  const channel = text(toFields(body['channel']), 'id') ?? text(container, 'channel_id') ?? home
  const messageId = text(container, 'message_ts') ?? (home && text(container, 'view_id'))
  const button = readButtonId(text(pressed, 'action_id') ?? '')
  if (channel === undefined || messageId === undefined || button === undefined || user === undefined) return undefined
  const thread =
    home ??
    boundThread(text(pressed, 'block_id') ?? '') ??
    text(container, 'thread_ts') ??
    text(toFields(body['message']), 'thread_ts') ??
    messageId
  const value = text(pressed, 'value') ?? ''
  const isPrivate = container['is_ephemeral'] === true
  const ticket = isPrivate ? text(body, 'response_url') : undefined
  return { channel, thread, messageId, user, value, at: text(pressed, 'action_ts') ?? '', isPrivate, ticket, ...button }
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createInteractionReader(parts: {
  readonly api: Api
  readonly identity: Identity
  readonly directory: Directory
  readonly messages: MessageReader
}): InteractionReader {
  const { api, identity, directory, messages } = parts
  const placeOf = (channel: string, thread: string | undefined): ConversationRef =>
    /^[UW]/.test(channel)
      ? overviewOf('slack', identity.team, channel)
      : { ...messages.conversationOf(channel, thread ?? ''), thread }

  /** Opens a dialog that the bridge fills; the ticket names it. */
  async function openForm(body: Fields, { channel, thread, messageId, user }: Press): Promise<string> {
    const language = (await directory.find(user, LANGUAGE_LOOKUP_MS))?.language
    const origin = packOrigin({ channel, thread, messageId })
    const trigger_id = text(body, 'trigger_id') ?? ''
    const view = waitingView(origin, language)
    const opened = await api.call('views.open', (web) => web.views.open({ trigger_id, view }), { patient: false })
    return JSON.stringify({ view: opened.view?.id, origin })
  }

  return {
    async formSubmission(raw) {
      const body = toFields(raw)
      const user = text(toFields(body['user']), 'id')
      const form = readForm(toFields(body['view']))
      if (user === undefined || form === undefined) return undefined
      const { channel, thread, messageId } = form.origin
      return {
        kind: 'action',
        key: keyOf(identity.team, channel, messageId, 'form', form.id, user),
        conversation: placeOf(channel, thread),
        author: await messages.authorOf({ user }),
        messageId,
        action: { id: form.action, value: form.value, text: form.values },
        isPrivate: true,
      }
    },
    async button(raw) {
      const press = readPress(toFields(raw))
      if (press === undefined || press.prompted) return undefined
      const { channel, thread, messageId, user, id, value, at, isPrivate, ticket } = press
      const form = press.hasForm ? await openForm(toFields(raw), press) : undefined
      return {
        kind: 'action',
        key: keyOf(identity.team, channel, messageId, 'action', at, user),
        conversation: placeOf(channel, thread),
        author: await messages.authorOf({ user }),
        messageId,
        action: { id, value },
        ...(isPrivate ? { isPrivate } : {}),
        ticket: form ?? ticket,
      }
    },
    async openDialog(raw) {
      const body = toFields(raw)
      const press = readPress(body)
      const packed = press?.prompted === true ? unpackPrompt(press.value) : undefined
      if (press === undefined || packed === undefined) return false
      const { channel, thread, messageId, id: action } = press
      const dialog = { channel, thread, messageId, action, value: packed.value }
      const language = (await directory.find(press.user, LANGUAGE_LOOKUP_MS))?.language
      const view = toView(dialog, packed.prompt, toFields(body['message']), language)
      const trigger = text(body, 'trigger_id') ?? ''
      await api.call('views.open', (web) => web.views.open({ trigger_id: trigger, view }), { patient: false })
      return true
    },
    async submission(raw) {
      const body = toFields(raw)
      const user = text(toFields(body['user']), 'id')
      const submitted = readSubmission(toFields(body['view']))
      if (user === undefined || submitted === undefined) return undefined
      const { channel, thread, messageId, action, value } = submitted.dialog
      return {
        kind: 'action',
        key: keyOf(identity.team, channel, messageId, 'dialog', submitted.id, user),
        conversation: messages.conversationOf(channel, thread),
        author: await messages.authorOf({ user }),
        messageId,
        action: { id: action, value, text: submitted.text },
      }
    },
  }
}
