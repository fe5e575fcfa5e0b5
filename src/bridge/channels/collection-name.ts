import { createHash, randomBytes } from 'node:crypto'
import { channelKey, type ConversationRef } from '../port/message.ts'

/**
 * The name is kept before the collection is made, so one that exists is ours from before a crash.
 * Collections are readable by whoever knows the id (wire facts, "What its users hit" 4): hence the random part.
 */
export function nameFor(conversation: ConversationRef): string {
  const ids = createHash('sha256').update(channelKey(conversation)).digest('hex').slice(0, 10)
  const channel = conversation.channel.replace(/[^A-Za-z0-9]/g, '').slice(0, 24)
  return `${conversation.adapter}-${channel}-${ids}-${randomBytes(10).toString('hex')}`.toLowerCase()
}

const NAME = /["'“„]?(?:[\w.-]+\/)?[a-z0-9]+-[a-z0-9]*-[0-9a-f]{10}-[0-9a-f]{20}["'”“]?/gi

/** Words of the platform as people may read them: what names a collection is a secret, since who knows it may read it. */
export const withoutNames = (text: string): string => text.replace(NAME, '…')

/** Stands on a button for a collection, and tells nothing of its name, which nobody is to guess. */
export const sealOf = (collection: string): string =>
  createHash('sha256').update(`collection\n${collection}`).digest('base64url').slice(0, 22)
