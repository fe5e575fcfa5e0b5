import type { Doing, JobPorts } from '../job-ports.ts'
import type { LedgerEntry } from '../store-port.ts'
import { textsFor } from '../texts.ts'
import { bytesOf } from './bytes.ts'
import { again } from './drive.ts'
import { freeName, targetName } from './entries.ts'

/** What this version replaced, if its bytes are still kept. */
export async function wayBackFrom(
  { store }: Pick<JobPorts, 'store'>,
  entry: LedgerEntry,
): Promise<{ readonly earlier: LedgerEntry | undefined; readonly isKept: boolean }> {
  const earlier = entry.replaces === undefined ? undefined : await store.ledger.get(entry.replaces)
  const bytes = earlier && (await bytesOf(store, earlier))
  return { earlier, isKept: bytes !== undefined }
}

/**
 * The earlier version is to take its place back. Recorded in such an order that it can be done once more after a restart: the
 * pressed entry last.
 */
export async function undo(
  { store, clock }: Pick<JobPorts, 'store' | 'clock'>,
  { jobId, author }: Pick<Doing, 'jobId' | 'author'>,
  entry: LedgerEntry,
  earlier: LedgerEntry,
): Promise<void> {
  const { version = 1 } = earlier
  await putBack(store, earlier, jobId, textsFor(earlier.language).files.putBack(author.name), clock())
  await store.ledger.put({
    ...entry,
    state: 'removed',
    note: textsFor(entry.language).files.undone(author.name, version),
    drivenBy: jobId,
    updatedAt: clock(),
  })
}

/** Both are to stand: the earlier under its name again, the new one beside it. */
export async function keepBoth(
  { store, clock }: Pick<JobPorts, 'store' | 'clock'>,
  { jobId, author }: Pick<Doing, 'jobId' | 'author'>,
  entry: LedgerEntry,
  earlier: LedgerEntry,
): Promise<void> {
  await putBack(store, earlier, jobId, textsFor(earlier.language).files.putBack(author.name), clock())
  const all = await store.ledger.ofCollection(entry.collection)
  const mimeType = entry.attachment?.mimeType ?? ''
  const isTaken = (name: string) =>
    all.some(({ fileName, state }) => state !== 'removed' && fileName === targetName(name, mimeType))
  const displayName = freeName(entry.displayName, isTaken)
  const { version: _, replaces: __, ...kept } = again(entry, jobId)
  await store.ledger.put({
    ...kept,
    displayName,
    fileName: targetName(displayName, mimeType),
    updatedAt: clock(),
  })
}

async function putBack(
  store: JobPorts['store'],
  earlier: LedgerEntry,
  jobId: string,
  note: string,
  now: number,
): Promise<void> {
  await store.ledger.put(again(earlier, jobId, { note, updatedAt: now }))
}
