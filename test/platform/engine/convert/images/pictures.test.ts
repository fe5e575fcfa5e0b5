import { describe, expect, it } from 'vitest'
import { readImageInfo } from '#platform/engine/convert/images/pictures.ts'
import { readFixture } from '#test/fixtures/documents/read.ts'

const hex = (text: string) => Buffer.concat([Buffer.from(text.replaceAll(' ', ''), 'hex'), Buffer.alloc(32)])

describe('readImageInfo', () => {
  it('reads a PNG', async () => {
    expect(readImageInfo(await readFixture('red.png'))).toEqual({ format: 'png', width: 48, height: 32 })
  })

  it.each([
    ['gif', hex('474946383961 4000 2000')],
    ['jpg', hex('ffd8 ffe00004 0000 ffc0 0011 08 0020 0040 03')],
    ['bmp', hex('424d 0000000000000000 36000000 28000000 40000000 e0ffffff')],
    ['webp', hex('52494646 00000000 57454250 56503858 0a000000 00000000 3f0000 1f0000')],
    ['tif', hex('49492a00 08000000 0200 0001 0300 01000000 40000000 0101 0300 01000000 20000000')],
    ['avif', hex('0000001c 66747970 61766966 00000000 00000014 69737065 00000000 00000040 00000020')],
    ['svg', Buffer.from('<?xml version="1.0"?><svg width="64" height="32px" xmlns="x"/>')],
    ['svg', Buffer.from('<svg viewBox="0 0 64 32" xmlns="http://www.w3.org/2000/svg"/>')],
  ])('reads the size of a %s', (format, bytes) => {
    expect(readImageInfo(bytes)).toEqual({ format, width: 64, height: 32 })
  })

  it('knows the format where the size is cut off, and never fails', async () => {
    const png = await readFixture('red.png')
    for (let length = 16; length < png.length; length += 1) {
      expect(readImageInfo(png.slice(0, length))?.format).toBe('png')
    }
    for (const start of ['ffd8ffe0', '52494646 00000000 57454250', '49492a00 ffffffff', '4d4d002a 00000010']) {
      expect(() => readImageInfo(hex(start))).not.toThrow()
    }
  })

  it.each(['plain text that is long enough', '<html><body>no image</body></html>'])('knows no image in %j', (text) => {
    expect(readImageInfo(Buffer.from(text))).toBeUndefined()
  })
})
