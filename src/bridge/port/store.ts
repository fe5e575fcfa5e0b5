/** What the bridge needs kept, in its own words: the store implements it, and one contract suite runs against each store. */
import type { Answers, Choices, Offers, Spending } from './answer-store.ts'
import type { Attachment, ConversationRef, Inbound, MessageRef, ReceiptState } from './message.ts'

export type JobState = 'queued' | 'running' | 'done' | 'dead'

/** One accepted event and the work that it asks for. */
export interface Job {
  /** `Inbound.key`. */
  readonly id: string
  /** Jobs with the same lane run in order of arrival, one at a time. */
  readonly lane: string
  readonly inbound: Inbound
  /** How often it was started, this time included. */
  readonly attempt: number
  readonly createdAt: number
}

export interface StoredJob extends Job {
  readonly state: JobState
  readonly reason?: string
}

/** The durable door: event and job are one row, on the disk before the ack. The only dedupe layer. */
export interface Inbox {
  /**
   * Stores the event. `duplicate`: this key is known (for 7 days at least). A provisional event is held back until
   * `dueAt`; its twin, when it comes in time, takes its place and is due at once. Whoever looks next finds it; `stored`
   * resolves when it is on the disk (of a duplicate: the one that was known), and rejects when that can't be told.
   */
  accept(
    inbound: Inbound,
    options: {
      readonly lane: string
      /** Key of the message that it is about, for `ofMessage`. */
      readonly message?: string
      readonly dueAt: number
      readonly now: number
    },
  ): Promise<{
    readonly outcome: 'accepted' | 'replaced' | 'duplicate'
    readonly stored: Promise<void>
  }>
  /** The oldest due job of each lane that is not running, marked as running. */
  claim(now: number, max: number): Promise<readonly Job[]>
  /** Whether anything in this lane waits or is at work; with `author`: a message of theirs. */
  hasOpen(lane: string, author?: string): Promise<boolean>
  /** When the next held-back job falls due, if there is one. */
  nextDueAt(): Promise<number | undefined>
  complete(id: string, now: number): Promise<void>
  /** Puts it back until `dueAt`. */
  retry(id: string, dueAt: number, reason: string, now: number): Promise<void>
  /** Gives up on it; it stays visible. */
  bury(id: string, reason: string, now: number): Promise<void>
  /** On start: what was running when the process died is queued again. Returns how many. */
  recover(now: number): Promise<number>
  /** Forgets finished work from before `before` (milliseconds). */
  prune(before: number): Promise<number>
  job(id: string): Promise<StoredJob | undefined>
  /** The job that a message made; of one that was none of our business before an edit, that of the edit. */
  ofMessage(message: string): Promise<StoredJob | undefined>
  /** The same with all of its edits, in order. */
  allOfMessage(message: string): Promise<readonly StoredJob[]>
  /** Replaces what is on record of an event that is over: its words are to go. */
  restate(id: string, inbound: Inbound): Promise<void>
}

export interface OutboxRow {
  readonly sendId: string
  readonly jobId: string
  /** What this send is to the job: `answer.0`, `receipt`, `transcript` … */
  readonly slot: string
  readonly conversation: ConversationRef
  /** `sending`: it may or may not be out. `sent`: `ref` is known. `closed`: it shows its final text. */
  readonly state: 'sending' | 'sent' | 'closed'
  readonly ref?: MessageRef
  /** What it showed last. */
  readonly text: string
}

/** One row a visible send. */
export interface Outbox {
  open(
    row: Pick<OutboxRow, 'sendId' | 'jobId' | 'slot' | 'conversation' | 'text'>,
    now: number,
  ): Promise<OutboxRow>
  sent(sendId: string, ref: MessageRef, text: string, now: number): Promise<void>
  close(sendId: string, text: string, now: number): Promise<void>
  /** It certainly did not get out, or was removed. */
  drop(sendId: string): Promise<void>
  ofJob(jobId: string): Promise<readonly OutboxRow[]>
  /** By the id of a message that we sent. */
  byMessage(conversation: ConversationRef, messageId: string): Promise<OutboxRow | undefined>
  /** Ids of all our messages in this channel that are on record. */
  known(conversation: ConversationRef): Promise<readonly string[]>
}

export interface ChannelRecord {
  readonly key: string
  readonly conversation: ConversationRef
  /** Plain name of the channel's collection; made from immutable ids and a random part. */
  readonly collection: string
  /** Full id, once created on the platform. */
  readonly collectionId?: string
  /** False: dropped files are left alone here. */
  readonly collecting: boolean
  /** The one-time explanation was shown. */
  readonly explained: boolean
  /** When the platform made the collection, in its own words: another time is another collection of the same name. */
  readonly collectionCreatedAt?: string
  /** Key of the channel whose collection this one uses instead of its own, by an administrator's explicit word. */
  readonly linkedTo?: string
}

export interface Channels {
  get(key: string): Promise<ChannelRecord | undefined>
  put(record: ChannelRecord): Promise<void>
  ofCollection(collection: string): Promise<ChannelRecord | undefined>
  /** Channels that use the collection of this one. */
  linkedTo(key: string): Promise<readonly ChannelRecord[]>
}

