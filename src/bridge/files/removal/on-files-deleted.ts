import type { JobPorts } from '../../delivery/job-context.ts'
import {
  conversationQueue,
  conversationOf,
  messageKey,
  type ConversationRef,
  type Inbound,
} from '../../port/message.ts'
import type { Sender } from '../../delivery/outbox-sender.ts'
import type { FileRecord } from '../../port/records.ts'
import type { Store } from '../../port/store.ts'
import { textsFor } from '../../texts/texts.ts'
import { settleReceipts } from '../ingest/resume.ts'
import { bringBack, removeEntry, type RemoveRun } from './remove-file.ts'

/** Files were deleted, and the messages that dropped them stay. */
export type FilesDeleted = Extract<Inbound, { kind: 'files-left' | 'file-gone' }>

/** What we have of these files, wherever it came from; empty: they are none of our business. */
async function entriesDeleted(
  store: Pick<Store, 'inbox' | 'files'>,
  inbound: FilesDeleted,
): Promise<readonly FileRecord[]> {
  if (inbound.kind === 'file-gone') {
    const { adapter, workspace, attachmentId } = inbound
    return (await store.files.ofAttachment(attachmentId)).filter(
      ({ conversation }) => conversation?.adapter === adapter && conversation.workspace === workspace,
    )
  }
  const { conversation, messageId, left } = inbound
  const dropped = await store.inbox.ofMessage(messageKey(conversation, messageId))
  if (dropped === undefined) return []
  // Only what came with the message: an answer that was filed is no attachment of it.
  const own =
    dropped.inbound.kind === 'message' ? dropped.inbound.message.attachments.map(({ id }) => id) : []
  return (await store.files.ofJob(dropped.id)).filter(
    ({ attachmentId }) => own.includes(attachmentId) && !left.includes(attachmentId),
  )
}

/** The queue in which that is followed: behind the message's own job where one message is meant. Undefined: nothing is to go. */
export async function queueOfFiles(
  store: Pick<Store, 'inbox' | 'files'>,
  inbound: FilesDeleted,
): Promise<string | undefined> {
  const isThere = (await entriesDeleted(store, inbound)).some(({ state }) => state !== 'removed')
  if (inbound.kind === 'file-gone')
    return isThere ? `${conversationQueue(conversationOf(inbound))}!${inbound.attachmentId}` : undefined
  const dropped = await store.inbox.ofMessage(messageKey(inbound.conversation, inbound.messageId))
  if (dropped?.inbound.kind !== 'message') return undefined
  const { attachments } = dropped.inbound.message
  // Taken out before we came to it: it is in no ledger yet.
  const isWaiting = dropped.state === 'queued' || dropped.state === 'running'
  const isFewer = attachments.some(({ id }) => !inbound.left.includes(id))
  return isThere || (isWaiting && isFewer) ? dropped.queue : undefined
}

/**
 * Takes out what came of these files: as with their messages, and nobody is told but by the receipts. Rejects where that is to
 * be tried again.
 */
export async function followFilesDeleted(
  ports: JobPorts,
  run: Omit<RemoveRun, 'sender'>,
  inbound: FilesDeleted,
  senderFor: (conversation: ConversationRef, replyTo: string) => Sender,
): Promise<void> {
  const entries = await entriesDeleted(ports.store, inbound)
  for (const entry of entries) {
    if (entry.state === 'removed' || entry.conversation === undefined) continue
    const sender = senderFor(entry.conversation, entry.messageId)
    await removeEntry(ports, { ...run, sender }, entry, textsFor(entry.language).files.deleted)
  }
  await settleReceipts(ports, run, entries)
  await bringBack(
    ports,
    run,
    entries.map(({ collection }) => collection),
  )
}
