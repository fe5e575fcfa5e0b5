import type { Adapter } from '#bridge/port/adapter.ts'
import type { Attachment, ConversationRef } from '#bridge/port/message.ts'

/** Something that the double sent to the adapter as an event. */
export interface Sent {
  /** The id that `Message.id` must have. */
  readonly id: string
}

/** A message of Footbridge as the double would show it to a person. */
export interface VisibleMessage {
  readonly id: string
  /** All its readable text, with the parts under it, in the service's own markup. */
  readonly text: string
  /** Whom it would notify by its text: people, groups, everyone. */
  readonly notifies: readonly string[]
  /** Id of the only person who sees it; absent: all. */
  readonly only?: string
  /** Names of the files that hang on it. */
  readonly files?: readonly string[]
}

/** A dialog as a person sees it. */
export interface ShownDialog {
  readonly title: string
  readonly label: string
  /** The content of the field before anything is typed. */
  readonly text: string
}

/**
 * - `rate-limited`: the next post is refused once, with the service's least waiting time.
 * - `held`: posts wait until the returned function is called.
 * - `lost-reply`: the next post is carried out, but its answer never arrives.
 * - `refused`: the next post is refused for good (not a member, no permission).
 * - `unreachable`: posts do not reach the service until the returned function is called.
 */
export type FaultKind = 'rate-limited' | 'held' | 'lost-reply' | 'refused' | 'unreachable'

/**
 * An adapter on the double of its service, with one person in one channel. Made anew for each test. All calls resolve
 * as soon as the event is on the wire: never wait for the adapter in them, since `receive` may be held. An optional
 * member that is absent says that the service has nothing of the kind.
 */
export interface AdapterHarness {
  /** Not started. */
  readonly adapter: Adapter
  /** Stops the adapter and gives another on the same account, not started. */
  restart(): Promise<Adapter>
  close(): Promise<void>
  /** Strings that may appear in no event and no error: tokens and the like. */
  readonly secrets: readonly string[]

  /** A person mentions us in the channel. `text` comes without the mention. */
  mention(text: string): Promise<Sent>
  /** A person writes to us alone. */
  direct(text: string): Promise<Sent>
  dropFile(name: string, bytes: Uint8Array): Promise<Sent>
  /** A memo recorded in the service. */
  voice(bytes: Uint8Array): Promise<Sent>
  /** Another program writes, mentioning us. */
  otherBot?(text: string, mentionsUs: boolean): Promise<Sent>
  /** The service reports a message of our own account. */
  ownEcho?(text: string): Promise<Sent>
  /** The service sends the same event again. */
  redeliver(sent: Sent): Promise<void>
  /** One message told by two events (Slack: `app_mention` and `message`), with a file only in the fuller one. */
  twins?(text: string, first: 'poorer' | 'fuller'): Promise<Sent>
  rewrite?(sent: Sent, text: string): Promise<void>
  unsay?(sent: Sent): Promise<void>
  /** Presses a button under a message of Footbridge. */
  press?(messageId: string, label: string): Promise<void>
  /**
   * Presses a button that asks for a text, types this in place of the field's content, and sends it. Returns the dialog
   * as shown.
   */
  fillIn?(messageId: string, label: string, text: string): Promise<ShownDialog>
  /** Id of the person who does all this. */
  readonly person?: string
  /** Id of somebody who is not in the channel. */
  readonly stranger?: string
  /** Somebody whom the service lets administer this channel. */
  admin?(channel: string): Promise<string>
  /** Makes a public channel; `mention` is how a message names it. */
  addRoom?(name: string): Promise<{ readonly id: string; readonly mention: string }>
  /** The person loses access to this channel. */
  leave?(channel: string): Promise<void>
  /** The service shows something to one person alone. */
  readonly alone?: true
  /** `read` reads what we wrote ourselves too. */
  readonly readsOwn?: true

  /** The person marks a message, theirs or ours, with 📌. */
  pin?(messageId: string): Promise<void>
  /** Another program, and our own account, do the same. */
  foreignPins?(messageId: string): Promise<void>
  /** The bytes of a file on a message of Footbridge, as a person downloads them. */
  download?(messageId: string, name: string): Promise<Uint8Array>

  /** Whether the service was told that the event arrived safely. Absent: the service has no such thing. */
  acknowledged?(sent: Sent): boolean

  /** Messages of Footbridge that are in the conversation now, oldest first. */
  visible(conversation: ConversationRef): Promise<readonly VisibleMessage[]>
  /** Markdown that would notify many, or somebody by id, when passed on as it is. */
  readonly massMentions: readonly string[]
  /** How often the bytes of a file were asked for. */
  downloads(): number
  /** Attachments that must not be opened (a foreign host, a redirect to one), and how often that host was reached. */
  foreign(): Promise<{ readonly attachments: readonly Attachment[]; reached(): number }>
  /** The faults that the double can make. */
  readonly faults: readonly FaultKind[]
  /** Begins a fault; the returned function ends it. */
  fault(kind: FaultKind): () => void
  /** An adapter whose credential is wrong. */
  unauthorized?(): Adapter
}
