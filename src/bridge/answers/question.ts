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
  /** The same platform for work that leaves the last of the quota to questions. */
  readonly background: Platform
  /** Search once more in other words where the files do not answer (`SECOND_LOOK`). */
  readonly secondLook: boolean
  readonly store: Store
  readonly channels: ChannelMap
  readonly models: Models
  readonly lostCollections: LostCollections
  readonly clock: Clock
}

/** A question, and how its answer is wanted. */
export interface Question {
  readonly question: string
  /** The channel that was named to be searched, in a direct conversation. */
  readonly from?: NamedConversation
  /** It was said in a recording, and there is a model that reads the answer out. */
  readonly readsOut?: boolean
  /** Pictures beside the question, as far as this model sees. */
  readonly pictures?: (model: string) => Promise<Pictures>
  /** The question was edited: write over the earlier answer although it was finished. */
  readonly again?: boolean
  /** Another answer to the same question is wanted, in the place of the earlier one. */
  readonly rewrite?: Rewrite
}

/**
 * The context of the message that asked, also when a button has it answered anew: then `author` is who pressed, and
 * `eventId` the event for the budget.
 */
export type QuestionContext = MessageContext & Question

export interface Rewrite {
  readonly manner: 'another' | 'shorter' | 'longer'
  /** The answer that is shown now. */
  readonly earlier: AnswerRecord
  /** The press that asked for it: a job of its own. */
  readonly jobId: string
}

/** An answer before it is shown. */
export interface Draft {
  readonly text: string
  readonly references: AnswerRecord['references']
  readonly outcome: AnswerRecord['outcome']
  /** Empty where no model was asked. */
  readonly model: string
  /** The query of retrieval, where that differs from the question. */
  readonly query?: string
  /** Plain names of the collections that were searched. */
  readonly collections: readonly string[]
  /** Names of the files whose passages came back, best first, whether or not they answer the question. */
  readonly near: readonly string[]
}
