import { plainName } from '#lib/unicode.ts'

/** Longest title made from a text, in characters. */
const MAX_TITLE_CHARS = 60
const MENTION = /(?<![\w@.])@footbridge(?![\w-])[ \t]*/giu

/** Names that people take for the same are the same. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase()

/** The text without `@footbridge`. */
export const withoutMention = (text: string): string => text.replace(MENTION, '')

/** The first line, cut after a word; empty without words. */
export function toTitle(text: string): string {
  const line = plainName(withoutMention(text).normalize('NFC').trim().split('\n', 1)[0] ?? '')
  const chars = Array.from(line)
  if (chars.length <= MAX_TITLE_CHARS) return line
  const cut = chars.slice(0, MAX_TITLE_CHARS).join('')
  return `${cut.slice(0, cut.lastIndexOf(' ') > MAX_TITLE_CHARS / 2 ? cut.lastIndexOf(' ') : undefined)} …`
}
