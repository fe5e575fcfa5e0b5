import type { JobContext } from '#bridge/delivery/job-context.ts'
import { channelKey } from '#bridge/port/keys.ts'
import { conversationOf } from '#bridge/port/message.ts'
import type { Job } from '#bridge/port/store.ts'
import { textsFor, type Texts } from '#bridge/texts/texts.ts'
import { isFinished } from '../file-records.ts'
import type { FileServices } from '../services.ts'
import { settleReceipts } from './resume.ts'
import { removeSpooled } from './upload-file.ts'

/**
 * Ends the files of a job that is given up: they have failed, and their receipts say so and offer a retry.
 *
 * @returns whether there were such files
 */
export async function abandon(
  services: FileServices,
  { id: jobId, inbound }: Job,
  ctx: Pick<JobContext, 'log'>,
  noteOf: (texts: Texts) => string,
): Promise<boolean> {
  const { store, clock } = services
  const dropped = await store.files.ofJob(jobId)
  // A retry claims files of other drops of its channel.
  const inChannel = await store.files.ofChannel(channelKey(conversationOf(inbound)))
  const claimed = inChannel.filter((file) => file.claimedBy === jobId && file.jobId !== jobId)
  const open = [...dropped.filter(({ claimedBy = jobId }) => claimedBy === jobId), ...claimed].filter(
    (file) => !isFinished(file),
  )
  for (const file of open) {
    await store.files.put({ ...file, state: 'failed', note: noteOf(textsFor(file.language)), updatedAt: clock() })
    await removeSpooled(services, file, jobId)
  }
  await settleReceipts(services, ctx, open)
  return open.length > 0
}
