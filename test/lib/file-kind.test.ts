import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileKindOf, toFileName } from '#lib/file-kind.ts'

describe('toFileName', () => {
  test.each([
    ['Ferry times.pdf', 'Ferry times.pdf'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['C:\\Users\\anna\\plan.md', 'C__Users_anna_plan.md'],
    ['.env', 'env'],
    ['...', 'file'],
    ['', 'file'],
    ['///', 'file'],
    ['a\u0000b\nc\t.md', 'ab c.md'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['U\u0308bersicht.md', 'Übersicht.md'],
    ['CON.txt', 'file.txt'],
    ['nul', 'file'],
    ['page.html.md', 'page.html.md'],
    ['notes. ', 'notes'],
    ['lone \uD83D surrogate.md', 'lone surrogate.md'],
    ['会議メモ.docx', '会議メモ.docx'],
  ])('of %j is %j', (displayName, expected) => {
    expect(toFileName(displayName)).toBe(expected)
  })

  test('keeps the extension of a long name and breaks no character', () => {
    const name = toFileName(`${'🛳'.repeat(200)}.pdf`)
    expect(name).toBe(`${'🛳'.repeat(146)}.pdf`)
  })

  test('is flat, visible, short and stable for every name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (displayName) => {
        const name = toFileName(displayName)
        expect(Array.from(name).length).toBeLessThanOrEqual(150)
        expect(name).toMatch(/^[^./\\][^/\\]*$/u)
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
        expect(name.normalize('NFC')).toBe(name)
        expect(toFileName(name)).toBe(name)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('fileKindOf', () => {
  test.each([
    ['handbook.PDF', 'application/octet-stream', 'native'],
    ['notes.md', '', 'native'],
    ['server.ts', 'video/mp2t', 'native'],
    ['data.json', 'application/json', 'native'],
    ['README', 'text/plain; charset=utf-8', 'native'],
    ['plan.docx', '', 'convertible'],
    ['table.csv', 'text/csv', 'convertible'],
    ['mail.eml', 'message/rfc822', 'convertible'],
    ['page', 'text/html', 'convertible'],
    ['slides', 'application/vnd.openxmlformats-officedocument.presentationml.presentation', 'convertible'],
    ['photo.jpeg', 'image/jpeg', 'image'],
    ['memo.ogg', 'application/ogg', 'audio'],
    ['voice', 'audio/mp4', 'audio'],
    ['setup.exe', 'application/x-msdownload', 'unsupported'],
    ['archive.zip', 'application/zip', 'unsupported'],
    ['noname', '', 'unsupported'],
  ])('calls %s (%s) %s', (name, mimeType, expected) => {
    expect(fileKindOf(name, mimeType)).toBe(expected)
  })
})
