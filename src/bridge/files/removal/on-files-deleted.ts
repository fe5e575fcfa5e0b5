import type { JobContext } from '#bridge/delivery/job-context.ts'
import { conversationQueue, messageKey } from '#bridge/port/keys.ts'
import { conversationOf, type Inbound, type Message } from '#bridge/port/message.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import type { Job, Store } from '#bridge/port/store.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import { resumeAll, settleReceipts } from '../ingest/resume.ts'
import type { FileServices } from '../services.ts'
import { removeFile } from './remove-file.ts'

/** Files were deleted while their messages stay. */
export type FilesDeleted = Extract<Inbound, { kind: 'files-left' | 'file-gone' }>

type RecordsStore = Pick<Store, 'inbox' | 'files'>

/** Empty: these files are not ours. */
async function deletedFiles(store: RecordsStore, inbound: FilesDeleted): Promise<readonly FileRecord[]> {
  if (inbound.kind === 'file-gone') {
    const { adapter, workspace, channel, attachmentId } = inbound
    return (await store.files.ofAttachment(attachmentId)).filter(
      ({ conversation }) =>
        conversation?.adapter === adapter &&
        conversation.workspace === workspace &&
        (channel === undefined || conversation.channel === channel),
    )
  }
  const { conversation, messageId, left } = inbound
  const jobs = await store.inbox.allOfMessage(messageKey(conversation, messageId))
  const [first] = jobs
  if (first === undefined) return []
  // Only attachments of the message: a note saved from it is not one.
  const own = droppedMessage(jobs)?.attachments.map(({ id }) => id) ?? []
  return (await store.files.ofJob(first.id)).filter(
    ({ attachmentId }) => own.includes(attachmentId) && !left.includes(attachmentId),
  )
}

const isDrop = (inbound: Inbound) =>
  inbound.kind === 'message' || (inbound.kind === 'edit' && inbound.completes === true)

/** The message with its files, of all its jobs: edits add no files, except the twin that completes a message. */
export function droppedMessage(jobs: readonly Job[]): Message | undefined {
  const drop = jobs.findLast(({ inbound }) => isDrop(inbound))?.inbound
  return drop !== undefined && 'message' in drop ? drop.message : undefined
}

/** The queue of the deletion: that of the message's job, if there is one. Undefined: nothing to remove. */
export async function queueOfDeletedFiles(store: RecordsStore, inbound: FilesDeleted): Promise<string | undefined> {
  const isThere = (await deletedFiles(store, inbound)).some(({ state }) => state !== 'removed')
  if (inbound.kind === 'file-gone')
    return isThere ? `${conversationQueue(conversationOf(inbound))}!${inbound.attachmentId}` : undefined
  const jobs = await store.inbox.allOfMessage(messageKey(inbound.conversation, inbound.messageId))
  const attachments = droppedMessage(jobs)?.attachments ?? []
  // The drop has not begun, so it has no file records yet.
  const isWaiting = jobs.some(({ state }) => state === 'queued' || state === 'running')
  const isFewer = attachments.some(({ id }) => !inbound.left.includes(id))
  return isThere || (isWaiting && isFewer) ? jobs[0]?.queue : undefined
}

/** Removes these files and says so on their receipts only. Rejects when it should be retried. */
export async function onFilesDeleted(services: FileServices, ctx: JobContext, inbound: FilesDeleted): Promise<void> {
  const files = await deletedFiles(services.store, inbound)
  for (const file of files) {
    if (file.state === 'removed' || file.conversation === undefined) continue
    const sender = ctx.senderFor(file.conversation, file.messageId)
    const { deleted, unshared } = textsFor(file.language).files
    const isThere = inbound.kind === 'file-gone' && inbound.channel !== undefined
    await removeFile(services, { ...ctx, sender }, file, isThere ? unshared : deleted)
  }
  await settleReceipts(services, ctx, files)
  await resumeAll(
    services,
    ctx,
    files.map(({ collection }) => collection),
  )
}
