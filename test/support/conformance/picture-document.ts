import Pdf from 'pdfkit'
import { crc32, deflateSync } from 'node:zlib'

const side = 96

function pngPart(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A PNG of 96 by 96 pixels, no two rows alike. */
export function makePicture(): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const rows = Array.from({ length: side }, (_, y) => {
    const row = Buffer.alloc(1 + side * 3)
    for (let x = 0; x < side; x += 1) row.set([(x * 5) & 255, (y * 7) & 255, (x * y) & 255], 1 + x * 3)
    return row
  })
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngPart('IHDR', head),
    pngPart('IDAT', deflateSync(Buffer.concat(rows))),
    pngPart('IEND', Buffer.alloc(0)),
  ])
}

/** A PDF of one page with a heading, a sentence and a picture. */
export function makePictureDocument(): Promise<Uint8Array<ArrayBuffer>> {
  const document = new Pdf()
  const parts: Buffer[] = []
  const done = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(new Uint8Array(Buffer.concat(parts))))
    document.on('error', reject)
  })
  document.fontSize(20).text('The slate').fontSize(11).text('The keeper drew the tide on it.')
  document.image(makePicture(), { width: 300 })
  document.end()
  return done
}
