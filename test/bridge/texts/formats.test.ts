import { expect, it } from 'vitest'
import { dayOf, whenAgain } from '#bridge/texts/formats.ts'

const now = Date.UTC(2026, 0, 1, 2)
const late = '2025-12-31T23:30:00Z'

it.each([
  [{ language: 'en', timeZone: 'Asia/Kolkata' }, '1 Jan', 'at 09:00'],
  [{ language: 'de-AT', timeZone: 'Europe/Vienna' }, '1. Jän.', 'um 04:30'],
  [{ language: 'en', timeZone: 'America/New_York' }, '31 Dec', 'at 22:30'],
])('days and times are those of the reader: %j', (reader, day, when) => {
  expect(dayOf(late, reader, now)).toBe(day)
  expect(whenAgain(now + 90 * 60_000, reader, now)).toBe(when)
})

it.each([{}, { timeZone: 'Etc/Nowhere' }])(
  'a time is told by how far it is where the zone is unknown: %j',
  (reader) => {
    expect(whenAgain(now + 90 * 60_000, reader, now)).toBe('in 90 minutes (03:30 UTC)')
  },
)

it('a day of another year has its year, by the reader', () => {
  expect(dayOf('2025-12-30T12:00:00Z', { timeZone: 'Asia/Kolkata' }, now)).toBe('30 Dec 2025')
  expect(dayOf('2025-12-30T12:00:00Z', { timeZone: 'America/New_York' }, now)).toBe('30 Dec')
  expect(dayOf('no date', {}, now)).toBe('')
})
