import type { DatabaseSync } from 'node:sqlite'
import type { Choices, Offer, Offers, Spending } from '../../bridge/port/answer-store.ts'
import type { Durably } from './durably.ts'

/** What buttons refer to. */
export function createOffers(database: DatabaseSync, durably: Durably): Offers {
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
      return row === undefined ? undefined : toOffer(row)
    },
    async take(id) {
      const row = await durably(() => take.get(id))
      return row === undefined ? undefined : toOffer(row)
    },
  }
}

function toOffer(row: Record<string, unknown>): Offer {
  return {
    id: String(row['id']),
    kind: String(row['kind']),
    data: JSON.parse(String(row['data'])) as unknown,
    at: Number(row['at']),
  }
}

export function createChoices(database: DatabaseSync, durably: Durably): Choices {
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

export function createSpending(database: DatabaseSync, durably: Durably): Spending {
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
      return since.all(subject, kind, at).map((row) => ({
        jobId: String(row['job_id']),
        amount: Number(row['amount']),
        at: Number(row['at']),
      }))
    },
  }
}
