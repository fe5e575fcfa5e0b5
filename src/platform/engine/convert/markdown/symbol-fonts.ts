import { codePoint } from 'dingbat-to-unicode'

/** Fonts whose letters are signs: Greek, arrows, ticked boxes. */
const FONTS: ReadonlyMap<string, string> = new Map(
  ['Symbol', 'Wingdings', 'Wingdings 2', 'Wingdings 3', 'Webdings'].map((name) => [name.toLowerCase(), name]),
)

/** The font of this name, if its letters are signs. */
export const symbolFont = (name: string | undefined): string | undefined => FONTS.get((name ?? '').trim().toLowerCase())

/** Text in a font of signs. Its letters have the codes of one byte, or those of the private area that Office gives them. */
export const toSymbols = (font: string, text: string): string =>
  text.replace(/[!-\u00ff\uf021-\uf0ff]/g, (letter) => codePoint(font, letter.charCodeAt(0) & 0xff)?.string ?? letter)
