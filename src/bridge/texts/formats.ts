import { ANSWERED_LANGUAGES } from '#lexicon/text-language.ts'
import type { NamedConversation } from '../port/message.ts'

/** The person who reads a time, as far as known. */
export interface TimeReader {
  readonly language?: string
  readonly timeZone?: string
}

/**
 * `12 Nov`, `12. Nov.`, in the reader's zone; with the year where it is another than now's. Empty for a text that is
 * not a date.
 */
export function dayOf(iso: string | undefined, reader: TimeReader, now: number): string {
  const date = new Date(iso ?? '')
  if (Number.isNaN(date.getTime())) return ''
  const timeZone = zoneOf(reader)
  const yearOf = (time: Date | number) => new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' }).format(time)
  const locale = localeOf(reader.language) ?? 'en'
  return date.toLocaleDateString(locale === 'en' ? 'en-GB' : locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: yearOf(date) === yearOf(now) ? undefined : 'numeric',
  })
}

const MINUTE_MS = 60_000
/** Words before a time, and before one that is days away. */
const ENGLISH_TIMES = { locale: 'en-GB', at: 'at', from: 'at' }
const TIMES = [{ locale: 'de', at: 'um', from: 'ab' }]

/** `at 14:05` in the person's zone, with the day where it is far; `in 12 minutes (14:05 UTC)` where the zone is unknown. */
export function whenAgain(at: number, { language, ...reader }: TimeReader, now = Date.now()): string {
  const timeZone = zoneOf(reader)
  const {
    locale,
    at: near,
    from,
  } = TIMES.find((one) => language?.toLowerCase().startsWith(one.locale)) ?? ENGLISH_TIMES
  const minutes = Math.max(1, Math.ceil((at - now) / MINUTE_MS))
  // A receipt is read later, too: it also tells the time.
  if (timeZone === undefined) {
    const [count, unit] =
      minutes < 120
        ? ([minutes, 'minute'] as const)
        : minutes < 48 * 60
          ? ([Math.ceil(minutes / 60), 'hour'] as const)
          : ([Math.ceil(minutes / 1440), 'day'] as const)
    const relative = new Intl.RelativeTimeFormat(locale).format(count, unit)
    return `${relative} (${new Date(at).toISOString().slice(11, 16)} UTC)`
  }
  const isFar = minutes > 12 * 60
  const time = new Date(at).toLocaleString(locale, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    ...(isFar ? { weekday: 'short', day: 'numeric', month: 'short' } : {}),
  })
  return `${isFar ? from : near} ${time}`
}

/** The reader's zone; undefined where it is not told, or is unknown. Chat services and browsers name it. */
export function zoneOf({ timeZone }: TimeReader): string | undefined {
  try {
    return timeZone === undefined ? undefined : new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
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

/** A text of a person or a model, to be quoted in a sentence: without markup and mentions. */
export const withoutMarkup = (text: string, instead = ''): string => text.replace(/[\\`*_[\]<>~|#@]/g, instead)

/** The name of a file in a sentence. */
export const shownName = ({ displayName }: { displayName: string }, length = NAME_CHARS): string =>
  escapeName(shorten(displayName, length))

/** The name of a person in a sentence. */
export const shownPerson = (name: string): string => escapeName(shorten(name, PERSON_CHARS))

/** The name of a channel in a sentence: without markup, and as one word. */
export function shownChannel({ name }: Pick<NamedConversation, 'name'>): string {
  return `#${name.replace(/[\\`*_[\]<>~|#@\s]+/g, '-')}`
}

/** The languages that are answered in, by code, with their names in one of them: `German`, `Deutsch`. */
export function languageNames(language: string): Readonly<Record<string, string>> {
  const names = new Intl.DisplayNames(language, { type: 'language' })
  return Object.fromEntries(ANSWERED_LANGUAGES.map((code) => [code, names.of(code) ?? code]))
}

/** The name of a language, or of the one that is spoken in its place. */
export function languageName(code: string | undefined, language: string): string {
  const names = languageNames(language)
  return names[code?.slice(0, 2).toLowerCase() ?? ''] ?? names['en'] ?? ''
}
