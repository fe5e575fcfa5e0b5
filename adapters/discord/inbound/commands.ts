import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteraction,
  type APIChatInputApplicationCommandInteraction,
  type APIMessageApplicationCommandInteraction,
  type APIAttachment,
  type APIInteraction,
  type APIModalSubmitInteraction,
  type APIUser,
  ApplicationCommandType,
  InteractionContextType,
  InteractionResponseType,
  MessageFlags,
} from 'discord.js'
import type { Suggest } from '#bridge/port/adapter.ts'
import type { CommandCall, ConversationRef, InboundOf } from '#bridge/port/message.ts'
import { cut } from '#adapters/shared/outgoing.ts'
import type { Channels } from '../channels.ts'
import { packTicket, type TicketRights } from '../outbound/replies.ts'
import { timeOf } from '../rest.ts'
import { argumentOf, completedBy, menuOf, slashOf } from './command-list.ts'
import { toAttachment } from './attachment.ts'
import { type Names, type RawMessage, toAuthor, toMessage } from './message.ts'

/** https://discord.com/developers/docs/interactions/application-commands: names and values of completions. */
const MAX_CHOICE = 100

/** Whether Footbridge is not in this place: its person has installed it for themselves. */
export const isUserInstalledOnly = ({
  authorizing_integration_owners: owners,
  context,
  guild_id: guild,
}: APIInteraction) =>
  context === InteractionContextType.PrivateChannel ||
  (guild !== undefined && (owners as { readonly 0?: string } | undefined)?.[0] === undefined)

/** The conversation of an interaction; elsewhere, the person's own direct conversation with its files. */
export async function conversationOfInteraction(
  raw: APIInteraction,
  channels: Channels,
): Promise<ConversationRef | undefined> {
  const person = raw.member?.user ?? raw.user
  if (person === undefined || raw.channel === undefined) return undefined
  if (isUserInstalledOnly(raw)) return channels.directWith(person.id)
  return channels.conversation(raw.channel.id, { guildId: raw.guild_id })
}

export interface ReadCommand {
  readonly inbound: InboundOf<'command'>
  /** The deferred answer, as Discord takes it at once. */
  readonly deferral: object
}

type Options = Readonly<Record<string, string | number | boolean>>

