import type { ConversationRef, ReceiptState } from './message.ts'

/** The files of a channel, for an adapter that shows them itself (the page). The caller checks who may read it. */
export interface ChannelFiles {
  /** As people know them, newest first. */
  list(conversation: ConversationRef): Promise<readonly ChannelFile[]>
  /** Any version. Undefined: it is not in this channel's collection, or its bytes are gone. */
  open(conversation: ConversationRef, id: string, signal: AbortSignal): Promise<OpenedFile | undefined>
  /** Undefined: it is not in this channel's collection, or its text cannot be read. */
  outline(conversation: ConversationRef, id: string): Promise<FileOutline | undefined>
  /**
   * Ready files whose text has all these words, newest first. Only texts at hand are read, none from the platform; an
   * abort of the signal ends the search with the files found so far.
   *
   * @param words parts of words, `folded`
   */
  search(conversation: ConversationRef, words: readonly string[], signal: AbortSignal): Promise<readonly FoundText[]>
}

export interface FileVersion {
  readonly id: string
  /** 1 for the first of its name. */
  readonly version: number
  readonly state: ReceiptState
  readonly sizeBytes?: number
  /** Display name at that time. */
  readonly droppedBy: string
  /** ISO 8601. */
  readonly droppedAt?: string
  /** The message that dropped it. */
  readonly messageId: string
}

export interface ChannelFile extends FileVersion {
  readonly name: string
  /** Why it failed, or what it replaces. */
  readonly note?: string
  readonly retryable: boolean
  /** Earlier versions, newest first. */
  readonly earlier: readonly FileVersion[]
}

export interface OpenedFile {
  readonly name: string
  /** As reported by the chat service; may be wrong or empty. */
  readonly mimeType: string
  readonly bytes: Blob
}

/** A file whose text has the words of a search. */
export interface FoundText {
  readonly file: ChannelFile
  /** The line with most of the words, or the part of it around the first; at most 400 characters. */
  readonly line: string
}

/** A glance at a file. */
export interface FileOutline {
  /** 0: it has no pages. */
  readonly pages: number
  /** Its first headings, each once. */
  readonly headings: readonly string[]
}
