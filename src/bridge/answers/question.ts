import type { Authority } from '../channels/authorize.ts'
import type { Budgets } from '../channels/budgets.ts'
import type { ChannelMap } from '../channels/channel-map.ts'
import type { LostCollections } from '../files/collection/missing-collection.ts'
import type { NamedConversation } from '../port/message.ts'
import type { Models } from '../channels/models.ts'
import type { Pictures } from './pictures.ts'
import type { Clock, Platform } from '../port/platform.ts'
import type { ReferenceServices } from '../references/resolve.ts'
import type { MessageContext } from '../delivery/job-context.ts'
import type { AnswerRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'

export interface AnswerServices extends ReferenceServices {
  readonly budgets: Budgets
  readonly platform: Platform
  /** The same platform for background work, which leaves the last of the quota to questions. */
  readonly background: Platform
  /** A refused question is searched once more in other words (`SECOND_LOOK`). */
  readonly expandsQueries: boolean
  /** Whether the platform searches by meaning now, not by words alone: a press on the page changes it. */
  readonly searchesMeaning: () => boolean
  readonly store: Store
  readonly channels: ChannelMap
  readonly authority: Authority
  readonly models: Models
  readonly lostCollections: LostCollections
  readonly clock: Clock
}

/** A question, and options of its answer. */
export interface Question {
  readonly question: string
  /** The channel to search, when a direct conversation names one. */
  readonly from?: NamedConversation
  /** The question is a voice message and the platform has a text-to-speech model. */
  readonly readsOut?: boolean
  /** Pictures sent with the question, as far as this model can read them. */
  readonly pictures?: (model: string) => Promise<Pictures>
  /** The message does not address Footbridge: it is answered from the files, or not at all. */
  readonly quiet?: boolean
  /** The question was edited: its finished answer is overwritten. */
  readonly overwrites?: boolean
  /** Another answer to the same question, shown in place of the earlier one. */
  readonly rewrite?: Rewrite
}

/**
 * The context of the message that asked. When a button asks for another answer, `author` is the person who pressed, and
 * `eventId` the event that counts against the budget.
 */
export type QuestionContext = MessageContext & Question

export interface Rewrite {
  readonly manner: 'another' | 'shorter' | 'longer'
  /** The answer that is shown now. */
  readonly earlier: AnswerRecord
  /** The job of the button press. */
  readonly jobId: string
}

/** Model, query and collections of a question, as far as it is determined; recorded also when the question fails. */
export interface Retrieval {
  model: string
  /** The retrieval query, if it differs from the question. */
  query?: string
  /** Plain names of the collections that are searched; empty: the answer uses no file. */
  collections: readonly string[]
  /** The only file that is searched. */
  file?: string
}

/** An answer before it is shown. */
export interface Draft {
  readonly text: string
  readonly references: AnswerRecord['references']
  readonly outcome: AnswerRecord['outcome']
  /** Empty if no model was asked. */
  readonly model: string
  /** The retrieval query, if it differs from the question. */
  readonly query?: string
  /** Plain names of the collections that were searched. */
  readonly collections: readonly string[]
  /** False for an answer about a picture or a whole file: a rewrite would ask without it. Default true. */
  readonly isRewritable?: boolean
  /** Names of the files of the retrieved passages, best first, whether or not they answer the question. */
  readonly near: readonly string[]
}
