import type { Card, Details, Form, Overview } from './forms.ts'
import type { Author, PersonKind } from './author.ts'
import type {
  Attachment,
  ConversationRef,
  Inbound,
  Message,
  MessageRef,
  NamedConversation,
  Outgoing,
} from './message.ts'

/** Resolves once the event is stored durably; only then may the adapter acknowledge it. Rejects: do not acknowledge. */
export type Receive = (inbound: Inbound) => Promise<void>

/** A request for completions while somebody types the argument of a command. */
export interface SuggestionRequest {
  readonly about: 'files' | 'collections' | 'models'
  readonly conversation: ConversationRef
  readonly personId: string
  readonly typed: string
}

export interface Suggestion {
  readonly label: string
  /** Argument of the command: a name; of a collection, the id of its channel. */
  readonly value: string
}

/** At most 25, best first, within a second: later ones are left out. Never rejects. */
export type Suggest = (asked: SuggestionRequest) => Promise<readonly Suggestion[]>

/** Measures a text by its pieces; each character is read a few times at most. */
export interface Meter {
  /** @returns the length of all pieces together, as `measure` counts, or a little more */
  add(piece: string): number
}

/** A message of a person that Footbridge has handled, as it was then. */
export interface HandledMessage {
  readonly id: string
  readonly text: string
  /** `Attachment.id` of each. */
  readonly attachments: readonly string[]
}

/**
 * The newest handled messages of this conversation, at most `limit`: an adapter that was away compares them with what
 * the service shows now, and delivers the edits and deletions that it missed. A channel's own messages are without those of its threads.
 */
export type Recall = (conversation: ConversationRef, limit: number) => Promise<readonly HandledMessage[]>

/** `standby`: another process has the connection, and this one waits to take over. */
export type ConnectionState = boolean | 'standby'

export type WorkspaceKind = 'company' | 'server'

export interface Limits {
  /** Longest text of one message, in the unit that `measure` counts. */
  readonly textLength: number
  /** Length as the service counts it, after the adapter's conversion to the service's markup. */
  readonly measure: (markdown: string) => number
  /** For a text that grows; absent: all of it is measured again. */
  readonly meter?: () => Meter
  /** Least time between two edits of one message, milliseconds. The adapter may slow down further. */
  readonly editIntervalMs: number
  /** The same of a message that one person sees; absent: it can't be edited at a pace, and is shown once complete. */
  readonly privateEditIntervalMs?: number
  /** Longest text of a message that one person sees; default `textLength`. */
  readonly privateTextLength?: number
  /** The service passes on only what is addressed to Footbridge: mentions, replies that ping, direct messages, commands. May change. */
  readonly onlyAddressed?: boolean
  /** A status shows no text, so the progress of long work is shown by a message. */
  readonly wordlessStatus?: true
  /** Reference lines show passages shortened: a button shows them whole, privately. */
  readonly shortensPassages?: true
  /** Limits of one native stream: length of its whole text (same unit), and time from open to close in milliseconds. */
  readonly stream?: { readonly textLength: number; readonly lifetimeMs: number }
}

/** A message that grows. Calls are sequential. */
export interface AnswerStream {
  readonly ref: MessageRef
  /** @throws {AdapterError} `stream-closed` when the service ended the stream: the bridge goes on with `edit` or a new message. */
  append(delta: string): Promise<void>
  /** Ends the message, with references and buttons. `last.text` is the whole text, for services that need it again. */
  finish(last: Outgoing): Promise<void>
}

/**
 * Everything specific to one chat service. Every chat service has the required members. Optional members, at most ten,
 * are capabilities, present if the service has them; those that one adapter alone has are in groups. A new one needs an ADR.
 */
