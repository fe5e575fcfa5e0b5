import type { Clock } from '#bridge/port/platform.ts'
import type { AttachmentKind, WebAttachment } from '#adapters/web/protocol.ts'
import { type Sql, type Row, type Statement } from '#sql/sql.ts'
import { createUnsent, type Waiting } from './unsent.ts'
import type { UploadBytes } from './upload-bytes.ts'

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
  /**
   * Streams the bytes to the disk.
   *
   * @param from whose upload it is, which waits for its message; absent: it is ours, and has its message at once
   * @throws {RequestFailure} `too-large`, `too-many-uploads`
   */
  write(upload: NewUpload, bytes: ReadableStream<Uint8Array>, maxBytes: number, from?: Waiting): Promise<WebAttachment>
  get(id: string): Promise<WebAttachment | undefined>
  /** Undefined when the bytes are gone. */
  read(id: string, signal?: AbortSignal): Promise<ReadableStream<Uint8Array> | undefined>
  /** Ties an upload to its message. */
  attachment(messageId: string, id: string): Statement
  ofMessages(messageIds: readonly string[]): Promise<ReadonlyMap<string, readonly WebAttachment[]>>
  removeOf(messageId: string): Promise<void>
  removeUnused(): Promise<void>
}

const COLUMNS = 'id, name, mime_type, kind, size_bytes, duration_ms, message_id'

export function createUploads(sql: Sql, bytes: UploadBytes, clock: Clock): Uploads {
  const get = async (id: string) => {
    const row = await sql.get(`SELECT ${COLUMNS} FROM uploads WHERE id = ?`, id)
    return row && toAttachment(row)
  }
  const removeAll = async (rows: readonly Row[]) => {
    for (const row of rows) {
      const id = String(row['id'])
      await bytes.remove(id)
      await sql.write(['DELETE FROM uploads WHERE id = ?', id])
    }
  }
  const unsent = createUnsent(sql, clock, removeAll)
  const store: Uploads['write'] = async ({ id, name, mimeType, kind, durationMs }, stream, maxBytes, from) => {
    const sizeBytes = await bytes.write(id, stream, maxBytes)
    await sql.write([
      `INSERT INTO uploads (id, name, mime_type, kind, size_bytes, duration_ms, created_at, owner)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      id,
      name,
      mimeType,
      kind,
      sizeBytes,
      durationMs ?? null,
      clock(),
      from?.owner ?? null,
    ])
    return { id, name, mimeType, kind, sizeBytes, durationMs }
  }
  return {
    get,
    write: (upload, stream, maxBytes, from) =>
      from === undefined
        ? store(upload, stream, maxBytes)
        : unsent.within(from, maxBytes, () => store(upload, stream, maxBytes, from)),
    read: async (id, signal) => ((await get(id)) ? bytes.read(id, signal) : undefined),
    attachment: (messageId, id) => [
      'UPDATE uploads SET message_id = ? WHERE id = ? AND message_id IS NULL',
      messageId,
      id,
    ],
    async ofMessages(ids) {
      if (ids.length === 0) return new Map()
      const rows = await sql.all(
        `SELECT ${COLUMNS} FROM uploads WHERE message_id IN (SELECT value FROM json_array_elements_text(?::json) AS value)
         ORDER BY seq`,
        JSON.stringify(ids),
      )
      const grouped = Map.groupBy(rows, (row) => String(row['message_id']))
      return new Map([...grouped].map(([id, own]) => [id, own.map(toAttachment)]))
    },
    removeOf: async (messageId) => removeAll(await sql.all('SELECT id FROM uploads WHERE message_id = ?', messageId)),
    async removeUnused() {
      const before = clock() - UNUSED_MS
      await removeAll(await sql.all('SELECT id FROM uploads WHERE message_id IS NULL AND created_at < ?', before))
      await bytes.removeUnfinished(before)
    },
  }
}

function toAttachment(row: Row): WebAttachment {
  return {
    id: String(row['id']),
    name: String(row['name']),
    mimeType: String(row['mime_type']),
    kind: String(row['kind']) as AttachmentKind,
    sizeBytes: Number(row['size_bytes']),
    durationMs: row['duration_ms'] === null ? undefined : Number(row['duration_ms']),
  }
}
