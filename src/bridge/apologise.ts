import type { Adapter } from './adapter.ts'
import type { Clock } from './ports.ts'
import { isDeletion } from './lanes.ts'
import { createSender } from './send.ts'
import type { Job, Store } from './store-port.ts'
import { textsFor } from './texts.ts'

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
