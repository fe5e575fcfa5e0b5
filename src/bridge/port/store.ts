/** The bridge's store interface; one contract suite runs against each implementation. */
import type { ConversationRef, Inbound, MessageRef } from './message.ts'
import type { AnswerRecords, ButtonPayloads, Channels, FileRecords, History, Preferences, Usage } from './records.ts'

export type JobState = 'queued' | 'running' | 'done' | 'dead'

/** After so many process deaths during a job, the job may be the cause: it then runs alone. */
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
  /** How often the process died while the job ran; at most `SUSPECT_DEATHS` while other jobs ran beside it. */
  readonly deaths: number
  readonly createdAt: number
}

export interface StoredJob extends Job {
  readonly state: JobState
  readonly reason?: string
}

/** Accepted events: event and job are one row, on disk before the acknowledgement. The only deduplication. */
export interface Inbox {
  /**
   * Stores the event. `duplicate`: this key is known (for at least 7 days). A provisional event is held back until
   * `dueAt`; a twin that arrives in time replaces it and is due at once. The job can be claimed at once; `stored`
   * resolves when the row is on disk (for a duplicate, the known row) and rejects if that is unknown.
   */
  accept(
    inbound: Inbound,
    options: {
      readonly queue: string
      /** Key of the message that the event is about, for `ofMessage`. */
      readonly message?: string
      readonly dueAt: number
      readonly now: number
    },
  ): Promise<{ readonly outcome: 'accepted' | 'replaced' | 'duplicate'; readonly stored: Promise<void> }>
  /**
   * Claims the oldest due job of each idle queue, and marks it as running.
   *
   * @param alone nothing else is running. A job with `SUSPECT_DEATHS` is claimed only then, and as the only one;
   * after a minute of waiting also beside others.
   */
  claim(now: number, max: number, alone: boolean): Promise<readonly Job[]>
  /** True if this queue has a waiting or running job; with `author`: one of their messages. */
  hasOpen(queue: string, author?: string): Promise<boolean>
  /** Due time of the next delayed job, if there is one. */
  nextDueAt(): Promise<number | undefined>
  complete(id: string, now: number): Promise<void>
  /** Queues it again for `dueAt`. */
  retry(id: string, dueAt: number, reason: string, now: number): Promise<void>
  /** Gives up on it; the row is kept. */
  bury(id: string, reason: string, now: number): Promise<void>
  /** At shutdown: queues running jobs again, without counting a death. */
  release(now: number): Promise<void>
  /**
   * At start: queues the jobs again that were running when the process died, each with one death more. A third death
   * counts only for a job that ran alone: beside others, the cause is unknown. Returns the number of jobs.
   */
  recover(now: number): Promise<number>
  /** Deletes finished jobs from before `before` (milliseconds). Returns their number. */
  prune(before: number): Promise<number>
  job(id: string): Promise<StoredJob | undefined>
  /** The job of a message; if the message was not for us before an edit, that of the edit. */
  ofMessage(message: string): Promise<StoredJob | undefined>
  /** Jobs of messages of this channel (`channelKey`), newest first. */
  newestOf(channel: string, limit: number): Promise<readonly StoredJob[]>
  /** The same job and those of all edits, in order. */
  allOfMessage(message: string): Promise<readonly StoredJob[]>
  /** Replaces the stored event of a finished job, to erase its text. */
  restate(id: string, inbound: Inbound): Promise<void>
}

export interface OutboxRow {
  readonly sendId: string
  readonly jobId: string
  /** Name of this send in its job: `answer.0`, `receipt`, `transcript` … */
  readonly slot: string
  readonly conversation: ConversationRef
  /** `sending`: it may or may not be posted. `sent`: `ref` is known. `closed`: it shows its final text. */
  readonly state: 'sending' | 'sent' | 'closed'
  readonly ref?: MessageRef
  /** The last text shown. */
  readonly text: string
}

/** One row per visible send. */
export interface Outbox {
  open(row: Pick<OutboxRow, 'sendId' | 'jobId' | 'slot' | 'conversation' | 'text'>, now: number): Promise<OutboxRow>
  sent(sendId: string, ref: MessageRef, text: string, now: number): Promise<void>
  close(sendId: string, text: string, now: number): Promise<void>
  /** Deletes the row: the message was certainly not posted, or was removed. */
  drop(sendId: string): Promise<void>
  ofJob(jobId: string): Promise<readonly OutboxRow[]>
  /** The row of a message of ours. */
  byMessage(conversation: ConversationRef, messageId: string): Promise<OutboxRow | undefined>
  /** Ids of all our recorded messages in this channel. */
  known(conversation: ConversationRef): Promise<readonly string[]>
}

/** Bytes between download and upload; kept until the job ends, so that a restart need not download again. */
export interface Spool {
  /** @throws {RangeError} over `maxBytes`. */
  write(id: string, bytes: ReadableStream<Uint8Array>, maxBytes: number): Promise<{ sizeBytes: number; sha256: string }>
  /** Undefined when it is not there (any more). */
  read(id: string): Promise<Blob | undefined>
  remove(id: string): Promise<void>
}

/** Dropped files, byte for byte, named by hash: for downloads, earlier versions and rebuilding a collection. */
export interface Originals {
  /** Stores the bytes once per hash. */
  keep(collection: string, sha256: string, bytes: Blob): Promise<void>
  /** Undefined when it is not there (any more). */
  read(collection: string, sha256: string): Promise<Blob | undefined>
  remove(collection: string, sha256: string): Promise<void>
  /** Hashes of all originals of this collection. */
  list(collection: string): Promise<readonly string[]>
  /** Collections with originals. */
  collections(): Promise<readonly string[]>
}

/** Cache of the texts of collection files, limited in size: a missing text is read from the platform again. */
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
