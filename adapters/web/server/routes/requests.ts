import { type WebAbout, type WebSearch, ZONE_HEADER } from '#adapters/web/protocol.ts'
import { BodyError, type BodyPool, createBodyPool } from '#lib/read-limited.ts'
import { bodyOf } from '#lib/request-body.ts'
import { plainName } from '#lib/unicode.ts'
import type { Context } from 'hono'
import { z } from 'zod'
import type { ApiKeys } from '#bridge/port/api-keys.ts'
import type { ChannelFiles } from '#bridge/port/channel-files.ts'
import type { ChannelModels } from '#bridge/port/channel-models.ts'
import type { AccessTokens } from '#bridge/port/person-access.ts'
import type { SignIn } from '#bridge/port/sign-in.ts'
import type { Author } from '#bridge/port/author.ts'
import { PERSON_ID } from '../inbound.ts'
import { RequestFailure } from '../responses.ts'
import type { Clock, Log } from '#bridge/port/platform.ts'
import type { Assets } from '../page-assets.ts'
import type { Delivery } from '../delivery.ts'
import type { EventHub, Statuses } from '../live-events.ts'
import type { PagePictures } from '#adapters/shared/page-pictures.ts'
import type { WebStore } from '../store/store.ts'
import type { StreamingTexts } from '../outbound.ts'

const MAX_BODY_BYTES = 2 * 1024 * 1024

/** Ids made by the browser, so that a repeated request is recognised. */
export const clientId = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/)
const MAX_TEXT = 200_000
export const messageText = z.string().max(MAX_TEXT)
export const threadId = z.string().max(80).optional()
export const plainLabel = z.string().max(200).transform(plainName).pipe(z.string().max(60))
export const displayName = plainLabel.optional()

const tooLong = () => new RequestFailure(413, 'too-large', 'This message is too long. Drop it as a file instead.')

/** Messages of people who logged in. */
const MESSAGES = createBodyPool({ bodies: 16, bytes: 4 * MAX_BODY_BYTES, timeoutMs: 60_000 })

export async function parseBody<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  // Another origin would need a preflight for this type, which we never answer.
  if (!context.req.header('content-type')?.startsWith('application/json')) throw invalid()
  const bytes = await readBody(context.req.raw, MESSAGES, MAX_BODY_BYTES, tooLong)
  const parsed = schema.safeParse(toJson(bytes))
  const issues = parsed.error?.issues ?? []
  if (issues.some((issue) => issue.code === 'too_big' && issue.maximum === MAX_TEXT)) throw tooLong()
  if (!parsed.success) throw invalid()
  return parsed.data
}

function toJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * The body of a request, at most `maxBytes`.
 *
 * @param tooLarge why it is refused
 * @throws {RequestFailure} 408, 503; or the error of `tooLarge`
 */
export async function readBody(
  request: Request,
  pool: BodyPool,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const body = bodyOf(request)
  if (body === null) return Buffer.alloc(0)
  try {
    return await pool.read(body, maxBytes)
  } catch (error) {
    if (!(error instanceof BodyError)) throw error
    if (error.fault === 'too-large') throw tooLarge()
    if (error.fault === 'crowded')
      throw new RequestFailure(503, 'busy', 'Too much is being sent at the moment. Try again in a few seconds.', 5)
    throw new RequestFailure(408, 'timeout', 'This request did not arrive whole. Try again.')
  }
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

/** The browser's zone, as the page tells it. The bridge ignores an unknown zone. */
export function timeZoneOf(context: Context): string | undefined {
  const zone = context.req.header(ZONE_HEADER)
  return zone !== undefined && /^[\w+/-]{1,64}$/.test(zone) ? zone : undefined
}

/** First well-formed language of the browser. */
export function languageOf(context: Context): string | undefined {
  const first = context.req.header('accept-language')?.split(/[,;]/, 1)[0]?.trim()
  return first && /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(first) ? first : undefined
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
  readonly models: () => ChannelModels | undefined
  readonly search: () => WebSearch | undefined
  /** Switches search by meaning; absent: the page cannot. */
  readonly chooseMeaning?: ((on: boolean) => Promise<void>) | undefined
  readonly about: () => WebAbout | undefined
  /** Pages as pictures; absent: none are drawn. */
  readonly pictures?: PagePictures | undefined
  /** Tokens for programs; absent: the page makes none. */
  readonly tokens?: AccessTokens
  /** Keys for the API; absent: the page makes none. */
  readonly keys?: ApiKeys
  /** Programs that sign in; absent: none can. */
  readonly signIn?: SignIn
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
