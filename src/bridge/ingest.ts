import type { Adapter } from './adapter.ts'
import type { ChannelMap } from './channel-map.ts'
import { AdapterError } from './errors.ts'
import { isPlatformFailure, wordsOf } from './failures.ts'
import { describeFile, toFileName } from './file-name.ts'
import type { IndexPass } from './index-pass.ts'
import { channelKey, type Attachment, type Message } from './message.ts'
import type { Clock, Log, Platform, PlatformFile } from './ports.ts'
import type { ChannelRecord, LedgerEntry, Store } from './store-port.ts'
import { createReceipt, RECEIPT_SLOT } from './receipt.ts'
import type { Sender } from './send.ts'
import type { Texts } from './texts.ts'

export interface IngestPorts {
  readonly platform: Platform
  readonly store: Store
  readonly channels: ChannelMap
  readonly indexPass: IndexPass
  readonly clock: Clock
  readonly maxFileBytes: number
}

export interface IngestRun {
  readonly jobId: string
  readonly message: Message
  readonly files: readonly Attachment[]
  readonly adapter: Adapter
  readonly sender: Sender
  readonly texts: Texts
  readonly log: Log
  readonly signal: AbortSignal
}

/** Takes dropped files to their end: into the channel's collection and indexed, or to a reason on the receipt. */
export async function ingest(ports: IngestPorts, run: IngestRun): Promise<void> {
  const channel = await ports.channels.of(run.message.conversation)
  // What was begun before the switch was turned is brought to its end.
  if (!channel.collecting && (await ports.store.ledger.ofJob(run.jobId)).length === 0) {
    if (run.message.addressed) await run.sender.show('off', { kind: 'notice', text: run.texts.notCollecting })
    return
  }
  const entries = await loadEntries(ports, run, channel)
  const row = (await run.sender.rows()).find(({ slot }) => slot === RECEIPT_SLOT)
  const begun = row?.text.includes(run.texts.explainDrop) === true
  const explain = await ports.channels.explains(run.message.conversation, begun)
  if (row?.state !== 'closed' || !entries.every(({ state }) => isOver(state)))
    await bringToEnd(ports, run, entries, explain)
  if (explain) await ports.channels.change(run.message.conversation, { explained: true })
  for (const entry of entries) await ports.store.spool.remove(entry.id)
}

/** The files side by side, under one receipt. */
async function bringToEnd(
  ports: IngestPorts,
  run: IngestRun,
  entries: readonly LedgerEntry[],
  explain: boolean,
): Promise<void> {
  const receipt = createReceipt({
    adapter: run.adapter,
    sender: run.sender,
    texts: run.texts,
    clock: ports.clock,
    explain,
    onError: (error) => run.log.warn({ err: error }, 'A receipt could not be brought up to date'),
  })
  const current = [...entries]
  const record = async (index: number, entry: LedgerEntry) => {
    await ports.store.ledger.put(entry)
    current[index] = entry
    receipt.update([...current])
  }
  receipt.update([...current])
  await Promise.all(
    run.files.map(async (attachment, index) => {
      const entry = current[index]
      if (entry === undefined || isOver(entry.state)) return
      await takeIn(ports, run, attachment, entry, (next) => record(index, next))
    }),
  )
  await receipt.finish([...current])
}

const isOver = (state: LedgerEntry['state']) => ['ready', 'failed', 'removed'].includes(state)

async function loadEntries(
  ports: IngestPorts,
  run: IngestRun,
  channel: ChannelRecord,
): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = []
  for (const [index, attachment] of run.files.entries()) {
    const id = `${run.jobId}#${index}`
    const known = await ports.store.ledger.get(id)
    const displayName = apart(
      attachment.name,
      entries.map((entry) => entry.displayName),
    )
    const entry: LedgerEntry = known ?? {
      id,
      jobId: run.jobId,
      channel: channelKey(run.message.conversation),
      collection: channel.collection,
      attachmentId: attachment.id,
      displayName,
      fileName: toFileName(displayName),
      state: 'received',
      droppedBy: run.message.author.id,
      messageId: run.message.id,
      updatedAt: ports.clock(),
    }
    if (known === undefined) await ports.store.ledger.put(entry)
    entries.push(entry)
  }
  return entries
}

/** Two files of one name in one drop are two files: the second becomes `name (2).pdf`. */
function apart(name: string, taken: readonly string[]): string {
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? []
  let free = name
  for (let count = 2; taken.includes(free); count += 1) free = `${stem} (${count})${ending}`
  return free
}

