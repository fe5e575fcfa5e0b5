import { normalizedName } from '#lib/unicode.ts'
import type { FileRecord } from '#platform/wire/collections.ts'
import { LIMITS } from '#platform/wire/limits.ts'
import { EngineError } from '../errors.ts'
import type { Passes } from '../indexing/passes.ts'
import type { ReadingProgress } from '../indexing/run-pass.ts'
import type { Catalog, CollectionRow, FileFormat, FileRow, NewFile, UserRow } from '../storage/catalog.ts'
import type { Blobs, Content, IndexStore, StoredBlob } from '../storage/types.ts'
import type { EngineClock } from '../types.ts'
import type { CollectionService } from './collections.ts'
import { openContent } from './content.ts'
import { HEAD_BYTES, sniffFormat, toFlatName } from './file-format.ts'

/** Stored bytes without a file record yet. */
export interface ReceivedFile extends StoredBlob {
  /** The first bytes. */
  readonly head: Uint8Array
}

export interface Upload {
  readonly name: string
  readonly content: ReceivedFile
  /** Name of the stored file that it was derived from. */
  readonly source?: string
}

export interface Download {
  readonly name: string
  readonly format: FileFormat
  readonly sizeBytes: number
  /** Read it to its end or cancel it. */
  readonly content: ReadableStream<Uint8Array>
}

/** A file and a collection that has it. */
export interface HeldFile {
  readonly collection: CollectionRow
  readonly file: Pick<FileRow, 'name' | 'sizeBytes' | 'sha256' | 'status' | 'error' | 'createdAt'>
}

export interface FileService {
  /** Lists derived files under their source file. */
  list(user: UserRow, collection: string): Promise<FileRecord[]>
  /** Stores bytes for one `upload`, `replace` or `discard`; an upload that breaks off leaves nothing. */
  receive(content: Content): Promise<ReceivedFile>
  discard(content: ReceivedFile): Promise<void>
  /**
   * Adds a file; discards the content on refusal.
   *
   * @throws {EngineError} `conflict` when the name exists; `invalid`, `unsupported`, `too-large`, `locked`
   */
  upload(user: UserRow, collection: string, file: Upload): Promise<FileRecord>
  /** @throws {EngineError} `not-found` when it does not exist; else as `upload` */
  replace(user: UserRow, collection: string, file: Upload): Promise<FileRecord>
  /** Deletes the file and its derived files. @throws {EngineError} `not-found`, `locked` */
  remove(user: UserRow, collection: string, name: string): Promise<void>
  download(user: UserRow, collection: string, name: string): Promise<Download>
  /** Files of collections that the caller may read, in their order, derived ones among them; with `names`, only these. */
  held(collections: readonly CollectionRow[], names?: readonly string[]): Promise<readonly HeldFile[]>
}

export interface FileParts {
  readonly catalog: Catalog
  readonly blobs: Blobs
  readonly index: IndexStore
  readonly passes: Passes
  readonly collections: CollectionService
  readonly clock: EngineClock
  readonly reading: ReadingProgress
}

const groupBySource = (rows: readonly FileRow[]) => Map.groupBy(rows, (row) => row.sourceId)

function toRecord(row: FileRow, owner: string, derived: readonly FileRow[] = []): FileRecord {
  return {
    name: row.name,
    size: row.sizeBytes,
    owner_user_name: owner,
    created_at: new Date(row.createdAt).toISOString(),
    updated_at: new Date(row.updatedAt).toISOString(),
    index_info:
      row.status === null ? null : { index_status: row.status, chunks_indexed: row.chunks, error_msg: row.error },
    related_files: derived.length === 0 ? null : derived.map((one) => toRecord(one, owner)),
  }
}

const missing = (collection: CollectionRow, name: string) =>
  new EngineError('not-found', `There is no file ${name} in ${collection.name}.`)

/** Checks the upload itself, before the catalog. */
async function inspect(blobs: Blobs, file: Upload): Promise<Omit<NewFile, 'sourceId'>> {
  const { blob, sizeBytes, sha256, head } = file.content
  const name = toFlatName(file.name)
  if (sizeBytes > LIMITS.fileBytes) {
    throw new EngineError('too-large', `${name} is larger than 100 MB: split it and upload the parts.`)
  }
  const format = await sniffFormat(name, { sizeBytes, head, whole: () => blobs.read(blob) })
  return { name, format, blob, sizeBytes, sha256 }
}

/** Deletes the bytes when no record was made for them. */
async function taking<Result>(
  blobs: Blobs,
  { blob }: ReceivedFile,
  work: (recorded: () => void) => Promise<Result>,
): Promise<Result> {
  let isRecorded = false
  try {
    return await work(() => (isRecorded = true))
  } finally {
    if (!isRecorded) await blobs.remove(blob)
  }
}

