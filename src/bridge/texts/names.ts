import type { NamedConversation } from '../port/message.ts'

/** Names and notes of people, as they stand in a sentence of ours: short, and without markdown of their own. */

/** Services take file names of thousands of characters, and no message as long. */
const NAME_CHARS = 120
const PERSON_CHARS = 80

export function shorten(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length <= length ? text : `${characters.slice(0, length).join('').trimEnd()}…`
}

/** A heading: one line of at most `length` characters. */
export function oneLine(text: string, length = 120): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return Array.from(line).length <= length ? line : shorten(line, length - 1)
}

export const escapeName = (name: string): string => name.replace(/[\\`*_[\]<>~|]/g, String.raw`\$&`)

/** Escapes a reason or a remark, which may hold `code` and names with underscores. */
export const escapeNote = (note: string): string => note.replace(/[*[\]<>~|]/g, String.raw`\$&`)

/** The name of a file in a sentence. */
export const shownName = ({ displayName }: { displayName: string }, length = NAME_CHARS): string =>
  escapeName(shorten(displayName, length))

/** The name of a person in a sentence. */
export const shownPerson = (name: string): string => escapeName(shorten(name, PERSON_CHARS))

/** A channel's name is anybody's text: nothing in it becomes markup, and it stays one word. */
export function shownChannel({ name }: Pick<NamedConversation, 'name'>): string {
  return `#${name.replace(/[\\`*_[\]<>~|#@\s]+/g, '-')}`
}
