import { asOnePart, ConvertError, type ReadDocument } from '../reader.ts'
import { type ContentLine, decodeLines, partsBetween, readContentLines } from './content-lines.ts'
import { htmlToMarkdown } from '../web/html.ts'
import { writeHead, writePlain, writeTitle } from './write.ts'

const EVENTS: ReadonlySet<string> = new Set(['VEVENT', 'VTODO', 'VJOURNAL'])

/** `20260309T130000Z` as `2026-03-09 13:00 UTC`, with the zone that the file names. Unknown forms stay as they are. */
function toTime({ value, params }: ContentLine): string {
  const time = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d{0,2}(Z?))?$/.exec(value)
  if (time === null) return value
  const [, year, month, day, hour, minute, utc] = time
  if (hour === undefined) return `${year}-${month}-${day}`
  const zone = utc === 'Z' ? ' UTC' : params['TZID'] === undefined ? '' : ` (${params['TZID']})`
  return `${year}-${month}-${day} ${hour}:${minute}${zone}`
}

/** Times of a line that may have several. */
const toTimes = (line: ContentLine): string[] => line.value.split(',').map((value) => toTime({ ...line, value }))

const toDay = (value = '') => (/^\d{8}$/.test(value) ? toTime({ name: '', params: {}, value, parts: [] }) : undefined)

/** The end of an event. One of whole days ends on the day before the one that the file names (RFC 5545, section 3.6.1). */
function toEnd(end: ContentLine | undefined, start: ContentLine | undefined): string | undefined {
  const [last, first] = [toDay(end?.value), toDay(start?.value)]
  if (end === undefined || last === undefined || first === undefined) return end && toTime(end)
  const before = new Date(Date.parse(last) - 86_400_000)
  // Some programs name the day itself.
  return last <= first || Number.isNaN(before.getTime()) ? last : before.toISOString().slice(0, 10)
}

/** Some programs write descriptions as HTML. */
function writeDescription(text: string): string {
  const isHtml = /<(?:br|p|b|i|ul|ol|div|span|html-blob)\s*\/?>|<a\s{1,9}href=/i.test(text)
  return isHtml
    ? htmlToMarkdown(text.replaceAll(/<(https?:[^<>\s]+)>/g, '$1').replaceAll('\n', '<br>'))
    : writePlain(text)
}

function toPerson({ value, params }: ContentLine): string {
  const address = value.replace(/^mailto:/i, '')
  const name = params['CN'] ?? ''
  const answer = /^(?:ACCEPTED|DECLINED|TENTATIVE)$/i.test(params['PARTSTAT'] ?? '') ? `, ${params['PARTSTAT']}` : ''
  const shown = name === '' || name === address ? address : `${name} (${address})`
  return `${shown}${answer.toLowerCase()}`
}

function writeEvent(lines: readonly ContentLine[]): string {
  const all = (name: string) => lines.filter((line) => line.name === name)
  const valueOf = (name: string) => all(name)[0]?.value
  const timeOf = (name: string) => all(name).map(toTime)[0]
  const head = {
    Start: timeOf('DTSTART'),
    End: toEnd(all('DTEND')[0], all('DTSTART')[0]) ?? timeOf('DUE'),
    Duration: valueOf('DURATION'),
    Location: valueOf('LOCATION'),
    Organizer: all('ORGANIZER').map(toPerson)[0],
    Attendees: all('ATTENDEE').map(toPerson).join('; '),
    Status: valueOf('STATUS')?.toLowerCase(),
    Repeats: valueOf('RRULE'),
    'Also on': all('RDATE').flatMap(toTimes).join(', '),
    Except: all('EXDATE').flatMap(toTimes).join(', '),
    Link: valueOf('URL'),
    Categories: all('CATEGORIES')
      .map(({ value }) => value)
      .join(', '),
  }
  const description = writeDescription(valueOf('DESCRIPTION') ?? valueOf('X-ALT-DESC') ?? '')
  return [writeTitle(valueOf('SUMMARY') ?? 'Event', 1), writeHead(head), description]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Markdown of the events and tasks of a calendar; undefined: it has no entries. */
export function calendarToMarkdown(text: string): string | undefined {
  const lines = readContentLines(text)
  const events = partsBetween(lines, EVENTS)
  if (events.length === 0) return undefined
  const isCancelled = lines.some(({ name, value }) => name === 'METHOD' && value.toUpperCase() === 'CANCEL')
  return [...(isCancelled ? ['This invitation was cancelled.'] : []), ...events.map(writeEvent)].join('\n\n')
}

/** A calendar (RFC 5545): its events and tasks. */
export const readCalendar: ReadDocument = ({ bytes }) => {
  const text = decodeLines(bytes)
  if (!/^BEGIN:VCALENDAR/im.test(text)) throw new ConvertError('broken')
  return Promise.resolve(asOnePart(calendarToMarkdown(text) ?? ''))
}
