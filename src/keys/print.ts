import type { ListedKey } from '../platform/engine/api/keys.ts'
import type { Quota } from '../platform/engine/storage/catalog.ts'
import { RATE_LIMIT_WINDOWS } from '../platform/wire/rate-limit.ts'

const toDay = (time: number) => new Date(time).toISOString().slice(0, 10)

function toEnd({ row, state }: ListedKey): string {
  if (row.revokedAt !== null) return `revoked ${toDay(row.revokedAt)}`
  if (row.expiresAt === null) return 'never'
  return state === 'expired' ? `expired ${toDay(row.expiresAt)}` : toDay(row.expiresAt)
}

const toLimits = (quota: Quota) => RATE_LIMIT_WINDOWS.map((window) => quota[window] ?? 'none').join('/')

/** State of a key after a change, in one line. */
export function toSentence(key: ListedKey): string {
  const { row, state, quota } = key
  if (state === 'revoked') return `Key ${row.id} of ${row.user.name} is revoked: the next request with it is refused.`
  const end =
    row.expiresAt === null
      ? 'has no end'
      : state === 'expired'
        ? 'has ended: requests with it are refused'
        : `ends on ${new Date(row.expiresAt).toISOString().slice(0, 16).replace('T', ' at ')} UTC`
  return `Key ${row.id} of ${row.user.name} ${end}. Requests a minute/hour/day/month: ${toLimits(quota)}.`
}

/** Table for a terminal: columns in a fixed order, with a header. */
export function toTable(keys: readonly ListedKey[]): string {
  if (keys.length === 0) return 'There are no keys yet: the first one is made when the platform starts.'
  const head = ['id', 'user', 'key', 'label', 'made', 'ends', 'minute/hour/day/month', 'used this month']
  const rows = keys.map((key) => [
    String(key.row.id),
    key.row.user.name,
    key.row.hint === '' ? '–' : `${key.row.hint}…`,
    key.row.label === '' ? '–' : key.row.label,
    toDay(key.row.createdAt),
    toEnd(key),
    toLimits(key.quota),
    String(key.usedThisMonth),
  ])
  const widths = head.map((title, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? title).length)))
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
