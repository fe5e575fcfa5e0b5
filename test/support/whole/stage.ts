import { onTestFinished } from 'vitest'
import type { DroppedFile } from './desk.ts'
import { openDiscordDesk } from './discord-desk.ts'
import { startFootbridge, type Environment, type Footbridge } from './footbridge.ts'
import { openSlackDesk } from './slack-desk.ts'

export const DESKS = { slack: () => openSlackDesk(), discord: () => openDiscordDesk() } as const
export type Service = keyof typeof DESKS
export const SERVICES: readonly Service[] = ['slack', 'discord']

interface Closing {
  close(): Promise<unknown>
}

/** Closes this when the test is over. */
export function closeAtEnd<Thing extends Closing>(thing: Thing): Thing {
  onTestFinished(() => thing.close().then(() => undefined))
  return thing
}

/** Footbridge with these settings, ended with the test. */
export async function open(...environments: readonly Environment[]): Promise<Footbridge> {
  return closeAtEnd(await startFootbridge(Object.assign({}, ...environments) as Environment))
}

export const ferryNote: DroppedFile = {
  name: 'ferry.md',
  bytes: '# Ferry\n\nThe ferry to the island leaves at 9:40 from pier seven every day except Monday.\n',
  mimeType: 'text/markdown',
}

/**
 * The line of reference 1 under an answer, as each service shows it; on Slack the passage is behind a fold. The desks show
 * `<day>` and `<link>` for what is another one at each run.
 */
export function referenceLine(service: Service, file: string, place: string, passage: string): string {
  if (service === 'slack') return `\n[1] ${file} · ${place} · Ada, <day>`
  return `\n\n-# [1] **${file}**, ${place} · Ada, <day> · <link>\n-# “${passage}”`
}

/** The buttons under an answer, as both desks show them. */
export const JUDGE = '\n[👍]\n[👎]'
export const UNDER_ANSWER = `${JUDGE}\n[↻]\n[Shorter]\n[Longer]`
export const UNDER_NOTHING = `\n[Ask a person]${JUDGE}`
