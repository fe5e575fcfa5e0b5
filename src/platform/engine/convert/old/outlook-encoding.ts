import { guessEncoding } from '#lib/decode.ts'

/** ANSI code page by the primary language of a locale (the ten lower bits of its identifier, [MS-LCID]). */
const PAGES_OF_LANGUAGES: readonly (readonly [page: number, languages: readonly number[]])[] = [
  [874, [0x1e]],
  [932, [0x11]],
  [949, [0x12]],
  [1250, [0x05, 0x0e, 0x15, 0x18, 0x1a, 0x1b, 0x1c, 0x24]],
  [1251, [0x02, 0x19, 0x22, 0x23, 0x2f]],
  [1253, [0x08]],
  [1254, [0x1f, 0x2c]],
  [1255, [0x0d]],
  [1256, [0x01, 0x20, 0x29]],
  [1257, [0x25, 0x26, 0x27]],
  [1258, [0x2a]],
]
const CHINESE = 0x04
/** Taiwan, Hong Kong and Macau. */
const TRADITIONAL: ReadonlySet<number> = new Set([0x0404, 0x0c04, 0x1404])

function pageOfLocale(locale: number): number | undefined {
  const language = locale & 0x3ff
  if (language === CHINESE) return TRADITIONAL.has(locale & 0xffff) ? 950 : 936
  return PAGES_OF_LANGUAGES.find(([, languages]) => languages.includes(language))?.[0]
}

/** Code pages that programs name without looking: Western Europe, ASCII. */
const UNTOLD: ReadonlySet<number> = new Set([0, 1252, 20127, 28591])

const STRINGS = ['0037', '1000', '0C1A', '0E04', '1013'].map((tag) => Buffer.from(`__substg1.0_${tag}001E`, 'utf16le'))

/** Whether texts have one byte a letter ([MS-OXMSG] section 2.4.1.1): mails of Outlook before 2003. */
export const hasByteStrings = (bytes: Buffer): boolean => STRINGS.some((name) => bytes.includes(name))

/**
 * The encoding of the one-byte texts of a mail: as the mail says, else by its language, else by its letters.
 * `texts` are read as Latin-1.
 */
export function encodingOf(
  { messageCodepage, messageLocaleId }: { readonly messageCodepage?: number; readonly messageLocaleId?: number },
  texts: readonly string[],
): string {
  const said = [messageCodepage, messageLocaleId === undefined ? undefined : pageOfLocale(messageLocaleId)]
  const page = said.find((one) => one !== undefined && !UNTOLD.has(one))
  if (page !== undefined) return String(page)
  const bytes = Buffer.from(texts.join('\n'), 'latin1')
  return bytes.some((byte) => byte > 0x7f) ? guessEncoding(bytes) : 'windows-1252'
}
