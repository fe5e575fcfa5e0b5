import type { Quota } from '../platform/engine/catalog/catalog.ts'
import { limits } from '../platform/wire/limits.ts'
import { rateLimitWindows } from '../platform/wire/rate-limit.ts'

/** Options as they were typed. */
export type Typed = Readonly<Record<string, string | boolean | undefined>>

/** Of an option that takes one. */
export const text = (value: string | boolean | undefined) =>
  typeof value === 'string' ? value.trim() : undefined

export function toNames(name: string) {
  const [firstName = '', ...surname] = name.split(/\s+/)
  return { firstName, surname: surname.join(' ') }
}

export function toId(word: string | undefined): number {
  if (word !== undefined && /^\d{1,9}$/.test(word)) return Number(word)
  throw new Error(`${word ?? ''} is no number of a key: the list shows them in its first column.`)
}

/** Milliseconds since the epoch, or null for never. Months are those of the calendar. */
export function toTime(word: string, now: number): number | null {
  if (word === 'never') return null
  if (word === 'now') return now
  const [, count = '', unit = ''] = /^(\d{1,4})([dm])$/.exec(word) ?? []
  if (unit === 'd') return now + Number(count) * 86_400_000
  if (unit === 'm') return addMonths(now, Number(count))
  const day = /^\d{4}-\d{2}-\d{2}$/.test(word) ? Date.parse(word) : Number.NaN
  // A day that the month has not would otherwise be one of the next.
  if (!Number.isNaN(day) && new Date(day).toISOString().startsWith(word)) return day
  throw new Error(`${word} is no date: write 2027-05-21, 90d, 6m, now or never.`)
}

/** Of the 31st in a month without one: its last day. */
function addMonths(now: number, months: number): number {
  const date = new Date(now)
  const wanted = (date.getUTCMonth() + months) % 12
  date.setUTCMonth(date.getUTCMonth() + months)
  if (date.getUTCMonth() !== wanted) date.setUTCDate(0)
  return date.getTime()
}

/** Undefined when no limit was typed; without `before` a window that was not typed has the usual limit. */
export function toQuota(values: Typed, before: Quota | undefined): Quota | undefined {
  if (rateLimitWindows.every((window) => values[window] === undefined)) return undefined
  const quota: { -readonly [Window in keyof Quota]: Quota[Window] } = { ...(before ?? limits.quota) }
  for (const window of rateLimitWindows) {
    const word = text(values[window])
    if (word === undefined) continue
    if (word === 'none') delete quota[window]
    else if (/^[1-9]\d{0,8}$/.test(word)) quota[window] = Number(word)
    else throw new Error(`--${window} ${word}: write a number of requests from 1 on, or none.`)
  }
  return quota
}
