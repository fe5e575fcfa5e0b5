import type { DatabaseSync } from 'node:sqlite'
import type { ConversationRef } from '../../bridge/port/message.ts'
import type { Cursors } from '../../bridge/port/platform.ts'
import type { ChannelRecord, Channels } from '../../bridge/port/records.ts'
import type { Durably } from './database.ts'

/** Channel → collection map. */
export function createChannels(database: DatabaseSync, durably: Durably): Channels {
  const get = database.prepare(`SELECT * FROM channel WHERE key = ?`)
  const put = database.prepare(
    `INSERT INTO channel (key, conversation, collection, collection_id, collecting, explained, collection_created_at, linked_to)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET conversation = excluded.conversation, collection = excluded.collection,
       collection_id = excluded.collection_id, collecting = excluded.collecting, explained = excluded.explained,
       collection_created_at = excluded.collection_created_at, linked_to = excluded.linked_to`,
  )
  const ofCollection = database.prepare(`SELECT * FROM channel WHERE collection = ?`)
  const linkedTo = database.prepare(`SELECT * FROM channel WHERE linked_to = ? ORDER BY key`)
  const ofWorkspace = database.prepare(`SELECT * FROM channel WHERE key >= ? AND key < ? ORDER BY key`)
  return {
    async ofWorkspace(adapter, workspace) {
      const prefix = [adapter, workspace].map(encodeURIComponent).join(':')
      return ofWorkspace.all(`${prefix}:`, `${prefix};`).map(toChannel)
    },
    async get(key) {
      const row = get.get(key)
      return row === undefined ? undefined : toChannel(row)
    },
    async ofCollection(collection) {
      const row = ofCollection.get(collection)
      return row === undefined ? undefined : toChannel(row)
    },
    async linkedTo(key) {
      return linkedTo.all(key).map(toChannel)
    },
    async put(record) {
      const { key, conversation, collection, collectionId, collecting, explained } = record
      await durably(() =>
        put.run(
          key,
          JSON.stringify(conversation),
          collection,
          collectionId ?? null,
          Number(collecting),
          Number(explained),
          record.collectionCreatedAt ?? null,
          record.linkedTo ?? null,
        ),
      )
    },
  }
}

function toChannel(row: Record<string, unknown>): ChannelRecord {
  const { collection_id: collectionId, collection_created_at: collectionCreatedAt, linked_to: linkedTo } = row
  return {
    key: String(row['key']),
    conversation: JSON.parse(String(row['conversation'])) as ConversationRef,
    collection: String(row['collection']),
    collectionId: typeof collectionId === 'string' ? collectionId : undefined,
    collectionCreatedAt: typeof collectionCreatedAt === 'string' ? collectionCreatedAt : undefined,
    linkedTo: typeof linkedTo === 'string' ? linkedTo : undefined,
    collecting: row['collecting'] === 1,
    explained: row['explained'] === 1,
  }
}

/** Read positions of channels: messages sent during a downtime are fetched from there. */
export function createCursors(database: DatabaseSync, adapter: string): Cursors {
  const get = database.prepare(`SELECT position FROM cursor WHERE adapter = ? AND channel = ?`)
  const set = database.prepare(
    `INSERT INTO cursor (adapter, channel, position) VALUES (?, ?, ?)
     ON CONFLICT (adapter, channel) DO UPDATE SET position = excluded.position`,
  )
  const all = database.prepare(`SELECT channel, position FROM cursor WHERE adapter = ?`)
  return {
    async get(channel) {
      const position = get.get(adapter, channel)?.['position']
      return typeof position === 'string' ? position : undefined
    },
    async set(channel, position) {
      set.run(adapter, channel, position)
    },
    async all() {
      return all.all(adapter).map((row) => ({ channel: String(row['channel']), position: String(row['position']) }))
    },
  }
}
