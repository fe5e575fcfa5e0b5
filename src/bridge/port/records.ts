/** Rows that the store keeps for the bridge, and how they are reached: part of the store's port (docs/adr/0009). */
import type { Attachment, ConversationRef, NamedConversation, Reference, ReceiptState } from './message.ts'

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
  /** The platform's creation time of the collection: another time is another collection of the same name. */
  readonly collectionCreatedAt?: string
  /** Key of the channel whose collection this one uses, as linked by an administrator. */
  readonly linkedTo?: string
}

export interface Channels {
  /** Changes of another process are seen when it has told them, at the latest after 30 s; with `now`, for a change that builds on it, at once. */
  get(key: string, when?: 'now'): Promise<ChannelRecord | undefined>
  put(record: ChannelRecord): Promise<void>
  ofCollection(collection: string): Promise<ChannelRecord | undefined>
  /** Channels of this workspace that are known. */
  ofWorkspace(adapter: string, workspace: string): Promise<readonly ChannelRecord[]>
  /** Channels that use the collection of this one. */
  linkedTo(key: string): Promise<readonly ChannelRecord[]>
}

/** One dropped file. Every step of its ingest is recorded before the next begins. */
export interface FileRecord {
  /** Job id and position: `<key>#0`. */
  readonly id: string
  readonly jobId: string
  readonly channel: string
  readonly collection: string
  readonly attachmentId: string
  /** Name shown to people. */
  readonly displayName: string
  /** Name in the collection: flat, NFC. */
  readonly fileName: string
  readonly state: ReceiptState
  readonly sha256?: string
  readonly sizeBytes?: number
  readonly note?: string
  readonly droppedBy: string
  /** Display name at that time. */
  readonly droppedByName?: string
  /** ISO 8601. */
  readonly droppedAt?: string
  readonly messageId: string
  /** Conversation of that message, for its permalink and for a retry. */
  readonly conversation?: ConversationRef
  /** Opens the bytes again for a retry. */
  readonly attachment?: Attachment
  /** 1 for the first file of this name in the collection, and so on. */
  readonly version?: number
  /** An upload was started: the file under its name on the platform may be this one. */
  readonly sent?: true
  /** Messages other than `messageId` whose text it contains. */
  readonly alsoFrom?: readonly string[]
  /** Id of the record that this one replaced. */
  readonly replaces?: string
  /** For a converted file: name of its original in the collection. */
  readonly originalName?: string
  /** Id of the record that replaced it: this file is not in the collection any more. */
  readonly replacedBy?: string
  /** Id of the record with the same bytes, if this file is a duplicate. */
  readonly duplicateOf?: string
  /** The job that ingests it, if it is not the job of the drop. */
  readonly claimedBy?: string
  /** With `failed`: a retry would fail the same way. */
  readonly permanent?: true
  /** BCP 47 tag of the person who dropped it: the language of its receipt. Its times are in the person's zone. */
  readonly language?: string
  readonly timeZone?: string
  readonly updatedAt: number
}

export interface FileRecords {
  put(entry: FileRecord): Promise<void>
  get(id: string): Promise<FileRecord | undefined>
  ofJob(jobId: string): Promise<readonly FileRecord[]>
  /** Newest first. */
  ofCollection(collection: string): Promise<readonly FileRecord[]>
  /** All records of files that were dropped in this channel, in any collection. */
  ofChannel(channel: string): Promise<readonly FileRecord[]>
  /** All records of this attachment, in any collection; oldest first. */
  ofAttachment(attachmentId: string): Promise<readonly FileRecord[]>
  /** True if the collection has a ready file. */
  hasReady(collection: string): Promise<boolean>
}

export interface HistoryTurn {
  readonly messageId: string
  readonly role: 'user' | 'assistant'
  readonly author: string
  readonly text: string
  readonly at: number
}

export interface History {
  /** Replaces the turn of the same message id and role. */
  append(queue: string, channel: string, turn: HistoryTurn): Promise<void>
  /** Oldest first, at most `limit` of the newest. */
  of(queue: string, limit: number): Promise<readonly HistoryTurn[]>
  /** The queue of a message, of a person or ours. */
  queueOf(channel: string, messageId: string): Promise<string | undefined>
  /** True if anything was asked in this queue: then follow-ups need no mention. */
  has(queue: string): Promise<boolean>
  /** True if this person asked something in this queue. */
  asked(queue: string, author: string): Promise<boolean>
  remove(channel: string, messageId: string): Promise<void>
}

