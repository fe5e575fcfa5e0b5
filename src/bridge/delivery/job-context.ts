import type { Adapter, SentFile } from '../port/adapter.ts'
import type { Author } from '../port/author.ts'
import type { ConversationRef, Message } from '../port/message.ts'
import type { Clock, Log } from '../port/platform.ts'
import type { Outbox } from '../port/store.ts'
import type { Texts } from '../texts/texts.ts'
import { type Content, createSender, type Invocation, type Sender, showWhole } from './outbox-sender.ts'

/** The subject of a job, and the ways to answer. To change a field, copy it with a spread: no method uses `this`. */
export interface JobContext {
  /**
   * The job that owns the sends. For an edit, the job of the original message, so that its answer is updated in place.
   */
  readonly jobId: string
  /** The job of the event itself; differs from `jobId` for an edit. */
  readonly eventId: string
  /** When the event was accepted, milliseconds since the epoch. */
  readonly acceptedAt: number
  /** Number of this try of the job, from 1. */
  readonly attempt: number
  /** Key of the queue in which the job runs. */
  readonly queue: string
  readonly conversation: ConversationRef
  /** The message that asked; absent for a button, a pin or a deletion. */
  readonly message?: Message
  /** The person who asked; `NOBODY` when something was deleted. */
  readonly author: Author
  readonly adapter: Adapter
  /** Ticket and reader of a command, or of a press in a message that one person sees. */
  readonly invocation?: Invocation
  /** Sends messages as replies to the message that asked, or to the one with the button. */
  readonly sender: Sender
  readonly texts: Texts
  readonly log: Log
  readonly signal: AbortSignal
  /** Replies once: after a restart the same call shows the same message. */
  readonly reply: (text: string, more?: ReplyExtras) => Promise<void>
  /** The same, visible to the author alone if the service supports it. */
  readonly whisper: (text: string, more?: ReplyExtras) => Promise<void>
  /** Replaces our message with the pressed button, and removes its buttons unless `more` has some. */
  readonly replaceMessage: (text: string, more?: ReplyExtras) => Promise<void>
  /** A sender that everybody sees, unless `invocation` says otherwise; `jobId` owns its sends, default: this job. */
  readonly senderFor: (
    conversation: ConversationRef,
    replyTo: string,
    jobId?: string,
    invocation?: Invocation,
  ) => Sender
}

export type MessageContext = JobContext & { readonly message: Message }

export type ReplyExtras = Partial<Omit<Content, 'text'>>

/** The author of a deletion: chat services do not tell who deleted something. */
export const NOBODY: Author = { id: '', name: '' }

/** @param job.replyTo id of the message that is answered, or of Footbridge's message whose button was pressed */
export function createJobContext(
  job: Omit<JobContext, 'sender' | 'reply' | 'whisper' | 'replaceMessage' | 'senderFor'> & { readonly replyTo: string },
  { outbox, clock }: { readonly outbox: Outbox; readonly clock: Clock },
): JobContext {
  const { replyTo, ...fields } = job
  const { adapter, author, conversation, invocation } = job
  const senderFor: JobContext['senderFor'] = (where, answered, jobId = job.jobId, how) =>
    createSender({ jobId, adapter, conversation: where, replyTo: answered, outbox, clock, invocation: how })
  const sender = createSender({ jobId: job.jobId, adapter, conversation, replyTo, outbox, clock, invocation })
  const reply: JobContext['reply'] = (text, more = {}) => showNotice(sender, 'command', text, more)
  return {
    ...fields,
    adapter: adapterFor(job),
    sender,
    senderFor,
    reply,
    // Nothing can be shown to a program alone.
    whisper: async (text, more = {}) =>
      author.programIds === undefined ? reply(text, { privateTo: author.id, ...more }) : undefined,
    async replaceMessage(text, more = {}) {
      const row = await outbox.byMessage(conversation, replyTo)
      if (row === undefined || adapter.edit === undefined) return reply(text, more)
      await showNotice(senderFor(row.conversation, replyTo, row.jobId, invocation), row.slot, text, more)
    },
  }
}

async function showNotice(sender: Sender, slot: string, text: string, more: ReplyExtras): Promise<void> {
  await showWhole(sender, slot, { kind: 'notice', text, ...more })
}

/** A native stream has a person as its reader. */
function adapterFor({ adapter, author, invocation }: Pick<JobContext, 'adapter' | 'author' | 'invocation'>): Adapter {
  if (author.programIds !== undefined) return { ...adapter, stream: undefined, status: async () => {} }
  return invocation?.privateTo === undefined ? adapter : withoutPublicStatus(adapter)
}

/** Streams and status lines are seen by everybody: a message to one person grows by edits, or is shown at its end. */
function withoutPublicStatus(adapter: Adapter): Adapter {
  const { privateEditIntervalMs, privateTextLength, editIntervalMs, textLength } = adapter.limits
  const limits = {
    ...adapter.limits,
    textLength: privateTextLength ?? textLength,
    editIntervalMs: privateEditIntervalMs ?? editIntervalMs,
  }
  const silent = { ...adapter, limits, stream: undefined, status: async () => {} }
  return privateEditIntervalMs === undefined ? { ...silent, edit: undefined } : silent
}

/** Uploads a file to the chat once: if it was sent before a restart, `make` is not called. Needs `adapter.upload`. */
export async function uploadOnce(
  { adapter, conversation, sender }: Pick<JobContext, 'adapter' | 'conversation' | 'sender'>,
  content: Pick<Content, 'text' | 'privateTo'>,
  make: () => Promise<SentFile>,
  slot = 'command',
): Promise<void> {
  const upload = adapter.upload?.bind(adapter)
  if (upload === undefined) throw new Error(`${adapter.name} takes no files.`)
  await sender.locate(slot)
  if ((await sender.rows()).some((row) => row.slot === slot)) return
  const file = await make()
  await sender.open(slot, { kind: 'notice', ...content }, async (outgoing) => ({
    ref: await upload(conversation, file, outgoing),
  }))
  await sender.close(slot, content.text)
}

/** The reason why work on a message is aborted: `signal.reason`. */
export type AbortReason =
  /** The person pressed stop: say so. */
  | 'stopped'
  /** The question was edited or deleted: the next job takes over. */
  | 'changed'
  /** The process stops: the job is taken up again at the next start. */
  | 'shutdown'

export function isShutdown(signal: AbortSignal): boolean {
  return signal.reason === ('shutdown' satisfies AbortReason)
}

export function isStopped(signal: AbortSignal): boolean {
  return signal.reason === ('stopped' satisfies AbortReason)
}
