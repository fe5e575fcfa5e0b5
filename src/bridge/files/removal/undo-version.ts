import type { Doing, JobPorts } from '../../delivery/job-context.ts'
import type { FileRecord } from '../../port/records.ts'
import { textsFor } from '../../texts/texts.ts'
import { bytesOf, removeFile } from '../ingest/upload-file.ts'
import { alone } from '../file-lock.ts'
import { again } from '../ingest/resume.ts'
import { freeName, targetName } from '../file-records.ts'
import { chainOf, repeatsOf } from '../versions.ts'

/**
 * Takes this version out of the collection and lets `record` say what stands from now on. In this order, so that no question
 * is answered from what a receipt calls undone, and an upload that fails afterwards is an earlier version that can be tried
 * again. Done once more after a restart.
 *
 * @returns whether it was done; false: while it waited for others at work on this file, the version lost its place.
 * @throws {PlatformFailure} when the platform does not let it go: then everything is as it was.
 */
export async function giveWay(
  ports: Pick<JobPorts, 'background' | 'store' | 'fileTurns'>,
  { signal }: Pick<Doing, 'signal'>,
  entry: FileRecord,
  record: (earlier: FileRecord) => Promise<void>,
): Promise<boolean> {
  const isDone = await alone(ports, signal, entry, async (now) => {
    const earlier = entry.replaces === undefined ? undefined : await ports.store.files.get(entry.replaces)
    const isSame =
      now.state === entry.state && now.replacedBy === undefined && now.replaces === entry.replaces
    if (!isSame || earlier === undefined || earlier.state === 'removed') return false
    await removeFile(ports.background, entry, signal)
    await record(earlier)
    return true
  })
  return isDone === true
}

/** What this version replaced, if its bytes are still kept. */
export async function wayBackFrom(
  { store }: Pick<JobPorts, 'store'>,
  entry: FileRecord,
): Promise<{ readonly earlier: FileRecord | undefined; readonly isKept: boolean }> {
  const earlier = entry.replaces === undefined ? undefined : await store.files.get(entry.replaces)
  // Deleted, it does not come back, whoever else keeps the same bytes.
  const bytes = earlier && earlier.state !== 'removed' ? await bytesOf(store, earlier) : undefined
  return { earlier, isKept: bytes !== undefined }
}

/**
 * The earlier version is to take its place back. Recorded in such an order that it can be done once more after a restart: the
 * pressed entry last.
 */
export async function undo(
  { store, clock }: Pick<JobPorts, 'store' | 'clock'>,
  { jobId, author }: Pick<Doing, 'jobId' | 'author'>,
  entry: FileRecord,
  earlier: FileRecord,
): Promise<void> {
  const { version = 1 } = earlier
  await putBack(store, earlier, jobId, textsFor(earlier.language).files.putBack(author.name), clock())
  const undone = ({ language }: FileRecord) => textsFor(language).files.undone(author.name, version)
  for (const repeat of repeatsOf(await chainOf(store, entry), entry)) {
    const ownName = ownNameOf(repeat)
    // What was dropped under a name of its own, and only repeated this one, is a file of its own now.
    await store.files.put(
      ownName === entry.fileName
        ? { ...repeat, state: 'removed', note: undone(repeat), claimedBy: jobId, updatedAt: clock() }
        : again(repeat, jobId, { fileName: ownName, updatedAt: clock() }),
    )
  }
  await store.files.put({
    ...entry,
    state: 'removed',
    note: undone(entry),
    claimedBy: jobId,
    updatedAt: clock(),
  })
}

const ownNameOf = ({ displayName, attachment }: FileRecord): string =>
  targetName(displayName, attachment?.mimeType ?? '')

/** Both are to stand: the earlier under its name again, the new one beside it. */
export async function keepBoth(
  { store, clock }: Pick<JobPorts, 'store' | 'clock'>,
  { jobId, author }: Pick<Doing, 'jobId' | 'author'>,
  entry: FileRecord,
  earlier: FileRecord,
): Promise<void> {
  await putBack(store, earlier, jobId, textsFor(earlier.language).files.putBack(author.name), clock())
  const all = await store.files.ofCollection(entry.collection)
  const mimeType = entry.attachment?.mimeType ?? ''
  const isTaken = (name: string) =>
    all.some(({ fileName, state }) => state !== 'removed' && fileName === targetName(name, mimeType))
  const displayName = freeName(entry.displayName, isTaken)
  const { version: _, replaces: __, ...kept } = again(entry, jobId)
  const fileName = targetName(displayName, mimeType)
  for (const repeat of repeatsOf(await chainOf(store, entry), entry)) {
    const note = textsFor(repeat.language).files.duplicateOf(displayName)
    await store.files.put({ ...repeat, fileName, note, claimedBy: jobId })
  }
  await store.files.put({ ...kept, displayName, fileName, updatedAt: clock() })
}

async function putBack(
  store: JobPorts['store'],
  earlier: FileRecord,
  jobId: string,
  note: string,
  now: number,
): Promise<void> {
  await store.files.put(again(earlier, jobId, { note, updatedAt: now }))
}
