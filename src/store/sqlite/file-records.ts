import type { DatabaseSync } from 'node:sqlite'
import type { FileRecord, FileRecords } from '../../bridge/port/records.ts'
import type { Durably } from './database.ts'

/** State of every dropped file. */
export function createFileRecords(database: DatabaseSync, durably: Durably): FileRecords {
  const put = database.prepare(
    `INSERT INTO ledger (id, job_id, channel, collection, state, entry, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET collection = excluded.collection, state = excluded.state,
       entry = excluded.entry, updated_at = excluded.updated_at`,
  )
  const get = database.prepare(`SELECT entry FROM ledger WHERE id = ?`)
  const ofJob = database.prepare(`SELECT entry FROM ledger WHERE job_id = ? ORDER BY seq`)
  const ofCollection = database.prepare(`SELECT entry FROM ledger WHERE collection = ? ORDER BY seq DESC`)
  const ofAttachment = database.prepare(
    `SELECT entry FROM ledger WHERE json_extract(entry, '$.attachmentId') = ? ORDER BY seq`,
  )
  const ready = database.prepare(`SELECT 1 FROM ledger WHERE collection = ? AND state = 'ready' LIMIT 1`)
  return {
    async put(entry) {
      const { id, jobId, channel, collection, state, updatedAt } = entry
      const body = toJson(entry)
      await durably(() => put.run(id, jobId, channel, collection, state, body, updatedAt))
    },
    async get(id) {
      const row = get.get(id)
      return row === undefined ? undefined : toRecord(row)
    },
    async ofJob(jobId) {
      return ofJob.all(jobId).map(toRecord)
    },
    async ofCollection(collection) {
      return ofCollection.all(collection).map(toRecord)
    },
    async ofAttachment(attachmentId) {
      return ofAttachment.all(attachmentId).map(toRecord)
    },
    async hasReady(collection) {
      return ready.get(collection) !== undefined
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
  return JSON.stringify({ ...record, ...stored })
}

function toRecord(row: Record<string, unknown>): FileRecord {
  const { drivenBy, sameAs, hopeless, ...record } = JSON.parse(String(row['entry'])) as FileRecord & StoredFields
  return { ...record, claimedBy: drivenBy, duplicateOf: sameAs, permanent: hopeless }
}
