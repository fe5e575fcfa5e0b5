import type { ConversationRef } from '#bridge/port/message.ts'
import { oneLine } from '#bridge/texts/formats.ts'

/** One message of a saved text. */
export interface SavedMessage {
  readonly name: string
  /** ISO 8601. */
  readonly at: string
  readonly text: string
  /** Permalink of the message. */
  readonly link?: string
}

/** YAML front matter of a file that we write; never shown as a passage. */
export function frontMatter(fields: Readonly<Record<string, string | undefined>>): string {
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    // Every JSON string is a YAML string.
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`],
  )
  return ['---', ...lines, '---', ''].join('\n')
}

/** `2026-11-21` */
export const dayIn = (iso: string): string => iso.slice(0, 10)

/** `2026-11-21 09:40 UTC` */
const minuteIn = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`

/** One message: author, time, permalink and text. */
export function toParagraph({ name, at, text, link }: SavedMessage, words: { readonly message: string }): string {
  const where = link === undefined ? '' : ` · [${words.message}](${link})`
  return `**${oneLine(name)}** · ${minuteIn(at)}${where}\n\n${text.trim()}\n`
}

const NAME_WORDS = 8
const NAME_CHARS = 60

/** File name of a note: `2026-11-21 How do I reset the pump`. */
export function nameAfter(iso: string, text: string): string {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu) ?? []
  const name = `${dayIn(iso)} ${words.slice(0, NAME_WORDS).join(' ')}`
  return Array.from(name).slice(0, NAME_CHARS).join('').trimEnd()
}

/** Attachment id of a saved thread: the same for each of its messages. */
export function threadKey({ adapter, workspace, channel, thread }: ConversationRef): string {
  return ['thread', adapter, workspace, channel, thread ?? ''].map(encodeURIComponent).join(':')
}
