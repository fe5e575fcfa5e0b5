import {
  type APIInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  ComponentType,
  InteractionResponseType,
  InteractionType,
  Routes,
} from 'discord.js'
import type { Inbound } from '../../../src/bridge/port/message.ts'
import type { Channels } from '../channels.ts'
import { readCustomId, readTyped, toModal, unpackPrompt } from '../out/buttons.ts'
import type { Rest } from '../rest.ts'
import { toAuthor } from './message.ts'

export interface InteractionParts {
  readonly rest: Rest
  readonly channels: Channels
  /** Resolves when the bridge has stored it. */
  readonly deliver: (inbound: Inbound) => Promise<void>
  /** Keeps the token, with which ephemeral messages can be shown to this person for a while. */
  readonly rememberToken: (channel: string, person: string, token: string) => void
}

type Interaction = APIMessageComponentInteraction | APIModalSubmitInteraction

/** The label of the button that was pressed. */
function labelOf({ message, data }: APIMessageComponentInteraction): string {
  for (const row of message.components ?? []) {
    if (row.type !== ComponentType.ActionRow) continue
    for (const button of row.components) {
      if (button.type !== ComponentType.Button || !('custom_id' in button)) continue
      if (button.custom_id === data.custom_id && button.label !== undefined) return button.label
    }
  }
  return '…'
}

/**
 * Buttons and their dialogs. An interaction without acknowledgement within 3 s shows as failed, which is right if it
 * could not be stored.
 */
export function createInteractionHandler({ rest, channels, deliver, rememberToken }: InteractionParts) {
  const answer = (raw: Interaction, body: object) =>
    rest.post(Routes.interactionCallback(raw.id, raw.token), body, { auth: false, retry: false })

  async function deliverAction(raw: Interaction, custom: string, text?: string): Promise<void> {
    const action = readCustomId(custom)
    const user = raw.member?.user ?? raw.user
    const { channel, message } = raw
    if (action === undefined || user === undefined || channel === undefined || message === undefined) return
    const conversation = await channels.conversation(channel.id, { guildId: raw.guild_id })
    const author = { ...toAuthor(user, raw.member?.nick), language: raw.locale }
    rememberToken(channel.id, user.id, raw.token)
    await deliver({
      kind: 'action',
      key: `discord:interaction:${raw.id}`,
      conversation,
      author,
      messageId: message.id,
      action: { ...action, text },
    })
    await answer(raw, { type: InteractionResponseType.DeferredMessageUpdate })
  }

  return async function handle(raw: APIInteraction): Promise<void> {
    if (raw.type === InteractionType.ModalSubmit)
      return deliverAction(raw, raw.data.custom_id, readTyped(raw.data.components))
    if (raw.type !== InteractionType.MessageComponent) return undefined
    const { custom, dialog } = unpackPrompt(raw.data.custom_id)
    if (dialog === undefined) return deliverAction(raw, custom)
    const pressed = { label: labelOf(raw), content: raw.message.content }
    await answer(raw, { type: InteractionResponseType.Modal, data: toModal(custom, dialog, pressed) })
    return undefined
  }
}
