import type { Author } from './author.ts'
import type { FileRefusal } from './errors.ts'
import type { Prompt } from './prompt.ts'

/**
 * Data between an adapter and the bridge: plain objects that survive `JSON.stringify`. A message is stored before it is
 * acknowledged, and may be handled after a restart.
 */

/** A place where messages are written. All ids are immutable ids of the chat service, never names. */
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

/** `voice` was recorded in the chat service; `audio` is an uploaded sound file. */
export type AttachmentKind = 'voice' | 'audio' | 'image' | 'document' | 'other'

export interface Attachment {
  /** The service's id of the file. */
  readonly id: string
  readonly name: string
  /** As reported by the service; may be wrong or empty. */
  readonly mimeType: string
  readonly kind: AttachmentKind
  /** As reported; the real size is counted while reading. */
  readonly sizeBytes?: number
  readonly durationMs?: number
  /** Opens the bytes again, also after a restart. Read only by the adapter that made it; never holds a credential. */
  readonly locator: string
  /** Locator of the service's own transcript of a recording, as WebVTT. Opening it may wait for the service. */
  readonly captions?: string
  /** The client made this file of a long text that somebody typed or pasted: it may be the message itself. */
  readonly isPaste?: true
  /** The service does not hand it out, for this reason with a remedy: it can't be opened. */
  readonly refused?: FileRefusal
}

export interface Message {
  readonly id: string
  readonly conversation: ConversationRef
  readonly author: Author
  /** Markdown without our own mention. May be empty: files or a voice message are a request too. */
  readonly text: string
  /** Footbridge was mentioned, or this is a direct message. The bridge itself recognises follow-ups. */
  readonly addressed: boolean
  /** Addressed only because every message of this place is: it does not mention us, and may be a reply to people. */
  readonly byPlace?: true
  /** Somebody else was mentioned: then a follow-up without our mention is not for us. */
  readonly mentionsOthers: boolean
  /** The message that this one replies to, if the service has such a relation (Discord). */
  readonly replyTo?: string
  /** The first message of its thread is from Footbridge, if the service tells (Slack). */
  readonly underOurs?: true
  readonly attachments: readonly Attachment[]
  /** A recording among people may be meant for them: unless it replies to us, it is answered on request. */
  readonly isAmongPeople?: boolean
  /** Channels that the text names (`#channel`), in order, without duplicates; absent if none. */
  readonly channels?: readonly NamedConversation[]
  /** Messages whose addresses the text has, of any channel; absent if none. Whether people may read them is not checked. */
  readonly linked?: readonly MessageRef[]
  /** People whom the text mentions, except Footbridge, without duplicates; absent if none. */
  readonly mentions?: readonly Pick<Author, 'id' | 'name'>[]
  /** ISO 8601. */
  readonly sentAt: string
  /** It is for us, and the service does not tell what it says: no words, no files. */
  readonly isWithheld?: true
  /** Sent while Footbridge was away, and too old for an answer. Its files are ingested. */
  readonly missed?: true
}

/** A channel with its name and ids. */
export interface NamedConversation {
  readonly name: string
  readonly conversation: ConversationRef
}

/** A message that we sent. */
export interface MessageRef {
  readonly conversation: ConversationRef
  readonly id: string
}

/** A button under our message. `id` is one of `ACTION`; `value` is opaque to adapters. */
export interface Action {
  readonly id: string
  readonly label: string
  /** At most 60 characters: longer data is stored as a button payload, and its key is the value. */
  readonly value: string
  readonly style?: 'danger' | 'primary'
  /** Buttons of one group: the person's last choice stays pressed, where the service can show that (votes). */
  readonly group?: string
  /** A press opens a dialog for a text, carried by the `action`. */
  readonly prompt?: Prompt
  /** Pressing it opens a form: the press has a ticket for `Adapter.showForm`. */
  readonly form?: true
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
  /** The sentence of the passage that supports the answer, verbatim; shown highlighted. */
  readonly support?: string
  /** Version of the file: 1 for the first of this name, 2 for its replacement, and so on. */
  readonly version?: number
  /** Display name of the person who dropped the file. */
  readonly droppedBy?: string
  /** ISO 8601. */
  readonly droppedAt?: string
  /** Permalink of the message that dropped it. */
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
  /** With `failed`: the reason and a remedy. With `ready`: for example which version it replaces. */
  readonly note?: string
  /** Id of the file in `ChannelFiles`. */
  readonly fileId?: string
  /** Buttons of `Outgoing.actions` that are about this file, with short labels, for a service that groups them. */
  readonly actions?: readonly Action[]
}

/** A message to show. `text` alone must be enough for a service that shows nothing else. */
export interface Outgoing {
  /** Stable id of this send, at most 25 of `[A-Za-z0-9_-]`: the same id is the same message (`nonce`, metadata). */
  readonly sendId: string
  readonly kind: 'answer' | 'receipt' | 'notice' | 'error' | 'passages'
  /** More text follows. */
  readonly isGrowing?: true
  /** CommonMark with GFM tables. Never longer than `limits` allows: the bridge splits. */
  readonly text: string
  readonly references?: readonly Reference[]
  /** The files do not surely answer: references are passages near the question; the second paragraph lists them. */
  readonly isUnsure?: true
  /** Name of the language model that wrote the answer. */
  readonly model?: string
  /** Each reference is a card that opens in a pane, of this answer. Only where `App.opensReferences`. */
  readonly cardsOf?: { readonly answer: string; readonly at: number }
  /** Title over their passages, where these are folded away. */
  readonly passagesTitle?: string
  /** Small print under the references: one line of plain words. */
  readonly note?: string
  readonly receipt?: readonly ReceiptItem[]
  readonly actions?: readonly Action[]
  /** The message that this one replies to. */
  readonly replyTo?: string
  /** Visible to this person alone, if the service supports it; else visible to all. */
  readonly privateTo?: string
  /** Ids of the only people whom the message mentions. */
  readonly notify?: readonly string[]
  /** `ticket` of the command or press that this send answers; only the adapter that made it can read it. */
  readonly ticket?: string
}

