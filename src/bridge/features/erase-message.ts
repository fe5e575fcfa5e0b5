import type { Adapter } from '../port/adapter.ts'
import { nearFilesKey } from '../answers/record.ts'
import type { JobPorts } from '../delivery/job-context.ts'
import { messageKey } from '../jobs/queue-key.ts'
import { channelKey, type ConversationRef, type Inbound } from '../port/message.ts'
import { endAsking } from './escalation/end-escalation.ts'
import type { Job, Store } from '../port/store.ts'
import { memoId } from '../voice/voice-message.ts'

/**
 * The words of a message that was taken back go from our record: what was said and heard, what was answered to it, the open
 * question, and what people thought of the answers. What remains is that there was a message, who wrote it, and when.
 */
export async function forgetWords(
  { store, clock }: Pick<JobPorts, 'store' | 'clock'>,
  adapter: Adapter,
  { conversation, id }: { readonly conversation: ConversationRef; readonly id: string },
): Promise<void> {
  const channel = channelKey(conversation)
  for (const answer of await store.answers.ofQuestion(channel, id)) {
    await endAsking({ store, clock }, adapter, answer)
    await store.buttonPayloads.take(nearFilesKey(answer.id))
    await store.answers.remove(answer.id)
  }
  for (const { id: jobId, inbound } of await store.inbox.allOfMessage(messageKey(conversation, id))) {
    await store.buttonPayloads.take(memoId(jobId))
    await store.inbox.restate(jobId, withoutWords(inbound))
  }
  await store.history.remove(channel, id)
}

/** What was typed into a dialog has had its effect; it is kept where that is, and goes with it. */
export async function forgetTyped({ inbox }: Pick<Store, 'inbox'>, { id, inbound }: Job): Promise<void> {
  if (inbound.kind === 'action' && inbound.action.text !== undefined)
    await inbox.restate(id, withoutWords(inbound))
}

function withoutWords(inbound: Inbound): Inbound {
  if (inbound.kind === 'message' || inbound.kind === 'edit')
    return { ...inbound, message: { ...inbound.message, text: '' } }
  return inbound.kind === 'action' ? { ...inbound, action: { ...inbound.action, text: '' } } : inbound
}
