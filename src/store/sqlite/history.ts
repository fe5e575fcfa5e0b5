import type { DatabaseSync } from 'node:sqlite'
import type { History, HistoryTurn } from '../../bridge/port/records.ts'
import type { Durably } from './database.ts'

/** Questions and answers by queue (column `lane`), for follow-ups. */
export function createHistory(database: DatabaseSync, durably: Durably): History {
  const append = database.prepare(
    `INSERT INTO turn (lane, channel, message_id, role, author, text, at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (channel, message_id, role) DO UPDATE SET text = excluded.text, at = excluded.at`,
  )
  const of = database.prepare(
    `SELECT * FROM (SELECT * FROM turn WHERE lane = ? ORDER BY seq DESC LIMIT ?) ORDER BY seq`,
  )
  const queueOf = database.prepare(`SELECT lane FROM turn WHERE channel = ? AND message_id = ? LIMIT 1`)
  const has = database.prepare(`SELECT 1 FROM turn WHERE lane = ? LIMIT 1`)
  const asked = database.prepare(`SELECT 1 FROM turn WHERE lane = ? AND role = 'user' AND author = ? LIMIT 1`)
  const remove = database.prepare(`DELETE FROM turn WHERE channel = ? AND message_id = ?`)
  return {
    async append(queue, channel, turn) {
      const { messageId, role, author, text, at } = turn
      append.run(queue, channel, messageId, role, author, text, at)
    },
    async of(queue, limit) {
      return of
        .all(queue, limit)
        .map((row): HistoryTurn => ({
          messageId: String(row['message_id']),
          role: row['role'] === 'assistant' ? 'assistant' : 'user',
          author: String(row['author']),
          text: String(row['text']),
          at: Number(row['at']),
        }))
    },
    async queueOf(channel, messageId) {
      const queue = queueOf.get(channel, messageId)?.['lane']
      return typeof queue === 'string' ? queue : undefined
    },
    async has(queue) {
      return has.get(queue) !== undefined
    },
    async asked(queue, author) {
      return asked.get(queue, author) !== undefined
    },
    async remove(channel, messageId) {
      await durably(() => remove.run(channel, messageId))
    },
  }
}
