import type {
  AnswerRecord,
  AnswerRecords,
  ButtonPayload,
  ButtonPayloads,
  Preferences,
  Usage,
  Vote,
} from '#bridge/port/records.ts'
import { toJsonText } from './json-text.ts'
import { type Row, type Statement, type Sql, upsert } from '#sql/sql.ts'

/** Answers, the messages that show them, and their votes. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createAnswers(sql: Sql): AnswerRecords {
  const several = async (...statement: Statement) => (await sql.all(...statement)).map(toAnswer)
  const one = async (...statement: Statement) => (await several(...statement))[0]
  return {
    put(answer) {
      const { id, channel, outcome, closedAt, at, messages } = answer
      const changing = { outcome, closed: Number(closedAt !== undefined), answer: toJsonText(answer), at }
      return sql.write(
        upsert('answer', 'id', { id, channel }, changing),
        [`DELETE FROM answer_message WHERE answer_id = ?`, id],
        ...messages.map((message): Statement => [
          `INSERT INTO answer_message (channel, message_id, answer_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
          channel,
          message,
          id,
        ]),
      )
    },
    get: (id) => one(`SELECT answer FROM answer WHERE id = ?`, id),
    ofMessage: (channel, messageId) =>
      one(
        `SELECT answer.answer FROM answer_message JOIN answer ON answer.id = answer_message.answer_id
         WHERE answer_message.channel = ? AND message_id = ? ORDER BY answer.seq DESC LIMIT 1`,
        channel,
        messageId,
      ),
    ofQuestion: (channel, messageId) =>
      several(
        `SELECT answer FROM answer WHERE channel = ? AND (answer::json ->> 'questionMessage') = ? ORDER BY seq`,
        channel,
        messageId,
      ),
    async remove(id) {
      // Its messages and votes go with it: foreign keys.
      await sql.run(`DELETE FROM answer WHERE id = ?`, id)
    },
    unanswered: (channel, limit) =>
      several(
        `SELECT answer FROM answer WHERE channel = ? AND outcome = 'nothing' AND closed = 0 ORDER BY seq DESC LIMIT ?`,
        channel,
        limit,
      ),
    async vote({ answerId, by, vote, reason = null, at }) {
      const key = { answer_id: answerId, author: by }
      await sql.run(...upsert('vote', 'answer_id, author', key, { vote, reason, at }))
    },
    async voted() {
      const answers = await several(
        `SELECT answer FROM answer WHERE EXISTS (SELECT 1 FROM vote WHERE vote.answer_id = answer.id) ORDER BY seq`,
      )
      return Promise.all(
        answers.map(async (answer) => {
          const votes = `SELECT * FROM vote WHERE answer_id = ? ORDER BY at, author`
          return { answer, votes: (await sql.all(votes, answer.id)).map(toVote) }
        }),
      )
    },
  }
}

const toAnswer = (row: Row): AnswerRecord => JSON.parse(String(row['answer'])) as AnswerRecord

function toVote(row: Row): Vote {
  const { reason } = row
  return {
    answerId: String(row['answer_id']),
    by: String(row['author']),
    vote: row['vote'] === 'up' ? 'up' : 'down',
    reason: typeof reason === 'string' ? reason : undefined,
    at: Number(row['at']),
  }
}

/** Data that buttons refer to. */
export function createButtonPayloads(sql: Sql): ButtonPayloads {
  return {
    async put({ id, kind, data, at }) {
      await sql.run(...upsert('button_payload', 'id', { id }, { kind, data: JSON.stringify(data), at }))
    },
    async get(id) {
      const row = await sql.get(`SELECT * FROM button_payload WHERE id = ?`, id)
      return row && toPayload(row)
    },
    async take(id) {
      const row = await sql.get(`DELETE FROM button_payload WHERE id = ? RETURNING *`, id)
      return row && toPayload(row)
    },
  }
}

function toPayload(row: Row): ButtonPayload {
  return {
    id: String(row['id']),
    kind: String(row['kind']),
    data: JSON.parse(String(row['data'])) as unknown,
    at: Number(row['at']),
  }
}

export function createPreferences(sql: Sql): Preferences {
  return {
    async get(scope, name) {
      const value = (await sql.get(`SELECT value FROM preference WHERE scope = ? AND name = ?`, scope, name))?.['value']
      return typeof value === 'string' ? value : undefined
    },
    async set(scope, name, value) {
      const change: Statement =
        value === undefined
          ? [`DELETE FROM preference WHERE scope = ? AND name = ?`, scope, name]
          : upsert('preference', 'scope, name', { scope, name }, { value })
      await sql.run(...change)
    },
  }
}

export function createUsage(sql: Sql): Usage {
  return {
    // After a loss of power the job runs again, and is counted again.
    add: ({ subject, kind, jobId, amount, at }) =>
      sql.write([
        `INSERT INTO usage (subject, kind, job_id, amount, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        subject,
        kind,
        jobId,
        amount,
        at,
      ]),
    async since(subject, kind, at) {
      const rows = await sql.all(
        `SELECT job_id, amount, at FROM usage WHERE subject = ? AND kind = ? AND at >= ? ORDER BY at`,
        subject,
        kind,
        at,
      )
      return rows.map((row) => ({ jobId: String(row['job_id']), amount: Number(row['amount']), at: Number(row['at']) }))
    },
  }
}
