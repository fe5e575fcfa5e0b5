import type { NamedConversation } from '../port/message.ts'

/** `12 Nov`, `12. Nov.`; with the year where it is another than now's. Empty for what is no date. */
export function dayOf(iso: string | undefined, language: string | undefined, now: number): string {
  const date = new Date(iso ?? '')
  if (Number.isNaN(date.getTime())) return ''
  const isThisYear = date.getFullYear() === new Date(now).getFullYear()
  const locale = localeOf(language) ?? 'en'
  return date.toLocaleDateString(locale === 'en' ? 'en-GB' : locale, {
    day: 'numeric',
    month: 'short',
    year: isThisYear ? undefined : 'numeric',
  })
}

/** `14:05 UTC`; with the day where it is not within the next twelve hours. */
export function clockTime(at: number, language: string | undefined): string {
  const isFar = at - Date.now() > 12 * 3_600_000
  return new Date(at).toLocaleString(localeOf(language), {
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(isFar ? { weekday: 'short', day: 'numeric', month: 'short' } : {}),
  })
}

/** Accepts `en_US` too; an invalid tag becomes undefined, the system's locale. */
export function localeOf(language: string | undefined): string | undefined {
  try {
    return language === undefined ? undefined : Intl.getCanonicalLocales(language.replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}

/** Names and notes inside our sentences: short, and without markdown of their own. */

/** Services allow very long file names; a message has no room for them. */
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

/** Escapes a note, which may contain `code` and names with underscores. */
export const escapeNote = (note: string): string => note.replace(/[*[\]<>~|]/g, String.raw`\$&`)

/** The name of a file in a sentence. */
export const shownName = ({ displayName }: { displayName: string }, length = NAME_CHARS): string =>
  escapeName(shorten(displayName, length))

/** The name of a person in a sentence. */
export const shownPerson = (name: string): string => escapeName(shorten(name, PERSON_CHARS))

/** The name of a channel in a sentence: without markup, and as one word. */
export function shownChannel({ name }: Pick<NamedConversation, 'name'>): string {
  return `#${name.replace(/[\\`*_[\]<>~|#@\s]+/g, '-')}`
}
