import { LIMITS } from '../wire/limits.ts'
import { createPaths, PROFILES, type Profile, type ProfileName } from '../wire/profile.ts'
import { receivedVersion } from '../wire/service.ts'
import { createChat } from './chat.ts'
import { createCollections } from './collections.ts'
import { bearerHeader, createExchange, createKeys, createRedaction, rawHeader } from './exchange.ts'
import type { LocalPlatform } from './local.ts'
import { createManagement, type CallOptions, type Context } from './context.ts'
import { createDocuments } from './documents.ts'
import { createEmbeddings, createModels } from './models.ts'
import { PlatformError } from './errors.ts'
import { createFiles } from './files.ts'
import { createRateLimit, createUser } from './account.ts'
import { type Circuits, createCircuits } from './circuits.ts'
import { createRateLimiter, type RateLimiter } from './rate-limit.ts'
import { readJson } from './reply.ts'
import { createStreamSlots, type StreamSlots } from './stream-slots.ts'
import { DEFAULT_TIME_LIMITS, type TimeLimits } from './deadline.ts'
import { createTransport } from './transport.ts'
import { createVoice } from './voice.ts'

export interface PlatformClientOptions {
  /** Ends in `/v1`, with or without a slash after it. Default: the profile's own, where it has one (`saia`). */
  readonly baseUrl?: string
  /** The key as it was issued, without `Bearer`. */
  readonly apiKey: string
  /** Default `collection`. */
  readonly profile?: ProfileName
  /** Form of the key in collection chat. Default: `raw` in `collection`, `bearer` in `saia`. */
  readonly chatCredential?: 'raw' | 'bearer'
  /** Default `whisper-large-v2`. */
  readonly transcriptionModel?: string
  /** Model of `voice.speak`. Default: none, and it refuses. */
  readonly speechModel?: string
  /** Default `alloy`. */
  readonly speechVoice?: string
  /** Overrides of single limits. */
  readonly timeLimits?: Partial<TimeLimits>
  /** Longest wait for a rate limit to reset before it becomes an error, milliseconds. Default 20,000. */
  readonly maxRateWaitMs?: number
  /**
   * Share of each window's limit (0…1) that this client leaves to others with the same key and `limiter`: for
   * background work. Default 0.
   */
  readonly reserve?: number
  /** Called when a call waits for the rate limit. */
  readonly onRateWait?: (wait: { readonly window: string; readonly waitMs: number }) => void
  /** Most concurrent streams; more wait. Default: 8 in `saia`, which drops them from 9 on; else no limit. */
  readonly maxStreams?: number
  /** Most connections. Default: no limit. */
  readonly maxConnections?: number
  /** Common state of all clients of the same key. Default: its own. */
  readonly shared?: SharedByKey
  /** W3C `traceparent` for a request; undefined: none is sent. Default: never one. */
  readonly traceparent?: () => string | undefined
  /** The platform, where it runs in this process: asked without a connection, forms aside. */
  readonly local?: LocalPlatform | undefined
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number
}

/** State of a platform and a key: used-up quota, running streams, parts that do not answer. */
export interface SharedByKey {
  readonly limiter: RateLimiter
  readonly slots: StreamSlots
  readonly recordings: StreamSlots
  readonly circuits: Circuits
}

type SharedOptions = Pick<PlatformClientOptions, 'profile' | 'maxStreams' | 'timeLimits' | 'now'> & {
  /** Processes that use the key, this one included. */
  readonly processes?: () => number
}

/** Recordings that are listened to at once: a platform has few lanes for them, and takes them as they come. */
const MAX_RECORDINGS = 4

export function createSharedByKey({
  profile,
  maxStreams,
  timeLimits,
  now,
  processes = () => 1,
}: SharedOptions): SharedByKey {
  const limits = { ...DEFAULT_TIME_LIMITS, ...timeLimits }
  const most = maxStreams ?? mostStreams(PROFILES[profile ?? 'collection'])
  return {
    limiter: createRateLimiter(now),
    slots: createStreamSlots(() => Math.max(1, Math.floor(most / processes())), limits.totalMs),
    recordings: createStreamSlots(() => MAX_RECORDINGS, limits.transcriptionMs),
    circuits: createCircuits(now, limits.firstByteMs),
  }
}

/**
 * A client of the whole platform. Every failure of every call is a `PlatformError`. Nothing waits for ever (see
 * `TimeLimits`), nothing follows a redirect, and nothing is sent twice that may have been carried out.
 * @throws {PlatformError} `invalid` for a base URL or key that could never work.
 */
