import { channelKey } from '#bridge/port/keys.ts'
import type { ConversationRef, MessageRef } from '#bridge/port/message.ts'
import type { Outbox, OutboxRow } from '#bridge/port/store.ts'
import type { Row, Sql } from '#sql/sql.ts'

/**
 * One row for each visible send; `sending` is on the disk before the request. The result of the send can be asked for
 * again.
 */
export function createOutbox(sql: Sql): Outbox {
  return {
    async open({ sendId, jobId, slot, conversation, text }, now) {
      const values = [sendId, jobId, slot, channelKey(conversation), JSON.stringify(conversation), text, now]
      // The update returns the row that is there; who opened it before does not delete it any more.
      const stored = await sql.get(
        `INSERT INTO outbox (send_id, job_id, slot, channel, conversation, state, text, updated_at)
         VALUES (?, ?, ?, ?, ?, 'sending', ?, ?)
         ON CONFLICT (send_id) DO UPDATE SET updated_at = excluded.updated_at RETURNING *`,
        ...values,
      )
      if (stored === undefined) throw new Error(`The outbox row ${sendId} was not stored.`)
      return toRow(stored)
    },
    sent: (sendId, ref, text, now) =>
      sql.write([
        `UPDATE outbox SET state = 'sent', ref = ?, message_id = ?, text = ?, updated_at = ? WHERE send_id = ?`,
        JSON.stringify(ref),
        ref.id,
        text,
        now,
        sendId,
      ]),
    close: (sendId, text, now) =>
      sql.write([`UPDATE outbox SET state = 'closed', text = ?, updated_at = ? WHERE send_id = ?`, text, now, sendId]),
    dropUnsent: (sendId, openedAt) =>
      sql.write([
        `DELETE FROM outbox WHERE send_id = ? AND state = 'sending' AND ref IS NULL AND updated_at = ?`,
        sendId,
        openedAt,
      ]),
    drop: (sendId) => sql.write([`DELETE FROM outbox WHERE send_id = ?`, sendId]),
    async ofJob(jobId) {
      return (await sql.all(`SELECT * FROM outbox WHERE job_id = ? ORDER BY seq`, jobId)).map(toRow)
    },
    async byMessage(conversation, messageId) {
      const ofMessage = `SELECT * FROM outbox WHERE channel = ? AND message_id = ?`
      const row = await sql.get(ofMessage, channelKey(conversation), messageId)
      return row && toRow(row)
    },
    async ofSend(sendId) {
      const row = await sql.get(`SELECT * FROM outbox WHERE send_id = ?`, sendId)
      return row && toRow(row)
    },
    async known(conversation) {
      const newest = `SELECT message_id FROM outbox WHERE channel = ? AND message_id IS NOT NULL ORDER BY seq DESC LIMIT 1000`
      return (await sql.all(newest, channelKey(conversation))).map((row) => String(row['message_id']))
    },
  }
}

function toRow(row: Row): OutboxRow {
  const ref = row['ref']
  return {
    sendId: String(row['send_id']),
    jobId: String(row['job_id']),
    slot: String(row['slot']),
    conversation: JSON.parse(String(row['conversation'])) as ConversationRef,
    state: String(row['state']) as OutboxRow['state'],
    text: String(row['text']),
    ref: typeof ref === 'string' ? (JSON.parse(ref) as MessageRef) : undefined,
  }
}
