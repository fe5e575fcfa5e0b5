import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { BodyError, createBodyPool } from '#lib/read-limited.ts'

/** A body that is given piece by piece. */
function openBody() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  writer.closed.catch(() => undefined)
  const give = (text: string) => void writer.write(new TextEncoder().encode(text)).catch(() => undefined)
  return { readable, give, end: () => void writer.close().catch(() => undefined) }
}

const faultOf = (reading: Promise<unknown>) =>
  reading.then(
    () => undefined,
    (error: unknown) => (error instanceof BodyError ? error.fault : error),
  )

const bytesOf = (pieces: readonly Uint8Array[]) => pieces.map(({ byteLength }) => byteLength)
const makePieces = () => [60_000, 7, 60_000].map((length) => new Uint8Array(length))

describe('a body in a pool', () => {
  it('is whole, also in a hundred thousand pieces', async () => {
    const pool = createBodyPool({ bodies: 1, bytes: 1_000_000 })
    const pieces = Array.from({ length: 100_000 }, (_, nth) => Uint8Array.of(nth % 251))
    const whole = Buffer.concat(pieces)
    const bytes = await pool.read(ReadableStream.from(pieces), 100_000)
    expect(bytes.equals(whole)).toBe(true)
  })

  it('is whole, in long and short pieces by turns', async () => {
    const pool = createBodyPool({ bodies: 1, bytes: 1_000_000 })
    const pieces = Array.from({ length: 12 }, (_, nth) =>
      Buffer.alloc(nth % 3 === 0 ? 60_000 : 7 + 20_000 * (nth % 2), nth),
    )
    const whole = Buffer.concat(pieces)
    const bytes = await pool.read(ReadableStream.from(pieces), 1_000_000)
    expect(bytes.equals(whole)).toBe(true)
  })

  it('gives back the memory of its pieces at its end, and when it is given up', async () => {
    const pool = createBodyPool({ bodies: 1, bytes: 150_000 })
    const [read, crowded] = [makePieces(), [...makePieces(), ...makePieces()]]
    expect(await pool.read(ReadableStream.from(read), 1_000_000)).toHaveLength(120_007)
    expect(bytesOf(read)).toEqual([0, 0, 0])
    expect(await faultOf(pool.read(ReadableStream.from(crowded), 1_000_000))).toBe('crowded')
    expect(bytesOf(crowded.slice(0, 3))).toEqual([0, 0, 0])
    const shared = Buffer.from('of the pool of Node')
    expect(String(await pool.read(ReadableStream.from([shared]), 1000))).toBe('of the pool of Node')
    expect(String(shared)).toBe('of the pool of Node')
  })

  it('is refused when it is larger than allowed, or late', async () => {
    const pool = createBodyPool({ bodies: 2, bytes: 1000, timeoutMs: 50 })
    const [large, late] = [openBody(), openBody()]
    const faults = [faultOf(pool.read(large.readable, 3)), faultOf(pool.read(late.readable, 3))]
    large.give('four')
    late.give('ab')
    expect(await Promise.all(faults)).toEqual(['too-large', 'late'])
  })

  it('is given up for another one only where it comes slowest, by number or by size', async () => {
    const pool = createBodyPool({ bodies: 2, bytes: 10 })
    const bodies = [openBody(), openBody(), openBody()] as const
    const [slow, quick] = bodies
    const slowest = faultOf(pool.read(slow.readable, 100))
    const second = pool.read(quick.readable, 100)
    slow.give('a')
    quick.give('12345')
    await sleep(150)
    const third = pool.read(bodies[2].readable, 100)
    bodies[2].give('67890')
    expect(await slowest).toBe('crowded')
    quick.end()
    bodies[2].end()
    expect((await Promise.all([second, third])).map(String)).toEqual(['12345', '67890'])
  })

  it('that is cut off says so, and leaves its place', async () => {
    const pool = createBodyPool({ bodies: 1, bytes: 10 })
    const broken = new ReadableStream<Uint8Array>({ start: (body) => body.error(new Error('gone')) })
    expect(await faultOf(pool.read(broken, 100))).toBe('cut-off')
    const next = openBody()
    const reading = pool.read(next.readable, 100)
    next.give('1234567890')
    next.end()
    expect(String(await reading)).toBe('1234567890')
  })
})
