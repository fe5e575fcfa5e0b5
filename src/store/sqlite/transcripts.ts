import type { DatabaseSync } from 'node:sqlite'
import type { Cursors } from '../../bridge/port/platform.ts'
import type { Transcripts, Turn } from '../../bridge/port/store.ts'
import type { Durably } from './disk.ts'

/** What was asked and answered, by lane, so that follow-ups are understood without asking the chat service. */
export function createTranscripts(database: DatabaseSync, durably: Durably): Transcripts {
  const append = database.prepare(
    `INSERT INTO turn (lane, channel, message_id, role, author, text, at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (channel, message_id, role) DO UPDATE SET text = excluded.text, at = excluded.at`,
  )
  const of = database.prepare(
    `SELECT * FROM (SELECT * FROM turn WHERE lane = ? ORDER BY seq DESC LIMIT ?) ORDER BY seq`,
  )
  const laneOf = database.prepare(`SELECT lane FROM turn WHERE channel = ? AND message_id = ? LIMIT 1`)
  const has = database.prepare(`SELECT 1 FROM turn WHERE lane = ? LIMIT 1`)
  const asked = database.prepare(`SELECT 1 FROM turn WHERE lane = ? AND role = 'user' AND author = ? LIMIT 1`)
  const remove = database.prepare(`DELETE FROM turn WHERE channel = ? AND message_id = ?`)
  return {
    async append(lane, channel, turn) {
      const { messageId, role, author, text, at } = turn
      append.run(lane, channel, messageId, role, author, text, at)
    },
    async of(lane, limit) {
      return of.all(lane, limit).map((row): Turn => ({
        messageId: String(row['message_id']),
        role: row['role'] === 'assistant' ? 'assistant' : 'user',
        author: String(row['author']),
        text: String(row['text']),
        at: Number(row['at']),
      }))
    },
    async laneOf(channel, messageId) {
      const lane = laneOf.get(channel, messageId)?.['lane']
      return typeof lane === 'string' ? lane : undefined
    },
    async has(lane) {
      return has.get(lane) !== undefined
    },
    async asked(lane, author) {
      return asked.get(lane, author) !== undefined
    },
    async remove(channel, messageId) {
      await durably(() => remove.run(channel, messageId))
    },
  }
}

/** How far each channel was read, so that what was said while we were away can be fetched. */
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
      return all.all(adapter).map((row) => ({
        channel: String(row['channel']),
        position: String(row['position']),
      }))
    },
  }
}
