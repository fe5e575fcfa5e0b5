import { setImmediate } from 'node:timers/promises'
import { ownWords } from '#lexicon/follow-up.ts'
import { fileKindOf } from '#lib/file-kind.ts'
import { readLimited } from '#lib/read-limited.ts'
import { withoutRowNote } from '#lib/table-rows.ts'
import { folded } from '#lib/unicode.ts'
import type { ChannelMap } from '../channels/channel-map.ts'
import type { Adapter } from '../port/adapter.ts'
import type { ChannelFile, ChannelFiles, FileVersion, FoundText } from '../port/channel-files.ts'
import { isPlatformFailure, TooLargeError } from '../port/errors.ts'
import type { ConversationRef } from '../port/message.ts'
import type { Platform } from '../port/platform.ts'
import type { FileRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import { isLive, isRetryable, nameOfDropper } from './file-records.ts'
import { listFiles } from './find-file.ts'
import { bytesOf } from './ingest/upload-file.ts'

interface Services {
  readonly store: Store
  readonly channels: Pick<ChannelMap, 'of'>
  readonly platform: Pick<Platform, 'files'>
  readonly adapterOf: (name: string) => Adapter | undefined
  readonly maxFileBytes: number
  /** Texts of files: a cached one, and one that may be read from the platform. */
  readonly sources: {
    cached(collection: string, fileName: string): Promise<string | undefined>
    read(
      collection: string,
      fileName: string,
    ): Promise<
      { readonly pages: ArrayLike<unknown>; readonly headings: readonly { readonly value: string }[] } | undefined
    >
  }
}

const MAX_HEADINGS = 12
const MAX_HEADING_CHARS = 80

/** The files of a channel as the page shows them. */
export function createChannelFiles(services: Services): ChannelFiles {
  const { store, channels } = services
  async function find(conversation: ConversationRef, id: string): Promise<FileRecord | undefined> {
    const file = await store.files.get(id)
    return file?.collection === (await channels.of(conversation)).collection ? file : undefined
  }
  return {
    async list(conversation) {
      const { collection } = await channels.of(conversation)
      const listed = await listFiles({ store }, collection)
      const versions = versionsByName(await store.files.ofCollection(collection))
      return listed.map((file) => toChannelFile(file, versions))
    },
    async open(conversation, id, signal) {
      const file = await find(conversation, id)
      const bytes = file && (await originalOf(services, file, signal))
      return bytes && { name: file.displayName, mimeType: file.attachment?.mimeType ?? '', bytes }
    },
    async outline(conversation, id) {
      const file = await find(conversation, id)
      const isReady = file?.state === 'ready'
      const source = isReady
        ? await services.sources.read(file.collection, file.fileName).catch(() => undefined)
        : undefined
      if (source === undefined) return undefined
      const titles = source.headings.map(({ value }) => value.replace(/\s+/g, ' ').trim())
      const fitting = titles.filter((title) => title.length > 2 && title.length <= MAX_HEADING_CHARS)
      const [first, ...rest] = new Set(fitting)
      // The first of several headings is the title of the document, which tells least.
      const headings = first === undefined ? [] : [...rest, first]
      // Small words alone find no passage.
      const telling = headings.filter((heading) => ownWords(heading).length > 0)
      return { pages: source.pages.length, headings: telling.slice(0, MAX_HEADINGS) }
    },
    async search(conversation, words, signal) {
      const { collection } = await channels.of(conversation)
      const versions = versionsByName(await store.files.ofCollection(collection))
      const found: FoundText[] = []
      for (const file of await listFiles({ store }, collection)) {
        if (signal.aborted) break
        // oxlint-disable-next-line no-await-in-loop -- one text in memory at a time
        const line = file.state === 'ready' ? await findLine(services, file, words, signal) : undefined
        if (line !== undefined) found.push({ file: toChannelFile(file, versions), line })
      }
      return found
    },
  }
}

/** Most letters of a text that are searched. */
const MAX_TEXT_CHARS = 4_000_000
/** Letters that are searched before the event loop is released for other work. */
const LETTERS_AT_ONCE = 200_000
const LINE_CHARS = 400
const CHARS_BEFORE = 100

/** The line with most of the words, if the text has all of them. */
async function findLine(
  { sources }: Pick<Services, 'sources'>,
  file: FileRecord,
  words: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const text = withoutRowNote((await sources.cached(file.collection, file.fileName)) ?? '').slice(0, MAX_TEXT_CHARS)
  const missing = new Set(words)
  let best = { line: '', count: 0 }
  let letters = 0
  for (const line of linesOf(text)) {
    const plain = folded(line)
    const there = words.filter((word) => plain.includes(word))
    for (const word of there) missing.delete(word)
    if (there.length > best.count)
      best = { line: excerptAround(line, plain.indexOf(there[0] ?? '')), count: there.length }
    if (best.count === words.length) return best.line
    letters += line.length
    if (letters < LETTERS_AT_ONCE) continue
    letters = 0
    // oxlint-disable-next-line no-await-in-loop -- releases the event loop
    await setImmediate()
    if (signal.aborted) return undefined
  }
  return missing.size === 0 && best.count > 0 ? best.line : undefined
}

/** Long lines in pieces. */
function* linesOf(text: string): Generator<string> {
  let from = 0
  while (from < text.length) {
    const end = text.indexOf('\n', from)
    const to = Math.min(end === -1 ? text.length : end, from + LETTERS_AT_ONCE)
    yield text.slice(from, to)
    from = to === end ? to + 1 : to
  }
}

/** @param found place of the first word; without marks it may be a few letters off */
function excerptAround(line: string, found: number): string {
  const at = Math.max(0, found - CHARS_BEFORE)
  return line.slice(at, at + LINE_CHARS).toWellFormed()
}

function toVersion(file: FileRecord): FileVersion {
  const { id, version = 1, state, sizeBytes, droppedAt, messageId } = file
  return { id, version, state, sizeBytes, droppedBy: nameOfDropper(file), droppedAt, messageId }
}

type VersionsByName = ReadonlyMap<string, readonly FileRecord[]>

/** The replaced versions of each name. */
const versionsByName = (all: readonly FileRecord[]): VersionsByName =>
  Map.groupBy(
    all.filter((file) => file.state === 'ready' && file.duplicateOf === undefined && file.replacedBy !== undefined),
    ({ fileName }) => fileName,
  )

function toChannelFile(file: FileRecord, versions: VersionsByName): ChannelFile {
  const earlier = (versions.get(file.fileName) ?? []).filter(({ id }) => id !== file.id)
  const { displayName: name, note } = file
  return { ...toVersion(file), name, note, retryable: isRetryable(file), earlier: earlier.map(toVersion) }
}

/**
 * The bytes as they were dropped: from our originals, else from the platform if it has the file itself, else from the
 * chat service. Undefined: gone. @throws {TooLargeError} when they are too large.
 */
export async function originalOf(
  { store, platform, adapterOf, maxFileBytes }: Omit<Services, 'channels' | 'sources'>,
  entry: FileRecord,
  signal: AbortSignal,
): Promise<Blob | undefined> {
  const kept = await bytesOf(store, entry)
  if (kept !== undefined) return kept
  const { collection, fileName, displayName, attachment } = entry
  // The platform has the live version under this name.
  if (isLive(entry) && fileKindOf(displayName, attachment?.mimeType ?? '') === 'native') {
    try {
      const bytes = await platform.files.download(collection, fileName, { signal, maxBytes: maxFileBytes })
      return new Blob([Uint8Array.from(bytes)])
    } catch (error) {
      if (!isPlatformFailure(error) || error.code !== 'not-found') throw error
    }
  }
  const adapter = adapterOf(entry.conversation?.adapter ?? '')
  if (attachment === undefined || adapter === undefined) return undefined
  const bytes = await readLimited(await adapter.open(attachment, signal), maxFileBytes)
  if (bytes === undefined) throw new TooLargeError('too large')
  return new Blob([bytes])
}
