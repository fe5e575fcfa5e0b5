import type { DroppedFile } from '../support/whole/desk.ts'
import type { Environment, Footbridge } from '../support/whole/footbridge.ts'

export type Person = 'Ada' | 'Ben'

/** The channel, another one that Ada administers, or a direct conversation with her. */
export type Place = 'channel' | 'other' | 'direct'

export interface Doing {
  /** Default `channel`. */
  readonly place?: Place
  /** Default Ada. The page knows one person only: there both are the same. */
  readonly by?: Person
  readonly text?: string
  /** Calls Footbridge by name. */
  readonly mention?: boolean
  /** The message of which this continues the conversation. */
  readonly after?: string
  readonly files?: readonly DroppedFile[]
  readonly memo?: Uint8Array<ArrayBuffer>
}

/** A message of Footbridge as a person sees it now. */
export interface Seen {
  readonly id: string
  /** Everything that can be read: the words, the references under them, what is folded. */
  readonly text: string
  readonly buttons: readonly string[]
  readonly files: readonly string[]
}

/** A place in one channel of a chat service. Written once against it, a scenario runs on every service. */
export interface Seat {
  readonly env: Environment
  /** Footbridge runs (again): the page is part of it. */
  attach(footbridge: Footbridge): Promise<void>
  does(doing: Doing): Promise<string>
  edits(id: string, text: string): Promise<void>
  deletes(id: string): Promise<void>
  pins(id: string): Promise<void>
  /** Presses the newest button of this label; `text` is what is typed where it asks for one. */
  presses(
    label: string | RegExp,
    options?: { readonly by?: Person; readonly text?: string; readonly place?: Place },
  ): Promise<void>
  /** Messages of Footbridge in that place, oldest first. */
  shown(place?: Place): Promise<readonly Seen[]>
  /** The channel as it is named in a message. */
  link(place: 'channel' | 'other'): string
  /** A person as they are named in a message, so that they are called. */
  name(person: Person): string
  /** Whom messages of Footbridge called by name. */
  called(): Promise<readonly string[]>
  /** The bytes of the newest file of this name that Footbridge gave out in the channel. */
  handedOut(name: string): Promise<Uint8Array>
  close(): Promise<unknown>
}

const fits = (label: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? label === wanted : wanted.test(label)

/** The newest message that has this button, and its exact label. */
export function holderOf(
  shown: readonly Seen[],
  wanted: string | RegExp,
): { readonly id: string; readonly label: string } | undefined {
  const holder = shown.findLast(({ buttons }) => buttons.some((label) => fits(label, wanted)))
  const label = holder?.buttons.find((each) => fits(each, wanted))
  return holder === undefined || label === undefined ? undefined : { id: holder.id, label }
}
