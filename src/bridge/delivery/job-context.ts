import type { Adapter } from '../port/adapter.ts'
import type { AskPorts } from '../answers/question.ts'
import type { IngestPorts } from '../files/ingest/ingest-file.ts'
import type { Budgets } from '../channels/budgets.ts'
import type { Links } from '../channels/channel-links.ts'
import type { Author, ConversationRef, Inbound, Message } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import type { Sender } from './outbox-sender.ts'
import type { Texts } from '../texts/texts.ts'

/** All that the work on an event may need from outside. */
export type JobPorts = AskPorts &
  IngestPorts & {
    readonly links: Links
    readonly budgets: Budgets
    /** The adapter of this name, for what concerns another conversation than the one of the event. */
    readonly adapterOf: (name: string) => Adapter | undefined
    /** People who administer beside those whom the chat service lets: `<adapter>:<person id>` (`ADMINS`). */
    readonly admins: ReadonlySet<string>
    /** The platform has a model that reads answers out. */
    readonly readsOut: boolean
  }

/** What every command and every button has at hand. */
export interface Doing {
  readonly jobId: string
  readonly conversation: ConversationRef
  readonly author: Author
  readonly adapter: Adapter
  /** Answers the message that asked, or the one under which the button stands. */
  readonly sender: Sender
  readonly texts: Texts
  readonly log: Log
  readonly signal: AbortSignal
}

/** Something that is said to us in words instead of a question. */
export interface Command {
  readonly name: string
  /** Matched against the whole text, trimmed; its first group is the argument. Strict: what is no command is a question. */
  readonly pattern: RegExp
  run(ports: JobPorts, doing: CommandDoing): Promise<void>
}

export interface CommandDoing extends Doing {
  readonly lane: string
  readonly message: Message
  /** Trimmed; empty where none was given. */
  readonly argument: string
  /** The job of an edit, where the message was edited: `jobId` is that of the message itself. */
  readonly eventId?: string
  /** It was edited: what it showed before is written over. */
  readonly again?: boolean
}

/** What a button does. `id` is that of the action. */
export interface Button {
  readonly id: string
  /** It changes what the message's own work has shown: that work is ended first, and this waits for it. */
  readonly rewrites?: true
  /** Takes long, and hinders nothing else: other buttons of the conversation do not wait for it. */
  readonly beside?: true
  run(ports: JobPorts, doing: ButtonDoing): Promise<void>
}

export interface ButtonDoing extends Doing {
  readonly inbound: Extract<Inbound, { kind: 'action' }>
}