function optionsOf(raw: APIChatInputApplicationCommandInteraction): Options {
  const options = (raw.data.options ?? []) as { readonly name: string; readonly value?: string | number | boolean }[]
  return Object.fromEntries(options.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
}

/** Undefined: not our command. */
export async function readCommand(
  raw: APIApplicationCommandInteraction,
  { channels, names }: { readonly channels: Channels; readonly names: (workspace: string) => Names },
): Promise<ReadCommand | undefined> {
  const user = raw.member?.user ?? raw.user
  const conversation = await conversationOfInteraction(raw, channels)
  const command = await callOf(raw, channels, names)
  return command && toReadCommand(raw, user, conversation, command)
}

/** The files of a submitted dialog, as `/add` takes them. */
export async function readFileDialog(
  raw: APIModalSubmitInteraction,
  channels: Channels,
): Promise<ReadCommand | undefined> {
  const conversation = await conversationOfInteraction(raw, channels)
  const attachments = attachmentsOf(raw, Object.values(raw.data.resolved?.attachments ?? {}))
  return toReadCommand(raw, raw.member?.user ?? raw.user, conversation, { name: 'add', argument: '', attachments })
}

function toReadCommand(
  raw: APIApplicationCommandInteraction | APIModalSubmitInteraction,
  user: APIUser | undefined,
  conversation: ConversationRef | undefined,
  command: CommandCall,
): ReadCommand | undefined {
  if (user === undefined || conversation === undefined) return undefined
  const isUserInstalled = isUserInstalledOnly(raw)
  const direct = conversation.direct && !isUserInstalled
  // Nobody else reads a direct conversation.
  const shared = command.shared === true || direct
  const isPrivate = !shared
  const rights: TicketRights = { deferred: true, isPrivate, interactionOnly: isUserInstalled || isPrivate, direct }
  return {
    inbound: {
      kind: 'command',
      key: `discord:interaction:${raw.id}`,
      conversation,
      author: { ...toAuthor(user, raw.member?.nick), language: raw.locale },
      messageId: raw.id,
      command: { ...command, shared },
      sentAt: new Date(timeOf(raw.id)).toISOString(),
      ticket: packTicket(raw, rights),
    },
    deferral: {
      type: InteractionResponseType.DeferredChannelMessageWithSource,
      data: isPrivate ? { flags: MessageFlags.Ephemeral } : {},
    },
  }
}

async function callOf(
  raw: APIApplicationCommandInteraction,
  channels: Channels,
  names: (workspace: string) => Names,
): Promise<CommandCall | undefined> {
  if (raw.data.type === ApplicationCommandType.Message)
    return callOnMessage(raw as APIMessageApplicationCommandInteraction, names)
  if (raw.data.type !== ApplicationCommandType.ChatInput) return undefined
  const name = slashOf(raw.data.name)
  if (name === undefined) return undefined
  const options = optionsOf(raw as APIChatInputApplicationCommandInteraction)
  const given = String(options[argumentOf(name) ?? ''] ?? '').trim()
  if (name === 'add') {
    const file = raw.data.resolved?.attachments?.[given]
    return { name, argument: '', attachments: attachmentsOf(raw, file === undefined ? [] : [file]) }
  }
  const argument = given
  const [channel] = name === 'collection' && /^\d+$/.test(argument) ? await channels.named(`<#${argument}>`) : []
  return { name, argument, shared: options['share'] === true, channel }
}

/** Files that came with an interaction: no message has them. */
const attachmentsOf = ({ channel }: APIInteraction, files: readonly APIAttachment[]) =>
  files.map((file) => toAttachment(file, { channel: channel?.id ?? '', voice: false }))

/** Whether `/add` was called without a file: a dialog asks for it. */
export const wantsFileDialog = ({ data }: APIApplicationCommandInteraction): boolean =>
  data.type === ApplicationCommandType.ChatInput && data.name === 'add' && (data.options ?? []).length === 0

/** A command in the menu of a message, also in a place where Footbridge is not installed. */
function callOnMessage(
  { data, guild_id: guild, channel }: APIMessageApplicationCommandInteraction,
  names: (workspace: string) => Names,
): CommandCall | undefined {
  const name = menuOf(data.name)
  const target: RawMessage | undefined = data.resolved.messages[data.target_id]
  if (name === undefined || target === undefined) return undefined
  const workspace = guild ?? '@me'
  const place: ConversationRef = { adapter: 'discord', workspace, channel: channel.id, direct: guild === undefined }
  return { name, argument: '', target: toMessage({ ...target, channel_id: channel.id }, place, names(workspace)) }
}

/** The completions of a typed text. */
export async function complete(
  raw: APIApplicationCommandAutocompleteInteraction,
  channels: Channels,
  suggest: Suggest,
): Promise<object> {
  const options = (raw.data.options ?? []) as {
    readonly name: string
    readonly value?: string | number
    readonly focused?: boolean
  }[]
  const typed = options.find(({ focused }) => focused === true)
  const about = typed && completedBy(raw.data.name, typed.name)
  const conversation = about && (await conversationOfInteraction(raw, channels))
  const personId = (raw.member?.user ?? raw.user)?.id
  const found =
    about === undefined || conversation === undefined || personId === undefined
      ? []
      : await suggest({ about, conversation, personId, typed: String(typed?.value ?? '') })
  return {
    type: InteractionResponseType.ApplicationCommandAutocompleteResult,
    data: {
      choices: found
        .filter(({ value }) => value !== '' && value.length <= MAX_CHOICE)
        .slice(0, 25)
        .map(({ label, value }) => ({ name: cut(label, MAX_CHOICE), value })),
    },
  }
}
