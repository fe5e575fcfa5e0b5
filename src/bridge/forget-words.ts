import type { Adapter } from './adapter.ts'
import { nearOffer } from './ask/record.ts'
import type { JobPorts } from './job-ports.ts'
import { messageKey } from './lanes.ts'
import { channelKey, type ConversationRef, type Inbound } from './message.ts'
import { endAsking } from './person/end-asking.ts'
import type { Job, Store } from './store-port.ts'
import { memoId } from './voice/memo.ts'

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
    await store.offers.take(nearOffer(answer.id))
    await store.answers.remove(answer.id)
  }
  for (const { id: jobId, inbound } of await store.inbox.allOfMessage(messageKey(conversation, id))) {
    await store.offers.take(memoId(jobId))
    await store.inbox.restate(jobId, withoutWords(inbound))
  }
  await store.transcripts.remove(channel, id)
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
