/**
 * The data that travels between an adapter and the bridge: plain, frozen-able data that survives `JSON.stringify`, with no
 * SDK type in it. A message is written to the store before it is acknowledged and may be handled after a restart.
 */

/** Where something was said. All ids are the chat service's immutable ids, never names. */
export interface ConversationRef {
  /** `Adapter.name`: `slack`, `discord`, `web`. */
  readonly adapter: string
  /** Slack team, Discord guild (`@me` for direct messages), `local` for the web page. */
  readonly workspace: string
  readonly channel: string
  /** Root of the thread inside `channel`, where the service has threads. Absent: the channel itself. */
  readonly thread?: string
  /** A conversation with one person only. */
  readonly direct: boolean
}

export interface Author {
  readonly id: string
  /** Display name, for people; never used to decide anything. */
  readonly name: string
  /** BCP 47 tag, where the service tells it. */
  readonly language?: string
}

/** `voice` is recorded in the chat service itself; `audio` is an uploaded sound file. */
export type AttachmentKind = 'voice' | 'audio' | 'image' | 'document' | 'other'

export interface Attachment {
  /** The service's id of the file. */
  readonly id: string
  readonly name: string
  /** As announced by the service; may be wrong, may be empty. */
  readonly mimeType: string
  readonly kind: AttachmentKind
  /** As announced; the real size is counted while reading. */
  readonly sizeBytes?: number
  readonly durationMs?: number
  /**
   * Opens the bytes again, also after a restart (an id or an address).
   * Only the adapter that made it reads it. It never holds a credential.
   */
  readonly locator: string
}

export interface Message {
  readonly id: string
  readonly conversation: ConversationRef
  readonly author: Author
  /** Markdown, with the mention of Footbridge itself removed. May be empty: files or a voice note are a request too. */
  readonly text: string
  /** Footbridge was mentioned, or this is a direct message. Follow-ups in a known thread are recognised by the bridge. */
  readonly addressed: boolean
  /** Somebody else was mentioned: then an unaddressed follow-up in a thread is not for us. */
  readonly mentionsOthers: boolean
  /** The message that this one answers, where the service has such a relation (Discord replies). */
  readonly replyTo?: string
  readonly attachments: readonly Attachment[]
  /** Channels that the text names (`#channel`), in order, without repetition; absent where it names none. */
  readonly channels?: readonly NamedConversation[]
  /** People whom the text mentions, ourselves left out, without repetition; absent where it mentions nobody. */
  readonly mentions?: readonly Pick<Author, 'id' | 'name'>[]
  /** ISO 8601. */
  readonly sentAt: string
}

/** A channel as people call it, and as the service knows it. */
export interface NamedConversation {
  readonly name: string
  readonly conversation: ConversationRef
}

/** A message that we sent. */
export interface MessageRef {
  readonly conversation: ConversationRef
  readonly id: string
}

/** A button under a message of ours. `id` is one of the bridge's action names; `value` is opaque to adapters. */
export interface Action {
  readonly id: string
  readonly label: string
  /** At most 60 characters: what is longer is kept in the store, and its key stands here. */
  readonly value: string
  readonly style?: 'danger' | 'primary'
  /**
   * Pressing it asks for a text first (a dialog); the `action` that follows carries it. `message`: the field begins with
   * the text of the message that the button stands under.
   */
  readonly prompt?: { readonly title: string; readonly label: string; readonly prefill?: 'message' }
}

/** One numbered reference under an answer. */
export interface Reference {
  /** As in the text: `[1]`. */
  readonly number: number
  /** Name of the file. */
  readonly file: string
  /** `p.3`, `L10-24`, `0:42`. */
  readonly place?: string
  /** Verbatim passage. */
  readonly passage: string
  /** The sentence of the passage that supports the answer, verbatim: to be marked. */
  readonly support?: string
  /** 1 for the first file of this name, 2 for what replaced it, and so on. */
  readonly version?: number
  /** Display name of who dropped the file. */
  readonly droppedBy?: string
  /** ISO 8601. */
  readonly droppedAt?: string
  /** Address of the message that dropped it. */
  readonly link?: string
}

export type ReceiptState =
  | 'received'
  | 'downloading'
  | 'converting'
  | 'uploading'
  | 'indexing'
  | 'ready'
  | 'failed'
  | 'removed'

