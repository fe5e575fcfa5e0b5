import { crc32, deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const MOST_COLORS = 256

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

const distance = (one: number, other: number) =>
  [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0)

/** The same picture with its 256 most used colours, a third as large: pngjs writes no palettes. */
export function toSmallPng(png: Buffer): Buffer {
  const { width, height, data } = PNG.sync.read(png)
  const colorAt = (pixel: number) => data.readUIntBE(pixel * 4, 3)
  const counts = new Map<number, number>()
  for (let pixel = 0; pixel < width * height; pixel += 1)
    counts.set(colorAt(pixel), (counts.get(colorAt(pixel)) ?? 0) + 1)
  const ranked = [...counts].toSorted(([, one], [, other]) => other - one).map(([color]) => color)
  const palette = ranked.slice(0, MOST_COLORS)
  const indexOf = new Map(palette.map((color, index) => [color, index]))
  for (const color of ranked.slice(MOST_COLORS)) {
    let nearest = 0
    for (const [index, kept] of palette.entries())
      if (distance(kept, color) < distance(palette[nearest] ?? 0, color)) nearest = index
    indexOf.set(color, nearest)
  }
  // Each row begins with its filter: none.
  const rows = Buffer.alloc((width + 1) * height)
  for (let pixel = 0; pixel < width * height; pixel += 1)
    rows[pixel + Math.floor(pixel / width) + 1] = indexOf.get(colorAt(pixel)) ?? 0
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  // 8 bits a pixel, colours from the palette.
  head.set([8, 3, 0, 0, 0], 8)
  const colors = Buffer.from(palette.flatMap((color) => [(color >> 16) & 255, (color >> 8) & 255, color & 255]))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', colors),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ])
}
