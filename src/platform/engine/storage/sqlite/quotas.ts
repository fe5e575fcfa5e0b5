import type { SyncSql } from '#sql/sqlite/sql.ts'
import { isFull, type Quotas, type QuotaWindow } from '../catalog.ts'

interface Count {
  readonly span: string
  readonly startsAt: number
  readonly used: number
}

/** Counts a number of requests in this many windows. */
const countMore = (windows: number) => `
  INSERT INTO fb_quota_count (key_id, span, starts_at, used)
  SELECT fb_api_key.id, counted.column1, counted.column2, counted.column3
  FROM (VALUES ${Array.from({ length: windows }, () => '(?, ?, ?)').join(', ')}) AS counted JOIN fb_api_key ON fb_api_key.id = ?
  WHERE true
  ON CONFLICT (key_id, span) DO UPDATE SET
    used = CASE WHEN starts_at = excluded.starts_at THEN used + excluded.used ELSE excluded.used END,
    starts_at = excluded.starts_at`

const COUNTS_OF_USER = `
  SELECT span, starts_at AS startsAt, sum(used) AS used FROM fb_quota_count
  WHERE key_id IN (SELECT id FROM fb_api_key WHERE user_id = ?) GROUP BY span, starts_at`

const toUsed = (rows: readonly Count[], windows: readonly QuotaWindow[]) =>
  windows.map(({ span, startsAt }) => rows.find((row) => row.span === span && row.startsAt === startsAt)?.used ?? 0)

/** Requests of one key in this turn of the event loop. */
interface Turn {
  readonly windows: readonly QuotaWindow[]
  /** Before this turn. */
  readonly used: readonly number[]
  requests: number
}

export interface SqliteQuotas extends Quotas {
  /** Writes the counts of this turn. */
  flush(): void
}

/**
 * Request counts: a row for each key and window, written before the request is answered. The requests of one turn are
 * one transaction: a hundred questions at once cost one.
 */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createSqliteQuotas(sql: SyncSql): SqliteQuotas {
  const turns = new Map<number, Turn>()
  let written: PromiseWithResolvers<void> | undefined

  const read = (keyId: number, windows: readonly QuotaWindow[]) => {
    const rows = sql.all<Count>('SELECT span, starts_at AS startsAt, used FROM fb_quota_count WHERE key_id = ?', keyId)
    return toUsed(rows, windows)
  }
  const ofUser = (userId: number, windows: readonly QuotaWindow[]) =>
    toUsed(sql.all<Count>(COUNTS_OF_USER, userId), windows)

  function count(keyId: number, windows: readonly QuotaWindow[], requests: number): void {
    if (windows.length === 0 || requests === 0) return
    const counted = windows.flatMap(({ span, startsAt }) => [span, startsAt, requests])
    sql.run(countMore(windows.length), ...counted, keyId)
  }

  function flush(): void {
    const ended = written
    if (ended === undefined) return
    const all = [...turns]
    turns.clear()
    written = undefined
    try {
      sql.transaction(() => {
        for (const [keyId, { windows, requests }] of all) count(keyId, windows, requests)
      })
      ended.resolve()
    } catch (error) {
      ended.reject(error)
    }
  }

  /** A window that has ended since begins a turn of its own. */
  function turnOf(keyId: number, windows: readonly QuotaWindow[]): Turn {
    const known = turns.get(keyId)
    const isSame = (window: QuotaWindow, place: number) => {
      const other = known?.windows[place]
      return other?.span === window.span && other.startsAt === window.startsAt
    }
    if (known?.windows.length === windows.length && windows.every(isSame)) return known
    if (known !== undefined) flush()
    const turn = { windows, used: read(keyId, windows), requests: 0 }
    turns.set(keyId, turn)
    if (written === undefined) {
      written = Promise.withResolvers()
      written.promise.catch(() => {})
      // undici writes the requests of this turn in the next check phase. The counts follow in the one after it.
      setImmediate(() => setImmediate(flush))
    }
    return turn
  }

  return {
    flush,
    async used(keyId, windows) {
      flush()
      return read(keyId, windows)
    },
    stored: () => written?.promise ?? Promise.resolve(),
    async usedByUser(userId, windows) {
      flush()
      return ofUser(userId, windows)
    },
    async take(keyId, windows, user) {
      if (user !== undefined) {
        flush()
        return sql.transaction(() => {
          const used = read(keyId, windows)
          const together = ofUser(user.userId, user.windows)
          if (isFull(windows, used) || isFull(user.windows, together)) return { taken: false, used, together }
          count(keyId, windows, 1)
          return { taken: true, used: used.map((one) => one + 1), together: together.map((one) => one + 1) }
        })
      }
      const turn = turnOf(keyId, windows)
      const used = turn.used.map((one) => one + turn.requests)
      if (isFull(windows, used)) return { taken: false, used }
      turn.requests += 1
      return { taken: true, used: used.map((one) => one + 1) }
    },
  }
}