export interface ReceiptItem {
  readonly file: string
  readonly state: ReceiptState
  /** With `ready`. */
  readonly chunks?: number
  /** With `failed`: a sentence that says why and what to do. With `ready`: what it replaces, and the like. */
  readonly note?: string
}

/** Something to show. `text` alone must be enough for a service that can show nothing else. */
export interface Outgoing {
  /**
   * Stable id of this logical send, at most 25 characters of `[A-Za-z0-9_-]`: the same id again is the same message,
   * not a second one (Discord: `nonce`; Slack: message metadata).
   */
  readonly sendId: string
  readonly kind: 'answer' | 'receipt' | 'notice' | 'error'
  /** CommonMark with GFM tables. Never longer than `limits` allows: the bridge splits. */
  readonly text: string
  readonly references?: readonly Reference[]
  readonly receipt?: readonly ReceiptItem[]
  readonly actions?: readonly Action[]
  /** The message this answers. */
  readonly replyTo?: string
  /** Show it to this person alone, where the service can; else it is shown as usual. */
  readonly privateTo?: string
  /** Ids of people who are told of it: the only mentions that a message of ours ever makes. */
  readonly notify?: readonly string[]
}

/** Everything that reaches the bridge. `key` is what the dedupe layer knows it by: the same thing, told twice, has one key. */
export type Inbound =
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: Message
      /**
       * True when a fuller account of the same message may follow under the same key (Slack's `app_mention` before its
       * `message`): it is kept a moment and replaced by its twin.
       */
      readonly provisional?: boolean
    }
  | { readonly kind: 'edit'; readonly key: string; readonly message: Message }
  | {
      readonly kind: 'delete'
      readonly key: string
      readonly conversation: ConversationRef
      readonly messageId: string
    }
  /** A message stays, and files of it were taken out: these are what it still has. Told of every change, whatever it was. */
  | {
      readonly kind: 'files-left'
      readonly key: string
      readonly conversation: ConversationRef
      readonly messageId: string
      /** `Attachment.id` of each. */
      readonly left: readonly string[]
    }
  /** A file was deleted, in whatever messages of the workspace it stands; these may stay. */
  | {
      readonly kind: 'file-gone'
      readonly key: string
      readonly adapter: string
      readonly workspace: string
      /** `Attachment.id`. */
      readonly attachmentId: string
    }
  | {
      readonly kind: 'action'
      readonly key: string
      readonly conversation: ConversationRef
      readonly author: Author
      /** Message of ours that carries the button. */
      readonly messageId: string
      readonly action: {
        readonly id: string
        readonly value: string
        /** Text typed where the action has a `prompt`. */
        readonly text?: string
      }
    }
  /** Somebody marked a message with 📌: it is to be filed. */
  | {
      readonly kind: 'pin'
      readonly key: string
      readonly conversation: ConversationRef
      readonly author: Author
      readonly messageId: string
    }
  | {
      readonly kind: 'stop'
      readonly key: string
      readonly conversation: ConversationRef
      readonly author: Author
    }

export type InboundOf<Kind extends Inbound['kind']> = Extract<Inbound, { readonly kind: Kind }>

/** Key of a channel in the store: the one place that makes it. */
export function channelKey(conversation: ConversationRef): string {
  return [conversation.adapter, conversation.workspace, conversation.channel].map(encodeURIComponent).join(':')
}

/** Key of one message in the store: the same for the message, its edit and its delete. */
export function messageKey(conversation: ConversationRef, messageId: string): string {
  return `${channelKey(conversation)}/${messageId}`
}

/** Where an event took place. A file is deleted in no channel in particular. */
export function conversationOf(inbound: Inbound): ConversationRef {
  if (inbound.kind === 'file-gone') {
    const { adapter, workspace } = inbound
    return { adapter, workspace, channel: '', direct: false }
  }
  return inbound.kind === 'message' || inbound.kind === 'edit' ? inbound.message.conversation : inbound.conversation
}

/** Queue of a conversation as the service knows it: a thread, a direct conversation, or the channel itself. */
export function conversationQueue(conversation: ConversationRef): string {
  const channel = channelKey(conversation)
  return conversation.thread === undefined ? `${channel}/` : `${channel}/${conversation.thread}`
}
