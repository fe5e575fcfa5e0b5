/** `chat.startStream`, `appendStream`, `stopStream`, with the documented and the measured limits. */
import { checkBlocks, textBytes } from './blocks.ts'
import {
  checkMetadata,
  echoChange,
  isOpen,
  writable,
  ownMessage,
  threadRoot,
  type Method,
  type MethodContext,
} from './chat.ts'
import { LIMITS } from './limits.ts'
import { checkStatus, putSession } from './sessions.ts'
import { isJson, Refusal, str, type Json, type StoredMessage } from './types.ts'
import { toWire } from './workspace.ts'

/** Text and further blocks of one call; `weight` is what counts against the cap. */
function readPiece(args: Json): { text: string; blocks: Json[]; weight: number } {
  const markdown = str(args['markdown_text'])
  const chunks = args['chunks']
  if (markdown !== undefined && chunks !== undefined) throw new Refusal('invalid_arguments')
  if ((markdown ?? '').length > LIMITS.markdown_text) throw new Refusal('msg_too_long')
  if (chunks === undefined) return { text: markdown ?? '', blocks: [], weight: Buffer.byteLength(markdown ?? '') }
  if (!Array.isArray(chunks) || !chunks.every(isJson)) throw new Refusal('invalid_chunks')
  let text = ''
  let weight = 0
  const blocks: Json[] = []
  for (const chunk of chunks) {
    if (chunk['type'] === 'markdown_text') text += str(chunk['text']) ?? ''
    else if (chunk['type'] === 'blocks') blocks.push(...checkBlocks(chunk['blocks']))
    else if (chunk['type'] !== 'task_update' && chunk['type'] !== 'plan_update') throw new Refusal('invalid_chunks')
    weight +=
      chunk['type'] === 'markdown_text'
        ? Buffer.byteLength(str(chunk['text']) ?? '')
        : Buffer.byteLength(JSON.stringify(chunk))
  }
  if (text.length > LIMITS.markdown_text) throw new Refusal('msg_too_long')
  return { text, blocks, weight }
}

const start: Method = (args, { workspace }) => {
  const channel = writable(workspace, args['channel'])
  if (channel.kind === 'im' && args['thread_ts'] === undefined) throw new Refusal('invalid_thread_ts')
  const threadTs = threadRoot(workspace, channel.id, args['thread_ts'])
  if (channel.kind !== 'im') {
    if (str(args['recipient_team_id']) === undefined) throw new Refusal('missing_recipient_team_id')
    if (str(args['recipient_user_id']) === undefined) throw new Refusal('missing_recipient_user_id')
  }
  const recipient = str(args['recipient_user_id'])
  const user = recipient === undefined ? undefined : workspace.users.get(recipient)
  if (recipient !== undefined && user === undefined) throw new Refusal('user_not_found')
  if (user !== undefined && args['recipient_team_id'] !== undefined && user.teamId !== args['recipient_team_id'])
    throw new Refusal('invalid_recipient_team_id')
  const piece = readPiece(args)
  if (piece.weight > LIMITS['streamed bytes']) throw new Refusal('msg_too_long')
  const message = workspace.insert({
    channel: channel.id,
    ...(threadTs === undefined ? {} : { threadTs }),
    user: workspace.botUserId,
    botId: workspace.botId,
    text: '',
    markdown: piece.text,
    blocks: piece.blocks,
    files: [],
    stream: { startedAt: Date.now(), bytes: piece.weight, open: true, stoppedByUser: false },
  })
  const key = `${channel.id}:${threadTs ?? message.ts}`
  workspace.statuses.delete(key)
  putSession(workspace, key, 'processing')
  return { channel: channel.id, ts: message.ts }
}

function openStream(
  args: Json,
  context: MethodContext,
): StoredMessage & { stream: NonNullable<StoredMessage['stream']> } {
  const message = ownMessage(context.workspace, args, 'message_not_owned_by_app')
  const { stream } = message
  if (stream?.stoppedByUser === true) throw new Refusal('stopped_by_user')
  if (stream === undefined || !isOpen(message, context)) throw new Refusal('message_not_in_streaming_state')
  return Object.assign(message, { stream })
}

const append: Method = (args, context) => {
  const message = openStream(args, context)
  const piece = readPiece(args)
  if (message.stream.bytes + piece.weight > LIMITS['streamed bytes']) throw new Refusal('msg_too_long')
  message.stream.bytes += piece.weight
  message.markdown = `${message.markdown ?? ''}${piece.text}`
  message.blocks = [...message.blocks, ...piece.blocks]
  return { channel: message.channel, ts: message.ts }
}

const stop: Method = (args, context) => {
  const message = openStream(args, context)
  const piece = readPiece(args)
  const blocks = checkBlocks(args['blocks'])
  const metadata = checkMetadata(args['metadata'])
  const status = checkStatus(args['session_status'] ?? 'active')
  if (message.stream.bytes + piece.weight + textBytes(blocks) > LIMITS['streamed bytes'])
    throw new Refusal('msg_too_long')
  const before = toWire(context.workspace, message, false)
  message.markdown = `${message.markdown ?? ''}${piece.text}`
  message.blocks = [...message.blocks, ...piece.blocks, ...blocks]
  if (metadata !== undefined) message.metadata = metadata
  message.stream.open = false
  putSession(context.workspace, `${message.channel}:${message.threadTs ?? message.ts}`, status)
  echoChange(context, message, before)
  return { channel: message.channel, ts: message.ts, message: toWire(context.workspace, message, true) }
}

export const streamMethods: Readonly<Record<string, Method>> = {
  'chat.startStream': start,
  'chat.appendStream': append,
  'chat.stopStream': stop,
}
