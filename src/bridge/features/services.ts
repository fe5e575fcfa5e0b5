import type { Answers } from '../answers/answer.ts'
import type { AnswerServices } from '../answers/question.ts'
import type { Budgets } from '../channels/budgets.ts'
import type { Links } from '../channels/channel-links.ts'
import type { Files } from '../files/files.ts'
import type { Adapter } from '../port/adapter.ts'
import type { Voice } from '../voice/voice.ts'

/** Made once in the composition, for features and jobs; a function names those that it uses. */
export interface JobServices extends AnswerServices {
  readonly answers: Answers
  readonly voice: Voice
  readonly files: Files
  readonly maxFileBytes: number
  readonly links: Links
  readonly budgets: Budgets
  /** The adapter of this name, for what concerns another conversation than the one of the event. */
  readonly adapterOf: (name: string) => Adapter | undefined
  /** People who administer beside those whom the chat service lets: `<adapter>:<person id>` (`ADMINS`). */
  readonly admins: ReadonlySet<string>
  /** The platform has a model that reads answers out. */
  readonly readsOut: boolean
}
