import type { Environment, Footbridge } from '../footbridge.ts'

export interface DroppedFile {
  readonly name: string
  readonly bytes: Uint8Array | string
  readonly mimeType: string
}

export interface Channel {
  readonly id: string
  readonly name: string
  readonly kind: 'public' | 'private' | 'direct'
}

/** A message of a person, with its files. */
export interface Said {
  readonly text?: string
  /** Calls Footbridge by name; nobody does in a direct conversation. */
  readonly mention?: boolean
  /** The message that this answers: in its thread on Slack and the page, a reply on Discord. */
  readonly after?: string
  readonly files?: readonly DroppedFile[]
  readonly recording?: Uint8Array
  /** How often the service tells Footbridge. Default 1. */
  readonly times?: number
  /** Slack tells a mention by two events: the one that comes first. */
  readonly order?: 'mention-first' | 'message-first'
}

/** A message as people see it now. */
export interface Message {
  readonly id: string
  /** From Footbridge. */
  readonly ours: boolean
  /** Everything that can be read, folds and references too. Ends in `▌` while it grows. */
  readonly text: string
  /** Name of the only person who sees it. */
  readonly only?: string
  /** The folded content. */
  readonly folded: readonly string[]
  readonly buttons: readonly string[]
  readonly files: readonly string[]
  /**
   * The visible text without a press: `Ada: …` or `Footbridge: …`, an arrow before a reply, files, references and
   * buttons on lines of their own, `<day>` and `<link>` for parts that differ between runs.
   */
  readonly line: string
}

/** A chat service on its double, with channels and people. The same on each service. */
export interface Workspace {
  readonly service: 'slack' | 'discord' | 'web'
  /** The settings that lead Footbridge here. */
  readonly env: Environment
  /** Tokens that no log may contain. */
  readonly secrets: readonly string[]
  /** Tells that Footbridge runs, or runs again: it serves the page. */
  attach(footbridge: Footbridge): Promise<void>
  /** Members matter to private channels only. Default: Ada and Ben. */
  addChannel(
    name: string,
    options?: { readonly kind?: 'public' | 'private'; readonly members?: readonly string[] },
  ): Promise<Channel>
  directOf(person: string): Channel
  /** Gives the id of the message. */
  say(person: string, channel: Channel, said: Said): Promise<string>
  edit(channel: Channel, id: string, text: string): Promise<void>
  remove(channel: Channel, id: string): Promise<void>
  /** Takes a file out of a message that stays. The page has no such thing. */
  removeFile?(channel: Channel, id: string, name: string): Promise<void>
  pin(person: string, channel: Channel, id: string): Promise<void>
  /** Presses the newest button of this label; `text` is typed where it asks for one, and boxes of these values are ticked. */
  press(
    person: string,
    channel: Channel,
    label: string | RegExp,
    text?: string,
    ticked?: readonly string[],
  ): Promise<void>
  /** Oldest first. */
  messages(channel: Channel): Promise<readonly Message[]>
  /** The channel as it is named in a message. */
  linkTo(channel: Channel): string
  /** A person as they are named in a message. */
  mention(person: string): string
  /** Names of the people whom messages of Footbridge called. */
  called(): Promise<readonly string[]>
  /** Files that Footbridge gave out here, oldest first. */
  handedOut(channel: Channel): Promise<readonly { readonly name: string; readonly bytes: Uint8Array }[]>
  /** Signs of Footbridge's work: status lines, or that it types. Chat services only. */
  signs?(): readonly string[]
  /** Calls that made or took away a message, in order. Chat services only. */
  calls?(): readonly ('create' | 'delete')[]
  /** Chooses from a menu of the newest panel. Discord only. */
  choose?(person: string, channel: Channel, label: string): Promise<void>
  /** Calls a command, or one on a message (`target`). Chat services only. */
  command?(person: string, channel: Channel, name: string, called?: CalledCommand): Promise<void>
  close(): Promise<void>
}

export interface CalledCommand {
  readonly options?: Readonly<Record<string, string | number | boolean>>
  readonly target?: string
}

/** Parts that Slack and Discord have and the page has not. */
export interface ChatWorkspace extends Workspace {
  readonly service: 'slack' | 'discord'
  leave(person: string, channel: Channel): void
  join(person: string, channel: Channel): void
  /** Takes somebody out of the workspace. No event tells of it. */
  expel(person: string): void
  /** Another program writes; gives the id of the message. */
  sayAsProgram(program: string, channel: Channel, said: Said): Promise<string>
  /** The id by which an administrator names that program. */
  programId(program: string): string
  /** The address of a message, as the service's clients copy it. */
  addressOf(channel: Channel, id: string): string
  /** From now on everybody may read it. */
  publish(channel: Channel): void
  /** A private thread; Slack has none. */
  addClosedThread?(around: Channel, name: string, members: readonly string[]): Channel
}

export interface WorkspaceOptions {
  /** Who administers the channels. Default Ada. */
  readonly admin?: string
  /** Discord tells the language of somebody with their presses, and only then. Default en-GB. */
  readonly pressLocale?: string
  /** Slack posts its events instead of sending them over Socket Mode. Default false. */
  readonly overHttp?: boolean
  /** Slack gives each event to another one of its connections. Default false. */
  readonly spread?: boolean
  /** How long Slack counts connections of a process that was killed. Default not at all. */
  readonly ghostsMs?: number
  /** How many edits Discord takes at a time. Default its real limit. */
  readonly editLimit?: number
  /** False: Discord refuses the words of messages that do not mention Footbridge. Default true. */
  readonly messageContent?: boolean
}

const fits = (label: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? label === wanted : wanted.test(label)

/** The newest message of Footbridge that has this button, and the label in full. */
export function findButton(
  messages: readonly Message[],
  wanted: string | RegExp,
): { readonly id: string; readonly label: string } {
  const holder = messages.findLast(({ ours, buttons }) => ours && buttons.some((label) => fits(label, wanted)))
  const label = holder?.buttons.find((each) => fits(each, wanted))
  if (holder === undefined || label === undefined) throw new Error(`There is no button ${String(wanted)}.`)
  return { id: holder.id, label }
}
