import type { Dispatcher } from 'undici'
import type { z } from 'zod'
import { JSON_BOUNDS, jsonExcess, type JsonBounds } from '../wire/limits.ts'
import type { Deadline } from './deadline.ts'
import { PlatformError, sentence, bodyError } from './errors.ts'

/** The answer to a call: its head, and a body that obeys the deadline of the call. */
export interface Reply {
  readonly status: number
  readonly doing: string
  /** Aborts with the failure when the call's time is up or its caller aborts it. */
  readonly signal: AbortSignal
  readonly header: (name: string) => string | undefined
  /** Each wait is bounded. Leaving the loop early closes the connection. @throws {PlatformError} */
  bytes(): AsyncGenerator<Uint8Array, void, undefined>
  /** The body as UTF-8. Over `maxBytes`: an error, or cut off there. */
  text(maxBytes: number, over?: 'throw' | 'truncate'): Promise<string>
  /** Discards the body and closes the connection. */
  discard(): void
  /** Ends reading early; the rest is drained, so that the connection can be used again. */
  relax(): void
}

export interface ReplyOptions {
  readonly doing: string
  readonly deadline: Deadline
  readonly betweenBytesMs: number
  /** Called when the body ended or was discarded; more than one call is harmless. */
  readonly onEnd: () => void
}

export function createReply(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { doing, deadline, betweenBytesMs, onEnd }: ReplyOptions,
): Reply {
  async function* bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    const watch = deadline.watch(betweenBytesMs)
    const pieces = openPieces(body)
    try {
      for (;;) {
        watch.begin()
        const piece = pieces.take() ?? (await pieces.next())
        watch.end()
        if (piece === undefined) return
        yield piece
      }
    } catch (error) {
      throw deadline.failure() ?? bodyError(error, doing)
    } finally {
      watch.release()
      pieces.close()
      discard()
    }
  }

  let relaxed = false
  const discard = () => {
    onEnd()
    body.on('error', () => {})
    if (relaxed) body.dump({ limit: 4096, signal: AbortSignal.timeout(500) }).catch(() => {})
    else body.destroy()
  }

  const text = async (maxBytes: number, over: 'throw' | 'truncate' = 'throw') => {
    const decoder = new TextDecoder()
    let sizeBytes = 0
    let result = ''
    for await (const piece of bytes()) {
      sizeBytes += piece.byteLength
      if (sizeBytes > maxBytes && over === 'throw') throw tooLong(doing, maxBytes)
      result += decoder.decode(piece, { stream: true })
      if (sizeBytes > maxBytes) break
    }
    return result + decoder.decode()
  }

  return {
    status: statusCode,
    doing,
    signal: deadline.signal,
    header: (name) => {
      const value = headers[name]
      return Array.isArray(value) ? value[0] : value
    },
    bytes,
    text,
    discard,
    relax: () => {
      relaxed = true
    },
  }
}

/** Pieces of a body that may wait for their reader; then the connection is not read on. */
const MOST_PIECES = 64

/** A body by its pieces as they come: a third of the cost of the iterator of Node's streams. */
function openPieces(body: Dispatcher.ResponseData['body']) {
  let waiting: Uint8Array[] = []
  let isOver = false
  let failure: unknown
  let wake: (() => void) | undefined
  const onData = (piece: Uint8Array) => {
    if (waiting.push(piece) === MOST_PIECES) body.pause()
    wake?.()
  }
  const onEnd = () => {
    isOver = true
    wake?.()
  }
  const onClose = () => {
    if (!isOver) onError(new Error('The connection was closed before the end.'))
  }
  const onError = (error: unknown) => {
    failure ??= error
    onEnd()
  }
  body.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)

  /** All that came since the last call, as one piece. */
  function take(): Uint8Array | undefined {
    if (waiting.length === 0) return undefined
    const [first] = waiting
    const piece = waiting.length === 1 ? first : Buffer.concat(waiting)
    if (waiting.length >= MOST_PIECES) body.resume()
    waiting = []
    return piece
  }

  return {
    take,
    /** Undefined at the end. */
    async next(): Promise<Uint8Array | undefined> {
      if (!isOver) await new Promise<void>((resolve) => (wake = resolve))
      wake = undefined
      const piece = take()
      if (piece === undefined && failure !== undefined) throw failure
      return piece
    },
    close: () => void body.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose),
  }
}

function tooLong(doing: string, maxBytes: number): PlatformError {
  const what = `The platform's answer is longer than ${maxBytes} bytes while ${doing}`
  return new PlatformError('server', sentence('server', what))
}

/** Longest JSON answer that is read, bytes. */
const MAX_JSON_BYTES = 32 * 1024 * 1024

/** An answer that is not what the contract says. */
export function unexpected(doing: string, status: number, detail: string): PlatformError {
  const what = `The platform's answer makes no sense while ${doing} (${detail})`
  const remedy = 'Check that PLATFORM_BASE_URL and PLATFORM_PROFILE fit the platform.'
  return new PlatformError('server', sentence('server', what, remedy), { status })
}

/** Undefined for what is no JSON, or would cost too much to decode. */
export function parseJson(text: string, bounds?: JsonBounds): { readonly json: unknown } | undefined {
  if (jsonExcess(text, bounds) !== undefined) return undefined
  try {
    return { json: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Reads the body as JSON of a schema of the contract. @throws {PlatformError} `server` when it is something else. */
export async function readJson<T>(
  reply: Reply,
  schema: z.ZodType<T>,
  { maxBytes = MAX_JSON_BYTES, bounds = JSON_BOUNDS }: { maxBytes?: number; bounds?: JsonBounds } = {},
): Promise<T> {
  const text = await reply.text(maxBytes)
  const decoded = parseJson(text, bounds)
  if (decoded === undefined) {
    const excess = jsonExcess(text, bounds)
    const fault = text.trim() === '' ? 'it is empty' : excess === undefined ? 'it is not JSON' : `it ${excess}`
    throw unexpected(reply.doing, reply.status, fault)
  }
  const result = schema.safeParse(decoded.json)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const place = issue?.path.join('.') ?? ''
  throw unexpected(reply.doing, reply.status, `${place === '' ? 'body' : place}: ${issue?.message ?? 'invalid'}`)
}

/** Reads and drops a body that says nothing we need, so that the connection can be used again. */
export async function drain(reply: Reply): Promise<void> {
  await reply.text(65_536, 'truncate')
}
