import type { Adapter } from '../port/adapter.ts'
import type { Clock } from '../port/platform.ts'
import { isDeletion } from './queue-key.ts'
import { createSender } from '../delivery/outbox-sender.ts'
import type { Job, Store } from '../port/store.ts'
import { textsFor } from '../texts/texts.ts'

/** Says under what was asked that it could not be brought to an end. */
export async function apologise(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  { id: jobId, inbound }: Job,
  adapter: Adapter,
): Promise<void> {
  if (isDeletion(inbound) || inbound.kind === 'stop') return
  const { conversation, id, author } =
    inbound.kind === 'message' || inbound.kind === 'edit'
      ? inbound.message
      : { ...inbound, id: inbound.messageId }
  const { outbox } = store
  const sender = createSender({ jobId, adapter, conversation, replyTo: id, outbox, clock })
  await sender.show('apology', { kind: 'error', text: textsFor(author.language).giveUp })
}
