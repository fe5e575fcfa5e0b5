import type { z } from 'zod'
import { openPieces } from '#lib/read-limited.ts'
import { JSON_BOUNDS, jsonExcess, type JsonBounds } from '../wire/limits.ts'
import type { StreamEvent } from '../wire/stream-events.ts'
import type { Deadline } from './deadline.ts'
import { PlatformError, sentence, bodyError } from './errors.ts'
import type { Answered, LocalEvents } from './local.ts'

/** The answer to a call: its head, and a body that obeys the deadline of the call. */
export interface Reply {
  readonly status: number
  readonly doing: string
  /** Aborts with the failure when the call's time is up or its caller aborts it. */
  readonly signal: AbortSignal
  readonly header: (name: string) => string | undefined
  /**
   * Each wait is bounded. Leaving the loop early closes the connection.
   *
   * @param pauseMs pause after this many reads: all bytes that come meanwhile are one piece. It ends with the body.
   * @throws {PlatformError}
   */
  bytes(pauseMs?: (reads: number) => number): AsyncGenerator<Uint8Array, void, undefined>
  /** The same of the events, where the platform is in this process and hands them over. */
  readonly steps?: (pauseMs: (reads: number) => number) => AsyncGenerator<readonly StreamEvent[], void, undefined>
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
  { statusCode, header, body, handed }: Answered,
  { doing, deadline, betweenBytesMs, onEnd }: ReplyOptions,
): Reply {
  async function* bytes(pauseMs?: (reads: number) => number): AsyncGenerator<Uint8Array, void, undefined> {
    if (body === undefined) {
      discard()
      return
    }
    const watch = deadline.watch(betweenBytesMs)
    const pieces = openPieces(body)
    try {
      for (let reads = 1; ; reads += 1) {
        watch.begin()
        const piece = pieces.take() ?? (await pieces.next())
        watch.end()
        if (piece === undefined) return
        yield piece
        if (pauseMs !== undefined) await pieces.rest(pauseMs(reads))
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
    if (body === undefined) return handed?.leave()
    body.on('error', () => {})
    if (relaxed && body.dump) body.dump({ limit: 4096, signal: AbortSignal.timeout(500) }).catch(() => {})
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
    header,
    bytes,
    steps: handed && ((pauseMs) => readSteps(handed, { doing, deadline, betweenBytesMs, onEnd }, pauseMs)),
    text,
    discard,
    relax: () => void (relaxed = true),
  }
}

async function* readSteps(
  { steps, leave, signal }: LocalEvents,
  { doing, deadline, betweenBytesMs, onEnd }: ReplyOptions,
  pauseMs: (reads: number) => number,
): AsyncGenerator<readonly StreamEvent[], void, undefined> {
  const watch = deadline.watch(betweenBytesMs)
  try {
    for (let reads = 0; ; reads += 1) {
      signal.throwIfAborted()
      watch.begin()
      const step = await steps.next(pauseMs(reads))
      watch.end()
      signal.throwIfAborted()
      if (step.done === true) return
      yield step.value
    }
  } catch (error) {
    throw deadline.failure() ?? bodyError(error, doing)
  } finally {
    watch.release()
    onEnd()
    leave()
    await steps.return()
  }
}

function tooLong(doing: string, maxBytes: number): PlatformError {
  const what = `The platform's answer is longer than ${maxBytes} bytes while ${doing}`
  return new PlatformError('server', sentence('server', what))
}

/** Longest JSON answer that is read, bytes. */
const MAX_JSON_BYTES = 32 * 1024 * 1024

/** An answer against the contract. */
export function unexpected(doing: string, status: number, detail: string): PlatformError {
  const what = `The platform's answer makes no sense while ${doing} (${detail})`
  const remedy = 'Check that PLATFORM_BASE_URL and PLATFORM_PROFILE fit the platform.'
  return new PlatformError('server', sentence('server', what, remedy), { status })
}

/** Undefined for a text that is not JSON, or would cost too much to decode. */
export function parseJson(text: string, bounds = JSON_BOUNDS): { readonly json: unknown } | undefined {
  // A level has two brackets: most events of a stream are too short to exceed the bounds.
  const isShort = text.length <= Math.min(2 * bounds.depth, bounds.values)
  if (!isShort && jsonExcess(text, bounds) !== undefined) return undefined
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
