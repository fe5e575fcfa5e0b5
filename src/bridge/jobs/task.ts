import { createJobContext, type JobContext, type MessageContext, NOBODY } from '../delivery/job-context.ts'
import type { Act } from '../channels/authorize.ts'
import { isAllowed } from '../features/channels/access.ts'
import { type JobServices, personOf } from '../features/feature.ts'
import type { Registry } from '../features/registry.ts'
import type { SlashCommands } from '../features/slash-commands.ts'
import type { Adapter } from '../port/adapter.ts'
import { conversationOf, type Inbound, type InboundOf, type Message } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import type { Job } from '../port/store.ts'
import { languageOf, textsFor } from '../texts/texts.ts'
import type { Heard } from './heard.ts'
import type { RunningJobs } from './interrupt.ts'

export interface JobEnvironment {
  readonly adapter: Adapter
  readonly log: Log
  readonly signal: AbortSignal
}

/** A job, and all that its steps may use. */
export interface Work extends JobEnvironment {
  readonly services: JobServices
  readonly registry: Registry
  readonly running: RunningJobs
  readonly calls: SlashCommands
  /** When a channel was last told that questions were missed. */
  readonly missedNoticeAt: Map<string, number>
  readonly job: Job
  /**
   * Handles a message that an edit or a press is about.
   *
   * @param jobId owner of the sends: the job of the original message, whose answer is overwritten
   */
  readonly handleMessage: (work: Work, message: Message, jobId: string, isEdit?: boolean) => Promise<void>
}

export type Kind = Inbound['kind']

/** The event as a row of the table sees it: a message is heard first. */
export type Subject<Of extends Kind> = Of extends 'message' ? Heard : InboundOf<Of>

/** One event that is handled. */
export interface Task<Of extends Kind> extends Work {
  readonly event: Subject<Of>
  readonly ctx: Of extends 'message' | 'command' ? MessageContext : JobContext
}

/** Result of a step after which nothing more of the event is done. */
export const ENDS = 'ends'

export type Step<Of extends Kind> = (task: Task<Of>) => Promise<void | typeof ENDS>

/** Ends the event, and tells its author, unless they may do this. */
export const may =
  (act: Act) =>
  async ({ services, ctx }: { readonly services: JobServices; readonly ctx: JobContext }) =>
    (await isAllowed(services, ctx, act)) ? undefined : ENDS

/** @param jobId owner of the sends */
export function contextOfMessage(work: Work, message: Message, jobId: string): MessageContext {
  const { conversation, author, id: replyTo } = message
  const texts = textsFor(languageOf(message))
  return { ...toContext(work, { jobId, conversation, author, replyTo, texts }), message }
}

/** The context of any event but a message. */
export function contextOf(work: Work, inbound: Inbound): JobContext {
  if (inbound.kind === 'message' || inbound.kind === 'edit') return contextOfMessage(work, inbound.message, work.job.id)
  const about = {
    conversation: conversationOf(inbound),
    author: personOf(inbound) ?? NOBODY,
    replyTo: 'messageId' in inbound ? inbound.messageId : '',
    invocation: invocationOf(inbound),
  }
  const ctx = toContext(work, about)
  return inbound.kind === 'command' ? { ...ctx, message: messageOf(inbound) } : ctx
}

/** A command, or a press where one person alone sees the button, is answered to that person. */
function invocationOf(inbound: Inbound): JobContext['invocation'] {
  if (inbound.kind !== 'command' && inbound.kind !== 'action') return undefined
  const { author, ticket } = inbound
  if (inbound.kind === 'command') return { ticket, privateTo: inbound.command.shared === true ? undefined : author.id }
  const privateTo = inbound.isPrivate === true ? author.id : undefined
  return ticket === undefined && privateTo === undefined ? undefined : { ticket, privateTo }
}

/** The message that a command is equal to. */
function messageOf({ conversation, author, command, messageId: id, sentAt }: InboundOf<'command'>): Message {
  const { argument: text, channel, attachments = [] } = command
  const channels = channel && [channel]
  return { id, conversation, author, text, addressed: true, mentionsOthers: false, attachments, channels, sentAt }
}

function toContext(
  { services, job, adapter, log, signal }: Work,
  about: Pick<JobContext, 'conversation' | 'author'> &
    Partial<Pick<JobContext, 'jobId' | 'texts' | 'invocation'>> & { readonly replyTo: string },
): JobContext {
  const { store, clock } = services
  const texts = textsFor(about.author.language)
  const { id, queue, attempt, createdAt: acceptedAt } = job
  const own = { jobId: id, eventId: id, acceptedAt, attempt, queue, adapter, texts, log, signal }
  return createJobContext({ ...own, ...about }, { outbox: store.outbox, clock })
}
