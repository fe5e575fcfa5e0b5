import { SSF } from '@e965/xlsx'

/** Meaning of a number by the format of its cell. */
export type NumberKind = 'number' | 'date' | 'duration'

/** How the numbers of a cell are shown. */
export interface NumberFormat {
  readonly kind: NumberKind
  /** As the program writes it; empty where numbers are shown as they are. */
  readonly code: string
  /** Decimals that are shown, of the number itself: two more for a percentage. Undefined where it does not round so. */
  readonly decimals: number | undefined
}

/** Formats that workbooks use without describing them (ECMA-376, 18.8.30), without currencies, which the country sets. */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '#,##0;-#,##0',
  6: '#,##0;-#,##0',
  7: '#,##0.00;-#,##0.00',
  8: '#,##0.00;-#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  41: '#,##0;(#,##0)',
  42: '#,##0;(#,##0)',
  43: '#,##0.00;(#,##0.00)',
  44: '#,##0.00;(#,##0.00)',
  46: '[h]:mm:ss',
  48: '##0.0E+0',
}
/** Dates, also those of East Asia. */
const BUILT_IN_DATES = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 47])
const isBuiltInDate = (id: number) => BUILT_IN_DATES.has(id) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)

/** The format of a code without quoted texts, escaped characters, colours and conditions, which do not tell its kind. */
const bareOf = (code: string) =>
  code
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';')[0] ?? ''

function kindOf(bare: string): NumberKind {
  if (/general/i.test(bare)) return 'number'
  // Durations have brackets: hours beyond 24, minutes and seconds beyond 60.
  if (/\[(?:h+|m+|s+)\]/i.test(bare)) return 'duration'
  return /[dmyhs]/i.test(bare) ? 'date' : 'number'
}

