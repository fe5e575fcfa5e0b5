import { describeFile } from '../../../lib/file-kind.ts'
import { takeTurn, type Turns } from '../../../lib/keyed-mutex.ts'
import type { Budgets } from '../../channels/budgets.ts'
import type { ChannelMap } from '../../channels/channel-map.ts'
import { overBudgetSentence } from '../../channels/budgets.ts'
import type { Adapter } from '../../port/adapter.ts'
import type { Clock, Log, Platform } from '../../port/platform.ts'
import type { FileRecord } from '../../port/records.ts'
import type { Store } from '../../port/store.ts'
import { dayOf } from '../../texts/dates.ts'
import { type Texts, textsFor } from '../../texts/texts.ts'
import type { IndexPass } from '../collection/index-pass.ts'
import type { CollectionWatch } from '../collection/missing-collection.ts'
import { isCurrent, isOver, nameOfDropper } from '../file-records.ts'
import type { Receipts } from '../receipt/receipts.ts'
import { chainOf, isOvertaken, nextVersion, repeatsOf, replacedBy, sweep, wayBack } from '../versions.ts'
import { conclude, reason } from './failure-reason.ts'
import { fetchBytes, put, toUpload } from './upload-file.ts'

export interface IngestPorts {
  readonly platform: Platform
  readonly store: Store
  readonly channels: ChannelMap
  readonly indexPass: IndexPass
  readonly receipts: Receipts
  readonly watch: CollectionWatch
  readonly budgets: Budgets
  /** One file of a name at a time, and one of the same bytes. */
  readonly fileTurns: Turns
  readonly clock: Clock
  readonly maxFileBytes: number
}

export interface BringInRun {
  readonly adapter: Adapter
  readonly log: Log
  readonly signal: AbortSignal
}

const AT_ONCE = 8

type Advance = (change: Partial<FileRecord>, cause?: unknown) => Promise<FileRecord>

/**
 * Takes one file to its end: into its collection and indexed, or to a reason. Each step is recorded before the next
 * begins, and may be done twice; where it begins is told by the entry. Rejects only when the signal aborts.
 */
export async function bringIn(ports: IngestPorts, run: BringInRun, start: FileRecord): Promise<FileRecord> {
  const { store, receipts, clock } = ports
  const texts = textsFor(start.language)
  let entry = start
  const advance: Advance = async (change, cause) => {
    const { state: step } = entry
    entry = { ...entry, ...change, updatedAt: clock() }
    await store.files.put(entry)
    receipts.touch(entry.jobId)
    if (entry.state === 'failed') {
      const why = cause === undefined ? { reason: entry.note } : { err: cause }
      run.log.warn({ ...why, file: entry.id, step }, 'A dropped file could not be taken in')
    }
    return entry
  }
  try {
    const kind = describeFile(entry.displayName, entry.attachment?.mimeType ?? '')
    if (kind === 'audio' || kind === 'unsupported')
      return await advance({ state: 'failed', note: texts.fileUnsupported, permanent: true })
    const turn = `${entry.collection}/${entry.fileName}`
    return await takeTurn(ports.fileTurns, turn, run.signal, async () => {
      // While it waited for its turn it may have been taken out, replaced, or brought to its end.
      entry = (await store.files.get(start.id)) ?? start
      return isOver(entry) ? entry : inTurn(ports, run, entry, texts, advance)
    })
  } catch (error) {
    if (run.signal.aborted) throw error
    return advance({ state: 'failed', ...reason(error, ports.maxFileBytes, texts) }, error)
  } finally {
    receipts.progress(start.id, undefined)
  }
}

/** Nobody else brings in a file of this name now. */
async function inTurn(
  ports: IngestPorts,
  run: BringInRun,
  start: FileRecord,
  texts: Texts,
  advance: Advance,
): Promise<FileRecord> {
  const { collection } = start
  await ports.channels.ensure(collection, run.signal)
  if ((await ports.watch.look(collection, run.signal)) === 'gone')
    return advance({ state: 'failed', note: texts.files.lostFile })
  // After a restart in mid-index the file is on the platform already: only its end is to be waited for.
  if (start.state === 'indexing') return index(ports, run, start, texts, advance, true)
  if (isOvertaken(await chainOf(ports.store, start), start))
    return advance({ state: 'removed', note: texts.files.overtaken })
  const downloading = await advance({ state: 'downloading' })
  const { sizeBytes, sha256 } = await fetchBytes(ports, run, downloading)
  if (sizeBytes === 0) return advance({ state: 'failed', note: texts.fileEmpty, permanent: true, sizeBytes })
  const entry = await advance({ sizeBytes, sha256 })
  const over = await overBudget(ports, entry, texts)
  if (over !== undefined) return advance({ state: 'failed', note: over })
  // Two names with the same bytes: the second finds the first ready. Always name before bytes, so that none waits for the other.
  return takeTurn(ports.fileTurns, `${collection}#${sha256}`, run.signal, () =>
    takeUp(ports, run, entry, texts, advance),
  )
}

/** Counts the megabytes, once for each file; a sentence when there is no room for them now. */
async function overBudget(
  { budgets }: IngestPorts,
  { id, conversation, droppedBy, sizeBytes = 0, language }: FileRecord,
  texts: Texts,
): Promise<string | undefined> {
  if (conversation === undefined) return undefined
  const who = { conversation, personId: droppedBy }
  const over = await budgets.spend(who, id, 'megabytes', sizeBytes / 1_000_000)
  return over && overBudgetSentence(over, 'take', texts, language)
}

