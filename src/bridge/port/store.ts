/** The bridge's store interface; one contract suite runs against each implementation. */
import type { KeyedMutex } from '#lib/keyed-mutex.ts'
import type { ConversationRef, Inbound, InboundOf, MessageRef } from './message.ts'
import type { AnswerRecords, ButtonPayloads, Channels, FileRecords, History, Preferences, Usage } from './records.ts'

export type JobState = 'queued' | 'running' | 'done' | 'dead'

/** After this many process deaths during a job, the job may be the cause: it is a suspect, and runs alone. */
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
  /** How often the process died while the job ran, and may have died of it. */
  readonly deaths: number
  readonly createdAt: number
  /** Why its last attempt failed, or why it was given up; absent if none failed. */
  readonly reason?: string
  /** Its place in the order of arrival; only where processes share the store. */
  readonly order?: number
}

export interface StoredJob extends Job {
  readonly state: JobState
  /** When it may start, or might have. */
  readonly dueAt: number
}

/** How much is left to do. */
export interface QueueDepth {
  /** Jobs that wait for their turn or their next attempt. */
  readonly waiting: number
  readonly running: number
  readonly dead: number
  /** When the oldest waiting job was accepted; absent without one. */
  readonly oldestAt?: number
}

/** Accepted events: event and job are one row, on disk before the acknowledgement. The only deduplication. */
export interface Inbox {
  /**
   * Stores the event. `duplicate`: this key is known (for at least 7 days). A provisional event is held back until
   * `dueAt`; a twin that arrives in time replaces it and is due at once. The job can be claimed at once; `stored`
   * resolves when the row is on disk (for a duplicate, the known row) and rejects if that is unknown.
   *
   * @returns `job`: claimed in the same step, and the caller runs it. Only a store of several processes does so, and only
   * with `begins`.
   */
  accept(
    inbound: Inbound,
    options: {
      readonly queue: string
      /** Key of the message that the event is about, for `ofMessage`. */
      readonly message?: string
      readonly dueAt: number
      readonly now: number
      /** The caller has room for the job, should it be due and the first of its queue. Default false. */
      readonly begins?: boolean
    },
  ): Promise<{
    readonly outcome: 'accepted' | 'replaced' | 'duplicate'
    readonly stored: Promise<void>
    readonly job?: Job
  }>
  /**
   * Claims the oldest due job of each idle queue, and marks it as running. Jobs claimed by a call whose answer was lost
   * are queued again, also where `max` is 0.
   *
   * @param alone nothing else is running. A job with `SUSPECT_DEATHS` is claimed only then, and as the only one; after
   * a minute of waiting also while others run.
   */
  claim(now: number, max: number, alone: boolean): Promise<readonly Job[]>
  /** True if this queue has a waiting or running job; with `author`: one of their messages. */
  hasOpen(queue: string, author?: string): Promise<boolean>
  /** The queue with this ending, in this channel (`channelKey`), of the newest open event that is no message. */
  openQueue(channel: string, ending: string): Promise<string | undefined>
  /** Due time of the next delayed job, if there is one. */
  nextDueAt(): Promise<number | undefined>
  complete(id: string, now: number): Promise<void>
  /** Queues it again for `dueAt`. */
  retry(id: string, dueAt: number, reason: string, now: number): Promise<void>
  /** Gives up on it; the row is kept. */
  bury(id: string, reason: string, now: number): Promise<void>
  /** At shutdown: queues running jobs again, without counting a death. */
  release(now: number): Promise<void>
  /** The process was told to end: whatever ends it from now on, no job is the cause. */
  leave(now: number): Promise<void>
  /**
   * At start: queues the jobs again that were running when the process died, with a death more where they may be the
   * cause (`blame` in the store). Returns the number of jobs.
   */
  recover(now: number): Promise<number>
  /** Deletes finished jobs from before `before` (milliseconds). Returns their number. */
  prune(before: number): Promise<number>
  job(id: string): Promise<StoredJob | undefined>
  /** The job of a message; if the message was not for us before an edit, that of the edit. */
  ofMessage(message: string): Promise<StoredJob | undefined>
  /** Keys of the channels (`channelKey`) of which there are jobs of messages, of one chat service. */
  channelsOf(adapter: string): Promise<readonly string[]>
  /** Jobs of messages of this channel (`channelKey`), newest first. */
  newestOf(channel: string, limit: number): Promise<readonly StoredJob[]>
  /** The same job and those of all edits, in order. */
  allOfMessage(message: string): Promise<readonly StoredJob[]>
  depth(): Promise<QueueDepth>
  /** Jobs in these states for operators, oldest first. */
  list(states: readonly JobState[], limit: number): Promise<readonly StoredJob[]>
  /**
   * A dead or waiting job is due now and has all its attempts again: an operator's order, also from another process. One
   * that the process died with still runs alone. False: it is neither dead nor waiting, and nothing changes.
   */
  requeue(id: string, now: number): Promise<boolean>
  /**
   * A dead or waiting job is done without being run: an operator's order, also from another process. Its row stays, so
   * that the same event is known as a duplicate. False: it is neither dead nor waiting, and nothing changes.
   */
  discard(id: string, now: number): Promise<boolean>
  /** Replaces the stored event of a finished job, to erase its text. */
  replaceEvent(id: string, inbound: Inbound): Promise<void>
}

