import { expect, it } from 'vitest'
import { readCsv } from '#platform/engine/convert/office/csv.ts'
import type { ReadDocument } from '#platform/engine/convert/reader.ts'
import { readRtf } from '#platform/engine/convert/rtf/rtf.ts'
import { readContacts } from '#platform/engine/convert/mail/contact.ts'
import { readMail } from '#platform/engine/convert/mail/mail.ts'
import { readPage } from '#platform/engine/convert/web/html.ts'
import { toSource } from '#test/fixtures/documents/source.ts'

/** A prefix, a piece that is repeated, and what follows: time must grow with the number of pieces alone. */
type Family = readonly [before: string, piece: string, after?: string]

const SIZES = [8_000, 16_000, 32_000] as const
/** Below this the clock and the collector of garbage say more than the reader. */
const FLOOR_MS = 400
const ROUNDS = 4
/** Twice the pieces take twice the time; a time that grows with their square is four times as long. */
const MOST_TIMES = 3

async function cpuMs(read: ReadDocument, text: string): Promise<number> {
  const limits = { pages: 10_000, unpackedBytes: 1e9, pictureBytes: 1e8 }
  const since = process.cpuUsage()
  await read(toSource(text, { limits }))
  return process.cpuUsage(since).user / 1000
}

function holdLinear(kind: string, read: ReadDocument, families: readonly Family[]) {
  const named = families.map((family) => ({ family, name: JSON.stringify(family) }))
  it.each(named)(`reads ${kind} in linear time: $name`, async ({ family }) => {
    let times: readonly number[] = SIZES.map(() => Infinity)
    // A document that is slow each time is slow by itself; one that is slow once was disturbed.
    for (let round = 0; round < ROUNDS && !isLinear(times); round++) times = await shortest(times, read, family)
    expect(isLinear(times), `ms: ${times.map(Math.round).join(', ')}`).toBe(true)
  })
}

function isLinear([, half = 0, whole = 0]: readonly number[]): boolean {
  return whole < Math.max(FLOOR_MS, half * MOST_TIMES)
}

async function shortest(known: readonly number[], read: ReadDocument, family: Family): Promise<number[]> {
  const [before, piece, after = ''] = family
  const times: number[] = []
  for (const [index, size] of SIZES.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- timed one after the other
    times.push(Math.min(known[index] ?? Infinity, await cpuMs(read, before + piece.repeat(size) + after)))
  }
  return times
}

holdLinear('HTML', readPage, [
  ['<pre>', ' '],
  ['<pre>', ' ', 'x'],
  ['<pre>x', '<div> ', '</pre>x'],
  ['<pre>x', '<table><tr><td> '],
  ['<table><tr><td>', '<p> '],
  ['<table><tr><td>', '<ul><li> '],
  ['<b>', '<p><li>'],
  ['', '<td> '],
  ['', '日\n'],
  ['<p style="', ' display', '">x'],
])

holdLinear('RTF', readRtf, [
  ['{\\rtf1 ', '{\\footnote a}', '}'],
  ['{\\rtf1 {\\field{\\*\\fldinst ', '{\\i a}{\\b b}', '}}}'],
  ['{\\rtf1 {\\*\\fldinst HYPERLINK "', '{\\field{\\*\\fldinst HYPERLINK "x"}}', '"}a}'],
  ['{\\rtf1{\\stylesheet{\\s1 ', 'a', ';}}\\s1 a\\par}'],
  ['{\\rtf1 \\fi-1 ', '\\tab ', '\\par}'],
])

holdLinear('mails', readMail, [
  ['From: a@b.c\r\nTo: ', 'a@b.c, ', '\r\n\r\nx'],
  ['From: a@b.c\r\nSubject: ', '=?utf-8?q?a?= ', '\r\n\r\nx'],
  ['From: a@b.c\r\nContent-Type: text/plain; ', 'a*0*=x;', '\r\n\r\nx'],
  ['From: a@b.c\r\n\r\n', '> a\n'],
  ['From: a@b.c\r\nContent-Type: text/html\r\n\r\n', '<b> '],
])

holdLinear('contacts', readContacts, [
  ['BEGIN:VCARD\r\nFN:Ada\r\nNOTE;', 'ENCODING=QUOTED-PRINTABLE;', ':x\r\nEND:VCARD'],
  ['BEGIN:VCARD\r\nFN:Ada\r\nNOTE;', 'ENCODING=QUOTED-PRINTABLE:=\r\n ', '\r\nEND:VCARD'],
])

holdLinear('CSV', readCsv, [
  ['', '"'],
  ['', '"a"b,'],
  ['', '"a\n'],
  ['a,b\n"', ','],
])
