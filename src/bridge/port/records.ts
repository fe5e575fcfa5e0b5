/** Rows that the store keeps for the bridge, and how they are reached: part of the store's port (docs/adr/0010). */
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
export interface FileRecord {
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
  /** Opens the bytes again for a retry. */
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
  readonly duplicateOf?: string
  /** The job that brings it to its end, where that is not the one that dropped it. */
  readonly claimedBy?: string
  /** With `failed`: another try would end the same way. */
  readonly permanent?: true
  /** BCP 47 tag of who dropped it: the language of its receipt. */
  readonly language?: string
  readonly updatedAt: number
}

export interface FileRecords {
  put(entry: FileRecord): Promise<void>
  get(id: string): Promise<FileRecord | undefined>
  ofJob(jobId: string): Promise<readonly FileRecord[]>
  /** Newest first. */
  ofCollection(collection: string): Promise<readonly FileRecord[]>
  /** Everything that was dropped as this attachment, wherever; oldest first. */
  ofAttachment(attachmentId: string): Promise<readonly FileRecord[]>
  /** True when anything can be found there. */
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
  /** The queue in which a message (theirs or ours) stands. */
  queueOf(channel: string, messageId: string): Promise<string | undefined>
  /** True when anything was asked in this queue: then follow-ups need no mention. */
  has(queue: string): Promise<boolean>
  /** True when this person asked something in this queue. */
  asked(queue: string, author: string): Promise<boolean>
  remove(channel: string, messageId: string): Promise<void>
}

/** An answer that was given, for what comes after it: its references, another try, a judgement of it. */
export interface AnswerRecord {
  /** Short enough for a button. */
  readonly id: string
  readonly jobId: string
  readonly queue: string
  /** Key of the channel in which it was asked. */
  readonly channel: string
  /** Where it was answered, without the thread where there is none. */
  readonly conversation: ConversationRef
  /** The channel that was named to be searched, in a direct conversation: another try must be allowed anew. */
  readonly from?: NamedConversation
  /** Plain names of the collections that were searched; empty: none. */
  readonly collections: readonly string[]
  readonly asker: string
  /** Display name at that time. */
  readonly askerName?: string
  readonly language?: string
  readonly question: string
  /** The question put to retrieval, where that differs: follow-ups are made complete. */
  readonly query?: string
  readonly model: string
  readonly text: string
  readonly references: readonly Reference[]
  /** `nothing`: the files do not answer it. `plain`: from no file, because there is none. */
  readonly outcome: 'answered' | 'nothing' | 'plain' | 'failed'
  /** Id of the message that asked. */
  readonly questionMessage: string
  /** Ids of the messages that show it. */
  readonly messages: readonly string[]
  readonly at: number
  /** A question that nothing answered is closed: somebody answered it, or it needs no answer. */
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
  /** Everything that was answered to this message, also what another answer took the place of. */
  ofQuestion(channel: string, messageId: string): Promise<readonly AnswerRecord[]>
  /** With what people thought of it: the words of a question go when it is deleted. */
  remove(id: string): Promise<void>
  /** Answers of this channel with outcome `nothing`, not closed; newest first. */
  unanswered(channel: string, limit: number): Promise<readonly AnswerRecord[]>
  /** One vote a person and answer: the last one counts. */
  vote(vote: Vote): Promise<void>
  /** All answers that were voted on, oldest first. */
  voted(): Promise<readonly { readonly answer: AnswerRecord; readonly votes: readonly Vote[] }[]>
}

/** Something that a button refers to: kept here since a button has no room for it. */
export interface ButtonPayload {
  /** Short enough for a button. */
  readonly id: string
  /** The part that made it, and can read `data`. */
  readonly kind: string
  /** Survives `JSON.stringify`. */
  readonly data: unknown
  readonly at: number
}

export interface ButtonPayloads {
  put(payload: ButtonPayload): Promise<void>
  get(id: string): Promise<ButtonPayload | undefined>
  /** Gives it once, then never again: two presses of one button do one thing. */
  take(id: string): Promise<ButtonPayload | undefined>
}

/** Small settings that people chose: a thread's model, a channel's group to ask. */
export interface Preferences {
  get(scope: string, name: string): Promise<string | undefined>
  /** Undefined forgets it. */
  set(scope: string, name: string, value: string | undefined): Promise<void>
}

export type BudgetKind = 'questions' | 'minutes' | 'megabytes'
export type BudgetOwner = 'person' | 'channel' | 'workspace'
export type BudgetSpan = 'minute' | 'hour' | 'day' | 'month'

/** Usage that is counted against budgets. */
export interface Usage {
  /** Counts once for each `jobId`: a job that is repeated spends nothing more. */
  add(use: {
    readonly jobId: string
    readonly subject: string
    readonly kind: string
    readonly amount: number
    readonly at: number
  }): Promise<void>
  /** Uses since then, oldest first. */
  since(
    subject: string,
    kind: string,
    at: number,
  ): Promise<readonly { readonly jobId: string; readonly amount: number; readonly at: number }[]>
}
