import {
  type APIInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  ComponentType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  Routes,
} from 'discord.js'
import type { Suggest } from '../../../src/bridge/port/adapter.ts'
import type { Inbound } from '../../../src/bridge/port/message.ts'
import type { Channels } from '../channels.ts'
import { readCustomId, readTyped, toModal, unpackPrompt } from '../out/buttons.ts'
import type { Ephemeral } from '../out/ephemeral.ts'
import { packTicket, type Replies } from '../out/replies.ts'
import type { Rest } from '../rest.ts'
import { complete, conversationOfInteraction, isElsewhere, readCommand } from './commands.ts'
import { type Names, toAuthor } from './message.ts'

export interface InteractionParts {
  readonly rest: Rest
  readonly channels: Channels
  /** Resolves when the bridge has stored it. */
  readonly deliver: (inbound: Inbound) => Promise<void>
  readonly suggest: Suggest
  readonly names: (workspace: string) => Names
  /** Keeps the tokens, with which ephemeral messages can be shown and changed for a while. */
  readonly ephemeral: Pick<Ephemeral, 'rememberToken' | 'remember'>
  readonly replies: Pick<Replies, 'begin'>
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
 * Commands, completions, buttons and their dialogs. An interaction without acknowledgement within 3 s shows as failed,
 * which is right if it could not be stored.
 */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createInteractionHandler(parts: InteractionParts) {
  const { rest, channels, deliver, ephemeral, replies, suggest } = parts
  const answer = (raw: APIInteraction, body: object) =>
    rest.post(Routes.interactionCallback(raw.id, raw.token), body, { auth: false, retry: false })

  /** A send may be ready before the acknowledgement is: it waits for that. */
  async function storeAndAnswer(raw: APIInteraction, inbound: Inbound, body: object): Promise<void> {
    const acknowledged = Promise.withResolvers<void>()
    replies.begin(raw.id, acknowledged.promise)
    try {
      await deliver(inbound)
      await answer(raw, body)
    } finally {
      acknowledged.resolve()
    }
  }

  async function deliverAction(raw: Interaction, custom: string, text?: string): Promise<void> {
    const action = readCustomId(custom)
    const user = raw.member?.user ?? raw.user
    const { channel, message } = raw
    if (action === undefined || user === undefined || channel === undefined || message === undefined) return
    const conversation = await conversationOfInteraction(raw, channels)
    if (conversation === undefined) return
    const author = { ...toAuthor(user, raw.member?.nick), language: raw.locale }
    const isPrivate = ((message.flags ?? 0) & MessageFlags.Ephemeral) !== 0
    ephemeral.rememberToken(channel.id, user.id, raw.token)
    if (isPrivate) ephemeral.remember(message.id, raw.token)
    const inbound: Inbound = {
      kind: 'action',
      key: `discord:interaction:${raw.id}`,
      conversation,
      author,
      messageId: message.id,
      action: { ...action, text },
      isPrivate,
      ticket: packTicket(raw, { inside: isPrivate || isElsewhere(raw) }),
    }
    await storeAndAnswer(raw, inbound, { type: InteractionResponseType.DeferredMessageUpdate })
  }

  async function press(raw: APIMessageComponentInteraction): Promise<void> {
    const { custom, dialog } = unpackPrompt(raw.data.custom_id)
    if (dialog === undefined) return deliverAction(raw, custom)
    const pressed = { label: labelOf(raw), content: raw.message.content }
    await answer(raw, { type: InteractionResponseType.Modal, data: toModal(custom, dialog, pressed) })
  }

  return async function handle(raw: APIInteraction): Promise<void> {
    switch (raw.type) {
      case InteractionType.ModalSubmit:
        return deliverAction(raw, raw.data.custom_id, readTyped(raw.data.components))
      case InteractionType.MessageComponent:
        return press(raw)
      case InteractionType.ApplicationCommand: {
        const read = await readCommand(raw, parts)
        return read && storeAndAnswer(raw, read.inbound, read.deferral)
      }
      case InteractionType.ApplicationCommandAutocomplete:
        await answer(raw, await complete(raw, channels, suggest))
        break
      case InteractionType.Ping:
    }
  }
}
