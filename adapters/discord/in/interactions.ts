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
import { readCustomId } from '../out/buttons.ts'
import type { Calls } from '../rest.ts'
import type { Channels } from '../channels.ts'
import { toAuthor } from './message.ts'
import { readTyped, toModal, unpackPrompt } from '../out/dialog.ts'
import type { Whispers } from '../out/ephemeral.ts'

export interface PressOptions {
  readonly calls: Calls
  readonly channels: Channels
  /** Resolves when the bridge has stored it. */
  readonly hand: (inbound: Inbound) => Promise<void>
  /** Somebody pressed something: for a while they can be told something alone. */
  readonly heard: Whispers['heard']
}

type Pressed = APIMessageComponentInteraction | APIModalSubmitInteraction

/** What stands on the button that was pressed. */
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
 * Buttons, and the dialogs that they open. What is not acknowledged within 3 s shows as failed: exactly right when it
 * could not be stored.
 */
export function createPresses({ calls, channels, hand, heard }: PressOptions) {
  const answer = (raw: Pressed, body: object) =>
    calls.post(Routes.interactionCallback(raw.id, raw.token), body, { auth: false, retry: false })

  async function handOver(raw: Pressed, custom: string, text?: string): Promise<void> {
    const action = readCustomId(custom)
    const user = raw.member?.user ?? raw.user
    const { channel, message } = raw
    if (action === undefined || user === undefined || channel === undefined || message === undefined) return
    const conversation = await channels.conversation(channel.id, { guildId: raw.guild_id })
    const author = { ...toAuthor(user, raw.member?.nick), language: raw.locale }
    heard(channel.id, user.id, raw.token)
    await hand({
      kind: 'action',
      key: `discord:interaction:${raw.id}`,
      conversation,
      author,
      messageId: message.id,
      action: { ...action, ...(text === undefined ? {} : { text }) },
    })
    await answer(raw, { type: InteractionResponseType.DeferredMessageUpdate })
  }

  return async function press(raw: APIInteraction): Promise<void> {
    if (raw.type === InteractionType.ModalSubmit)
      return handOver(raw, raw.data.custom_id, readTyped(raw.data.components))
    if (raw.type !== InteractionType.MessageComponent) return undefined
    const { custom, asked } = unpackPrompt(raw.data.custom_id)
    if (asked === undefined) return handOver(raw, custom)
    const pressed = { label: labelOf(raw), content: raw.message.content }
    await answer(raw, { type: InteractionResponseType.Modal, data: toModal(custom, asked, pressed) })
    return undefined
  }
}
