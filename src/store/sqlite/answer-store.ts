import type { DatabaseSync } from 'node:sqlite'
import type {
  AnswerRecord,
  AnswerRecords,
  ButtonPayload,
  ButtonPayloads,
  Preferences,
  Usage,
  Vote,
} from '../../bridge/port/records.ts'
import { transaction } from '../../lib/sqlite.ts'
import type { Durably } from './database.ts'

/** Answers, the messages that show them, and their votes. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createAnswers(database: DatabaseSync, durably: Durably): AnswerRecords {
  const put = database.prepare(
    `INSERT INTO answer (id, channel, outcome, closed, answer, at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET outcome = excluded.outcome, closed = excluded.closed, answer = excluded.answer,
       at = excluded.at`,
  )
  const unlink = database.prepare(`DELETE FROM answer_message WHERE answer_id = ?`)
  const link = database.prepare(
    `INSERT INTO answer_message (channel, message_id, answer_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
  )
  const get = database.prepare(`SELECT answer FROM answer WHERE id = ?`)
  const ofMessage = database.prepare(
    `SELECT answer.answer FROM answer_message JOIN answer ON answer.id = answer_message.answer_id
     WHERE answer_message.channel = ? AND message_id = ? ORDER BY answer.seq DESC LIMIT 1`,
  )
  const ofQuestion = database.prepare(
    `SELECT answer FROM answer WHERE channel = ? AND json_extract(answer, '$.questionMessage') = ? ORDER BY seq`,
  )
  // Its messages and votes go with it: foreign keys.
  const remove = database.prepare(`DELETE FROM answer WHERE id = ?`)
  const unanswered = database.prepare(
    `SELECT answer FROM answer WHERE channel = ? AND outcome = 'nothing' AND closed = 0 ORDER BY seq DESC LIMIT ?`,
  )
  const vote = database.prepare(
    `INSERT INTO vote (answer_id, author, vote, reason, at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (answer_id, author) DO UPDATE SET vote = excluded.vote, reason = excluded.reason, at = excluded.at`,
  )
  const voted = database.prepare(
    `SELECT answer FROM answer WHERE EXISTS (SELECT 1 FROM vote WHERE vote.answer_id = answer.id) ORDER BY seq`,
  )
  const votesOf = database.prepare(`SELECT * FROM vote WHERE answer_id = ? ORDER BY at, author`)

  return {
    async put(answer) {
      const { id, channel, outcome, closedAt, at, messages } = answer
      transaction(database, () => {
        put.run(id, channel, outcome, Number(closedAt !== undefined), toJson(answer), at)
        unlink.run(id)
        for (const message of messages) link.run(channel, message, id)
      })
    },
    async get(id) {
      const row = get.get(id)
      return row === undefined ? undefined : toAnswer(row)
    },
    async ofMessage(channel, messageId) {
      const row = ofMessage.get(channel, messageId)
      return row === undefined ? undefined : toAnswer(row)
    },
    async ofQuestion(channel, messageId) {
      return ofQuestion.all(channel, messageId).map(toAnswer)
    },
    async remove(id) {
      await durably(() => remove.run(id))
    },
    async unanswered(channel, limit) {
      return unanswered.all(channel, limit).map(toAnswer)
    },
    async vote({ answerId, by, vote: value, reason, at }) {
      await durably(() => vote.run(answerId, by, value, reason ?? null, at))
    },
    async voted() {
      return voted.all().map((row) => {
        const answer = toAnswer(row)
        return { answer, votes: votesOf.all(answer.id).map(toVote) }
      })
    },
  }
}

// On disk the field of the queue is called `lane`.
const toJson = ({ queue, ...answer }: AnswerRecord): string => JSON.stringify({ ...answer, lane: queue })

function toAnswer(row: Record<string, unknown>): AnswerRecord {
  const { lane, ...answer } = JSON.parse(String(row['answer'])) as AnswerRecord & { readonly lane: string }
  return { ...answer, queue: lane }
}

function toVote(row: Record<string, unknown>): Vote {
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
export function createButtonPayloads(database: DatabaseSync, durably: Durably): ButtonPayloads {
  const put = database.prepare(
    `INSERT INTO offer (id, kind, data, at) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, data = excluded.data, at = excluded.at`,
  )
  const get = database.prepare(`SELECT * FROM offer WHERE id = ?`)
  const take = database.prepare(`DELETE FROM offer WHERE id = ? RETURNING *`)
  return {
    async put({ id, kind, data, at }) {
      await durably(() => put.run(id, kind, JSON.stringify(data), at))
    },
    async get(id) {
      const row = get.get(id)
      return row === undefined ? undefined : toPayload(row)
    },
    async take(id) {
      const row = await durably(() => take.get(id))
      return row === undefined ? undefined : toPayload(row)
    },
  }
}

function toPayload(row: Record<string, unknown>): ButtonPayload {
  return {
    id: String(row['id']),
    kind: String(row['kind']),
    data: JSON.parse(String(row['data'])) as unknown,
    at: Number(row['at']),
  }
}

export function createPreferences(database: DatabaseSync, durably: Durably): Preferences {
  const get = database.prepare(`SELECT value FROM choice WHERE scope = ? AND name = ?`)
  const set = database.prepare(
    `INSERT INTO choice (scope, name, value) VALUES (?, ?, ?)
     ON CONFLICT (scope, name) DO UPDATE SET value = excluded.value`,
  )
  const forget = database.prepare(`DELETE FROM choice WHERE scope = ? AND name = ?`)
  return {
    async get(scope, name) {
      const value = get.get(scope, name)?.['value']
      return typeof value === 'string' ? value : undefined
    },
    async set(scope, name, value) {
      await durably(() => (value === undefined ? forget.run(scope, name) : set.run(scope, name, value)))
    },
  }
}

export function createUsage(database: DatabaseSync, durably: Durably): Usage {
  const add = database.prepare(
    `INSERT INTO spending (subject, kind, job_id, amount, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  )
  const since = database.prepare(
    `SELECT job_id, amount, at FROM spending WHERE subject = ? AND kind = ? AND at >= ? ORDER BY at`,
  )
  return {
    async add({ subject, kind, jobId, amount, at }) {
      await durably(() => add.run(subject, kind, jobId, amount, at))
    },
    async since(subject, kind, at) {
      return since
        .all(subject, kind, at)
        .map((row) => ({ jobId: String(row['job_id']), amount: Number(row['amount']), at: Number(row['at']) }))
    },
  }
}
