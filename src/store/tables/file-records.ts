import type { FileRecord, FileRecords } from '#bridge/port/records.ts'
import { toJsonText } from './json-text.ts'
import { type Row, type Sql, upsert } from '#sql/sql.ts'

/** State of every dropped file. */
export function createFileRecords(sql: Sql): FileRecords {
  return {
    async put(entry) {
      const { id, jobId, channel, collection, state, updatedAt } = entry
      const changing = { collection, state, entry: toJson(entry), updated_at: updatedAt }
      await sql.run(...upsert('file_record', 'id', { id, job_id: jobId, channel }, changing))
    },
    async get(id) {
      const row = await sql.get(`SELECT entry FROM file_record WHERE id = ?`, id)
      return row && toRecord(row)
    },
    async ofJob(jobId) {
      return (await sql.all(`SELECT entry FROM file_record WHERE job_id = ? ORDER BY seq`, jobId)).map(toRecord)
    },
    async ofCollection(collection) {
      const newest = `SELECT entry FROM file_record WHERE collection = ? ORDER BY seq DESC`
      return (await sql.all(newest, collection)).map(toRecord)
    },
    async ofChannel(channel) {
      return (await sql.all(`SELECT entry FROM file_record WHERE channel = ? ORDER BY seq`, channel)).map(toRecord)
    },
    async ofAttachment(attachmentId) {
      return (
        await sql.all(
          `SELECT entry FROM file_record WHERE (entry::json ->> 'attachmentId') = ? ORDER BY seq`,
          attachmentId,
        )
      ).map(toRecord)
    },
    async hasReady(collection) {
      const ready = `SELECT 1 FROM file_record WHERE collection = ? AND state = 'ready' LIMIT 1`
      return (await sql.get(ready, collection)) !== undefined
    },
  }
}

/** Names of fields on disk that differ from those of the record. */
interface StoredFields {
  readonly drivenBy?: string
  readonly sameAs?: string
  readonly hopeless?: true
}

function toJson({ claimedBy, duplicateOf, permanent, ...record }: FileRecord): string {
  const stored: StoredFields = { drivenBy: claimedBy, sameAs: duplicateOf, hopeless: permanent }
  return toJsonText({ ...record, ...stored })
}

function toRecord(row: Row): FileRecord {
  const { drivenBy, sameAs, hopeless, ...record } = JSON.parse(String(row['entry'])) as FileRecord & StoredFields
  return { ...record, claimedBy: drivenBy, duplicateOf: sameAs, permanent: hopeless }
}
