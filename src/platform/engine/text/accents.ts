import { isAscii } from '#lib/unicode.ts'

const LATIN = /\p{sc=Latin}/u
/** Latin letters that have no accent to take off, with the letter that is typed for each: the Vietnamese and Polish barred ones, the Turkish i without a dot. */
const BARRED: Readonly<Record<string, string>> = { '\u0111': 'd', '\u0131': 'i', '\u0142': 'l', '\u00f8': 'o' }

/** A word in small letters as it is typed without accents; words of other scripts stay. */
export function withoutAccents(word: string): string {
  if (isAscii(word) || !LATIN.test(word)) return word
  return word
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u0111\u0131\u0142\u00f8]/g, (letter) => BARRED[letter] ?? letter)
}