/** An answer, stored for its references, rewrites and votes. */
export interface AnswerRecord {
  /** Short enough for a button. */
  readonly id: string
  readonly jobId: string
  readonly queue: string
  /** Key of the channel in which it was asked. */
  readonly channel: string
  /** Conversation of the answer. */
  readonly conversation: ConversationRef
  /** The channel that a direct conversation named; a rewrite checks access again. */
  readonly from?: NamedConversation
  /** Plain names of the collections that were searched; empty: none. */
  readonly collections: readonly string[]
  readonly asker: string
  /** Display name at that time. */
  readonly askerName?: string
  readonly language?: string
  readonly question: string
  /** The retrieval query, if it differs: follow-ups are rewritten. */
  readonly query?: string
  readonly model: string
  readonly text: string
  readonly references: readonly Reference[]
  /** `nothing`: the files do not answer it. `plain`: answered without files, because the channel has no files. */
  readonly outcome: 'answered' | 'nothing' | 'plain' | 'failed'
  /** Id of the message that asked. */
  readonly questionMessage: string
  /** Ids of the messages that show it. */
  readonly messages: readonly string[]
  readonly at: number
  /** Only the asker saw it: it is in no list for others. */
  readonly isPrivate?: boolean
  /** When an unanswered question was closed: somebody answered it, or it needs no answer. */
  readonly closedAt?: number
}

export interface Vote {
  readonly answerId: string
  readonly by: string
  readonly vote: 'up' | 'down'
  readonly reason?: string
  readonly at: number
}

export interface AnswerRecords {
  put(answer: AnswerRecord): Promise<void>
  get(id: string): Promise<AnswerRecord | undefined>
  /** The newest answer that this message shows. */
  ofMessage(channel: string, messageId: string): Promise<AnswerRecord | undefined>
  /** All answers to this message, also replaced ones. */
  ofQuestion(channel: string, messageId: string): Promise<readonly AnswerRecord[]>
  /** Removes the answer and its votes, when its question is deleted. */
  remove(id: string): Promise<void>
  /** Answers of this channel with outcome `nothing`, not closed; newest first. */
  unanswered(channel: string, limit: number): Promise<readonly AnswerRecord[]>
  /** One vote a person and answer: the last one counts. */
  vote(vote: Vote): Promise<void>
  /** All answers that were voted on, oldest first. */
  voted(): Promise<readonly { readonly answer: AnswerRecord; readonly votes: readonly Vote[] }[]>
}

/** Data of a button, stored because a button has little room. */
export interface ButtonPayload {
  /** Short enough for a button. */
  readonly id: string
  /** The feature that made it and can read `data`. */
  readonly kind: string
  /** Survives `JSON.stringify`. */
  readonly data: unknown
  readonly at: number
}

export interface ButtonPayloads {
  put(payload: ButtonPayload): Promise<void>
  get(id: string): Promise<ButtonPayload | undefined>
  /** Returns and deletes it: a second press of the button finds nothing. */
  take(id: string): Promise<ButtonPayload | undefined>
}

/** Preferences: a conversation's model, the people whom a channel asks. */
export interface Preferences {
  get(scope: string, name: string): Promise<string | undefined>
  /** Undefined deletes it. */
  set(scope: string, name: string, value: string | undefined): Promise<void>
}

export type BudgetKind = 'questions' | 'minutes' | 'megabytes'
export type BudgetOwner = 'person' | 'channel' | 'workspace'
export type BudgetSpan = 'minute' | 'hour' | 'day' | 'month'

/** Usage that is counted against budgets. */
export interface Usage {
  /** Counts once per `jobId`: a repeated job uses nothing more. */
  add(use: {
    readonly jobId: string
    readonly subject: string
    readonly kind: string
    readonly amount: number
    readonly at: number
  }): Promise<void>
  /** Usage since then, oldest first. */
  since(
    subject: string,
    kind: string,
    at: number,
  ): Promise<readonly { readonly jobId: string; readonly amount: number; readonly at: number }[]>
}
