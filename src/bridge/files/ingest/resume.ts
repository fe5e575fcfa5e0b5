import type { Doing, JobPorts } from '../../delivery/job-context.ts'
import type { LedgerEntry } from '../../port/store.ts'
import { bringIn } from './ingest-file.ts'
import { isOver } from '../file-records.ts'

export type DriveRun = Pick<Doing, 'jobId' | 'adapter' | 'log' | 'signal'>

/** The entry on its way again, by this job. Whoever works on it is told by the ledger, so that a restart goes on. */
export function again(entry: LedgerEntry, drivenBy: string, change: Partial<LedgerEntry> = {}): LedgerEntry {
  const { chunks: _, note: __, hopeless: ___, replacedBy: ____, sameAs: _____, ...kept } = entry
  return { ...kept, state: 'received', drivenBy, ...change }
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
  onEnd: (entry: LedgerEntry) => void = () => undefined,
): Promise<readonly LedgerEntry[]> {
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
): Promise<readonly LedgerEntry[]> {
  return (await store.ledger.ofCollection(collection)).filter(({ drivenBy }) => drivenBy === jobId)
}

/** Each receipt on which one of these stands shows what is so now. One that can't be shown hinders nothing. */
export async function settleReceipts(
  { receipts }: Pick<JobPorts, 'receipts'>,
  { log }: Pick<DriveRun, 'log'>,
  entries: readonly LedgerEntry[],
): Promise<void> {
  for (const jobId of new Set(entries.map((entry) => entry.jobId)))
    await receipts
      .settle(jobId)
      .catch((error: unknown) => log.warn({ err: error }, 'A receipt could not be brought up to date'))
}
