import type { Doing, JobPorts } from '../../delivery/job-context.ts'
import type { FileRecord } from '../../port/records.ts'
import { bringIn } from './ingest-file.ts'
import { isOver } from '../file-records.ts'

export type DriveRun = Pick<Doing, 'jobId' | 'adapter' | 'log' | 'signal'>

/** The entry on its way again, by this job. Whoever works on it is told by the ledger, so that a restart goes on. */
export function again(entry: FileRecord, claimedBy: string, change: Partial<FileRecord> = {}): FileRecord {
  const { chunks: _, note: __, permanent: ___, replacedBy: ____, duplicateOf: _____, ...kept } = entry
  return { ...kept, state: 'received', claimedBy, ...change }
}

/**
 * Brings everything that this job has taken in hand to its end, on the receipts where it was dropped.
 *
 * @param onEnd called as each file is at its end.
 */
export async function drive(
  ports: JobPorts,
  run: DriveRun,
  collection: string,
  onEnd: (entry: FileRecord) => void = () => undefined,
): Promise<readonly FileRecord[]> {
  const { store, receipts } = ports
  const mine = await inHand(ports, run.jobId, collection)
  const background = { ...ports, platform: ports.background }
  const outcomes = await Promise.allSettled(
    mine.map(async (entry) => {
      const adapter = ports.adapterOf(entry.conversation?.adapter ?? '') ?? run.adapter
      if (!isOver(entry)) receipts.touch(entry.jobId)
      const ended = isOver(entry) ? entry : await bringIn(background, { ...run, adapter }, entry)
      await store.spool.remove(entry.id)
      onEnd(ended)
      return ended
    }),
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  await settleReceipts(ports, run, mine)
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}

export async function inHand(
  { store }: Pick<JobPorts, 'store'>,
  jobId: string,
  collection: string,
): Promise<readonly FileRecord[]> {
  return (await store.files.ofCollection(collection)).filter(({ claimedBy }) => claimedBy === jobId)
}

/** Each receipt on which one of these stands shows what is so now. One that can't be shown hinders nothing. */
export async function settleReceipts(
  { receipts }: Pick<JobPorts, 'receipts'>,
  { log }: Pick<DriveRun, 'log'>,
  entries: readonly FileRecord[],
): Promise<void> {
  for (const jobId of new Set(entries.map((entry) => entry.jobId)))
    await receipts
      .settle(jobId)
      .catch((error: unknown) => log.warn({ err: error }, 'A receipt could not be brought up to date'))
}
