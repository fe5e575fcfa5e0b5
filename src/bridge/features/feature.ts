import type { JobContext, MessageContext } from '../delivery/job-context.ts'
import { channelKey } from '../port/keys.ts'
import type { Author } from '../port/author.ts'
import type { Inbound, MessageRef } from '../port/message.ts'
import type { AnswerRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import type { Answers } from '../answers/answer.ts'
import type { AnswerServices } from '../answers/question.ts'
import type { Budgets } from '../channels/budgets.ts'
import type { Links } from '../channels/channel-links.ts'
import type { ProgramPace } from '../channels/program-pace.ts'
import type { Settings } from '../channels/settings.ts'
import type { Files } from '../files/files.ts'
import type { Adapter, Linked } from '../port/adapter.ts'
import type { AccessTokens } from '../port/person-access.ts'
import type { Voice } from '../voice/voice.ts'

/** One thing that people can do: in words, by buttons, or both. */
export interface Feature {
  readonly commands?: readonly Command[]
  readonly buttons?: readonly Button[]
}

/** A request to Footbridge in words that is no question. */
export interface Command {
  readonly name: string
  /** Matched against the whole trimmed text; the first group is the argument. Strict: other text is a question. */
  readonly pattern: Pick<RegExp, 'exec'>
  /** @param argument trimmed; empty without one */
  run(ctx: MessageContext, argument: string): Promise<void>
}

export interface Button {
  /** Id of the action that it handles. */
  readonly id: string
  /** It changes messages of a running job: that job is interrupted, and the button waits for it. */
  readonly rewrites?: true
  /** It stops a running answer, which its asker alone may: that job is interrupted as soon as the press is stored. */
  readonly stops?: true
  /** It takes long, so other buttons of the conversation do not wait for it. */
  readonly isParallel?: true
  run(ctx: JobContext, press: Press): Promise<void>
}

export interface Press {
  /** Our message with the button. */
  readonly messageId: string
  /** `Action.value` */
  readonly value: string
  /** The text typed in the dialog of an action with a `prompt`; of a form, its values as JSON. */
  readonly text?: string
  /** Ticket of an action with a form. */
  readonly ticket?: string
}

/** False for a button value that belongs to another channel: the press is then ignored. */
export const isOfChannel = ({ conversation }: Pick<JobContext, 'conversation'>, channel: string): boolean =>
  channelKey(conversation) === channel

/** The answer that a button is about; undefined: no longer stored, or from another channel. */
export async function answerOf(
  { answers }: Pick<Store, 'answers'>,
  ctx: JobContext,
  { value }: Press,
): Promise<AnswerRecord | undefined> {
  const answer = await answers.get(value)
  return answer !== undefined && isOfChannel(ctx, answer.channel) ? answer : undefined
}

/** The person who did something; undefined where the service does not tell. */
export const personOf = (inbound: Inbound): Author | undefined =>
  'message' in inbound ? inbound.message.author : 'author' in inbound ? inbound.author : undefined

/** Services of features and jobs, made once at start; a function names those that it uses. */
export interface JobServices extends AnswerServices {
  readonly answers: Answers
  readonly voice: Voice
  readonly files: Files
  readonly maxFileBytes: number
  readonly links: Links
  readonly budgets: Budgets
  readonly programPace: ProgramPace
  readonly settings: Settings
  /** The adapter of this name, for sends to another conversation than the event's. */
  readonly adapterOf: (name: string) => Adapter | undefined
  /** Tokens for programs of people; absent: nobody can make one. */
  readonly tokens?: AccessTokens
  /** The message or file at this address, of any chat service here. */
  readonly messageAt: (url: string) => Promise<Linked | undefined>
  /** Administrators in addition to those of the chat service: `<adapter>:<person id>` (`ADMINS`). */
  readonly admins: ReadonlySet<string>
  /** The platform has a text-to-speech model. */
  readonly readsOut: boolean
}

/** Marks the thread of this message; where that fails, people are not told. */
export async function markThread(
  { adapter, log }: Pick<JobContext, 'adapter' | 'log'>,
  message: MessageRef,
  mark: 'solved' | 'asked',
  isSet = true,
): Promise<void> {
  await adapter
    .mark?.(message, mark, isSet)
    .catch((error: unknown) =>
      log.warn(
        { err: error },
        `A thread could not be marked as ${mark}: check the permissions of Footbridge in that channel`,
      ),
    )
}
