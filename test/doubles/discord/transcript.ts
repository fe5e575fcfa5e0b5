import type { DoubleChannel, TranscriptEntry } from './types.ts'
import { messagesOf } from './world.ts'

/** What stands in a channel now, message by message, after edits and deletions. */
export function transcriptOf(channel: DoubleChannel, nameOf: (user: string) => string): readonly TranscriptEntry[] {
  return messagesOf(channel).map((message) => ({
    id: message.id,
    author: message.author.global_name,
    bot: message.author.bot,
    text: message.content,
    files: message.files.map((file) => file.name),
    buttons: message.components.flatMap((row) => row.components.map((button) => button.label ?? '')),
    rows: message.components.map((row) => row.components.map(({ label = '', style = 2 }) => ({ label, style }))),
    ...(message.reference === undefined ? {} : { replyTo: message.reference.message_id }),
    ...(message.only === undefined ? {} : { only: nameOf(message.only) }),
    edited: message.editedTimestamp !== null,
  }))
}
