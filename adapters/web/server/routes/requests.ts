import { type WebSearch, ZONE_HEADER } from '../../protocol.ts'
import { plainName } from '../../../../src/lib/unicode.ts'
import type { Context, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { ChannelFiles } from '../../../../src/bridge/port/channel-files.ts'
import type { Author } from '../../../../src/bridge/port/message.ts'
import { PERSON_ID } from '../inbound.ts'
import { RequestFailure } from '../responses.ts'
import type { Clock, Log } from '../../../../src/bridge/port/platform.ts'
import type { Assets } from '../page-assets.ts'
import type { Delivery } from '../delivery.ts'
import type { EventHub, Statuses } from '../live-events.ts'
import type { WebStore } from '../store/store.ts'
import type { StreamingTexts } from '../outbound.ts'

const MAX_BODY_BYTES = 2 * 1024 * 1024

/** Ids made by the browser, so that a repeated request is recognised. */
export const clientId = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/)
const MAX_TEXT = 200_000
export const messageText = z.string().max(MAX_TEXT)
export const threadId = z.string().max(80).optional()
export const displayName = z.string().max(200).transform(plainName).pipe(z.string().max(60)).optional()

const tooLong = () => new RequestFailure(413, 'too-large', 'This message is too long. Drop it as a file instead.')

export const jsonLimit = limitBody(MAX_BODY_BYTES, tooLong)

export async function parseBody<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  // Another origin would need a preflight for this type, which we never answer.
  if (!context.req.header('content-type')?.startsWith('application/json')) throw invalid()
  const body: unknown = await context.req.json().catch(() => undefined)
  const parsed = schema.safeParse(body)
  const issues = parsed.error?.issues ?? []
  if (issues.some((issue) => issue.code === 'too_big' && issue.maximum === MAX_TEXT)) throw tooLong()
  if (!parsed.success) throw invalid()
  return parsed.data
}

export function invalid(): RequestFailure {
  return new RequestFailure(400, 'invalid', 'This request is not in a form that Footbridge knows. Reload the page.')
}

export function found<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new RequestFailure(404, 'not-found', message)
  return value
}

export function authorOf(context: Context, name: string | undefined): Author {
  return { id: PERSON_ID, name: name || 'You', language: languageOf(context), timeZone: timeZoneOf(context) }
}

/** The browser's zone, as the page tells it. The bridge leaves out what is none. */
export function timeZoneOf(context: Context): string | undefined {
  const zone = context.req.header(ZONE_HEADER)
  return zone !== undefined && /^[\w+/-]{1,64}$/.test(zone) ? zone : undefined
}

/** First well-formed language of the browser. */
export function languageOf(context: Context): string | undefined {
  const first = context.req.header('accept-language')?.split(/[,;]/, 1)[0]?.trim()
  return first && /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(first) ? first : undefined
}

/**
 * Reads no more than `maxBytes` of a body; `refuse` says why. Hono's own limit rebuilds the request where no length is
 * announced (a proxy that passes a body on in pieces), which fails on the request objects of its Node server.
 */
function limitBody(maxBytes: number, refuse: () => Error): MiddlewareHandler {
  return async (context, next) => {
    const { raw } = context.req
    const announced = context.req.header('content-length')
    if (announced !== undefined && Number(announced) > maxBytes) throw refuse()
    if (announced === undefined && raw.body !== null) {
      const body = await readBody(raw, maxBytes, refuse)
      context.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body })
    }
    await next()
  }
}

/**
 * The body of a request, at most `maxBytes`.
 *
 * @throws {RequestFailure} 408, when it is not there after `timeoutMs`; or the error of `refuse`.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  refuse: () => Error,
  timeoutMs?: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let sizeBytes = 0
  const reader = request.body?.getReader()
  const late = () => void reader?.cancel(new Error('The body did not come in time.')).catch(() => undefined)
  let isLate = false
  const timer = timeoutMs && setTimeout(() => ((isLate = true), late()), timeoutMs)
  try {
    for (;;) {
      const piece = await reader?.read()
      if (isLate) throw new RequestFailure(408, 'timeout', 'This request did not arrive whole. Try again.')
      if (piece === undefined || piece.done) break
      sizeBytes += piece.value.byteLength
      if (sizeBytes > maxBytes) throw refuse()
      pieces.push(piece.value)
    }
  } finally {
    if (timer) clearTimeout(timer)
  }
  return Uint8Array.from(Buffer.concat(pieces))
}

/** Services and settings of the routes. */
export interface RouteServices {
  readonly store: WebStore
  readonly hub: EventHub
  readonly streamingTexts: StreamingTexts
  readonly statuses: Statuses
  readonly delivery: Delivery
  /** Files of the channels; the bridge is there when the first request comes. */
  readonly files: () => ChannelFiles
  readonly search: () => WebSearch | undefined
  readonly assets: Assets
  readonly password: string | undefined
  readonly allowedHosts: ReadonlySet<string> | undefined
  /** Host of PUBLIC_URL, for a proxy that hands on another Host. */
  readonly publicHost: string | undefined
  readonly maxFileBytes: number
  /** How long the body of a login may take, milliseconds. */
  readonly loginTimeoutMs: number
  readonly log: Log
  readonly clock: Clock
}
