import type { ConversationRef } from '#bridge/port/message.ts'
import type { Cursors } from '#bridge/port/platform.ts'
import type { ChannelRecord, Channels } from '#bridge/port/records.ts'
import { type Row, type Sql, upsert } from '#sql/sql.ts'

/** Channel → collection map. */
export function createChannels(sql: Sql): Channels {
  const one = async (where: string, value: string) => {
    const row = await sql.get(`SELECT * FROM channel WHERE ${where}`, value)
    return row && toChannel(row)
  }
  const several = async (where: string, ...values: readonly string[]) =>
    (await sql.all(`SELECT * FROM channel WHERE ${where} ORDER BY key`, ...values)).map(toChannel)
  return {
    async ofWorkspace(adapter, workspace) {
      const prefix = [adapter, workspace].map(encodeURIComponent).join(':')
      return several('key >= ? AND key < ?', `${prefix}:`, `${prefix};`)
    },
    get: (key) => one('key = ?', key),
    ofCollection: (collection) => one('collection = ?', collection),
    linkedTo: (key) => several('linked_to = ?', key),
    async put({ key, conversation, collection, collectionId, collecting, explained, ...record }) {
      const changing = {
        conversation: JSON.stringify(conversation),
        collection,
        collection_id: collectionId ?? null,
        collecting: Number(collecting),
        explained: Number(explained),
        collection_created_at: record.collectionCreatedAt ?? null,
        linked_to: record.linkedTo ?? null,
      }
      await sql.run(...upsert('channel', 'key', { key }, changing))
    },
  }
}

function toChannel(row: Row): ChannelRecord {
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
export function createCursors(sql: Sql, adapter: string): Cursors {
  return {
    async get(channel) {
      const one = `SELECT position FROM cursor WHERE adapter = ? AND channel = ?`
      const found = (await sql.get(one, adapter, channel))?.['position']
      return typeof found === 'string' ? found : undefined
    },
    set: (channel, position) => sql.write(upsert('cursor', 'adapter, channel', { adapter, channel }, { position })),
    async all() {
      const rows = await sql.all(`SELECT channel, position FROM cursor WHERE adapter = ?`, adapter)
      return rows.map((row) => ({ channel: String(row['channel']), position: String(row['position']) }))
    },
  }
}
