import type { History, HistoryTurn } from '#bridge/port/records.ts'
import { type Sql, upsert } from '#sql/sql.ts'

/** Questions and answers by queue, for follow-ups. */
export function createHistory(sql: Sql): History {
  return {
    append(queue, channel, { messageId, role, author, text, at }) {
      const fixed = { queue, channel, message_id: messageId, role, author }
      return sql.write(upsert('history', 'channel, message_id, role', fixed, { text, at }))
    },
    async of(queue, limit) {
      const newest = await sql.all(`SELECT * FROM history WHERE queue = ? ORDER BY seq DESC LIMIT ?`, queue, limit)
      return newest
        .toReversed()
        .map((row): HistoryTurn => ({
          messageId: String(row['message_id']),
          role: row['role'] === 'assistant' ? 'assistant' : 'user',
          author: String(row['author']),
          text: String(row['text']),
          at: Number(row['at']),
        }))
    },
    async queueOf(channel, messageId) {
      const ofMessage = `SELECT queue FROM history WHERE channel = ? AND message_id = ? LIMIT 1`
      const queue = (await sql.get(ofMessage, channel, messageId))?.['queue']
      return typeof queue === 'string' ? queue : undefined
    },
    async has(queue) {
      return (await sql.get(`SELECT 1 FROM history WHERE queue = ? LIMIT 1`, queue)) !== undefined
    },
    async asked(queue, author) {
      const asked = `SELECT 1 FROM history WHERE queue = ? AND role = 'user' AND author = ? LIMIT 1`
      return (await sql.get(asked, queue, author)) !== undefined
    },
    async remove(channel, messageId) {
      await sql.run(`DELETE FROM history WHERE channel = ? AND message_id = ?`, channel, messageId)
    },
  }
}
