import type { Attachment, Author, ConversationRef, Inbound, Message, MessageRef, Outgoing } from './message.ts'

/** Resolves when the event is stored for good; only then may the adapter acknowledge it. Rejects: do not acknowledge. */
export type Receive = (inbound: Inbound) => Promise<void>

export interface Limits {
  /** Longest text of one message, in the unit that `measure` counts. */
  readonly textLength: number
  /** Length of this markdown as the service will count it, once the adapter has put it into the service's own markup. */
  readonly measure: (markdown: string) => number
  /** Least time between two edits of one message, milliseconds. The adapter may pace further. */
  readonly editIntervalMs: number
  /** Limits of one native stream: length of its whole text (same unit) and time from open to close, milliseconds. */
  readonly stream?: { readonly textLength: number; readonly lifetimeMs: number }
}

/** A message that grows. Calls are made one after the other, never two at once. */
export interface AnswerStream {
  readonly ref: MessageRef
  /** @throws {AdapterError} `stream-closed` when the service ended the stream: the bridge goes on with `edit` or a new message. */
  append(delta: string): Promise<void>
  /** Ends the message and attaches what belongs under it. `last.text` is the whole text, for services that need it again. */
  finish(last: Outgoing): Promise<void>
}

/**
 * All that knows one chat service. The first six members are required; each further one is a capability, and its
 * presence says that the service has it. A new member needs two adapters that use it, and an ADR.
 */
export interface Adapter {
  readonly name: string
  readonly limits: Limits
  /** Connects and resolves when events flow. Bad credentials reject with a sentence that names the setting. */
  start(receive: Receive): Promise<void>
  /** Stops taking events, lets calls under way settle, disconnects. Idempotent. */
  stop(): Promise<void>
  /** Shows a new message. Never truncates: text over the limit throws `too-long`. */
  post(conversation: ConversationRef, outgoing: Outgoing): Promise<MessageRef>
  /**
   * Opens the bytes of an attachment; works after a restart. Only hosts of the service (and `FILE_HOSTS`) are asked.
   * The caller counts the bytes and stops at its own cap.
   */
  open(attachment: Attachment, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
  /** Replaces a message of ours. */
  edit?(ref: MessageRef, outgoing: Outgoing): Promise<void>
  /** Removes a message of ours. Already gone is success. */
  remove?(ref: MessageRef): Promise<void>
  /** Opens a natively streamed answer with its first visible text. */
  stream?(conversation: ConversationRef, first: Outgoing, asker: Author): Promise<AnswerStream>
  /** Shows that work goes on, until `signal` aborts or a message is posted. Never throws for a sign that could not be shown. */
  status?(conversation: ConversationRef, text: string, signal: AbortSignal): Promise<void>
  /**
   * After a restart: the message that this send made, if it got through before we died. `known` are ids of messages in
   * this conversation that belong to other sends; `after` is the message that was being answered.
   */
  find?(
    conversation: ConversationRef,
    send: { readonly sendId: string; readonly after: string; readonly known: readonly string[] },
  ): Promise<MessageRef | undefined>
  /** Messages of this thread before `before`, oldest first: asked once, when we are called into a thread under way. */
  history?(conversation: ConversationRef, before: string): Promise<readonly Message[]>
  /** Address of a message, for people. */
  permalink?(ref: MessageRef): Promise<string | undefined>
  /** One message as it stands now; undefined when it is gone or out of our reach. */
  read?(ref: MessageRef): Promise<Message | undefined>
  /**
   * Whether this person may read this channel at this moment: asked of the service each time, never remembered. False
   * where it can't be told, and where we are not in the channel ourselves.
   */
  isMember?(conversation: ConversationRef, personId: string): Promise<boolean>
  /** True when the service itself lets this person administer the channel. False where it can't be told. */
  isAdmin?(conversation: ConversationRef, personId: string): Promise<boolean>
  /** The channel's name, and whether everybody of the workspace may read it; undefined when it is out of our reach. */
  about?(conversation: ConversationRef): Promise<ChannelFacts | undefined>
  /** Shows a message with a file to download. `outgoing.text` stands beside it. */
  upload?(conversation: ConversationRef, file: SentFile, outgoing: Outgoing): Promise<MessageRef>
}

export interface ChannelFacts {
  readonly name: string
  readonly isPublic: boolean
}

/** A file that we hand out. */
export interface SentFile {
  readonly name: string
  readonly mimeType: string
  readonly bytes: Blob
}
