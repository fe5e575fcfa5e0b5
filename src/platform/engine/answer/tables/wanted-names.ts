import { allPhrases, allSet, matchWhole, oneOf } from '#lexicon/match.ts'
import { saysName } from './column.ts'
import type { Computed } from './computed.ts'
import { type Prepared, prepare } from './prepare.ts'
import type { TableRow } from './read-tables.ts'
import { isSameWord, toStem, toWordList } from './stems.ts'
import { isSmallWord } from './table-question.ts'

/** A question, and the names that its answer is to have. */
export interface Wish {
  readonly question: string
  /** Words for the names: `job numbers`. */
  readonly words: readonly string[]
}

/** Words for the names in a note. */
const MAX_WORDS = 3

/** `Which jobs are late? Just the job numbers please`: a note after the question. */
const AT_END = /^(?<question>.{8,400}?)(?<end>[?.!,;:–—-])\s(?<note>[^?!.,;:]{3,60}(?:, \p{L}{4,8})?)[.!]?$/su
/** `The names of members who joined after 2022`. */
const AT_START = new RegExp(
  String.raw`^${oneOf(allPhrases('tables', 'namesOf'))}\s(?<thing>\p{L}+),?\s${oneOf(allPhrases('tables', 'whoOrThat'))}\s`,
  'iu',
)
const WISHING = allSet('tables', 'wishing')
const NAME = matchWhole(allPhrases('tables', 'nameWords'))
const NUMBER = new RegExp(`${oneOf(allPhrases('tables', 'numberWords'))}$`, 'u')
const [WHICH = ''] = allPhrases('tables', 'rows')

/** The question and its wish; undefined where it has none. */
export function readWish(text: string): Wish | undefined {
  const whole = text.trim()
  if (AT_START.test(whole)) return { question: whole.replace(AT_START, `${WHICH} $<thing> `), words: [] }
  const { question, end, note = '' } = AT_END.exec(whole)?.groups ?? {}
  if (question === undefined) return undefined
  const said = toWordList(note)
  const words = said.filter((word) => !WISHING.has(word) && (NUMBER.test(word) || !isSmallWord(word)))
  const isWish = end === '?' || said.some((word) => WISHING.has(word))
  return isWish && words.length > 0 && words.length <= MAX_WORDS ? { question: `${question}?`, words } : undefined
}

/** The column of the names that are wished; undefined where the table has none. */
function findNames(data: Prepared, words: readonly string[]): number | undefined {
  const isNumber = words.some((word) => NUMBER.test(word))
  const stems = words.flatMap((word) => {
    const rest = word.replace(NUMBER, '')
    return rest === '' || NAME.test(word) ? [] : [toStem(rest)]
  })
  const at = data.columns.findIndex(
    ({ header }, column) =>
      (!isNumber || saysName(header)) &&
      stems.every((stem) => data.headers[column]?.some((word) => isSameWord(word, stem)) === true),
  )
  return at === -1 || (stems.length === 0 && !isNumber) ? undefined : at
}

/** The rows with the names that are wished; undefined where the table has no such names. */
export function withWish(made: Computed, { words }: Wish): Computed | undefined {
  if (made.aggregate !== 'rows' || made.shape !== undefined) return undefined
  const asked = findNames(prepare(made.table).point, words)
  if (asked !== undefined) return { ...made, asked, isWished: true }
  return words.every((word) => NAME.test(word)) ? made : undefined
}

/** Names that are said in one line. */
const MAX_NAMES = 20

const cellOf = (row: TableRow, at: number) => (row.cells[at] ?? '').trim()

const LETTERS = /\p{L}{2}/u

/** Names of the rows of a list, and how many more there are; undefined where they have none of their own. */
export function namesOfRows({
  rows,
  table,
  asked,
  isWished,
}: Omit<Computed, 'value'>): { readonly names: readonly string[]; readonly more: number } | undefined {
  if (table.wide !== undefined || rows.length < 2) return undefined
  const { columns, rows: all } = prepare(table).point
  const isFull = (at: number) => rows.every((row) => cellOf(row, at) !== '')
  const isOwn = (at: number) => isFull(at) && new Set(rows.map((row) => cellOf(row, at))).size === rows.length
  const isOwnOfAll = (at: number) => isOwn(at) && new Set(all.map((row) => cellOf(row, at))).size === all.length
  // A day tells two invoices apart, but is no name of them.
  const first = [asked ?? -1, 0].find(
    (at) => at >= 0 && isFull(at) && (at === asked || (isOwn(at) && columns[at]?.kind !== 'date')),
  )
  const isText = (at: number) => columns[at]?.kind === 'text' && rows.every((row) => LETTERS.test(cellOf(row, at)))
  // A number says less than the name next to it.
  const second = columns.findIndex(
    (_, at) => at !== first && isText(at) && (first === undefined ? isOwn(at) : isOwnOfAll(at)),
  )
  const isPlain = isWished === true || first === undefined || isText(first)
  const told = [...(first === undefined ? [] : [first]), ...(isPlain && first !== undefined ? [] : [second])]
  const parts = told.filter((at) => at !== -1)
  if (parts.length === 0) return undefined
  const names = [...new Set(rows.map((row) => parts.map((at) => cellOf(row, at)).join(' ')))]
  return { names: names.slice(0, MAX_NAMES), more: Math.max(0, names.length - MAX_NAMES) }
}
