import type { ListedKey } from '#platform/engine/api/keys.ts'
import type { Quota, UserRow } from '#platform/engine/storage/catalog.ts'
import { toColumns } from '#start/terminal.ts'
import { RATE_LIMIT_WINDOWS } from '#platform/wire/rate-limit.ts'

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
  return `Key ${row.id} of ${row.user.name} ${end}. Requests a minute/hour/day/month: ${toLimits(quota)}.${toScope(row)}`
}

/** The limits of a key for agents. */
function toScope({ scope }: ListedKey['row']): string {
  if (scope === undefined) return ''
  const { collections, tools } = scope
  return ` For agents only (/mcp): ${collections?.join(', ') ?? 'all collections'}; ${tools?.join(', ') ?? 'all tools'}.`
}

/** Limits of all keys of a user, in one line. */
export function toUserSentence({ name, quota }: UserRow): string {
  return quota === undefined
    ? `All keys of ${name} together have no limit; each key has its own.`
    : `All keys of ${name} together: requests a minute/hour/day/month: ${toLimits(quota)}.`
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
    key.row.user.quota === undefined
      ? toLimits(key.quota)
      : `${toLimits(key.quota)}, together ${toLimits(key.row.user.quota)}`,
    String(key.usedThisMonth),
  ])
  return toColumns([head, ...rows])
}
