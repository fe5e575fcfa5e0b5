import { crc32, deflateSync, inflateSync } from 'node:zlib'

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Bytes a pixel by the colour type; 8 bits a channel. */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 }

function toChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const chunk = Buffer.alloc(named.length + 8)
  chunk.writeUInt32BE(content.length, 0)
  named.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(named), named.length + 4)
  return chunk
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

/** Takes the filters of PNG off, line by line. */
function unfilter(raw: Buffer, stride: number, height: number, pixel: number): Buffer {
  const out = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x
      const left = x < pixel ? 0 : (out[at - pixel] ?? 0)
      const up = y === 0 ? 0 : (out[at - stride] ?? 0)
      const corner = x < pixel || y === 0 ? 0 : (out[at - stride - pixel] ?? 0)
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0
      out[at] = ((raw[y * (stride + 1) + 1 + x] ?? 0) + predicted) & 0xff
    }
  }
  return out
}

/** An area of a PNG with 8 bits a channel, as a PNG; undefined when it is another kind, or the area lies outside. */
export function cropPng(png: Buffer, area: Area): Buffer | undefined {
  const parts: Buffer[] = []
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  if (png.length < 33 || png[24] !== 8 || png[28] !== 0) return undefined
  const [fullWidth, fullHeight] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const pixel = channels[png[25] ?? -1]
  if (pixel === undefined) return undefined
  const x = Math.max(0, area.x)
  const y = Math.max(0, area.y)
  const width = Math.min(fullWidth, area.x + area.width) - x
  const height = Math.min(fullHeight, area.y + area.height) - y
  if (width <= 0 || height <= 0) return undefined
  const stride = fullWidth * pixel
  const raw = inflateSync(Buffer.concat(parts), { maxOutputLength: (stride + 1) * fullHeight })
  const pixels = unfilter(raw, stride, y + height, pixel)
  const cut = Buffer.alloc((width * pixel + 1) * height)
  for (let row = 0; row < height; row += 1) {
    const from = (y + row) * stride + x * pixel
    pixels.copy(cut, row * (width * pixel + 1) + 1, from, from + width * pixel)
  }
  const header = Buffer.from(png.subarray(16, 29))
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    signature,
    toChunk('IHDR', header),
    toChunk('IDAT', deflateSync(cut)),
    toChunk('IEND', Buffer.alloc(0)),
  ])
}
