import type { Doing, JobPorts } from '../../delivery/job-context.ts'
import type { FileRecord } from '../../port/records.ts'
import { shownName } from '../../texts/names.ts'
import { textsFor } from '../../texts/texts.ts'
import { alone } from '../file-lock.ts'
import { isOver, nameOfDropper, stands } from '../file-records.ts'
import { again, drive, type DriveRun, inHand } from '../ingest/resume.ts'
import { bytesOf, removeFile } from '../ingest/upload-file.ts'
import { noteOf } from '../saved-messages/save-note.ts'
import { chainOf, isOvertaken, repeatsOf, sweep, wasReplaced } from '../versions.ts'
import { isStillFound, probeFor } from './verify-removal.ts'

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
  entry: FileRecord,
  note?: string,
): Promise<void> {
  const { store, clock } = ports
  await alone(ports, run.signal, entry, async (now) => removeInTurn(ports, run, now, note))
  const text = entry.attachment && noteOf(entry.attachment)
  if (text !== undefined) await store.buttonPayloads.take(text)
  await store.spool.remove(entry.id)
  await sweep(store, entry.collection, clock())
}

async function removeInTurn(
  ports: JobPorts,
  run: RemoveRun,
  entry: FileRecord,
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
    await store.files.put(comesBack)
    receipts.touch(comesBack.jobId)
  }
  const { note: _, ...kept } = entry
  await store.files.put({
    ...kept,
    state: 'removed',
    claimedBy: run.jobId,
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

export interface TakenOut {
  /** It was there, or may have been, and is to be found no more. */
  readonly wasThere: boolean
  /** The version that takes its place again, as it is to be recorded for whoever brings it in. */
  readonly comesBack?: FileRecord
}

type Ports = Pick<JobPorts, 'background' | 'store' | 'receipts' | 'clock'>

/**
 * Takes a file out of its collection, unless what stands under its name is (byte for byte, or by a later drop) another
 * person's. The ledger says so only when the caller has recorded it; until then it can be done again.
 *
 * @param jobId who brings back the version before it, where that is still to be had.
 */
export async function takeOut(
  ports: Ports,
  entry: FileRecord,
  jobId: string,
  signal: AbortSignal,
): Promise<TakenOut> {
  const { store } = ports
  const chain = await chainOf(store, entry)
  const others = chain.filter(({ id, state }) => id !== entry.id && state !== 'removed')
  // The newest hold: what was only repeated, or replaced, has nothing there.
  if (entry.duplicateOf !== undefined) return { wasThere: false }
  if (entry.replacedBy !== undefined) {
    const [repeat] = repeatsOf(others, entry)
    if (repeat === undefined) await passBy(ports, entry, others)
    else await inherit(ports, entry, repeat, others)
    return { wasThere: false }
  }
  if (!stands(entry)) {
    // An upload that was cut off, or whose answer was lost, may have laid its bytes over those of what stands.
    if (entry.sent !== true || entry.state === 'removed' || isOvertaken(chain, entry))
      return { wasThere: false }
    await removeFile(ports.background, entry, signal)
    const under = others.find((other) => stands(other))
    return {
      wasThere: true,
      ...(under && { comesBack: again(under, jobId, under.note === undefined ? {} : { note: under.note }) }),
    }
  }
  const heir = others.find(
    ({ duplicateOf, sha256, state, replacedBy }) =>
      state === 'ready' && replacedBy === undefined && (duplicateOf === entry.id || sha256 === entry.sha256),
  )
  if (heir !== undefined) {
    await inherit(ports, entry, heir, others)
    return { wasThere: false }
  }
  await removeFile(ports.background, entry, signal)
  const comesBack = await earlierOf(ports, entry, others, jobId)
  if (comesBack === undefined) await endEarlier(ports, others)
  return { wasThere: true, ...(comesBack && { comesBack }) }
}

/** The version before it: dropped by a message that still stands, and kept. */
async function earlierOf(
  { store, clock }: Ports,
  entry: FileRecord,
  others: readonly FileRecord[],
  jobId: string,
): Promise<FileRecord | undefined> {
  const { version = 1 } = entry
  for (const earlier of others.filter(wasReplaced)) {
    if ((await bytesOf(store, earlier)) === undefined) continue
    const { files } = textsFor(earlier.language)
    const note = files.cameBack(version, nameOfDropper(entry))
    return again(earlier, jobId, { note, updatedAt: clock() })
  }
  return undefined
}

/** None of the earlier versions is there either, and none is kept. */
async function endEarlier({ store, receipts, clock }: Ports, others: readonly FileRecord[]): Promise<void> {
  for (const earlier of others.filter(wasIn)) {
    await store.files.put({ ...earlier, state: 'removed', updatedAt: clock() })
    receipts.touch(earlier.jobId)
  }
}

const wasIn = (entry: FileRecord) => isOver(entry) && (entry.state === 'ready' || entry.version !== undefined)

/** A version between others goes: the way back from the later one leads to what was before it. */
async function passBy(
  { store, receipts }: Ports,
  entry: FileRecord,
  others: readonly FileRecord[],
): Promise<void> {
  const before = others.find(({ id }) => id === entry.replaces)
  for (const later of others.filter(({ replaces }) => replaces === entry.id)) {
    const { replaces: _, ...kept } = later
    await store.files.put({ ...kept, ...(before && { replaces: before.id }) })
    receipts.touch(later.jobId)
  }
}

/** The same bytes were dropped again: that drop is this version from now on. */
async function inherit(
  { store, receipts }: Ports,
  entry: FileRecord,
  heir: FileRecord,
  others: readonly FileRecord[],
): Promise<void> {
  const { duplicateOf: _, note, ...kept } = heir
  const { version, replaces, replacedBy } = entry
  await store.files.put({
    ...kept,
    ...(version === undefined ? {} : { version }),
    ...(replaces === undefined ? {} : { replaces }),
    // Its note says what took its place.
    ...(replacedBy === undefined
      ? {}
      : { replacedBy, ...((entry.note ?? note) && { note: entry.note ?? note }) }),
  })
  receipts.touch(heir.jobId)
  for (const other of others) {
    if (other.id === heir.id) continue
    const now = {
      ...other,
      ...(other.replacedBy === entry.id && { replacedBy: heir.id }),
      ...(other.duplicateOf === entry.id && { duplicateOf: heir.id }),
      ...(other.replaces === entry.id && { replaces: heir.id }),
    }
    const isTied = [other.replacedBy, other.duplicateOf, other.replaces].includes(entry.id)
    if (isTied) await store.files.put(now)
  }
}
