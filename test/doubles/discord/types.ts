/** The state of the Discord double: Discord's own objects, reduced to the fields that its clients read. */

export interface DoubleUser {
  readonly id: string
  readonly username: string
  readonly global_name: string
  readonly bot: boolean
}

export interface DoubleFile {
  readonly id: string
  readonly channelId: string
  /** As it was called when it was uploaded. */
  readonly name: string
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly durationSecs?: number
}

interface DoubleButton {
  readonly type: number
  readonly content?: string
  readonly options?: readonly { readonly label: string; readonly value: string; readonly default?: boolean }[]
  readonly components?: readonly DoubleButton[]
  readonly style?: number
  readonly label?: string
  readonly custom_id?: string
}

export interface DoubleRow {
  readonly type: number
  readonly components?: readonly DoubleButton[]
}

export interface DoubleReference {
  readonly type?: number
  readonly message_id: string
  readonly channel_id: string
}

export interface DoubleMessage {
  readonly id: string
  readonly channelId: string
  readonly author: DoubleUser
  content: string
  readonly timestamp: string
  editedTimestamp: string | null
  readonly type: number
  flags: number
  files: readonly DoubleFile[]
  mentions: readonly DoubleUser[]
  mentionRoles: readonly string[]
  mentionEveryone: boolean
  readonly reference?: DoubleReference
  components: readonly DoubleRow[]
  /** Ids of people by emoji. */
  readonly reactions?: Map<string, Set<string>>
  readonly nonce?: string | number
  readonly webhook: boolean
  /** Id of the only person who sees it. */
  readonly only?: string
  /** Command that it answers. */
  readonly command?: string
  readonly calledBy?: string
  /** Token of the interaction that it answers. */
  readonly ofInteraction?: string
  /** Merged over the payload as it is, for shapes that Discord seldom sends. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** Kinds of channels that Footbridge meets. */
export const channelTypes = {
  text: 0,
  direct: 1,
  voice: 2,
  announcement: 5,
  thread: 11,
  privateThread: 12,
  stage: 13,
  forum: 15,
  media: 16,
} as const

export const isThread = (type: number): boolean => type === channelTypes.thread || type === channelTypes.privateThread

export interface DoubleOverwrite {
  readonly id: string
  /** 0 role, 1 person. */
  readonly type: 0 | 1
  readonly allow: string
  readonly deny: string
}

export interface DoubleRole {
  readonly id: string
  readonly name: string
  permissions: string
  /** Id of the bot whose own role it is. */
  readonly bot?: string
}

export interface DoubleMember {
  roles: readonly string[]
  timedOutUntil?: string
  /** The rules of the server are not accepted yet. */
  pending?: boolean
}

/** The result of a press. Its token is good for 15 minutes. */
export interface DoubleInteraction {
  readonly id: string
  readonly token: string
  readonly channelId: string
  readonly user: DoubleUser
  readonly messageId: string
  /** Name of the command that was called. */
  readonly command?: string
  readonly at: number
  /** The type of the first answer. */
  answered?: number
  modal?: Readonly<Record<string, unknown>>
  choices?: readonly { readonly name: string; readonly value: string }[]
  /** Id of the message that was deferred. */
  original?: string
}

export interface DoubleChannel {
  readonly id: string
  readonly type: number
  readonly name: string
  readonly parentId?: string
  /** Age-restricted. */
  readonly nsfw?: boolean
  readonly recipient?: DoubleUser
  /** Of a direct conversation: id of the bot. */
  readonly with?: string
  /** Of a server in which the bot is not. */
  readonly guildId?: string
  readonly messages: Map<string, DoubleMessage>
  overwrites: readonly DoubleOverwrite[]
  /** Of a private thread: ids of the people in it. */
  readonly threadMembers: Set<string>
  /** Of a forum, by id. */
  readonly tags?: Readonly<Record<string, string>>
  /** Of a forum post: ids. */
  appliedTags?: readonly string[]
  /** Of a thread: closed until somebody writes, or may; nobody but moderators may write. */
  archived?: boolean
  locked?: boolean
  /** Between two messages of the bot, whatever Discord says of bots in slow mode, and when it may write again. */
  slowModeMs?: number
  freeAt?: number
  /** Set: every REST call about it is refused with 50001. */
  hidden?: boolean
  /** Set: the bot may not read the history. Lists are empty then, and single messages are refused. */
  hidesHistory?: boolean
}

/** One REST or file request, as it came in. */
export interface DoubleCall {
  readonly method: string
  /** With placeholders: `/channels/:channel/messages`. */
  readonly route: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
  readonly authorization: string | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
  /** 0 while unanswered. */
  status: number
}

/** A fault on a route, once (or `times` times). */
export type DoubleFault =
  | {
      readonly kind: 'rate-limit'
      /** Sent as whole seconds in `Retry-After`, as Discord does. */
      readonly retryAfterMs: number
      readonly global?: boolean
      readonly times?: number
    }
  | {
      readonly kind: 'status'
      readonly status: number
      readonly body?: unknown
      /** Carries the request out first: the answer alone is lost. */
      readonly afterCommit?: boolean
      readonly times?: number
    }
  | { readonly kind: 'hang' | 'reset'; readonly afterCommit?: boolean; readonly times?: number }
  | { readonly kind: 'redirect'; readonly location: string; readonly times?: number }
  /** Answered only when `until` resolves; `afterCommit`: people see at once what came of it. */
  | { readonly kind: 'hold'; readonly until: Promise<void>; readonly afterCommit?: boolean; readonly times?: number }

/** A message as a person sees it now. */
export interface TranscriptEntry {
  readonly id: string
  readonly author: string
  readonly bot: boolean
  readonly text: string
  readonly files: readonly string[]
  /** Labels. */
  readonly buttons: readonly string[]
  /** The chosen values of each menu. */
  readonly menus?: readonly string[]
  /** Of a panel, in order. */
  readonly blocks?: readonly { readonly text?: string; readonly chosen?: string; readonly isLine?: boolean }[]
  /** It is a panel (components V2). */
  readonly panel?: boolean
  /** The same, row by row. */
  readonly rows: readonly (readonly { readonly label: string; readonly style: number }[])[]
  readonly replyTo?: string
  /** Name of the only person who sees it. */
  readonly only?: string
  /** Who called which command; it is the answer. */
  readonly called?: { readonly by: string; readonly command: string }
  /** It is a recording of this many seconds. */
  readonly voice?: number
  /** Emoji under it. */
  readonly reactions?: readonly string[]
  readonly edited: boolean
}
