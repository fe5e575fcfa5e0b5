/** What answers leave behind, and small things that the bridge keeps: part of the store's port (docs/adr/0010). */
import type { ConversationRef, NamedConversation, Reference } from './message.ts'

/** An answer that was given, for what comes after it: its references, another try, a judgement of it. */
export interface AnswerRecord {
  /** Short enough for a button. */
  readonly id: string
  readonly jobId: string
  readonly lane: string
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
  /** What was asked of retrieval, where that differs: follow-ups are made complete. */
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

export interface Answers {
  put(answer: AnswerRecord): Promise<void>
  get(id: string): Promise<AnswerRecord | undefined>
  /** The newest answer that this message shows. */
  ofMessage(channel: string, messageId: string): Promise<AnswerRecord | undefined>
  /** Everything that was answered to this message, also what another answer took the place of. */
  ofQuestion(channel: string, messageId: string): Promise<readonly AnswerRecord[]>
  /** With what people thought of it: the words of a question go when it is deleted. */
  remove(id: string): Promise<void>
  /** Of this channel, outcome `nothing`, not closed; newest first. */
  gaps(channel: string, limit: number): Promise<readonly AnswerRecord[]>
  /** One vote a person and answer: the last one counts. */
  vote(vote: Vote): Promise<void>
  /** All answers that were voted on, oldest first. */
  voted(): Promise<readonly { readonly answer: AnswerRecord; readonly votes: readonly Vote[] }[]>
}

/** Something that a button refers to: kept here since a button has no room for it. */
export interface Offer {
  /** Short enough for a button. */
  readonly id: string
  /** Who made it, and so who can read `data`. */
  readonly kind: string
  /** Survives `JSON.stringify`. */
  readonly data: unknown
  readonly at: number
}

export interface Offers {
  put(offer: Offer): Promise<void>
  get(id: string): Promise<Offer | undefined>
  /** Gives it once, then never again: two presses of one button do one thing. */
  take(id: string): Promise<Offer | undefined>
}

/** Small choices of people: a thread's model, a channel's group to ask. */
export interface Choices {
  get(scope: string, name: string): Promise<string | undefined>
  /** Undefined forgets it. */
  set(scope: string, name: string, value: string | undefined): Promise<void>
}

/** What was used, for budgets. */
export interface Spending {
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