export interface Adapter {
  readonly name: string
  readonly limits: Limits
  /** Connects and resolves when events flow. Bad credentials reject with a sentence that names the setting. */
  start(receive: Receive, suggest?: Suggest, recall?: Recall): Promise<void>
  /** Stops accepting events, waits for running calls, disconnects. Idempotent. */
  stop(): Promise<void>
  /** Whether events arrive now, or in another process (`standby`). For operators. */
  isConnected(): ConnectionState
  /** Posts a new message. Never truncates: text over the limit throws `too-long`. */
  post(conversation: ConversationRef, outgoing: Outgoing): Promise<MessageRef>
  /** Removes a message of Footbridge. Succeeds if it is already gone. */
  remove(ref: MessageRef): Promise<void>
  /**
   * Opens the bytes of an attachment; works after a restart. Only hosts of the service (and `FILE_HOSTS`) are
   * requested. The caller enforces its own size limit.
   */
  open(attachment: Attachment, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
  /** Shows a status until `signal` aborts or a message is posted. Never throws if it cannot be shown. */
  status(conversation: ConversationRef, text: string, signal: AbortSignal): Promise<void>
  /**
   * After a restart: the message of this send, if it was posted before the crash. `known` are ids of messages of other
   * sends in this conversation; `after` is the message being answered; `isAnswer`: a status may still show.
   */
  find(
    conversation: ConversationRef,
    send: {
      readonly sendId: string
      readonly after: string
      readonly known: readonly string[]
      readonly ticket?: string
      readonly isAnswer?: boolean
    },
  ): Promise<MessageRef | undefined>
  /**
   * Messages of this thread before `before`, oldest first; of programs, those that the thread is about.
   *
   * @param since the id of a message of a person: our own messages are left out, and of a long thread only the first
   * message and those after this one are needed
   */
  history(conversation: ConversationRef, before: string, since?: string): Promise<readonly Message[]>
  /** Permalink of a message. */
  permalink(ref: MessageRef): Promise<string | undefined>
  /** The current state of a message; undefined if it is deleted or not accessible. */
  read(ref: MessageRef): Promise<Message | undefined>
  /**
   * Whether this person may read this channel now: asked of the service each time, never cached. False if unknown, and
   * where we are not a member ourselves.
   */
  isMember(conversation: ConversationRef, personId: string): Promise<boolean>
  /** Whether the service lets this person administer the channel, or with an empty channel the workspace. False if unknown. */
  isAdmin(conversation: ConversationRef, personId: string): Promise<boolean>
  /**
   * The channel's name, and whether the whole workspace may read it; undefined if it is not accessible.
   *
   * @param mayBeConfirmed an earlier answer of the service is enough if an event of the last seconds confirms who may
   * read the channel. Default false.
   */
  describeChannel(conversation: ConversationRef, mayBeConfirmed?: boolean): Promise<ChannelFacts | undefined>
  /** Replaces a message of Footbridge. */
  edit?(ref: MessageRef, outgoing: Outgoing): Promise<void>
  /** Opens a natively streamed answer with its first visible text. */
  stream?(conversation: ConversationRef, first: Outgoing, asker: Author): Promise<AnswerStream>
  /** Posts a message with a file to download, and `outgoing.text`. */
  upload?(conversation: ConversationRef, file: SentFile, outgoing: Outgoing): Promise<MessageRef>
  /** Shows the form that a press waits for; `ticket` is that of the press. */
  showForm?(conversation: ConversationRef, ticket: string, form: Form): Promise<void>
  /**
   * Marks a person's message as seen, or its thread as solved (the asker says that an answer helped) or as asked (people
   * are asked, and the question waits for them), or takes the mark back. A mark that the service does not have is left out.
   */
  mark?(message: MessageRef, mark: 'seen' | 'solved' | 'asked', isSet: boolean): Promise<void>
  /** The message at this address, or the one that dropped the file there; undefined: no permalink of this service. */
  messageAt?(url: string): Promise<Linked | undefined>
  /** Absent: everybody is a member. */
  readonly people?: People
  /** Absent: people hold no roles. */
  readonly roles?: Roles
  /** Absent: there is no app that people see next to its messages. */
  readonly app?: App
}

/** Content that an address leads to. */
export interface Linked extends MessageRef {
  /** Id of one file (`ChannelFile`), where the address is that of a file. */
  readonly file?: string
}

/** Kinds of people. */
export interface People {
  /**
   * The people who are not members. `company`: guests, and people of other companies. `server`: guests who have not
   * accepted the rules yet, or came to a voice channel only.
   */
  readonly workspaceKind: WorkspaceKind
  /**
   * The person's kind in the workspace now; at most a minute old. `stranger`: may not read this channel (any more).
   * Undefined if unknown: nothing is then allowed, nor to strangers.
   * @throws {AdapterError} when the service can't be asked now
   */
  kindOf(conversation: ConversationRef, personId: string): Promise<PersonKind | 'stranger' | undefined>
  /**
   * The person as described now, for a service that may tell of a message before it tells who wrote it; undefined: no
   * more is known. Never throws.
   */
  describe(conversation: ConversationRef, personId: string): Promise<Author | undefined>
}

/** Roles that people of a workspace hold. */
export interface Roles {
  /** The roles of the channel's workspace; undefined if it is not accessible. */
  list(conversation: ConversationRef): Promise<readonly Role[] | undefined>
  /** Whether this person holds one of these roles, by id, now: asked each time. False if unknown. */
  holds(conversation: ConversationRef, personId: string, roles: readonly string[]): Promise<boolean>
}

export interface Role {
  readonly id: string
  readonly name: string
}

/** Views of an app that is installed in a workspace, beyond its messages. */
export interface App {
  /** Replaces the overview of this person as a whole. */
  showOverview(conversation: ConversationRef, personId: string, overview: Overview): Promise<void>
  /** Shows these cards under a message of somebody, to everybody who sees it. */
  showCards(message: MessageRef, cards: readonly Card[]): Promise<void>
  /** A message with `Outgoing.cardsOf` shows cards of its references. Default false. */
  readonly opensReferences?: boolean
  /** Shows the details of a card to the person who opened it. A ticket that is too old is left. */
  showDetails(conversation: ConversationRef, ticket: string, details: Details): Promise<void>
  /** Channels that this person and we are in now; at most a few hundred. */
  channelsOf(workspace: string, personId: string): Promise<readonly NamedConversation[]>
  /** Whether Footbridge is installed in this workspace itself, now: after its removal it may have been installed again. */
  isInstalled(workspace: string): Promise<boolean>
}

export interface ChannelFacts {
  readonly name: string
  readonly isPublic: boolean
  /** People of other companies are in it. Default false. */
  readonly isShared?: boolean
  /** Only adults may look at it: its files are shown nowhere else. Default false. */
  readonly isAgeRestricted?: boolean
  /** Nothing can be written in it now: it is archived, or we are not in it. Default false. */
  readonly isClosed?: boolean
}

/** A file that we send. */
export interface SentFile {
  readonly name: string
  readonly mimeType: string
  readonly bytes: Blob
}