async function receive(blobs: Blobs, content: Content): Promise<ReceivedFile> {
  const head: Uint8Array[] = []
  let room = HEAD_BYTES
  async function* watch() {
    for await (const bytes of content) {
      // Copied, since a view would keep the whole buffer in memory.
      if (room > 0) head.push(bytes.slice(0, room))
      room -= Math.min(room, bytes.byteLength)
      yield bytes
    }
  }
  const stored = await blobs.write(watch())
  return { ...stored, head: Buffer.concat(head) }
}

async function held(
  catalog: Catalog,
  among: readonly CollectionRow[],
  names: readonly string[] | undefined,
): Promise<readonly HeldFile[]> {
  const ids = among.map(({ id }) => id)
  const rows = Map.groupBy(await catalog.files.among(ids, names?.map(normalizedName)), (row) => row.collectionId)
  return among.flatMap((collection) => (rows.get(collection.id) ?? []).map((file) => ({ collection, file })))
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createFiles(parts: FileParts): FileService {
  const { catalog, blobs, index, passes, collections, clock } = parts

  async function requireFile(collection: CollectionRow, name: string): Promise<FileRow> {
    const flat = toFlatName(name)
    const file = await catalog.files.get(collection.id, flat)
    if (file !== undefined) return file
    throw missing(collection, flat)
  }

  async function toSourceId(collection: CollectionRow, name: string | undefined): Promise<number | null> {
    if (name === undefined) return null
    const source = await catalog.files.get(collection.id, toFlatName(name))
    if (source === undefined) {
      throw new EngineError('invalid', `There is no file ${name} in ${collection.name} to derive one from.`)
    }
    if (source.sourceId === null) return source.id
    throw new EngineError('invalid', `${source.name} is derived itself: name the file that it came from.`)
  }

  return {
    async list(user, name) {
      const collection = await collections.reading(user, name)
      const groups = groupBySource(await catalog.files.list(collection.id))
      return (groups.get(null) ?? []).map((row) => {
        const record = toRecord(row, collection.ownerName, groups.get(row.id))
        const progress = parts.reading.get(row.id)
        if (progress === undefined) return record
        return { ...record, index_info: { index_status: 'NOT_INDEXED', chunks_indexed: 0, error_msg: null, progress } }
      })
    },
    held: (among, names) => held(catalog, among, names),
    receive: (content) => receive(blobs, content),
    discard: ({ blob }) => blobs.remove(blob),
    upload: (user, name, file) =>
      taking(blobs, file.content, async (recorded) => {
        const collection = await collections.require(user, name)
        const flat = toFlatName(file.name)
        const taken = () => new EngineError('conflict', `${flat} exists already: replace it with PUT.`)
        if ((await catalog.files.get(collection.id, flat)) !== undefined) throw taken()
        const known = await inspect(blobs, file)
        return passes.change(collection.id, async () => {
          const sourceId = await toSourceId(collection, file.source)
          const row = await catalog.files.add(collection.id, { ...known, sourceId }, clock())
          if (row !== undefined) {
            recorded()
            return toRecord(row, collection.ownerName)
          }
          if ((await catalog.files.get(collection.id, flat)) !== undefined) throw taken()
          const what = sourceId === null ? collection.name : `${collection.name}, or what ${flat} is derived from,`
          throw new EngineError('not-found', `${what} was deleted meanwhile.`)
        })
      }),
    replace: (user, name, file) =>
      taking(blobs, file.content, async (recorded) => {
        const collection = await collections.require(user, name)
        await requireFile(collection, file.name)
        const known = await inspect(blobs, file)
        return passes.change(collection.id, async () => {
          const replaced = await catalog.files.replace(collection.id, known, clock())
          if (replaced === undefined) {
            throw new EngineError('not-found', `${known.name} was deleted meanwhile: upload it with POST.`)
          }
          recorded()
          const { row, before } = replaced
          await index.remove(collection.indexName, [row.id])
          await blobs.remove(before.blob)
          return toRecord(row, collection.ownerName, await catalog.files.derived(row.id))
        })
      }),
    async remove(user, name, fileName) {
      const collection = await collections.require(user, name)
      await requireFile(collection, fileName)
      await passes.change(collection.id, async () => {
        const file = await requireFile(collection, fileName)
        const gone = await catalog.files.remove(file.id)
        if (gone.length === 0) throw missing(collection, file.name)
        await index.remove(
          collection.indexName,
          gone.map((one) => one.id),
        )
        await Promise.all(gone.map((one) => blobs.remove(one.blob)))
      })
    },
    async download(user, name, fileName) {
      const collection = await collections.reading(user, name)
      let file = await requireFile(collection, fileName)
      for (;;) {
        try {
          const { name: called, format, sizeBytes, blob } = file
          return { name: called, format, sizeBytes, content: await openContent(blobs, blob, sizeBytes) }
        } catch (error) {
          // The file was replaced or deleted after its record was read: read the record again.
          const now = await requireFile(collection, fileName)
          if (now.blob === file.blob) throw error
          file = now
        }
      }
    },
  }
}
