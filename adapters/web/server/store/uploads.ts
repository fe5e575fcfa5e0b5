import { createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../../../../src/bridge/port/platform.ts'
import type { AttachmentKind, WebAttachment } from '../../protocol.ts'
import { RequestFailure } from '../responses.ts'

/** Uploads that no message ever named are removed after this long. */
const UNUSED_MS = 24 * 60 * 60 * 1000

export interface NewUpload {
  readonly id: string
  readonly name: string
  readonly mimeType: string
  readonly kind: AttachmentKind
  readonly durationMs?: number
}

export interface Uploads {
  /** Streams the bytes to the disk. @throws {RequestFailure} `too-large`. */
  write(upload: NewUpload, bytes: ReadableStream<Uint8Array>, maxBytes: number): Promise<WebAttachment>
  get(id: string): WebAttachment | undefined
  /** Undefined when the bytes are gone. */
  read(id: string, signal?: AbortSignal): ReadableStream<Uint8Array> | undefined
  /** Ties uploads to their message, in the given order. */
  attach(messageId: string, ids: readonly string[]): void
  ofMessage(messageId: string): readonly WebAttachment[]
  removeOf(messageId: string): Promise<void>
  removeUnused(): Promise<void>
}

export function createUploads(database: DatabaseSync, dataDir: string, clock: Clock): Uploads {
  const folder = join(dataDir, 'web-files')
  mkdirSync(folder, { recursive: true })
  const path = (id: string) => join(folder, id)
  const columns = 'id, name, mime_type, kind, size_bytes, duration_ms'
  const one = database.prepare(`SELECT ${columns} FROM uploads WHERE id = ?`)
  const ofMessage = database.prepare(`SELECT ${columns} FROM uploads WHERE message_id = ? ORDER BY rowid`)
  const insert = database.prepare(`INSERT OR IGNORE INTO uploads
    (id, name, mime_type, kind, size_bytes, duration_ms, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const attach = database.prepare('UPDATE uploads SET message_id = ? WHERE id = ? AND message_id IS NULL')
  const unused = database.prepare('SELECT id FROM uploads WHERE message_id IS NULL AND created_at < ?')
  const forget = database.prepare('DELETE FROM uploads WHERE id = ?')

  const get = (id: string) => {
    const row = one.get(id)
    return row && toAttachment(row)
  }
  const removeAll = async (ids: readonly string[]) => {
    for (const id of ids) {
      await rm(path(id), { force: true })
      forget.run(id)
    }
  }
  return {
    get,
    async write(upload, bytes, maxBytes) {
      const part = `${path(upload.id)}.${process.hrtime.bigint()}.part`
      try {
        const sizeBytes = await save(bytes, part, maxBytes)
        await rename(part, path(upload.id))
        const { id, name, mimeType, kind, durationMs } = upload
        insert.run(id, name, mimeType, kind, sizeBytes, durationMs ?? null, clock())
        return { id, name, mimeType, kind, sizeBytes, durationMs }
      } finally {
        await rm(part, { force: true })
      }
    },
    read(id, signal) {
      if (!get(id) || !existsSync(path(id))) return undefined
      const file = createReadStream(path(id), signal ? { signal } : {})
      return Readable.toWeb(file) as ReadableStream<Uint8Array>
    },
    attach(messageId, ids) {
      for (const id of ids) attach.run(messageId, id)
    },
    ofMessage: (messageId) => ofMessage.all(messageId).map(toAttachment),
    removeOf: (messageId) => removeAll(ofMessage.all(messageId).map((row) => String(row['id']))),
    removeUnused: () => removeAll(unused.all(clock() - UNUSED_MS).map((row) => String(row['id']))),
  }
}

async function save(bytes: ReadableStream<Uint8Array>, file: string, maxBytes: number): Promise<number> {
  let sizeBytes = 0
  const count = new Transform({
    transform(piece: Uint8Array, _encoding, done) {
      sizeBytes += piece.byteLength
      if (sizeBytes > maxBytes) done(tooLarge(maxBytes))
      else done(null, piece)
    },
  })
  await pipeline(Readable.fromWeb(bytes), count, createWriteStream(file))
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  return sizeBytes
}

/** The refusal of a file over the cap. */
export function tooLarge(maxBytes: number): RequestFailure {
  const megabytes = Math.floor(maxBytes / 1024 / 1024)
  return new RequestFailure(
    413,
    'too-large',
    `This file is over ${megabytes} MB, the most that one file may have here. Split it, or drop a smaller one.`,
  )
}

function toAttachment(row: Record<string, unknown>): WebAttachment {
  return {
    id: String(row['id']),
    name: String(row['name']),
    mimeType: String(row['mime_type']),
    kind: String(row['kind']) as AttachmentKind,
    sizeBytes: Number(row['size_bytes']),
    durationMs: row['duration_ms'] === null ? undefined : Number(row['duration_ms']),
  }
}
