import { decodeText } from '#platform/engine/text/decode.ts'
import { asOnePart, ConvertError, type ReadDocument } from '../reader.ts'
import { type ContentLine, partsBetween, readContentLines } from './content-lines.ts'
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
    End: timeOf('DTEND') ?? timeOf('DUE'),
    Duration: valueOf('DURATION'),
    Location: valueOf('LOCATION'),
    Organizer: all('ORGANIZER').map(toPerson)[0],
    Attendees: all('ATTENDEE').map(toPerson).join('; '),
    Status: valueOf('STATUS')?.toLowerCase(),
    Repeats: valueOf('RRULE'),
    Except: all('EXDATE').map(toTime).join(', '),
    Link: valueOf('URL'),
    Categories: all('CATEGORIES')
      .map(({ value }) => value)
      .join(', '),
  }
  const description = writePlain(valueOf('DESCRIPTION') ?? '')
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
  const text = decodeText(bytes)
  if (!/^BEGIN:VCALENDAR/im.test(text)) throw new ConvertError('broken')
  return Promise.resolve(asOnePart(calendarToMarkdown(text) ?? ''))
}
