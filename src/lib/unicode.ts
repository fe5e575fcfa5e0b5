/** More marks on one letter than any script sets. To put longer rows of them in order takes quadratic time. */
const MARKS = /(\p{M}{30})\p{M}+/gu

/** A text in one form of Unicode; of a row of combining marks the first 30 stay. */
export const normalized = (text: string, form: 'NFC' | 'NFKC'): string => text.replace(MARKS, '$1').normalize(form)

/** Scripts that write without spaces between words; for character classes with the flag `u`. */
export const DENSE_SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`

/** Where a text ends without these characters behind it. Regular expressions that end in `$` take quadratic time for this. */
export function endWithout(characters: string, text: string, from = 0, end = text.length): number {
  let at = end
  while (at > Math.max(from, 0) && characters.includes(text.charAt(at - 1))) at -= 1
  return at
}

/** Where a text begins without these characters before it. */
export function startWithout(characters: string, text: string): number {
  let at = 0
  while (at < text.length && characters.includes(text.charAt(at))) at += 1
  return at
}
