/** `chat.postMessage`, `update`, `delete`, `postEphemeral`, `getPermalink`, with Slack's limits. */
import { checkBlocks, textLength } from './blocks.ts'
import { attachEntities } from './entity-schema.ts'
import { LIMITS } from './limits.ts'
import { isJson, Refusal, str, type Channel, type FileRecord, type Json, type StoredMessage } from './types.ts'
import { toWire, type Workspace } from './workspace.ts'

export interface MethodContext {
  readonly workspace: Workspace
  /** Milliseconds after which an open stream no longer takes text. */
  readonly streamLifetimeMs: () => number
  /** Tells the app of its own doing, as Slack does. */
  readonly echo: (event: Json) => void
  /** Where bytes are to be sent. */
  readonly uploadUrl: (file: string) => string
  readonly host: (id: string, bytes: Uint8Array, name: string) => FileRecord
}

export type Method = (args: Json, context: MethodContext) => Json

export function joined(workspace: Workspace, id: unknown): Channel {
  // A person's id names the direct message with them.
  const direct =
    typeof id === 'string' && workspace.users.has(id)
      ? [...workspace.channels.values()].find(({ kind, members }) => kind === 'im' && members.has(id))
      : undefined
  const channel = direct ?? workspace.channel(id)
  if (!channel.joined) throw new Refusal('not_in_channel')
  return channel
}

/** A channel in which the app may write. */
export function writable(workspace: Workspace, id: unknown): Channel {
  const channel = joined(workspace, id)
  if (channel.archived === true) throw new Refusal('is_archived')
  return channel
}

/** The root of the thread that this message is to go into. */
export function threadRoot(workspace: Workspace, channel: string, threadTs: unknown): string | undefined {
  if (threadTs === undefined) return undefined
  const message = workspace.message(channel, threadTs)
  if (message === undefined) throw new Refusal('thread_not_found')
  const root = message.threadTs ?? message.ts
  if (workspace.message(channel, root)?.locked === true) throw new Refusal('restricted_action_thread_locked')
  return root
}

export function checkMetadata(value: unknown): Json | undefined {
  if (value === undefined) return undefined
  if (!isJson(value) || str(value['event_type']) === undefined || !isJson(value['event_payload']))
    throw new Refusal('invalid_metadata_format')
  return value
}

export function checkContents(args: Json): { text: string; markdown: string | undefined; blocks: Json[] } {
  const text = str(args['text']) ?? ''
  const markdown = str(args['markdown_text'])
  const blocks = checkBlocks(args['blocks'])
  if (markdown !== undefined && (args['text'] !== undefined || args['blocks'] !== undefined))
    throw new Refusal('markdown_text_conflict')
  if (text === '' && (markdown ?? '') === '' && blocks.length === 0) throw new Refusal('no_text')
  if (text.length > LIMITS.text || (markdown ?? '').length > LIMITS.markdown_text) throw new Refusal('msg_too_long')
  const { attachments = [] } = args
  if (!Array.isArray(attachments)) throw new Refusal('invalid_attachments')
  if (attachments.length > LIMITS['attachments of a message']) throw new Refusal('too_many_attachments')
  return { text, markdown, blocks }
}

/** One of the app's own messages that may be changed. */
export function ownMessage(workspace: Workspace, args: Json, refusal: string): StoredMessage {
  const channel = workspace.channel(args['channel'])
  const message = workspace.message(channel.id, args['ts'])
  if (message === undefined || message.ephemeralTo !== undefined) throw new Refusal('message_not_found')
  if (message.botId !== workspace.botId) throw new Refusal(refusal)
  return message
}

export function echoChange(context: MethodContext, message: StoredMessage, before: Json) {
  context.echo({
    type: 'message',
    subtype: 'message_changed',
    channel: message.channel,
    message: toWire(context.workspace, message, false),
    previous_message: before,
    ts: context.workspace.nextTs(),
    hidden: true,
  })
}

