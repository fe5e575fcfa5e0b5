import { toDisplayName, toFileName } from '#lib/file-kind.ts'
import { isCollected } from '#bridge/channels/collecting.ts'
import type { MessageContext } from '#bridge/delivery/job-context.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { Attachment } from '#bridge/port/message.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import { isFinished, targetName } from '../file-records.ts'
import { RECEIPT_SLOT } from '../receipt/receipts.ts'
import type { FileServices } from '../services.ts'
import { isGivenName, nameOfDrop } from './drop-name.ts'
import { ingestFile } from './ingest-file.ts'
import { settleAll } from './resume.ts'
import { removeSpooled } from './upload-file.ts'

/** Ingests dropped files: into the channel's collection and indexed, or failed with a reason on the receipt. */
export async function onDrop(
  services: FileServices,
  ctx: MessageContext,
  attachments: readonly Attachment[],
): Promise<void> {
  const { jobId, message, conversation, sender, texts } = ctx
  const { store, channels, receipts } = services
  const channel = await channels.of(conversation)
  if (!(await isCollected(store, ctx, channel))) {
    if (message.addressed) await sender.show('off', { kind: 'notice', text: texts.notCollecting })
    return
  }
  const record = () => recordDrop(services, ctx, attachments, channel.collection)
  const mayBeTaken = attachments.some(({ name }) => isGivenName(toDisplayName(name)))
  const files = await (mayBeTaken ? services.lock.withNaming(channel.collection, ctx.signal, record) : record())
  const receiptRow = (await sender.rows()).find(({ slot }) => slot === RECEIPT_SLOT)
  const hasExplained = receiptRow?.text.includes(texts.explainDrop) === true
  const mustExplain = await channels.shouldExplain(conversation, hasExplained)
  // A file retried meanwhile belongs to the job of that retry.
  const ownFiles = files.filter(({ claimedBy = jobId }) => claimedBy === jobId)
  if (receiptRow?.state !== 'closed' || !ownFiles.every(isFinished)) {
    receipts.begin(jobId, mustExplain)
    const open = ownFiles.filter((file) => !isFinished(file))
    await settleAll(open, (file) => ingestFile(services, ctx, file))
    await receipts.settle(jobId)
  }
  if (mustExplain) await channels.change(conversation, { explained: true })
  for (const file of ownFiles) await removeSpooled(services, file, jobId)
}

/** Loads the file records of a drop, or creates them. */
async function recordDrop(
  { store, clock }: FileServices,
  { jobId, message, conversation: home }: MessageContext,
  attachments: readonly Attachment[],
  collection: string,
): Promise<readonly FileRecord[]> {
  const { author, conversation } = message
  const files: FileRecord[] = []
  // A note that the same message keeps comes after its files.
  const ofJob = await store.files.ofJob(jobId)
  const others = ofJob.filter(({ attachmentId }) => attachments.every(({ id }) => id !== attachmentId)).length
  const before = await namesBefore(store, jobId, attachments, collection)
  for (const [index, attachment] of attachments.entries()) {
    const id = `${jobId}#${others + index}`
    const known = await store.files.get(id)
    // Two files of one drop must not get the same name, or they would be versions of each other.
    const taken = files.map(({ displayName }) => toFileName(displayName))
    const displayName = nameOfDrop(attachment, message, {
      inDrop: (it) => taken.includes(it),
      before: (it) => before.has(it),
    })
    const file: FileRecord = known ?? {
      id,
      jobId,
      channel: channelKey(home),
      collection,
      attachment,
      attachmentId: attachment.id,
      displayName,
      fileName: targetName(displayName, attachment.mimeType),
      state: 'received',
      droppedBy: author.id,
      droppedByName: author.name,
      droppedAt: message.sentAt,
      messageId: message.id,
      conversation,
      language: author.language,
      timeZone: author.timeZone,
      updatedAt: clock(),
    }
    if (known === undefined) await store.files.put(file)
    files.push(file)
  }
  return files
}

/** File names of earlier drops; read only for a name that a program gave, since any other one means the same file. */
async function namesBefore(
  { files }: FileServices['store'],
  jobId: string,
  attachments: readonly Attachment[],
  collection: string,
): Promise<ReadonlySet<string>> {
  if (!attachments.some(({ name }) => isGivenName(toDisplayName(name)))) return new Set()
  const all = await files.ofCollection(collection)
  const others = all.filter((file) => file.jobId !== jobId && file.state !== 'removed')
  return new Set(others.map(({ displayName }) => toFileName(displayName)))
}