export function createPlatformClient(options: PlatformClientOptions) {
  const context = createContext(options)
  const management = createManagement(context)
  return {
    models: createModels(context),
    chat: createChat(context),
    collections: createCollections(context, management),
    files: createFiles(context, management),
    voice: createVoice(context, {
      transcription: options.transcriptionModel,
      speech: options.speechModel,
      speechVoice: options.speechVoice,
    }),
    documents: createDocuments(context),
    embeddings: createEmbeddings(context),
    user: createUser(context),
    rateLimit: createRateLimit(context),
    /** Version of the management API, in dotted form. */
    async version(callOptions: CallOptions = {}): Promise<string> {
      const reply = await management.send({
        doing: 'asking for the version',
        method: 'GET',
        path: context.paths.version,
        retry: 'safe',
        signal: callOptions.signal,
      })
      const version = await readJson(reply, receivedVersion)
      return typeof version === 'string' ? version : version.version
    },
    /** Resolves when the platform is alive. @throws {PlatformError} when it is not. */
    heartbeat: (callOptions: CallOptions = {}): Promise<void> => management.heartbeat(callOptions),
    /** Aborts every running call as `aborted`, and closes the connections. */
    close: (): Promise<void> => context.transport.close(),
  }
}

export type PlatformClient = ReturnType<typeof createPlatformClient>

function createContext(options: PlatformClientOptions): Context {
  const profile = PROFILES[options.profile ?? 'collection']
  const limits = { ...DEFAULT_TIME_LIMITS, ...options.timeLimits }
  const now = options.now ?? Date.now
  const { limiter, slots, recordings, circuits } = options.shared ?? createSharedByKey(options)
  const redact = createRedaction(options.apiKey)
  const exchange = createExchange({
    baseUrl: addressOf(options, profile),
    limits,
    limiter,
    redact,
    now,
    traceparent: options.traceparent,
    local: options.local,
    maxConnections: options.maxConnections ?? null,
  })
  return {
    profile,
    paths: createPaths(profile),
    limits,
    limiter,
    redact,
    slots,
    recordings,
    credentials: credentialsOf(options, profile),
    transport: createTransport({
      exchange,
      limiter,
      circuits,
      now,
      totalMs: limits.totalMs,
      maxRateWaitMs: options.maxRateWaitMs ?? 20_000,
      reserve: options.reserve ?? 0,
      onRateWait: options.onRateWait ?? (() => {}),
    }),
  }
}

function addressOf({ baseUrl }: PlatformClientOptions, { defaultBaseUrl }: Profile): string {
  const address = baseUrl ?? defaultBaseUrl
  if (address !== undefined) return normaliseBaseUrl(address)
  throw new PlatformError('invalid', 'PLATFORM_BASE_URL is missing. Set it to an address that ends in /v1.')
}

function credentialsOf({ apiKey, chatCredential }: PlatformClientOptions, profile: Profile) {
  const keys = createKeys(apiKey)
  const management = rawHeader(keys.raw)
  const api = bearerHeader(keys.bearer)
  const form = chatCredential ?? profile.collectionChatCredential
  return { management, api, collectionChat: form === 'raw' ? management : api }
}

const mostStreams = ({ name }: Profile) => (name === 'saia' ? LIMITS.streamsPerKey - 1 : Infinity)

const EXAMPLE = 'for example https://chat-ai.academiccloud.de/v1'

const refuse = (fault: string) =>
  new PlatformError('invalid', `PLATFORM_BASE_URL ${fault}. It is an address that ends in /v1, ${EXAMPLE}.`)

/**
 * The base URL without a trailing slash.
 * @throws {PlatformError} `invalid` when it is no http(s) URL, carries a credential, query or fragment, or does not end in `/v1`.
 */
export function normaliseBaseUrl(text: string): string {
  const trimmed = text.trim()
  if (!URL.canParse(trimmed)) throw refuse('is not a URL')
  const url = new URL(trimmed)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse('must start with http:// or https://')
  if (url.username !== '' || url.password !== '') throw refuse('must not hold a user name or password')
  if (url.search !== '' || url.hash !== '') throw refuse('must not have a query or a fragment')
  const path = url.pathname.replace(/\/+$/, '')
  if (!path.endsWith('/v1')) throw refuse(`must end in /v1, but ends in ${path === '' ? 'the host name' : path}`)
  return `${url.origin}${path}`
}
