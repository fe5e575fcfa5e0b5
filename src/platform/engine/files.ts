import { createHash } from 'node:crypto'
import { limits } from '../wire/limits.ts'
import type { FileRecord } from '../wire/file.ts'
import type { Blobs } from './blobs.ts'
import type { Catalog, FileFormat, FileRow, NewFile, UserRow } from './catalog/catalog.ts'
import type { CollectionService } from './collections.ts'
import { EngineError } from './errors.ts'
import type { IndexStore } from './index/client.ts'
import { toFileName } from './names.ts'
import type { Passes } from './passes.ts'
import type { EngineClock } from './ports.ts'
import { sniffFormat } from './sniff.ts'

export interface Upload {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface FileService {
  list(user: UserRow, collection: string): Promise<FileRecord[]>
  /** @throws {EngineError} `conflict` when the name exists; `invalid`, `unsupported`, `too-large`, `locked` */
  upload(user: UserRow, collection: string, file: Upload): Promise<FileRecord>
  /** @throws {EngineError} `not-found` when it does not exist; else as `upload` */
  replace(user: UserRow, collection: string, file: Upload): Promise<FileRecord>
  remove(user: UserRow, collection: string, name: string): Promise<void>
  download(
    user: UserRow,
    collection: string,
    name: string,
  ): Promise<{ readonly name: string; readonly format: FileFormat; readonly bytes: Uint8Array<ArrayBuffer> }>
}

export interface FileParts {
  readonly catalog: Catalog
  readonly blobs: Blobs
  readonly index: IndexStore
  readonly passes: Passes
  readonly collections: CollectionService
  readonly clock: EngineClock
}

function toRecord(row: FileRow, owner: string): FileRecord {
  return {
    name: row.name,
    size: row.sizeBytes,
    owner_user_name: owner,
    created_at: new Date(row.createdAt).toISOString(),
    updated_at: new Date(row.updatedAt).toISOString(),
    index_info:
      row.status === null
        ? null
        : { index_status: row.status, chunks_indexed: row.chunks, error_msg: row.error },
    related_files: null,
  }
}

export function createFiles(parts: FileParts): FileService {
  const { catalog, blobs, index, passes, collections, clock } = parts

  async function requireFile(user: UserRow, collection: string, name: string) {
    const owner = await collections.require(user, collection)
    const flat = toFileName(name)
    const file = await catalog.files.get(owner.id, flat)
    if (file === undefined) throw new EngineError('not-found', `There is no file ${flat} in ${owner.name}.`)
    return { collection: owner, file }
  }

  /** Checks everything that can be refused before a byte is stored. */
  async function store(file: Upload): Promise<NewFile> {
    const name = toFileName(file.name)
    if (file.bytes.length > limits.fileBytes) {
      throw new EngineError('too-large', `${name} is larger than 100 MB: split it and upload the parts.`)
    }
    const format = sniffFormat(name, file.bytes)
    const sha256 = createHash('sha256').update(file.bytes).digest('hex')
    return { name, format, blob: await blobs.write(file.bytes), sizeBytes: file.bytes.length, sha256 }
  }

  return {
    async list(user, name) {
      const collection = await collections.require(user, name)
      return (await catalog.files.list(collection.id)).map((row) => toRecord(row, collection.ownerName))
    },
    async upload(user, name, file) {
      const collection = await collections.require(user, name)
      const taken = () =>
        new EngineError('conflict', `${toFileName(file.name)} exists already: replace it with PUT.`)
      if ((await catalog.files.get(collection.id, toFileName(file.name))) !== undefined) throw taken()
      await passes.idle(collection.id)
      const stored = await store(file)
      const row = await catalog.files.add(collection.id, stored, clock())
      if (row !== undefined) return toRecord(row, collection.ownerName)
      await blobs.remove(stored.blob)
      throw taken()
    },
    async replace(user, name, file) {
      const before = await requireFile(user, name, file.name)
      await passes.idle(before.collection.id)
      const stored = await store(file)
      const row = await catalog.files.replace(before.collection.id, stored, clock())
      if (row === undefined) {
        await blobs.remove(stored.blob)
        throw new EngineError('not-found', `${stored.name} was deleted meanwhile: upload it with POST.`)
      }
      await index.remove(before.collection.indexName, [row.id])
      await blobs.remove(before.file.blob)
      return toRecord(row, before.collection.ownerName)
    },
    async remove(user, name, fileName) {
      const { collection, file } = await requireFile(user, name, fileName)
      await passes.idle(collection.id)
      await catalog.files.remove(file.id)
      await index.remove(collection.indexName, [file.id])
      await blobs.remove(file.blob)
    },
    async download(user, name, fileName) {
      const { file } = await requireFile(user, name, fileName)
      return { name: file.name, format: file.format, bytes: await blobs.read(file.blob) }
    },
  }
}
