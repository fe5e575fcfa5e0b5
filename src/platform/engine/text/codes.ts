import { allWords } from '#lexicon/match.ts'

/** A code in a question: an identifier, a part number, a version, a numbered heading, a short word in capitals. */
export interface Code {
  /** Finds it as a whole, however its parts are joined: `maxPoolSize`, `max_pool_size`. */
  readonly pattern: RegExp
  /** It names one thing: a text without it cannot answer. A word in capitals may be written out instead. */
  readonly isName: boolean
}

const CHAPTER = allWords('documents', 'headings').map(
  ([first = '', ...rest]) => `[${first.toUpperCase()}${first}]${rest.join('')}`,
)
const HEADING = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${CHAPTER.join('|')}) (?:[IVXLC]{2,}|[A-Z])(?![\p{L}\p{N}'’])`,
  'gu',
)
/** In Latin letters: scripts without spaces would make a code of a sentence with a year. */
const TOKEN = /(?<![\p{sc=Latin}\p{N}@/])(?:--)?[\p{sc=Latin}\p{N}]+(?:[-_./][\p{sc=Latin}\p{N}]+)*/gu
const OPTION = /^--\p{L}/u
const SNAKE = /\p{L}\p{N}*_[\p{L}\p{N}]/u
const CAMEL = /^\p{Ll}{2,}\p{N}*\p{Lu}/u
const HTTP_HEADER = /^X(?:-\p{Lu}\p{L}+)+$/u
const VERSION = /^\d+(?:\.\d+){2,3}$/
const THOUSANDS = /^\d{1,3}(?:\.\d{3})+$/
/** Day, month and a year of two or four digits. */
const DATE = /^(?:[0-2]?\d|3[01])\.(?:0?\d|1[0-2])\.(?:\d{2}|\d{4})$/
/** Amounts and periods, which a file may write otherwise: `250GB`, `1990s`, `FY2024`. */
const AMOUNT = /^[\d.,]+[\p{L}%]{1,4}$|^(?:FY|CY|GJ|KW|CW|Q|H)\d/u
const FILE = /\.\p{Ll}{2,5}$/u
const CAPITALS = /^\p{Lu}{2,8}$/u
const DIGITS_OF_NAME = 3

function isName(token: string): boolean {
  if (OPTION.test(token) || SNAKE.test(token) || CAMEL.test(token) || HTTP_HEADER.test(token)) return true
  if (VERSION.test(token)) return !THOUSANDS.test(token) && !DATE.test(token)
  if (AMOUNT.test(token) || FILE.test(token) || !/\p{L}/u.test(token)) return false
  return (token.match(/\d/g)?.length ?? 0) >= DIGITS_OF_NAME
}

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Its runs of letters and digits, camelCase parted, with anything that joins them between. */
function toPattern(token: string, flags: 'u' | 'iu'): RegExp {
  const parts = token.match(/\p{Lu}+(?!\p{Ll})|\p{L}\p{Ll}*|\p{N}+/gu) ?? [token]
  const joined = parts.map(escape).join(String.raw`[\s._/-]*`)
  return new RegExp(String.raw`(?<![\p{sc=Latin}\p{N}])${joined}(?![\p{sc=Latin}\p{N}])`, flags)
}

/** Longest question that is read for codes. */
const MAX_CHARS = 1000

/** The codes of a question. */
export function codesIn(question: string): readonly Code[] {
  const asked = question.slice(0, MAX_CHARS)
  const headings = asked.match(HEADING) ?? []
  const codes = headings.map((heading): Code => ({ pattern: toPattern(heading, 'iu'), isName: true }))
  // Where all is in capitals, they say nothing.
  const hasSmall = /\p{Ll}/u.test(asked)
  for (const token of asked.replace(HEADING, ' ').match(TOKEN) ?? []) {
    if (isName(token)) codes.push({ pattern: toPattern(token, 'iu'), isName: true })
    else if (hasSmall && CAPITALS.test(token)) codes.push({ pattern: toPattern(token, 'u'), isName: false })
  }
  return codes
}
