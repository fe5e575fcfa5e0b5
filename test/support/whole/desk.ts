import { setTimeout as sleep } from 'node:timers/promises'
import { PATIENCE_MS } from '../patience.ts'
import type { Environment } from './footbridge.ts'

export interface DroppedFile {
  readonly name: string
  readonly bytes: Uint8Array | string
  readonly mimeType: string
}

/** Where: the first channel unless told. */
export interface Where {
  readonly direct?: boolean
  /** From `addPlace`. */
  readonly place?: string
}

/** What somebody does. Without `mention` and outside a direct conversation it is talk among people, a drop or a memo. */
export interface Doing extends Where {
  readonly text?: string
  readonly mention?: boolean
  /** Somebody else than Ada does it. */
  readonly by?: string
  /** The message of which this continues the conversation: its thread on Slack, a reply on Discord. */
  readonly after?: string
  readonly files?: readonly DroppedFile[]
  readonly memo?: Uint8Array
  /** How often the service tells it. Default 1. */
  readonly times?: number
  /** Slack: which of the twins comes first. */
  readonly order?: 'mention-first' | 'message-first'
}

/** A chat service as a person sits at it: the same doings, and the same view of what stands there, on each service. */
export interface Desk {
  readonly service: 'slack' | 'discord'
  /** The settings that lead Footbridge here. */
  readonly env: Environment
  /** Tokens that nobody may ever read in a log. */
  readonly secrets: readonly string[]
  /** A further channel, in which nothing was said yet. */
  addPlace(): string
  /** Ada, or whoever is named, does this; resolves with the id of the message. */
  does(doing: Doing): string
  /**
   * What a person reads, message by message, oldest first: `Ada: …`, `Footbridge: …`, an arrow before what answers
   * another message or stands in a thread, references and buttons on lines of their own.
   */
  sees(where?: Where): string[]
  /** Ids of our messages, oldest first. */
  ours(where?: Where): readonly string[]
  /** What a fold under our messages holds. */
  folded(): readonly string[]
  /** Ada presses the newest button of this label. */
  press(label: string): void
  /** Ada marks a message with 📌. */
  pin(id: string): void
  /** Calls that made or took away a message, in order. */
  wire(): readonly ('create' | 'delete')[]
  /** What Footbridge shows while it works: the status line, or that it types. Every one there was. */
  signs(): readonly string[]
  /** One look after each thing that happens at the service. */
  until<T>(look: () => T | undefined | false, what?: string): Promise<T>
  close(): Promise<void>
}

/** Waits until exactly this is to be seen; after the time the last view is returned, for the assertion to compare. */
export async function eventually(
  look: () => readonly string[],
  expected: readonly (string | RegExp)[],
  timeoutMs = PATIENCE_MS,
): Promise<readonly string[]> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const seen = look()
    if (fits(seen, expected) || Date.now() > until) return seen
    await sleep(20)
  }
}

const fits = (seen: readonly string[], expected: readonly (string | RegExp)[]) =>
  seen.length === expected.length &&
  expected.every((one, index) => {
    const line = seen[index] ?? ''
    return typeof one === 'string' ? one === line : one.test(line)
  })
