import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { channelKey, type ConversationRef, type MessageRef } from '../../bridge/port/message.ts'
import type { Outbox, OutboxRow } from '../../bridge/port/store.ts'
import type { Durably } from './database.ts'

/**
 * One row for each visible send; `sending` is on the disk before the request. The result of the send can be asked for
 * again.
 */
export function createOutbox(database: DatabaseSync, durably: Durably): Outbox {
  const insert = database.prepare(
    `INSERT INTO outbox (send_id, job_id, slot, channel, conversation, state, text, updated_at)
     VALUES (?, ?, ?, ?, ?, 'sending', ?, ?) ON CONFLICT (send_id) DO NOTHING`,
  )
  const one = database.prepare(`SELECT * FROM outbox WHERE send_id = ?`)
  const sent = database.prepare(
    `UPDATE outbox SET state = 'sent', ref = ?, message_id = ?, text = ?, updated_at = ? WHERE send_id = ?`,
  )
  const close = database.prepare(`UPDATE outbox SET state = 'closed', text = ?, updated_at = ? WHERE send_id = ?`)
  const drop = database.prepare(`DELETE FROM outbox WHERE send_id = ?`)
  const ofJob = database.prepare(`SELECT * FROM outbox WHERE job_id = ? ORDER BY seq`)
  const byMessage = database.prepare(`SELECT * FROM outbox WHERE channel = ? AND message_id = ?`)
  const known = database.prepare(
    `SELECT message_id FROM outbox WHERE channel = ? AND message_id IS NOT NULL ORDER BY seq DESC LIMIT 1000`,
  )
  return {
    async open(row, now) {
      const { sendId, jobId, slot, conversation, text } = row
      await durably(() =>
        insert.run(sendId, jobId, slot, channelKey(conversation), JSON.stringify(conversation), text, now),
      )
      const stored = one.get(row.sendId)
      if (stored === undefined) throw new Error(`The outbox row ${row.sendId} was not stored.`)
      return toRow(stored)
    },
    async sent(sendId, ref, text, now) {
      sent.run(JSON.stringify(ref), ref.id, text, now, sendId)
    },
    async close(sendId, text, now) {
      close.run(text, now, sendId)
    },
    async drop(sendId) {
      drop.run(sendId)
    },
    async ofJob(jobId) {
      return ofJob.all(jobId).map(toRow)
    },
    async byMessage(conversation, messageId) {
      const row = byMessage.get(channelKey(conversation), messageId)
      return row === undefined ? undefined : toRow(row)
    },
    async known(conversation) {
      return known.all(channelKey(conversation)).map((row) => String(row['message_id']))
    },
  }
}

function toRow(row: Record<string, SQLOutputValue>): OutboxRow {
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
