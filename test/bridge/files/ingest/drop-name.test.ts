import { describe, expect, test } from 'vitest'
import { isGivenName, nameOfDrop } from '#bridge/files/ingest/drop-name.ts'
import { setUpBridge } from '#test/support/bridge/set-up.ts'
import generic from '#test/reports/chat/generic-names.json' with { type: 'json' }

const ADA = { id: 'U-ada', name: 'Ada', timeZone: 'Europe/Berlin' }
const BEN = { id: 'U-ben', name: 'Ben' }
const free = { inDrop: () => false, before: () => false }
const message = { author: ADA, sentAt: '2026-11-27T13:03:59Z' }
const named = (name: string, mimeType = '') => nameOfDrop({ name, mimeType }, message, free)

/** Names of the cases; one of them has a remark after it. */
const reported = generic.cases.flatMap(({ first, second, also = [] }) =>
  [first?.name, second?.name, ...also].flatMap((name) => name?.replace(/ \(.*/, '') ?? []),
)

describe('isGivenName', () => {
  test.each([
    ...reported,
    'Untitled.txt',
    'untitled (2).md',
    'message (1).txt',
    'IMG_0042.HEIC',
    'DSC00017.JPG',
    'clipboard.png',
    'Pasted Graphic 3.png',
    'Screenshot 2026-11-27 at 10.00.00.png',
    'Bildschirmfoto 2026-11-27 um 10.00.00.png',
    'screenshot.jpg',
    'audio.ogg',
    'Neue Aufnahme 7.m4a',
    'Dokument1.docx',
    'Mappe1.xlsx',
  ])('%s', (name) => expect(isGivenName(name)).toBe(true))

  test.each([
    'handbook.pdf',
    'message-protocol.txt',
    'messages.txt',
    'image-guidelines.pdf',
    'screenshot-policy.pdf',
    'scanner manual.pdf',
    'scan.pdf',
    'audio-guide.pdf',
    'p12.pdf',
    'filed.txt',
    '.txt',
  ])('not %s', (name) => expect(isGivenName(name)).toBe(false))
})

describe('nameOfDrop', () => {
  test.each([
    ['report', 'text/html; charset=utf-8', 'report.html'],
    ['Q1 2026', 'text/csv', 'Q1 2026.csv'],
    ['minutes.v2', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'minutes.v2.docx'],
    ['Re: lunch', 'message/rfc822', 'Re: lunch.eml'],
    ['photo', 'image/jpeg', 'photo.jpg'],
    ['plan.docx', 'application/zip', 'plan.docx'],
    // A name says more than a type, and a text needs no extension.
    ['page.md', 'text/html', 'page.md'],
    ['slides.ppt', 'application/vnd.openxmlformats-officedocument.presentationml.presentation', 'slides.ppt'],
    ['README', 'text/plain', 'README'],
    ['unknown kind', 'application/octet-stream', 'unknown kind'],
  ])('%s of the type %s is %s', (name, type, expected) => expect(named(name, type)).toBe(expected))

  test('a given name that is taken gets the person and the time in their zone', () => {
    const taken = new Set(['message.txt'])
    const next = () =>
      nameOfDrop({ name: 'message.txt', mimeType: '' }, message, { ...free, before: (name) => taken.has(name) })
    expect(next()).toBe('message (Ada, 2026-11-27 14.03).txt')
    taken.add(next())
    expect(next()).toBe('message (Ada, 2026-11-27 14.03) (2).txt')
  })
})

const text = (name: string, words: string, mimeType = 'text/plain') => ({
  name,
  bytes: new TextEncoder().encode(words),
  mimeType,
})

describe('drops of one name', () => {
  test('that nobody chose all stay, also two at once of one person', async () => {
    const { chat, platform, settled } = await setUpBridge()
    const drops = [
      chat.drop([text('message.txt', 'The Alder pump has the code ZPSTA1 on its plate.')], { author: ADA }),
      chat.drop([text('message.txt', 'The Birch pump has the code ZPSTB2 on its plate.')], { author: BEN }),
      chat.drop([text('message.txt', 'The Cedar pump has the code ZPSTC3 on its plate.')], { author: BEN }),
    ]
    for (const { inbound } of drops) await settled(inbound.key)
    const [collection = ''] = platform.script.collections()
    // Files are uploaded at the same time: the order of uploads is not the order of names.
    const nameOf = (code: string) =>
      platform.script.stored(collection).find(({ bytes }) => new TextDecoder().decode(bytes).includes(code))?.name
    const names = ['ZPSTA1', 'ZPSTB2', 'ZPSTC3'].map(nameOf)
    expect(new Set(names).size).toBe(3)
    expect(names.filter((name) => name === 'message.txt')).toHaveLength(1)
    const given = ['Ada', 'Ben', 'Ben'].map(
      (who) => new RegExp(String.raw`^message(?: \(${who}, \d{4}-\d\d-\d\d \d\d\.\d\d\)(?: \(2\))?)?\.txt$`),
    )
    expect(names).toEqual(given.map((pattern) => expect.stringMatching(pattern)))
  })

  test('that somebody chose are versions of one file', async () => {
    const { chat, platform, settled } = await setUpBridge()
    for (const words of ['first', 'second']) await settled(chat.drop([text('plan.txt', words)]).inbound.key)
    const [collection = ''] = platform.script.collections()
    expect(platform.script.stored(collection).map(({ name }) => name)).toEqual(['plan.txt'])
  })
})

test('a known type without an extension is converted by its type', async () => {
  const { chat, platform, shows } = await setUpBridge()
  chat.drop([text('prices', 'item,price\nrope,ten\n', 'text/csv')])
  await shows(/prices\.csv.*ready/)
  const [collection = ''] = platform.script.collections()
  expect(platform.script.stored(collection).map(({ name }) => name)).toEqual(['prices.csv.md'])
})
