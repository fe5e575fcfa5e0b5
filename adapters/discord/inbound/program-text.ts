import type { APIEmbed, APIMessage } from 'discord.js'

/** Longest text that is read from the embeds and panels of one message, in characters. */
const MAX_CHARS = 8_000
/** Components within components; Discord allows three levels. */
const MAX_DEPTH = 6

/** A message, or the part of it that a forward keeps. */
export type Worded = Pick<Partial<APIMessage>, 'embeds' | 'components'>

/** Discord makes the other types itself, as previews of addresses and files. */
const isWritten = ({ type }: APIEmbed): boolean => (type ?? 'rich') === 'rich'

const lines = (parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => typeof part === 'string' && part.trim() !== '').join('\n')

function wordsOfEmbed({ author, title, description, fields, footer }: APIEmbed): string {
  const rows = (fields ?? []).map(({ name, value }) => `${name}: ${value}`)
  return lines([author?.name, title, description, ...rows, footer?.text])
}

/** Text displays (type 10) of a panel and the descriptions of its pictures (11, 12), wherever they are in it. */
function wordsOfComponent(component: unknown, depth = 0): string {
  if (typeof component !== 'object' || component === null || depth > MAX_DEPTH) return ''
  const { type, content, description, components, items, accessory } = component as Readonly<Record<string, unknown>>
  const own = [type === 10 ? content : '', description].map((text) => (typeof text === 'string' ? text : ''))
  const within = [components, items].flatMap((some): readonly unknown[] => (Array.isArray(some) ? some : []))
  return lines([...own, ...[...within, accessory].map((one) => wordsOfComponent(one, depth + 1))])
}

/** A poll: its question, and its answers as a list. */
export function pollWords({ poll }: Pick<APIMessage, 'poll'>): string {
  if (poll === undefined) return ''
  const answers = poll.answers.map(({ poll_media: { text = '' } }) => (text === '' ? '' : `- ${text}`))
  return lines([poll.question.text, ...answers])
}

/** Words of a program's message that its `content` lacks: in embeds, or in a panel (components V2). */
export function programWords({ embeds, components }: Worded): string {
  const written = (embeds ?? []).filter(isWritten).map(wordsOfEmbed)
  const shown = (components ?? []).map((component) => wordsOfComponent(component))
  return lines([...written, ...shown]).slice(0, MAX_CHARS)
}
