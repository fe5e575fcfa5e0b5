/** The messages between the page and the server side of the web adapter: types, and one name that both sides import. */
import type { ApiKeyInfo, KeyChoices, KeyScope } from '#bridge/port/api-keys.ts'
import type { ChannelFile, FileOutline, FileVersion } from '#bridge/port/channel-files.ts'
import type { ModelChoice } from '#bridge/port/channel-models.ts'
import type { TokenInfo, TokenScope } from '#bridge/port/person-access.ts'
import type { Action, AttachmentKind, Outgoing, ReceiptItem, Reference } from '#bridge/port/message.ts'

export type {
  Action,
  ApiKeyInfo,
  AttachmentKind,
  ChannelFile,
  FileOutline,
  FileVersion,
  KeyChoices,
  KeyScope,
  ModelChoice,
  ReceiptItem,
  Reference,
}

/** Head of the page's requests with the browser's time zone. */
export const ZONE_HEADER = 'x-time-zone'

/** A channel, or a chat of the person with Footbridge. */
export interface WebChannel {
  readonly id: string
  /** The title of a chat is empty until somebody writes in it. */
  readonly name: string
  /** A chat. All chats ask the same files. */
  readonly direct: boolean
  /** When a chat was last written in, or made; milliseconds since 1970. */
  readonly usedAt?: number
  /** Read only, and out of the way. */
  readonly archived?: boolean
}

export interface WebAttachment {
  readonly id: string
  readonly name: string
  readonly mimeType: string
  readonly kind: AttachmentKind
  readonly sizeBytes: number
  readonly durationMs?: number
}

export interface WebMessage {
  readonly id: string
  /** Order of arrival, over all channels. */
  readonly seq: number
  /** Revision: grows with each change except streamed text; of two copies of a message the higher one is newer. */
  readonly rev: number
  readonly channel: string
  /** Root of the thread; absent on a root and in a direct conversation. */
  readonly thread?: string
  readonly ours: boolean
  readonly author: string
  readonly kind: 'message' | Outgoing['kind']
  readonly text: string
  /** The text is still streaming. */
  readonly streaming: boolean
  /** False: stored, but not yet accepted by the bridge. Posting it again is safe. */
  readonly accepted: boolean
  readonly sentAt: string
  readonly edited: boolean
  readonly attachments: readonly WebAttachment[]
  readonly references: readonly Reference[]
  /** The references are passages near a question that the files do not answer; the second paragraph lists them. */
  readonly isUnsure?: true
  /** The language model that wrote it. */
  readonly model?: string
  readonly receipt: readonly ReceiptItem[]
  readonly actions: readonly Action[]
  /** The last choice of a person among the actions of a group. */
  readonly pressed?: { readonly action: string; readonly value: string }
  readonly replyTo?: string
  /** Ephemeral: for the person at the page only. */
  readonly private?: boolean
  /** The person at the page is notified. */
  readonly notifies?: boolean
}

export interface WebStatus {
  readonly channel: string
  readonly thread?: string
  /** Null: the status has ended. */
  readonly text: string | null
}

/** How the platform searches files; absent where it is not ours. */
export type WebSearch =
  | {
      readonly by: 'words'
      /** Search by meaning can be switched on, with a download of this size. */
      readonly offeredMegabytes?: number
    }
  | {
      readonly by: 'meaning'
      readonly model: string
      readonly state: 'preparing' | 'ready' | 'unusable'
      /** Share of older files done, 0…100. */
      readonly percent: number
      /** Share of the model that is downloaded, 0…100; absent: it is there. */
      readonly downloaded?: number
      /** Why the last download failed; it is tried again. */
      readonly problem?: string
      /** It was switched on here, and can be switched off. */
      readonly isChosen?: true
    }

/** Facts of this Footbridge, for the settings. */
export interface WebAbout {
  readonly version: string
  /** Names the model that answers; absent: answers are quotes. */
  readonly answers?: string
  /** Place of the data. */
  readonly data: string
}

/** Response of `GET /api/web/state`. */
export interface WebState {
  readonly channels: readonly WebChannel[]
  readonly statuses: readonly WebStatus[]
  /** A login is required, so the page offers a logout. */
  readonly login: boolean
  readonly maxFileBytes: number
  readonly search?: WebSearch
  readonly about?: WebAbout
  /** Tokens for programs can be made. */
  readonly connect?: boolean
  /** Keys for the API can be made. */
  readonly apiKeys?: boolean
  /** Pages of PDFs can be shown as pictures. */
  readonly pictures?: boolean
  /** A sample file can be tried: `GET /api/web/sample`. */
  readonly sample?: boolean
}

/** Response of `GET /api/web/channels/:id/messages`: the newest threads, oldest first. */
export interface WebHistory {
  readonly messages: readonly WebMessage[]
  /** `before` of the page of older messages; null when no message is older. */
  readonly before: string | null
}

/** Body of `POST /api/web/channels/:id/messages`. The same id again is the same message. */
export interface WebPost {
  readonly id: string
  readonly text: string
  readonly name?: string
  readonly thread?: string
  /** Ids of uploads, from `PUT /api/web/uploads/:id`. */
  readonly files?: readonly string[]
}

/** `channel`: the channel or chat of the message that dropped it. */
export type WebFile = ChannelFile & { readonly channel: string }

/** Response of `GET /api/web/search`: newest messages first. */
export interface WebFindings {
  readonly messages: readonly WebFinding[]
  /** `excerpt`: the words are in the text, not in the name. */
  readonly files: readonly (WebFile & { readonly excerpt?: string })[]
}

export interface WebFinding {
  readonly id: string
  readonly channel: string
  readonly author: string
  readonly sentAt: string
  /** The part of the text around the first find. */
  readonly excerpt: string
}

/** Response of `GET` and `DELETE /api/web/tokens`. */
export interface WebTokens {
  /** Where programs ask. */
  readonly address: string
  /** Names of all tools. */
  readonly tools: readonly string[]
  readonly tokens: readonly TokenInfo[]
}

/** Body of `POST /api/web/tokens`; default: no limits. */
export interface WebTokenWish extends TokenScope {
  readonly name: string
}

export interface WebFailure {
  readonly error: { readonly code: string; readonly message: string }
}

/** One server-sent event. */
export type WebEvent =
  /** First event of every connection. `resumed` false: reload everything shown. */
  | { readonly type: 'hello'; readonly resumed: boolean }
  | { readonly type: 'message'; readonly message: WebMessage }
  /** `at`: length of the text before this piece, in UTF-16 units. */
  | {
      readonly type: 'delta'
      readonly channel: string
      readonly id: string
      readonly at: number
      readonly text: string
    }
  | { readonly type: 'removed'; readonly channel: string; readonly id: string }
  | { readonly type: 'channel'; readonly channel: WebChannel }
  | { readonly type: 'channel-gone'; readonly channel: string }
  | { readonly type: 'status'; readonly status: WebStatus }