/** Jobs as operators see and change them, also from another process. */
export type JobAdmin = Pick<Inbox, 'job' | 'depth' | 'list' | 'requeue' | 'discard'>

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
  /** Deletes the row that was opened at this time, unless something was sent, or somebody opened it since. */
  dropUnsent(sendId: string, openedAt: number): Promise<void>
  ofJob(jobId: string): Promise<readonly OutboxRow[]>
  /** The row of a message that Footbridge sent. */
  byMessage(conversation: ConversationRef, messageId: string): Promise<OutboxRow | undefined>
  ofSend(sendId: string): Promise<OutboxRow | undefined>
  /** Ids of all our recorded messages in this channel. */
  known(conversation: ConversationRef): Promise<readonly string[]>
}

/** Bytes between download and upload; kept until the job ends, so that a restart need not download again. */
export interface Spool {
  /** @throws {TooLargeError} over `maxBytes`. */
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

/** An event that ends answers under way. */
export type EndingEvent = InboundOf<'edit' | 'delete' | 'stop'>

/** Why the work on a job ends: a button changes its messages, or the asker pressed *Stop*. */
export type JobEnd = 'changed' | 'stopped'

/** Events of other processes on this store. */
export interface SharedEvents {
  /** There may be due jobs. */
  wake(): void
  /** The event was accepted; it ends jobs that are older than `order`. */
  ends(event: EndingEvent, order: number): void
  /** The work on this job is to end. */
  endsJob(jobId: string, reason: JobEnd): void
  /** More or fewer people may read this channel from now on. */
  channelChanged(conversation: ConversationRef): void
  /** This file was replaced or deleted: a text of it that is cached is outdated. */
  sourceChanged(collection: string, fileName: string): void
  /** This process was taken for dead, and its jobs go on elsewhere: it must show and store nothing more. */
  lost(error: Error): void
}

/** Decisions of all processes on one store. A store of one process decides at once. */
export interface Sharing {
  /** Work with the same key runs one at a time, over all processes. `kind` names what is locked. */
  mutex(kind: string): KeyedMutex
  /** Joins the others. */
  watch(events: SharedEvents): Promise<void>
  /** Call it when the work on a job begins: another process may have ended it a moment before. */
  begun(job: Job): void
  /** Ends the work on this job in the other processes. */
  endJob(jobId: string, reason: JobEnd): Promise<void>
  /** Tells the other processes that more or fewer people may read this channel from now on. */
  channelChanged(conversation: ConversationRef): Promise<void>
  /** Tells the other processes that this file was replaced or deleted. */
  sourceChanged(collection: string, fileName: string): Promise<void>
  /** Before each visible send: rejects when this process may have been taken for dead. */
  assertAlive(): Promise<void>
  /** Leaves the jobs of this chat service to the other processes, until it is connected in this one. */
  standBy(adapter: string, isAway: boolean): void
  /** Number of processes on this store, at most a second old. */
  processes(): number
  /** True in one process at a time, until it ends. `role` names the work; default: the daily work. */
  leads(role?: string): Promise<boolean>
  /** Keeps a pace over all processes, by its name: the call resolves when the next one may leave. Absent: there is one process. */
  readonly pacer?: (name: string, pace: Pace) => () => Promise<void>
}

/** A call every `everyMs`; after a pause `burst` of them at once. */
export interface Pace {
  readonly everyMs: number
  readonly burst?: number
}

/** Whether the store can take anything: its disk may be full. */
export interface Room {
  /** A sentence with a remedy while nothing can be stored. It is tried, at most each two seconds. */
  trouble(): Promise<string | undefined>
  /** @param onChange called when a trouble begins, with the sentence, and when it is over */
  watch(onChange: (trouble: string | undefined) => void): void
  /** Tells of something that could not be stored. @returns a `StoreUnavailableError` where it was for want of room, else the same */
  failed(error: unknown): unknown
  /** The process ends: nothing waits for room any more. */
  leave(): void
}

export interface Store {
  readonly sharing: Sharing
  readonly room: Room
  /** Deletes every row of this workspace: jobs, sends, channels, files, history, answers, payloads, choices, usage, marks. */
  forgetWorkspace(adapter: string, workspace: string): Promise<void>
  /** Deletes the rows of this channel: jobs, sends, files, history, answers, choices, mark. Usage stays counted. */
  forgetChannel(conversation: ConversationRef): Promise<void>
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
