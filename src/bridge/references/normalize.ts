import { DENSE_SCRIPTS, normalized } from '../../lib/unicode.ts'

/**
 * Texts of one file differ between its bytes, a conversion and a chunk: in white space, line breaks with and without
 * hyphens, marks of headings and tables, soft hyphens, ligatures and the form of composed letters. What stays the same
 * are letters and digits, so these are compared.
 */

/** Where a page begins. No other comment is left out: a forged passage could hide its words in it. */
const PAGE_MARK = /<!-- page \d{1,6} -->/g
/** Bare names of extracted images, which one conversion has and another has not (wire.md, "Under base_url"). */
const IMAGE_NAME = /\b(?:picture|table)-\d{1,5}\.(?:png|jpe?g)\b/g
// A sum in another currency is another sum; and what people read as letters (🅰, braille) counts as such.
const NO_LETTERS =
  /[^\p{L}\p{N}\p{M}\p{Sc}%‰°\u{2800}-\u{28FF}\u{1F100}-\u{1F1FF}]+|\p{Variation_Selector}+/gu

/** A word that was cut at the end of a line. */
const HYPHENATION = /(?<=\p{L})[-\u2010][^\S\n]*\n\s*(?=\p{L})/gu

const plain = (text: string): string =>
  normalized(
    text.replaceAll('\u00AD', '').replace(PAGE_MARK, ' ').replace(IMAGE_NAME, ' '),
    'NFKC',
  ).toLowerCase()

/** Letters, their marks and digits, in one form and one case, with nothing between them. */
export const toLetters = (text: string): string => plain(text).replace(NO_LETTERS, '')

/** The same with one space between words, and at both ends. */
export const toSpacedLetters = (text: string): string =>
  ` ${plain(text).replace(HYPHENATION, '').replace(NO_LETTERS, ' ').trim()} `

/** Scripts that write without spaces: there a few letters are many. */
const DENSE = new RegExp(String.raw`[${DENSE_SCRIPTS}\p{Script=Hangul}]`, 'u')

/** So few letters stand somewhere in any file: they have to be whole words there. */
export const isShort = (letters: string): boolean => letters.length < 16 && !DENSE.test(letters)