type FileCommand = 'ask' | 'add' | 'files' | 'forget' | 'retry' | 'collection' | 'save' | 'model'
/** Commands by a slash; `ask`, `forget`, `save` and `translate` also on a message. */
export type CommandName =
  | FileCommand
  | 'usage'
  | 'language'
  | 'settings'
  | 'help'
  | 'translate'
  | 'connect'
  | 'disconnect'

/** A command as somebody called it. */
export interface CommandCall {
  readonly name: CommandName
  /** Question, name of a file or model …; empty without one. */
  readonly argument: string
  /** The message that it is called on. */
  readonly target?: Message
  /** Everybody sees the answer. Default: only the person who called it. */
  readonly shared?: boolean
  /** The channel that the argument names. */
  readonly channel?: NamedConversation
  /** Files that were handed over with the call. */
  readonly attachments?: readonly Attachment[]
}

interface Event<Kind extends string> {
  readonly kind: Kind
  readonly key: string
  readonly conversation: ConversationRef
}

/** An event that a person caused. */
interface PersonEvent<Kind extends string> extends Event<Kind> {
  readonly author: Author
}

/** Every event for the bridge. Delivered twice, it has the same `key`; `trace` is the W3C `traceparent` of its arrival. */
export type Inbound = (
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: Message
      /** A complete twin may follow under the same key (Slack's `app_mention` before its `message`) and replaces it. */
      readonly provisional?: boolean
    }
  | {
      readonly kind: 'edit'
      readonly key: string
      readonly message: Message
      /** The complete twin of a provisional message whose job had begun without its attachments. Not from an adapter. */
      readonly completes?: boolean
    }
  | (Event<'delete'> & { readonly messageId: string })
  /** Files were removed from a message; `left` are the ids of the remaining ones. Sent after every change of the message. */
  | (Event<'files-left'> & { readonly messageId: string; readonly left: readonly string[] })
  /** A file (`Attachment.id`) was deleted from all messages of the workspace, or of one `channel`; the messages may stay. */
  | {
      readonly kind: 'file-gone'
      readonly key: string
      readonly adapter: string
      readonly workspace: string
      readonly channel?: string
      readonly attachmentId: string
    }
  /** Footbridge was removed from this workspace: all that is known of it has to go. */
  | { readonly kind: 'workspace-gone'; readonly key: string; readonly adapter: string; readonly workspace: string }
  | (PersonEvent<'action'> & {
      /** Our message with the button. */
      readonly messageId: string
      readonly action: {
        readonly id: string
        readonly value: string
        /** The text typed in the dialog of an action with a `prompt`. */
        readonly text?: string
      }
      /** Only the person who pressed sees the message with the button. */
      readonly isPrivate?: boolean
      readonly ticket?: string
    })
  /** A slash command, or a command on a message. The adapter defers its answer at once. */
  | (PersonEvent<'command'> & {
      /** In place of the message that asked: `Outgoing.replyTo` and `find` name it. */
      readonly messageId: string
      readonly command: CommandCall
      /** ISO 8601. */
      readonly sentAt: string
      /** How the adapter answers the call, also after a restart: opaque, and given back with each send. */
      readonly ticket?: string
    })
  /** A message has addresses that may lead to answers: for `App.showCards`. */
  | (PersonEvent<'links'> & { readonly messageId: string; readonly urls: readonly string[] })
  /** Somebody opened the card of this address, or of a reference; `ticket` is that of the press: for `App.showDetails`. */
  | (PersonEvent<'details'> & {
      readonly url: string
      readonly reference?: { readonly answer: string; readonly number: number }
      readonly ticket: string
    })
  /** Somebody opened their overview, or another channel next to it: for `App.showOverview`. */
  | (PersonEvent<'overview'> & { readonly beside?: ConversationRef })
  /** Somebody marked a message with 📌, to save it. */
  | (PersonEvent<'pin'> & { readonly messageId: string })
  /** No questions can come from this channel any more: it is archived, or we left. `isDeleted`: it is deleted. */
  | (Event<'channel-gone'> & { readonly isDeleted?: true })
  /** More or fewer people may read this channel from now on. Nothing is stored. */
  | Event<'channel-changed'>
  | PersonEvent<'stop'>
) & { readonly trace?: string }

export type InboundOf<Kind extends Inbound['kind']> = Extract<Inbound, { readonly kind: Kind }>

/** Conversation of an event. The deletion of a file, or the end of a workspace, belongs to no channel. */
export function conversationOf(inbound: Inbound): ConversationRef {
  if (inbound.kind === 'file-gone' || inbound.kind === 'workspace-gone') {
    return { adapter: inbound.adapter, workspace: inbound.workspace, channel: '', direct: false }
  }
  return inbound.kind === 'message' || inbound.kind === 'edit' ? inbound.message.conversation : inbound.conversation
}
