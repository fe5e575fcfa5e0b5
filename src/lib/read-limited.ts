import { pipeline, Readable, type Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'

/**
 * Gives back the memory of bytes that are read no more. It lies outside the heap of V8, which would collect it after 64
 * MB and more. Bytes that share their memory with others stay as they are.
 */
export function release(bytes: Uint8Array): void {
  const { buffer, byteLength } = bytes
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength && byteLength > 0) buffer.transfer(0)
}

/** All bytes of a stream; undefined if there are more than `maxBytes`. A reported length is not trusted. */
export async function readLimited(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of stream) {
    size += piece.byteLength
    if (size > maxBytes) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** Why a body was not read to its end. */
export type BodyFault = 'too-large' | 'late' | 'crowded' | 'cut-off'

export class BodyError extends Error {
  override readonly name = 'BodyError'
  readonly fault: BodyFault

  constructor(fault: BodyFault, cause?: unknown) {
    super(`A body was not read to its end: ${fault}.`, { cause })
    this.fault = fault
  }
}

export interface BodyPool {
  /**
   * All bytes of a body.
   *
   * @throws {BodyError} `crowded`: too many were being read, and this one came slowest
   */
  read(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Buffer<ArrayBuffer>>
}

interface PoolLimits {
  /** Bodies at once. */
  readonly bodies: number
  /** Bytes of unfinished bodies, all together. */
  readonly bytes: number
  /** A body is due within this time. Default: no limit. */
  readonly timeoutMs?: number
}

interface Arriving {
  bytes: number
  readonly since: number
  giveUp(fault: BodyFault): void
}

/** A body that just began is not slow. */
const YOUNG_MS = 100

const SLAB_BYTES = 64 * 1024

/** Longer pieces are kept as they came. */
const MIN_KEPT_BYTES = 0.75 * SLAB_BYTES

/**
 * Copies short pieces together: a body in pieces of one byte would take 250 times its length as a list of them. Pieces belong
 * to it from `add` on.
 */
function createSlabs() {
  const full: Uint8Array[] = []
  const memory: Uint8Array[] = []
  let slab = Buffer.alloc(0)
  let used = 0
  const beginSlab = (bytes: number) => {
    if (used > 0) full.push(slab.subarray(0, used))
    slab = Buffer.allocUnsafeSlow(bytes)
    memory.push(slab)
    used = 0
  }
  return {
    add(piece: Uint8Array): void {
      if (piece.byteLength >= MIN_KEPT_BYTES) {
        beginSlab(0)
        full.push(piece)
        memory.push(piece)
        return
      }
      if (used + piece.byteLength > slab.byteLength) beginSlab(SLAB_BYTES)
      slab.set(piece, used)
      used += piece.byteLength
      release(piece)
    },
    bytes: () => Buffer.concat([...full, slab.subarray(0, used)]),
    /** Nothing of it is read after that. */
    release: () => memory.forEach(release),
  }
}

/**
 * Reads bodies that are needed whole, in bounded memory: above a bound the one that comes slowest is given up, so that
 * slow senders do not keep others out.
 */
export function createBodyPool({ bodies, bytes, timeoutMs }: PoolLimits): BodyPool {
  const arriving = new Set<Arriving>()
  let held = 0
  const makeRoom = () => {
    while (arriving.size > bodies || held > bytes) {
      const now = performance.now()
      const paceOf = ({ bytes: came, since }: Arriving) => (now - since < YOUNG_MS ? Infinity : came / (now - since))
      const [first, ...others] = arriving
      if (first === undefined) return
      const slowest = others.reduce((slow, body) => (paceOf(body) < paceOf(slow) ? body : slow), first)
      leave(slowest)
      slowest.giveUp('crowded')
    }
  }
  const leave = (body: Arriving) => {
    if (arriving.delete(body)) held -= body.bytes
  }
  return {
    async read(stream, maxBytes) {
      const reader = stream.getReader()
      const slabs = createSlabs()
      let fault: BodyFault | undefined
      // A pending read ends with the stream.
      const giveUp = (why: BodyFault) => {
        fault = why
        reader.cancel(new BodyError(why)).catch(() => undefined)
      }
      const body: Arriving = { bytes: 0, since: performance.now(), giveUp }
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => giveUp('late'), timeoutMs)
      arriving.add(body)
      try {
        makeRoom()
        for (;;) {
          const { done, value } = await reader.read().catch((error: unknown) => {
            throw new BodyError('cut-off', error)
          })
          if (fault !== undefined) throw new BodyError(fault)
          if (done) return slabs.bytes()
          body.bytes += value.byteLength
          held += value.byteLength
          if (body.bytes > maxBytes) giveUp('too-large')
          else slabs.add(value)
          makeRoom()
        }
      } finally {
        clearTimeout(timer)
        leave(body)
        slabs.release()
      }
    },
  }
}

interface Pieces {
  /** All that came since the last call, as one piece. */
  take(): Uint8Array | undefined
  /** Waits for the next piece; undefined at the end. */
  next(): Promise<Uint8Array | undefined>
  /** Waits `ms`, or until the stream ends, so that bytes that come meanwhile are one piece. */
  rest(ms: number): Promise<void>
  close(): void
}

/** Pieces that may wait for their reader; at this number the stream is paused. */
const MAX_PIECES = 64

/** A stream by its pieces as they come: a third of the cost of the iterator of Node's streams. */
export function openPieces(body: Readable): Pieces {
  let waiting: Uint8Array[] = []
  let isOver = false
  let failure: unknown
  let wake: (() => void) | undefined
  let endRest: (() => void) | undefined
  const onData = (piece: Uint8Array) => {
    if (waiting.push(piece) === MAX_PIECES) body.pause()
    wake?.()
  }
  const onEnd = () => {
    isOver = true
    wake?.()
    endRest?.()
  }
  const onClose = () => {
    if (!isOver) onError(new Error('The connection was closed before the end.'))
  }
  const onError = (error: unknown) => {
    failure ??= error
    onEnd()
  }
  body.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)

  function take(): Uint8Array | undefined {
    if (waiting.length === 0) return undefined
    const [first] = waiting
    const piece = waiting.length === 1 ? first : Buffer.concat(waiting)
    if (waiting.length >= MAX_PIECES) body.resume()
    waiting = []
    return piece
  }

  return {
    take,
    async next(): Promise<Uint8Array | undefined> {
      if (!isOver) await new Promise<void>((resolve) => (wake = resolve))
      wake = undefined
      const piece = take()
      if (piece === undefined && failure !== undefined) throw failure
      return piece
    },
    async rest(ms: number): Promise<void> {
      if (isOver || ms <= 0) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        endRest = resolve
        timer = setTimeout(resolve, ms)
      })
      clearTimeout(timer)
    },
    close: () => void body.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose),
  }
}

