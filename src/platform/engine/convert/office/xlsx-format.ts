import { child, elements, type XmlElement } from './xml.ts'

/** What a number stands for, by the format that its cell is shown in. */
export type NumberKind = 'number' | 'date' | 'duration' | 'percent'

/** Formats that workbooks use without describing them (ECMA-376, 18.8.30), also those of East Asia. */
const builtInDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 47])
const isBuiltInDate = (id: number) => builtInDates.has(id) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)

function builtInKind(id: number): NumberKind {
  if (id === 9 || id === 10) return 'percent'
  if (id === 46) return 'duration'
  return isBuiltInDate(id) ? 'date' : 'number'
}

/** Texts in quotes, escaped signs, colours and conditions say nothing of what the number is. */
function kindOfCode(code: string): NumberKind {
  const bare = code.replace(/"[^"]*"|\\.|_.|\*./g, '').replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  const first = bare.split(';')[0] ?? ''
  if (/general/i.test(first)) return 'number'
  // Hours beyond 24 (minutes, seconds beyond 60) stand in brackets.
  if (/\[(?:h+|m+|s+)\]/i.test(first)) return 'duration'
  if (/[dmyhs]/i.test(first)) return 'date'
  return first.includes('%') ? 'percent' : 'number'
}

/** Kinds by the index that cells name as their style. */
export function readKinds(styles: XmlElement | undefined): readonly NumberKind[] {
  const codes = new Map(
    elements(child(styles, 'numFmts'), 'numFmt').map(({ attributes }) => [
      Number(attributes['numFmtId']),
      attributes['formatCode'] ?? '',
    ]),
  )
  return elements(child(styles, 'cellXfs'), 'xf').map(({ attributes }) => {
    const id = Number(attributes['numFmtId'] ?? 0)
    const code = codes.get(id)
    return code === undefined ? builtInKind(id) : kindOfCode(code)
  })
}

const dayMs = 86_400_000
/** Day 0 of the two calendars; the first counts a 29 February 1900 that never was, so it is right from March on. */
const epochs = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) } as const

/** Days since the epoch as a date, a time or both, as far as the value tells. */
export function toDateText(days: number, epoch: keyof typeof epochs): string {
  const date = new Date(epochs[epoch] + Math.round(days * (dayMs / 1000)) * 1000)
  if (Number.isNaN(date.getTime())) return ''
  const iso = date.toISOString()
  const time = iso.slice(11, iso.slice(17, 19) === '00' ? 16 : 19)
  // A time alone has no day.
  if (days < 1) return time
  return date.getTime() % dayMs === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`
}

const two = (value: number) => String(value).padStart(2, '0')

/** Days as hours, minutes and, where there are some, seconds: 1.25 is 30:00. */
export function toDurationText(days: number): string {
  const all = Math.round(Math.abs(days) * 86_400)
  const seconds = all % 60
  const text = `${Math.floor(all / 3600)}:${two(Math.floor(all / 60) % 60)}`
  return `${days < 0 && all > 0 ? '-' : ''}${text}${seconds === 0 ? '' : `:${two(seconds)}`}`
}
