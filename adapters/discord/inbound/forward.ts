import type { APIAttachment, APIMessage } from 'discord.js'
import type { Worded } from './program-text.ts'

/** The part of a message that a forward keeps: its author is left out (message.mdx, Message Snapshot Structure). */
type Snapshot = Worded &
  Partial<Pick<APIMessage, 'content' | 'attachments' | 'flags' | 'mentions' | 'message_snapshots'>>

/** A forward of a forward; Discord shows one. */
const MAX_DEPTH = 4

/** The forwarded messages of a message, with those that were forwarded in them. */
export function snapshotsOf({ message_snapshots: found }: Pick<Snapshot, 'message_snapshots'>, depth = 0): Snapshot[] {
  if (depth >= MAX_DEPTH) return []
  return (found ?? []).flatMap(({ message }: { readonly message: Snapshot }) => [
    message,
    ...snapshotsOf(message, depth + 1),
  ])
}

/** A forwarded message carries its files in a snapshot; forwarding a file into a channel is a drop like any other. */
export const rawAttachmentsOf = (raw: APIMessage): APIAttachment[] =>
  [raw, ...snapshotsOf(raw)].flatMap(({ attachments }) => attachments ?? [])