/** A cut body is passed on as far as it goes: its reader tells that its end is missing. */
const ZLIB = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }

/** The first bytes count, too: servers also name a form that they do not send, or send deflate without its head. */
function unpackerFor(form: string, first: Uint8Array): Transform | undefined {
  const [one = 0, two = 0] = first
  if (form === 'gzip' || form === 'x-gzip') return one === 0x1f && two === 0x8b ? createGunzip(ZLIB) : undefined
  if (form === 'deflate') return (one & 0x0f) === 8 ? createInflate(ZLIB) : createInflateRaw(ZLIB)
  if (form === 'br') return createBrotliDecompress()
  return form === 'zstd' ? createZstdDecompress() : undefined
}

async function* chain(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  for (let step = await rest.next(); step.done !== true; step = await rest.next()) yield step.value
}

async function* unpacked(body: Readable, form: string): AsyncGenerator<Uint8Array> {
  try {
    const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
    const { done, value: first } = await pieces.next()
    if (done === true) return
    const unpacker = unpackerFor(form, first)
    const whole = chain(first, pieces)
    if (unpacker === undefined) yield* whole
    else yield* pipeline(Readable.from(whole), unpacker, () => undefined) as AsyncIterable<Uint8Array>
  } finally {
    body.destroy()
  }
}

/**
 * The body as it was before its server packed it. Unknown forms stay as they are.
 *
 * @param encoding of the header `content-encoding`; several are in the order in which they were applied.
 */
export function unpack(body: Readable, encoding: string | undefined): Readable {
  const forms = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((form) => form.trim())
  return forms
    .filter((form) => form !== '' && form !== 'identity')
    .reduceRight((packed, form) => Readable.from(unpacked(packed, form), { objectMode: false }), body)
}