/** One dropped file on its way into a collection. Every step is recorded before the next begins. */
export interface LedgerEntry {
  /** Job id and position: `<key>#0`. */
  readonly id: string
  readonly jobId: string
  readonly channel: string
  readonly collection: string
  readonly attachmentId: string
  /** Name shown to people. */
  readonly displayName: string
  /** Flat, NFC name in the collection. */
  readonly fileName: string
  readonly state: ReceiptState
  readonly sha256?: string
  readonly sizeBytes?: number
  readonly chunks?: number
  readonly note?: string
  readonly droppedBy: string
  /** Display name at that time. */
  readonly droppedByName?: string
  /** ISO 8601. */
  readonly droppedAt?: string
  readonly messageId: string
  /** Where that message stands, for its address and for a second try. */
  readonly conversation?: ConversationRef
  /** To open the bytes again for a second try. */
  readonly attachment?: Attachment
  /** 1 for the first file of this name in the collection, and so on. */
  readonly version?: number
  /** Its bytes were on their way once: what stands under its name on the platform may be its own. */
  readonly sent?: true
  /** Messages beside `messageId` whose words stand in it. */
  readonly alsoFrom?: readonly string[]
  /** Id of the entry that this one replaced. */
  readonly replaces?: string
  /** Name in the collection of the original of a converted file. */
  readonly originalName?: string
  /** Id of the entry that took its place: then it stands in the collection no more. */
  readonly replacedBy?: string
  /** Id of the entry with the same bytes, where nothing had to be taken in. */
  readonly sameAs?: string
  /** The job that brings it to its end, where that is not the one that dropped it. */
  readonly drivenBy?: string
  /** With `failed`: another try would end the same way. */
  readonly hopeless?: true
  /** BCP 47 tag of who dropped it: the language of its receipt. */
  readonly language?: string
  readonly updatedAt: number
}

export interface Ledger {
  put(entry: LedgerEntry): Promise<void>
  get(id: string): Promise<LedgerEntry | undefined>
  ofJob(jobId: string): Promise<readonly LedgerEntry[]>
  /** Newest first. */
  ofCollection(collection: string): Promise<readonly LedgerEntry[]>
  /** Everything that was dropped as this attachment, wherever; oldest first. */
  ofAttachment(attachmentId: string): Promise<readonly LedgerEntry[]>
  /** Whether anything can be found there. */
  hasReady(collection: string): Promise<boolean>
}

export interface Turn {
  readonly messageId: string
  readonly role: 'user' | 'assistant'
  readonly author: string
  readonly text: string
  readonly at: number
}

export interface Transcripts {
  /** Replaces the turn of the same message id and role. */
  append(lane: string, channel: string, turn: Turn): Promise<void>
  /** Oldest first, at most `limit` of the newest. */
  of(lane: string, limit: number): Promise<readonly Turn[]>
  /** The lane in which a message (theirs or ours) stands. */
  laneOf(channel: string, messageId: string): Promise<string | undefined>
  /** Whether anything was asked in this lane: then follow-ups need no mention. */
  has(lane: string): Promise<boolean>
  /** Whether this person asked something in this lane. */
  asked(lane: string, author: string): Promise<boolean>
  remove(channel: string, messageId: string): Promise<void>
}

/** Bytes on their way from a chat service to the platform; kept until the job is over, so that a restart need not download again. */
export interface Spool {
  /** @throws {RangeError} when more than `maxBytes` come. */
  write(
    id: string,
    bytes: ReadableStream<Uint8Array>,
    maxBytes: number,
  ): Promise<{ sizeBytes: number; sha256: string }>
  /** Undefined when it is not there (any more). */
  read(id: string): Promise<Blob | undefined>
  remove(id: string): Promise<void>
}

/** Dropped files, byte for byte: for download, for going back, and to build a collection anew. Counted by the ledger. */
export interface Originals {
  /** Kept once, however often it is given. */
  keep(collection: string, sha256: string, bytes: Blob): Promise<void>
  /** Undefined when it is not there (any more). */
  read(collection: string, sha256: string): Promise<Blob | undefined>
  remove(collection: string, sha256: string): Promise<void>
  /** What is kept of this collection, by hash. */
  list(collection: string): Promise<readonly string[]>
  /** Collections of which anything is kept. */
  collections(): Promise<readonly string[]>
}

/** Texts of files in the collections, as far as there is room: what is not there (any more) is read from the platform again. */
export interface SourceRoom {
  put(key: string, text: string): Promise<void>
  get(key: string): Promise<string | undefined>
  remove(key: string): Promise<void>
}

export interface Store {
  readonly inbox: Inbox
  readonly outbox: Outbox
  readonly channels: Channels
  readonly ledger: Ledger
  readonly transcripts: Transcripts
  readonly answers: Answers
  readonly offers: Offers
  readonly choices: Choices
  readonly spending: Spending
  readonly spool: Spool
  readonly sources: SourceRoom
  readonly originals: Originals
}
