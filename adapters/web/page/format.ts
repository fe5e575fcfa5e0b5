import { language } from './texts.ts'

const time = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' })
const dayAndTime = new Intl.DateTimeFormat(language, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})
const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' })
const full = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' })

/** Time of today, else day and time. */
export function formatTime(iso: string, now = new Date()): string {
  const at = new Date(iso)
  return (at.toDateString() === now.toDateString() ? time : dayAndTime).format(at)
}

/** `12 Nov 2026`, as the reader's language says it. */
export function formatDay(moment: string | number): string {
  const at = new Date(moment)
  return Number.isNaN(at.getTime()) ? '' : day.format(at)
}

export function formatFullTime(iso: string): string {
  return full.format(new Date(iso))
}

export function formatSize(sizeBytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, sizeBytes)) / 3))
  const value = sizeBytes / 1000 ** power
  const digits = { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 }
  return `${new Intl.NumberFormat(language, digits).format(value)} ${units[power] ?? 'B'}`
}

/** `0:07` */
export function formatDuration(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
