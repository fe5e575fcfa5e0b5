import type { JobContext, MessageContext } from '../delivery/job-context.ts'
import { channelKey } from '../port/message.ts'
import type { AnswerRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import type { Answers } from '../answers/answer.ts'
import type { AnswerServices } from '../answers/question.ts'
import type { Budgets } from '../channels/budgets.ts'
import type { Links } from '../channels/channel-links.ts'
import type { Files } from '../files/files.ts'
import type { Adapter } from '../port/adapter.ts'
import type { Voice } from '../voice/voice.ts'

/** One thing that people can do: in words, by buttons, or both. */
export interface Feature {
  readonly commands?: readonly Command[]
  readonly buttons?: readonly Button[]
}

/** Words to Footbridge that are no question. */
export interface Command {
  readonly name: string
  /** Matched against the whole text, trimmed; its first group is the argument. Strict: what is no command is a question. */
  readonly pattern: RegExp
  /** @param argument trimmed; empty where none was given */
  run(ctx: MessageContext, argument: string): Promise<void>
}

export interface Button {
  /** Id of the action that it carries out. */
  readonly id: string
  /** It changes what the message's own work has shown: that work is ended first, and this waits for it. */
  readonly rewrites?: true
  /** It takes long: other buttons of the conversation do not wait for it. */
  readonly beside?: true
  run(ctx: JobContext, press: Press): Promise<void>
}

export interface Press {
  /** Our message that has the button. */
  readonly messageId: string
  /** `Action.value` */
  readonly value: string
  /** Typed where the action has a `prompt`. */
  readonly text?: string
}

/** A button's value from another channel does nothing. */
export const isOfChannel = ({ conversation }: Pick<JobContext, 'conversation'>, channel: string): boolean =>
  channelKey(conversation) === channel

/** The answer that a button is about; undefined: it is not on record any more, or not of this channel. */
export async function answerOf(
  { answers }: Pick<Store, 'answers'>,
  ctx: JobContext,
  { value }: Press,
): Promise<AnswerRecord | undefined> {
  const answer = await answers.get(value)
  return answer !== undefined && isOfChannel(ctx, answer.channel) ? answer : undefined
}

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
