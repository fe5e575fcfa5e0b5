import type { Inbound } from '../port/message.ts'
import { isDeletion } from './queue-key.ts'

/** Undefined: nobody waits for a reply. */
export function replyTarget(inbound: Inbound) {
  if (isDeletion(inbound) || inbound.kind === 'stop' || inbound.kind === 'overview') return undefined
  if (inbound.kind === 'channel-changed' || inbound.kind === 'links' || inbound.kind === 'details') return undefined
  return inbound.kind === 'message' || inbound.kind === 'edit' ? inbound.message : { ...inbound, id: inbound.messageId }
}