function decimalsOf(bare: string): number | undefined {
  // Powers of ten and fractions round otherwise.
  if (!/[0#?]/.test(bare) || /[e/]/i.test(bare)) return undefined
  const shown = /\.([0#?]*)/.exec(bare)?.[1]?.length ?? 0
  const percents = bare.match(/%/g)?.length ?? 0
  const thousands = /[0#?](,*)(?![0#?,])/.exec(bare.replace(/\..*/, ''))?.[1]?.length ?? 0
  return shown + 2 * percents - 3 * thousands
}

const GENERAL: NumberFormat = { kind: 'number', code: '', decimals: undefined }

const known = new Map<string, NumberFormat>()
const MAX_KNOWN = 10_000

/** The format of a code. */
export function readFormat(code: string): NumberFormat {
  const before = known.get(code)
  if (before !== undefined) return before
  const bare = bareOf(code)
  const kind = kindOf(bare)
  const isPlain = code === '@' || /^general$/i.test(code)
  const made = isPlain ? GENERAL : { kind, code: toSimpleCode(code), decimals: decimalsOf(bare) }
  if (known.size < MAX_KNOWN) known.set(code, made)
  return made
}

/** The format with this number, and with this code where the workbook describes it. */
export function findFormat(id: number, code: string | undefined): NumberFormat {
  if (code !== undefined) return readFormat(code)
  if (isBuiltInDate(id)) return { kind: 'date', code: '', decimals: undefined }
  const builtIn = BUILT_IN[id]
  return builtIn === undefined ? GENERAL : readFormat(builtIn)
}

/** Quoted texts, conditions, escaped signs; and other letters, which are literal. */
const SIGNS = /"[^"]*"|\[[^\]]*\]|\\.|[_*].|([^\p{ASCII}€]+)/gu

/**
 * A code without the parts that the library shows or refuses: languages without a currency, the groups of India, signs
 * of its currency, the blank before a percent sign.
 */
const toSimpleCode = (code: string) =>
  code
    .replace(/([0#?])(?:\\?[ \u00a0]|"[ \u00a0]")%/g, '$1%')
    .replace(/\[\$-[^\]]*\]/g, '')
    .replace(/#(?:,##)+,/g, '#,')
    .replaceAll(SIGNS, (all: string, plain: string | undefined) => (plain === undefined ? all : `"${plain}"`))

const DAY_MS = 86_400_000
/**
 * Day 0 of the two calendars. The first has a 29 February 1900 that never existed, so it is right from March 1900 on.
 */
const EPOCHS = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) } as const

/** Days since day 0 as a date, a time or both. */
function toDateText(days: number, epoch: keyof typeof EPOCHS): string {
  const date = new Date(EPOCHS[epoch] + Math.round(days * (DAY_MS / 1000)) * 1000)
  if (Number.isNaN(date.getTime())) return ''
  const iso = date.toISOString()
  const time = iso.slice(11, iso.slice(17, 19) === '00' ? 16 : 19)
  // A time alone has no day.
  if (days < 1) return time
  return date.getTime() % DAY_MS === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`
}

const two = (value: number) => String(value).padStart(2, '0')

/** Days as hours and minutes, with seconds where there are any: 1.25 is 30:00. */
function toDurationText(days: number): string {
  const all = Math.round(Math.abs(days) * 86_400)
  const seconds = all % 60
  const text = `${Math.floor(all / 3600)}:${two(Math.floor(all / 60) % 60)}`
  return `${days < 0 && all > 0 ? '-' : ''}${text}${seconds === 0 ? '' : `:${two(seconds)}`}`
}

// 15 digits, as Excel shows them: 0.1 + 0.2 is 0.3.
const toNumberText = (value: number) => String(Number(value.toPrecision(15)))

const { format } = SSF as { readonly format: (code: string, value: number | string) => string }

function dress(code: string, number: number, plain: string): string {
  if (/general/i.test(code)) {
    if (!code.includes(';')) return format(code.replaceAll(/general/gi, '@'), plain)
    const text = format(code, number)
    return text === format('General', number) ? plain : text
  }
  try {
    return format(code, number)
  } catch {
    // Places for digits in columns are all that the library refuses.
    return format(code.replaceAll('?', '#'), number)
  }
}

/** A number in the dress of its format; as it is where the format hides it, so that nothing gets lost. */
function toShown(code: string, number: number): string {
  const plain = toNumberText(number)
  if (code === '') return plain
  try {
    const text = dress(code, number, plain).replace(/\s+/g, ' ').trim()
    // A point without decimals.
    const shown = /\.[#?]/.test(code) ? text.replace(/(\d)\.(?!\d)/, '$1') : text
    return /[\p{L}\p{N}]/u.test(shown) ? shown : plain
  } catch {
    return plain
  }
}

/** A number as the cell shows it; dates in the form that has one meaning everywhere: 2026-03-02. */
export function formatNumber(number: number, { kind, code }: NumberFormat, epoch: 1900 | 1904): string {
  if (kind === 'date' && number >= 0) return toDateText(number, epoch)
  if (kind === 'duration') return toDurationText(number)
  return kind === 'date' ? toNumberText(number) : toShown(code, number)
}

/** A text in the dress of its format, such as `@" kg"`. */
export function formatText(text: string, { code }: Pick<NumberFormat, 'code'>): string {
  if (!code.includes('@') || text === '') return text
  const section = code.split(';').find((part) => part.includes('@')) ?? ''
  const around = section.replaceAll(/"([^"]*)"|\\(.)|_.|\*.|\[[^\]]*\]/g, '$1$2').split('@')
  const [before = '', after = ''] = [around[0], around.at(-1)]
  return around.length === 2 ? `${before.trimStart()}${text}${after.trimEnd()}` : text
}

/** Whether the cell shows less than the number says. */
export function isRounded(number: number, { kind, decimals }: NumberFormat): boolean {
  if (kind !== 'number' || decimals === undefined) return false
  const shifted = number * 10 ** decimals
  return Math.abs(shifted - Math.round(shifted)) > 1e-6
}
