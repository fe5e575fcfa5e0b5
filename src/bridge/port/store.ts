/** Data that the bridge must keep, in its own words: the store implements it, and one contract suite runs against each store. */
import type { ConversationRef, Inbound, MessageRef } from './message.ts'
import type { AnswerRecords, ButtonPayloads, Channels, FileRecords, History, Preferences, Usage } from './records.ts'

export type JobState = 'queued' | 'running' | 'done' | 'dead'

/** After so many deaths of the process during a job, the job may be their cause: it runs alone. */
export const SUSPECT_DEATHS = 2

/** One accepted event and the work that it asks for. */
export interface Job {
  /** `Inbound.key`. */
  readonly id: string
  /** Jobs with the same queue run in order of arrival, one at a time. */
  readonly queue: string
  readonly inbound: Inbound
  /** How often it was started, this time included. */
  readonly attempt: number
  /** How often the process died while the job was running; at most `SUSPECT_DEATHS` where other jobs were running beside it. */
  readonly deaths: number
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
      readonly queue: string
      /** Key of the message that it is about, for `ofMessage`. */
      readonly message?: string
      readonly dueAt: number
      readonly now: number
    },
  ): Promise<{
    readonly outcome: 'accepted' | 'replaced' | 'duplicate'
    readonly stored: Promise<void>
  }>
  /**
   * The oldest due job of each queue that is not running, marked as running.
   *
   * @param alone nothing else is running. A job with `SUSPECT_DEATHS` is claimed only then, and as the only one.
   */
  claim(now: number, max: number, alone: boolean): Promise<readonly Job[]>
  /** True when anything in this queue waits or is at work; with `author`: a message of theirs. */
  hasOpen(queue: string, author?: string): Promise<boolean>
  /** When the next held-back job falls due, if there is one. */
  nextDueAt(): Promise<number | undefined>
  complete(id: string, now: number): Promise<void>
  /** Puts it back until `dueAt`. */
  retry(id: string, dueAt: number, reason: string, now: number): Promise<void>
  /** Gives up on it; it stays visible. */
  bury(id: string, reason: string, now: number): Promise<void>
  /** At shutdown: running jobs are queued again, and none of them has died. */
  release(now: number): Promise<void>
  /**
   * On start: jobs that were running when the process died are queued again, each with one death more. A third one counts
   * only for a job that ran alone: beside others nobody knows whose fault it was. Returns how many jobs.
   */
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
  /** Place of this send in its job: `answer.0`, `receipt`, `transcript` … */
  readonly slot: string
  readonly conversation: ConversationRef
  /** `sending`: it may or may not be out. `sent`: `ref` is known. `closed`: it shows its final text. */
  readonly state: 'sending' | 'sent' | 'closed'
  readonly ref?: MessageRef
  /** The text that it showed last. */
  readonly text: string
}

/** One row a visible send. */
export interface Outbox {
  open(row: Pick<OutboxRow, 'sendId' | 'jobId' | 'slot' | 'conversation' | 'text'>, now: number): Promise<OutboxRow>
  sent(sendId: string, ref: MessageRef, text: string, now: number): Promise<void>
  close(sendId: string, text: string, now: number): Promise<void>
  /** It certainly did not get out, or was removed. */
  drop(sendId: string): Promise<void>
  ofJob(jobId: string): Promise<readonly OutboxRow[]>
  /** The row of a message of ours. */
  byMessage(conversation: ConversationRef, messageId: string): Promise<OutboxRow | undefined>
  /** Ids of all our messages in this channel that are on record. */
  known(conversation: ConversationRef): Promise<readonly string[]>
}

/** Bytes on their way from a chat service to the platform; kept until the job is over, so that a restart need not download again. */
export interface Spool {
  /** @throws {RangeError} when more than `maxBytes` come. */
  write(id: string, bytes: ReadableStream<Uint8Array>, maxBytes: number): Promise<{ sizeBytes: number; sha256: string }>
  /** Undefined when it is not there (any more). */
  read(id: string): Promise<Blob | undefined>
  remove(id: string): Promise<void>
}

/** Dropped files, byte for byte: for download, for going back, and to build a collection anew. Named by the file records. */
export interface Originals {
  /** Kept once, however often it is given. */
  keep(collection: string, sha256: string, bytes: Blob): Promise<void>
  /** Undefined when it is not there (any more). */
  read(collection: string, sha256: string): Promise<Blob | undefined>
  remove(collection: string, sha256: string): Promise<void>
  /** Hashes of everything kept of this collection. */
  list(collection: string): Promise<readonly string[]>
  /** Collections of which anything is kept. */
  collections(): Promise<readonly string[]>
}

/** Texts of files in the collections, as far as there is room: what is not there (any more) is read from the platform again. */
export interface SourceCache {
  put(key: string, text: string): Promise<void>
  get(key: string): Promise<string | undefined>
  remove(key: string): Promise<void>
}

export interface Store {
  readonly inbox: Inbox
  readonly outbox: Outbox
  readonly channels: Channels
  readonly files: FileRecords
  readonly history: History
  readonly answers: AnswerRecords
  readonly buttonPayloads: ButtonPayloads
  readonly preferences: Preferences
  readonly usage: Usage
  readonly spool: Spool
  readonly sources: SourceCache
  readonly originals: Originals
}
