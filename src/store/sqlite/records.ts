import type { DatabaseSync } from 'node:sqlite'
import type { ConversationRef } from '../../bridge/message.ts'
import type { ChannelRecord, Channels, Ledger, LedgerEntry } from '../../bridge/store-port.ts'

/** Channel → collection map. */
export function createChannels(database: DatabaseSync): Channels {
  const get = database.prepare(`SELECT * FROM channel WHERE key = ?`)
  const put = database.prepare(
    `INSERT INTO channel (key, conversation, collection, collection_id, collecting, explained) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET conversation = excluded.conversation, collection = excluded.collection,
       collection_id = excluded.collection_id, collecting = excluded.collecting, explained = excluded.explained`,
  )
  return {
    async get(key) {
      const row = get.get(key)
      if (row === undefined) return undefined
      const collectionId = row['collection_id']
      return {
        key,
        conversation: JSON.parse(String(row['conversation'])) as ConversationRef,
        collection: String(row['collection']),
        ...(typeof collectionId === 'string' ? { collectionId } : {}),
        collecting: row['collecting'] === 1,
        explained: row['explained'] === 1,
      } satisfies ChannelRecord
    },
    async put(record) {
      const { key, conversation, collection, collectionId, collecting, explained } = record
      put.run(
        key,
        JSON.stringify(conversation),
        collection,
        collectionId ?? null,
        Number(collecting),
        Number(explained),
      )
    },
  }
}

/** What became of every dropped file. */
export function createLedger(database: DatabaseSync): Ledger {
  const put = database.prepare(
    `INSERT INTO ledger (id, job_id, channel, collection, state, entry, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET collection = excluded.collection, state = excluded.state,
       entry = excluded.entry, updated_at = excluded.updated_at`,
  )
  const get = database.prepare(`SELECT entry FROM ledger WHERE id = ?`)
  const ofJob = database.prepare(`SELECT entry FROM ledger WHERE job_id = ? ORDER BY seq`)
  const ofCollection = database.prepare(`SELECT entry FROM ledger WHERE collection = ? ORDER BY seq DESC`)
  const ready = database.prepare(`SELECT 1 FROM ledger WHERE collection = ? AND state = 'ready' LIMIT 1`)
  return {
    async put(entry) {
      const { id, jobId, channel, collection, state, updatedAt } = entry
      put.run(id, jobId, channel, collection, state, JSON.stringify(entry), updatedAt)
    },
    async get(id) {
      const row = get.get(id)
      return row === undefined ? undefined : toEntry(row)
    },
    async ofJob(jobId) {
      return ofJob.all(jobId).map(toEntry)
    },
    async ofCollection(collection) {
      return ofCollection.all(collection).map(toEntry)
    },
    async hasReady(collection) {
      return ready.get(collection) !== undefined
    },
  }
}

function toEntry(row: Record<string, unknown>): LedgerEntry {
  return JSON.parse(String(row['entry'])) as LedgerEntry
}
