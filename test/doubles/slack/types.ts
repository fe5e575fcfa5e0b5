/** Shapes that the parts of the Slack double share. */
export type Json = Record<string, unknown>

export type ChannelKind = 'channel' | 'private' | 'im' | 'mpim'

export interface Channel {
  readonly id: string
  readonly kind: ChannelKind
  readonly name: string
  /** Users in it; the app's own membership is `joined`. */
  readonly members: Set<string>
  joined: boolean
  /** By Slack Connect. */
  shared?: boolean
  archived?: boolean
  readonly creator?: string
}

export interface User {
  readonly id: string
  readonly name: string
  readonly locale?: string
  /** IANA name of the time zone. Default Europe/Berlin. */
  readonly tz?: string
  /** Home team; another one than the workspace's for a Slack Connect guest. */
  readonly teamId: string
  readonly bot: boolean
  /** `guest`: several channels, `single`: one. */
  readonly guest?: 'guest' | 'single'
  /** Of their own workspace. */
  readonly admin?: boolean
  readonly owner?: boolean
  readonly deleted?: boolean
}

/** A file as Slack describes it in events and in `files.info`. */
export interface FileRecord extends Json {
  readonly id: string
  readonly name: string
  readonly mimetype: string
  readonly url_private: string
  readonly url_private_download: string
}

export interface HostedFile {
  readonly record: FileRecord
  readonly bytes: Uint8Array
  readonly shares: Set<string>
}

export interface AgentSession {
  readonly status: 'active' | 'processing' | 'suspended' | 'closed'
  readonly title?: string
  /** When its status was set last. */
  readonly at: number
}

export interface StoredMessage {
  readonly channel: string
  readonly ts: string
  readonly threadTs?: string
  readonly user: string
  readonly botId?: string
  subtype?: string
  text: string
  /** Markdown given as `markdown_text` or streamed. */
  markdown?: string
  blocks: readonly Json[]
  metadata?: Json
  files: readonly Json[]
  /** Cards under its links, by address. */
  unfurls?: Json
  /** Work Objects of the links in it. */
  entities?: readonly Json[]
  edited?: string
  /** Fields as Slack keeps them with the message: forwards, and what other programs write. */
  readonly kept?: Json
  /** Emoji of the app under it. */
  reactions?: Set<string>
  /** By an administrator, as the first message of a thread: nobody may reply to it. */
  locked?: boolean
  deleted: boolean
  readonly ephemeralTo?: string
  /** Slack took it and shows it to nobody: a private message into a thread that has no reply yet. */
  readonly unseen?: boolean
  /** Bytes count against Slack's undocumented cap of a streamed message. */
  stream?: { readonly startedAt: number; bytes: number; open: boolean; stoppedByUser: boolean }
}

/** One request to the Web API, as it arrived. */
export interface Call {
  readonly method: string
  readonly args: Json
  readonly at: number
  readonly contentType: string
  /** The `error` of the answer; absent when it was `ok` or not answered. */
  error?: string
  status: number
}

/**
 * The effect on the next call of a method, in place of the usual one or in addition to it. `drop: 'after'` performs the
 * call and then cuts the connection: the ambiguous case. `pass` lets one call through, so that a later one can be
 * scripted.
 */
export type Fault =
  | { readonly pass: true }
  | { readonly error: string; readonly extra?: Json }
  | { readonly status: number; readonly retryAfter?: number; readonly body?: string; readonly type?: string }
  | { readonly hang: true; readonly perform?: boolean }
  | { readonly drop: 'before' | 'after' }
  | { readonly redirect: string }
  | { readonly html: true }
  | { readonly delayMs: number }
  | { readonly until: Promise<void> }

/** One Socket Mode delivery and what became of it. */
export interface Envelope {
  readonly id: string
  readonly type: 'events_api' | 'interactive' | 'slash_commands'
  readonly payload: Json
  /** Of the app's own doings (its messages come back to it as events). */
  readonly echo: boolean
  attempts: number
  delivered: boolean
  ackedAt?: number
  ackPayload?: unknown
  /** Answers other than an acknowledgement. */
  refusals?: readonly string[]
  readonly acked: Promise<void>
}

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const str = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Refuses a call with Slack's error code. */
export class Refusal extends Error {
  readonly code: string
  readonly extra: Json
  constructor(code: string, extra: Json = {}) {
    super(code)
    this.code = code
    this.extra = extra
  }
}
