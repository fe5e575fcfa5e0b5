/** More combining marks than any script uses: normalising longer rows takes quadratic time. */
const MARKS = /(\p{M}{30})\p{M}+/gu

/** Counting bytes is several times as fast as a regular expression. */
export const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length

/** Normalises a text; of a row of combining marks only the first 30 stay. */
export const normalized = (text: string, form: 'NFC' | 'NFKC'): string =>
  isAscii(text) ? text : text.replace(MARKS, '$1').normalize(form)

/** A name in NFC. One with more marks than any script uses stays as it is, so that rules about names refuse it. */
export const normalizedName = (name: string): string =>
  name.replace(MARKS, '$1') === name ? name.normalize('NFC') : name

/** Invisible and bidirectional characters; not those that join letters and emoji. */
const INVISIBLE = String.raw`\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF`
const UNSEEN = new RegExp(String.raw`[\p{Cc}\p{Cs}${INVISIBLE}]`, 'gu')
const BLANK_OR_INVISIBLE = new RegExp(String.raw`[\s${INVISIBLE}]`, 'u')

/** The text without white space and invisible characters at both ends: copied text and some keyboards bring them. */
export function trimInvisible(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && BLANK_OR_INVISIBLE.test(text.charAt(start))) start += 1
  while (end > start && BLANK_OR_INVISIBLE.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** A name as one line without invisible or deceptive characters: none reverses the text after it. May be empty. */
export const plainName = (name: string): string =>
  name.replace(/\s/g, ' ').replace(UNSEEN, '').replace(/ +/g, ' ').trim()

/** For comparison: small letters without marks, in compatibility form. */
export const folded = (text: string): string =>
  (isAscii(text) ? text : text.replace(MARKS, '$1').normalize('NFKD').replaceAll(/\p{M}/gu, '')).toLowerCase()

/** Scripts that write without spaces between words; for character classes with the flag `u`. */
export const DENSE_SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`

/** End of a text without these trailing characters. A regular expression with `$` would take quadratic time. */
export function endWithout(characters: string, text: string, from = 0, end = text.length): number {
  let at = end
  while (at > Math.max(from, 0) && characters.includes(text.charAt(at - 1))) at -= 1
  return at
}

/** Start of a text without these leading characters. */
export function startWithout(characters: string, text: string): number {
  let at = 0
  while (at < text.length && characters.includes(text.charAt(at))) at += 1
  return at
}
