import {
  type APIInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  ComponentType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  Routes,
  SnowflakeUtil,
} from 'discord.js'
import type { Suggest } from '#bridge/port/adapter.ts'
import type { Inbound } from '#bridge/port/message.ts'
import { hasCode } from '#adapters/shared/session.ts'
import type { Channels } from '../channels.ts'
import { isAcknowledgedBefore } from '../errors.ts'
import { readCustomId, readMenu, readModal, toModal, unpackPrompt } from '../outbound/buttons.ts'
import type { Ephemeral } from '../outbound/ephemeral.ts'
import { packTicket, type Replies } from '../outbound/replies.ts'
import type { Rest } from '../rest.ts'
import { FILE_DIALOG, toFileDialog } from './command-list.ts'
import {
  complete,
  conversationOfInteraction,
  isUserInstalledOnly,
  readCommand,
  type ReadCommand,
  readFileDialog,
  wantsFileDialog,
} from './commands.ts'
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

/** `isLate`: Discord may have shown the person already that the interaction failed. */
interface Received<Raw> {
  readonly raw: Raw
  readonly isLate: boolean
}

/** Discord waits 3 s for an acknowledgement. */
const LATE_MS = 2000

/** A resumed session replays interactions from before; Discord has shown those as failed. */
export const isOld = ({ id }: APIInteraction): boolean => Date.now() - SnowflakeUtil.timestampFrom(id) > LATE_MS

/** Ignores an acknowledgement that came too late or twice, or that a locked thread refuses: the event is stored, so it is handled. */
function throwUnlessNeedless(error: unknown): void {
  if (error instanceof Error && isAcknowledgedBefore(error)) return
  if (!hasCode(error, 'not-found', 'closed')) throw error
}

/**
 * Whether Discord took the answer to an interaction: this one, or one whose response was lost.
 *
 * @throws {AdapterError} `ambiguous`, when it is unknown
 */
async function isTaken(answer: () => Promise<unknown>): Promise<boolean> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await answer()
      return true
    } catch (error) {
      if (error instanceof Error && isAcknowledgedBefore(error)) return true
      if (!hasCode(error, 'ambiguous')) return false
      if (attempt > 0) throw error
    }
  }
}

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
  async function storeAndAnswer({ raw, isLate }: Received<APIInteraction>, inbound: Inbound, body: object) {
    const acknowledged = Promise.withResolvers<void>()
    replies.begin(raw.id, acknowledged.promise)
    try {
      // After 3 s Discord shows that it failed: the event must then not be handled.
      if (isLate && !(await isTaken(() => answer(raw, body)))) return
      await deliver(inbound)
      if (!isLate) await answer(raw, body).catch(throwUnlessNeedless)
    } finally {
      acknowledged.resolve()
    }
  }

  const storeCommand = async (heard: Received<APIInteraction>, read: ReadCommand | undefined) =>
    read && storeAndAnswer(heard, read.inbound, read.deferral)

  async function deliverAction(heard: Received<Interaction>, custom: string, text?: string): Promise<void> {
    const { raw } = heard
    const action = readCustomId(custom)
    const user = raw.member?.user ?? raw.user
    const { channel, message } = raw
    if (action === undefined || user === undefined || channel === undefined || message === undefined) return
    const conversation = await conversationOfInteraction(raw, channels)
    if (conversation === undefined) return
    const author = { ...toAuthor(user, raw.member?.nick), language: raw.locale }
    const isPrivate = ((message.flags ?? 0) & MessageFlags.Ephemeral) !== 0
    await ephemeral.rememberToken(channel.id, user.id, raw.token)
    if (isPrivate) ephemeral.remember(message.id, raw.token)
    const inbound: Inbound = {
      kind: 'action',
      key: `discord:interaction:${raw.id}`,
      conversation,
      author,
      messageId: message.id,
      action: { ...action, text },
      isPrivate,
      ticket: packTicket(raw, { interactionOnly: isPrivate || isUserInstalledOnly(raw) }),
    }
    await storeAndAnswer(heard, inbound, { type: InteractionResponseType.DeferredMessageUpdate })
  }

  async function press(heard: Received<APIMessageComponentInteraction>): Promise<void> {
    const { raw, isLate } = heard
    const choice = 'values' in raw.data ? readMenu(raw.data.custom_id, raw.data.values) : undefined
    if (choice !== undefined) return deliverAction(heard, choice.custom, choice.text)
    const { custom, dialog } = unpackPrompt(raw.data.custom_id)
    if (dialog === undefined) return deliverAction(heard, custom)
    const pressed = { id: raw.id, label: labelOf(raw), content: raw.message.content, locale: raw.locale }
    const show = () => answer(raw, { type: InteractionResponseType.Modal, data: toModal(custom, dialog, pressed) })
    await (isLate ? isTaken(show) : show())
  }

  return async function handle(raw: APIInteraction, isLate: boolean): Promise<void> {
    switch (raw.type) {
      case InteractionType.ModalSubmit: {
        if (raw.data.custom_id === FILE_DIALOG)
          return storeCommand({ raw, isLate }, await readFileDialog(raw, channels))
        const { custom, text } = readModal(raw.data)
        return deliverAction({ raw, isLate }, custom, text)
      }
      case InteractionType.MessageComponent:
        return press({ raw, isLate })
      case InteractionType.ApplicationCommand: {
        if (!wantsFileDialog(raw)) return storeCommand({ raw, isLate }, await readCommand(raw, parts))
        const dialog = { type: InteractionResponseType.Modal, data: toFileDialog(raw.locale) }
        return void (await isTaken(() => answer(raw, dialog)))
      }
      case InteractionType.ApplicationCommandAutocomplete:
        // If our clock is ahead, every request seems late. Discord refuses those that really are.
        await answer(raw, await complete(raw, channels, suggest)).catch(throwUnlessNeedless)
        break
      case InteractionType.Ping:
    }
  }
}