/** One file, step by step; each step is recorded before the next begins, and may be done twice. */
async function takeIn(
  ports: IngestPorts,
  run: IngestRun,
  attachment: Attachment,
  start: LedgerEntry,
  record: (entry: LedgerEntry) => Promise<void>,
): Promise<void> {
  let entry = start
  const advance = async (change: Partial<LedgerEntry>, cause?: unknown) => {
    const { state: step } = entry
    entry = { ...entry, ...change, updatedAt: ports.clock() }
    await record(entry)
    if (entry.state !== 'failed') return
    const why = cause === undefined ? { reason: entry.note } : { err: cause }
    run.log.warn({ ...why, file: entry.id, step }, 'A dropped file could not be taken in')
  }
  try {
    const kind = describeFile(attachment.name, attachment.mimeType)
    if (kind === 'audio' || kind === 'image' || kind === 'unsupported') {
      return await advance({ state: 'failed', note: run.texts.fileUnsupported })
    }
    const { collection } = await ports.channels.collection(run.message.conversation, run.signal)
    // After a restart in mid-index the file is on the platform already: only its end is to be waited for.
    if (start.state !== 'indexing') {
      await advance({ state: 'downloading' })
      await advance(await download(ports, run, attachment, entry))
      if (entry.sizeBytes === 0) return await advance({ state: 'failed', note: run.texts.fileEmpty })
      const twin = await findTwin(ports, entry)
      if (twin !== undefined) {
        const chunks = twin.chunks === undefined ? {} : { chunks: twin.chunks }
        // Under the name that it has there: a converted file has another than it was dropped with.
        return await advance({ state: 'ready', note: run.texts.known, fileName: twin.fileName, ...chunks })
      }
      const upload = await prepare(ports, run, attachment, entry, kind, advance)
      await advance({ state: 'uploading', fileName: upload.name })
      const replaced = await put(ports, run, collection, upload)
      // What stands there after a restart in mid-upload may be our own.
      const isNewVersion = replaced && start.state !== 'uploading'
      await advance({ state: 'indexing', ...(isNewVersion ? { note: run.texts.replaced } : {}) })
    }
    const indexed = await ports.indexPass.ensure(collection, [entry.fileName], run.signal)
    await advance(conclude(indexed.get(entry.fileName), run.texts))
  } catch (error) {
    if (run.signal.aborted) throw error
    await advance({ state: 'failed', note: reason(error, ports, run) }, error)
  }
}

async function download(
  ports: IngestPorts,
  run: IngestRun,
  attachment: Attachment,
  entry: LedgerEntry,
): Promise<{ readonly sizeBytes: number; readonly sha256: string }> {
  const { sizeBytes, sha256 } = entry
  const there = await ports.store.spool.read(entry.id)
  if (there !== undefined && sha256 !== undefined && sizeBytes === there.size) return { sizeBytes, sha256 }
  if (attachment.sizeBytes !== undefined && attachment.sizeBytes > ports.maxFileBytes)
    throw new RangeError('too large')
  const stream = await run.adapter.open(attachment, run.signal)
  return ports.store.spool.write(entry.id, stream, ports.maxFileBytes)
}

/**
 * The same bytes under the same name, ready in the same collection: nothing to do again. The newest version alone counts,
 * whatever became of it: one that failed has taken the place of the ready one before it.
 */
async function findTwin(ports: IngestPorts, entry: LedgerEntry): Promise<LedgerEntry | undefined> {
  const others = await ports.store.ledger.ofCollection(entry.collection)
  const newest = others.find(({ id, displayName, sha256 }) => {
    return id !== entry.id && displayName === entry.displayName && sha256 !== undefined
  })
  return newest?.state === 'ready' && newest.sha256 === entry.sha256 ? newest : undefined
}

async function prepare(
  ports: IngestPorts,
  run: IngestRun,
  attachment: Attachment,
  entry: LedgerEntry,
  kind: 'native' | 'convertible',
  advance: (change: Partial<LedgerEntry>) => Promise<void>,
) {
  const bytes = await ports.store.spool.read(entry.id)
  if (bytes === undefined) throw new Error('The downloaded file vanished from the spool.')
  const name = toFileName(entry.displayName)
  if (kind === 'native') return { name, mimeType: attachment.mimeType, bytes }
  await advance({ state: 'converting' })
  const source = { name, mimeType: attachment.mimeType, bytes }
  const { markdown } = await ports.platform.documents.convert(source, { signal: run.signal })
  return { name: toFileName(`${name}.md`), mimeType: 'text/markdown', bytes: new Blob([markdown]) }
}

/** POST, or PUT where the name exists: so a repeated step ends in the same state. Resolves with true when it replaced. */
async function put(
  ports: IngestPorts,
  run: IngestRun,
  collection: string,
  file: { readonly name: string; readonly mimeType: string; readonly bytes: Blob },
): Promise<boolean> {
  const { files } = ports.platform
  const isThere = (await files.list(collection, { signal: run.signal })).some(
    ({ name }) => name === file.name,
  )
  if (isThere) {
    await files.replace(collection, file, { signal: run.signal })
    return true
  }
  try {
    await files.upload(collection, file, { signal: run.signal })
    return false
  } catch (error) {
    if (!isPlatformFailure(error) || error.code !== 'conflict') throw error
    await files.replace(collection, file, { signal: run.signal })
    return true
  }
}

function conclude(file: PlatformFile | undefined, texts: Texts): Partial<LedgerEntry> {
  const index = file?.index
  if (index?.status === 'INDEXED' && index.chunks > 0) return { state: 'ready', chunks: index.chunks }
  if (index?.status === 'INDEXED') return { state: 'failed', note: texts.noChunks }
  if (index?.status === 'ERROR') return { state: 'failed', note: index.error ?? texts.noChunks }
  return { state: 'failed', note: texts.indexSlow }
}

function reason(error: unknown, ports: IngestPorts, run: IngestRun): string {
  const { texts } = run
  if (error instanceof RangeError) return texts.fileTooLarge(Math.round(ports.maxFileBytes / 1_000_000))
  if (error instanceof AdapterError) return texts.fileGone(error.message)
  if (!isPlatformFailure(error)) return texts.failures.internal
  if (error.code === 'unauthorized') return texts.filePlatformKey
  const isPassing = ['unreachable', 'timeout', 'locked', 'cut', 'empty', 'rate-limited'].includes(error.code)
  return isPassing ? texts.filePlatformAway : wordsOf(error)
}