/** The bytes are here: repeat nothing, keep them, and put them where they belong. */
async function takeUp(
  ports: IngestPorts,
  run: BringInRun,
  start: FileRecord,
  texts: Texts,
  advance: Advance,
): Promise<FileRecord> {
  const { store } = ports
  const twin = start.version === undefined ? await findTwin(store, start) : undefined
  if (twin !== undefined) {
    const isSameName = twin.fileName === start.fileName
    return advance({
      state: 'ready',
      duplicateOf: twin.id,
      fileName: twin.fileName,
      note: isSameName ? texts.known : texts.files.duplicateOf(twin.displayName),
      ...(twin.chunks === undefined ? {} : { chunks: twin.chunks }),
    })
  }
  await keepOriginal(store, start)
  // A hundred files at once are converted and sent a few at a time.
  const lane = `lane ${Number.parseInt(start.sha256?.slice(-2) ?? '0', 16) % AT_ONCE}`
  const isReplacing = await takeTurn(ports.fileTurns, lane, run.signal, async () => {
    const upload = await convert(ports, run, start, advance)
    await advance({ state: 'uploading', sent: true })
    return put(ports.platform, start.collection, upload, run.signal)
  })
  const chain = await chainOf(store, start)
  const entry = await advance({
    state: 'indexing',
    ...placeIn(ports, start, chain, texts, isReplacing),
  })
  return index(ports, run, entry, texts, advance, false)
}

async function keepOriginal({ spool, originals }: Store, entry: FileRecord): Promise<void> {
  const spooled = await spool.read(entry.id)
  if (spooled === undefined || entry.sha256 === undefined) return
  await originals.keep(entry.collection, entry.sha256, spooled)
  await spool.remove(entry.id)
}

async function convert(ports: IngestPorts, run: BringInRun, entry: FileRecord, advance: Advance) {
  const { displayName, attachment } = entry
  if (describeFile(displayName, attachment?.mimeType ?? '') !== 'native')
    await advance({ state: 'converting' })
  return toUpload(ports, entry, run.signal)
}

/** The same bytes, ready in the same collection under whatever name. */
async function findTwin(store: Store, entry: FileRecord): Promise<FileRecord | undefined> {
  const all = await store.files.ofCollection(entry.collection)
  return all.find((other) => other.id !== entry.id && other.sha256 === entry.sha256 && isCurrent(other))
}

/** Which version it is, and what is said of it. */
function placeIn(
  { clock }: IngestPorts,
  entry: FileRecord,
  chain: readonly FileRecord[],
  texts: Texts,
  isReplacing: boolean,
): Partial<FileRecord> {
  const isNew = entry.version === undefined
  const earlier = isNew
    ? wayBack(chain, replacedBy(chain, entry))
    : chain.find(({ id }) => id === entry.replaces)
  const place = isNew ? { version: nextVersion(chain) } : {}
  if (earlier !== undefined) {
    const day = dayOf(earlier.droppedAt, entry.language, clock())
    const note = texts.files.replaces(earlier.version ?? 1, day, nameOfDropper(earlier))
    return { ...place, replaces: earlier.id, note: entry.note ?? note }
  }
  // Something stood there that we did not put there.
  const isStrange = isReplacing && isNew && chain.length === 1 && entry.sent !== true
  return { ...place, ...(isStrange ? { note: texts.replaced } : {}) }
}

/** Follows the file to the end of its indexing. */
async function index(
  ports: IngestPorts,
  run: BringInRun,
  entry: FileRecord,
  texts: Texts,
  advance: Advance,
  resumed: boolean,
): Promise<FileRecord> {
  await retire(ports, entry)
  const { collection, fileName } = entry
  const seen = await ports.indexPass.ensure(collection, [fileName], run.signal, {
    resumed,
    onLook: (progress) => ports.receipts.progress(entry.id, progress),
  })
  const ended = await advance(conclude(seen.get(fileName), texts))
  if (ended.state === 'ready') await reviveRepeats(ports, ended)
  await sweep(ports.store, collection, ports.clock())
  return ended
}

/** Those whose place it took say so on their own receipts, and so do those that had only repeated them. */
async function retire({ store, receipts, clock }: IngestPorts, entry: FileRecord): Promise<void> {
  const { version = 1, droppedAt, id } = entry
  const chain = await chainOf(store, entry)
  for (const earlier of replacedBy(chain, entry)) {
    for (const one of [...repeatsOf(chain, earlier).filter(isOver), earlier]) {
      const { files } = textsFor(one.language)
      const day = dayOf(droppedAt, one.language, clock())
      const note = files.replacedBy(version, day, nameOfDropper(entry))
      // One that was cut off while it was indexed is at its end now.
      const state = isOver(one) ? one.state : 'ready'
      await store.files.put({ ...one, state, replacedBy: id, note })
      receipts.touch(one.jobId)
    }
  }
}

/** It stands again, and with it whatever repeated it. */
async function reviveRepeats({ store, receipts }: IngestPorts, entry: FileRecord): Promise<void> {
  for (const repeat of repeatsOf(await chainOf(store, entry), entry)) {
    if (repeat.replacedBy === undefined) continue
    const { replacedBy: _, ...kept } = repeat
    await store.files.put({ ...kept, note: textsFor(repeat.language).known })
    receipts.touch(repeat.jobId)
  }
}
