import { noteOf } from './saved-messages/note-attachments.ts'
import type { Doing, JobPorts } from '../delivery/job-context.ts'
import { shownName } from './receipt/text.ts'
import type { LedgerEntry } from '../port/store.ts'
import { textsFor } from '../texts/texts.ts'
import { drive, inHand, type DriveRun } from './resume.ts'
import { isOver } from './file-records.ts'
import { isStillFound, probeFor } from './verify-removal.ts'
import { alone } from './file-lock.ts'
import { takeOut } from './remove-from-collection.ts'
import { sweep } from './versions.ts'

/** `sender` speaks into the channel. */
export type RemoveRun = Pick<Doing, 'jobId' | 'adapter' | 'sender' | 'log' | 'signal'>

/**
 * Takes one file out for good: of the collection, of what we kept, and looks whether it is really gone. The version that
 * takes its place again is in the hand of this job then: see `bringBack`.
 *
 * @param note what its receipt says of it. Default: that it was removed.
 */
export async function removeEntry(
  ports: JobPorts,
  run: RemoveRun,
  entry: LedgerEntry,
  note?: string,
): Promise<void> {
  const { store, clock } = ports
  await alone(ports, run.signal, entry, async (now) => removeInTurn(ports, run, now, note))
  const text = entry.attachment && noteOf(entry.attachment)
  if (text !== undefined) await store.offers.take(text)
  await store.spool.remove(entry.id)
  await sweep(store, entry.collection, clock())
}

async function removeInTurn(
  ports: JobPorts,
  run: RemoveRun,
  entry: LedgerEntry,
  note: string | undefined,
): Promise<void> {
  const { store, clock, receipts } = ports
  // Told twice, as a file and with its message.
  if (entry.state === 'removed') return
  const question = await probeFor(ports, run, entry)
  const { wasThere, comesBack } = await takeOut(ports, entry, run.jobId, run.signal)
  if (wasThere && (await isStillFound(ports, run, entry, question))) {
    const text = textsFor(entry.language).files.stillFound(shownName(entry))
    await run.sender.show(`still.${entry.fileName}`, { kind: 'error', text })
  }
  // First what comes back, then what goes: after a crash in between this is done once more.
  if (comesBack !== undefined) {
    await store.ledger.put(comesBack)
    receipts.touch(comesBack.jobId)
  }
  const { note: _, ...kept } = entry
  await store.ledger.put({
    ...kept,
    state: 'removed',
    drivenBy: run.jobId,
    ...(note === undefined ? {} : { note }),
    updatedAt: clock(),
  })
  run.log.info({ file: entry.id }, 'A file was removed')
  receipts.touch(entry.jobId)
}

/** Brings in again what takes the place of removed versions, also after a restart. */
export async function bringBack(
  ports: JobPorts,
  run: DriveRun,
  collections: Iterable<string>,
): Promise<void> {
  for (const collection of new Set(collections)) {
    const mine = await inHand(ports, run.jobId, collection)
    if (!mine.every(isOver)) await drive(ports, run, collection)
  }
}