const post: Method = (args, context) => {
  const { workspace } = context
  const channel = writable(workspace, args['channel'])
  const threadTs = threadRoot(workspace, channel.id, args['thread_ts'])
  const contents = checkContents(args)
  const metadata = checkMetadata(args['metadata'])
  const message = workspace.insert({
    channel: channel.id,
    ...(threadTs === undefined ? {} : { threadTs }),
    user: workspace.botUserId,
    botId: workspace.botId,
    text: contents.text,
    ...(contents.markdown === undefined ? {} : { markdown: contents.markdown }),
    blocks: contents.blocks,
    ...(metadata === undefined ? {} : { metadata }),
    files: [],
  })
  workspace.statuses.delete(`${channel.id}:${threadTs ?? message.ts}`)
  const told = attachEntities(metadata, message, workspace)
  context.echo({ ...toWire(workspace, message, false), channel: channel.id, event_ts: message.ts })
  return { channel: channel.id, ts: message.ts, message: toWire(workspace, message, true), ...told }
}

const update: Method = (args, context) => {
  const { workspace } = context
  const message = ownMessage(workspace, args, 'cant_update_message')
  if (workspace.channel(message.channel).archived === true) throw new Refusal('is_inactive')
  if (message.stream !== undefined && isOpen(message, context)) throw new Refusal('streaming_state_conflict')
  const contents = checkContents(args)
  const metadata = checkMetadata(args['metadata'])
  const before = toWire(workspace, message, false)
  message.text = contents.text
  message.blocks = contents.blocks
  if (contents.markdown === undefined) delete message.markdown
  else message.markdown = contents.markdown
  if (metadata !== undefined) {
    message.metadata = metadata
    // Of `chat.update`, the documentation names no entities.
    delete message.entities
  }
  // A stream that outlived its time is an ordinary message, and Slack has ended its session's work.
  if (message.stream?.open === true) {
    message.stream.open = false
    workspace.sessions.set(`${message.channel}:${message.threadTs ?? ''}`, { status: 'active', at: Date.now() })
  }
  message.edited = workspace.nextTs()
  echoChange(context, message, before)
  return { channel: message.channel, ts: message.ts, text: message.text, message: toWire(workspace, message, true) }
}

export const isOpen = (message: StoredMessage, context: MethodContext): boolean =>
  message.stream !== undefined &&
  message.stream.open &&
  Date.now() - message.stream.startedAt < context.streamLifetimeMs()

const remove: Method = (args, context) => {
  const message = ownMessage(context.workspace, args, 'cant_delete_message')
  if (isOpen(message, context)) throw new Refusal('streaming_state_conflict')
  message.deleted = true
  context.echo({
    type: 'message',
    subtype: 'message_deleted',
    channel: message.channel,
    deleted_ts: message.ts,
    previous_message: toWire(context.workspace, message, false),
    ts: context.workspace.nextTs(),
    hidden: true,
  })
  return { channel: message.channel, ts: message.ts }
}

const postEphemeral: Method = (args, { workspace }) => {
  const channel = writable(workspace, args['channel'])
  const user = str(args['user']) ?? ''
  if (channel.kind !== 'im' && !channel.members.has(user)) throw new Refusal('user_not_in_channel')
  const threadTs = threadRoot(workspace, channel.id, args['thread_ts'])
  // "Ephemeral messages in threads are only shown if there is already an active thread."
  const unseen =
    threadTs !== undefined &&
    !workspace.repliesTo(channel.id, threadTs).some((one) => !one.deleted && one.ephemeralTo === undefined)
  const contents = checkContents(args)
  const length = (contents.markdown ?? contents.text).length + textLength(contents.blocks)
  if (length > LIMITS['ephemeral message']) throw new Refusal('msg_too_long')
  const message = workspace.insert({
    channel: channel.id,
    ...(threadTs === undefined ? {} : { threadTs }),
    user: workspace.botUserId,
    botId: workspace.botId,
    text: contents.text,
    ...(contents.markdown === undefined ? {} : { markdown: contents.markdown }),
    blocks: contents.blocks,
    files: [],
    ephemeralTo: user,
    unseen,
  })
  return { message_ts: message.ts }
}

const getPermalink: Method = (args, { workspace }) => {
  const channel = workspace.channel(args['channel'])
  const message = workspace.message(channel.id, args['message_ts'])
  if (message === undefined) throw new Refusal('message_not_found')
  return {
    channel: channel.id,
    permalink: `https://home.slack.example/archives/${channel.id}/p${message.ts.replace('.', '')}`,
  }
}

export const chatMethods: Readonly<Record<string, Method>> = {
  'chat.postMessage': post,
  'chat.update': update,
  'chat.delete': remove,
  'chat.postEphemeral': postEphemeral,
  'chat.getPermalink': getPermalink,
}
