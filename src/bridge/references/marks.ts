import { allPhrases, allWords, oneOf } from '#lexicon/match.ts'
import { endWithout } from '#lib/unicode.ts'
import type { ParsedReference } from './block.ts'

/** An entry as far as marks name it. */
export type Entry = Pick<ParsedReference, 'number'> & Partial<Pick<ParsedReference, 'file' | 'place'>>

const SPACES = String.raw`[ \t]{0,4}`

/** Marks in the platform's form: `[RREF1]`, `【RREF1, RREF2】`. */
const MARK = /[[【][ \t]*RREF\d{1,6}(?:[ \t]*[,;][ \t]*(?:RREF)?\d{1,6}){0,19}[ \t]*[\]】]/gi
/** An unfinished mark at the end of a text. */
export const UNFINISHED_MARK = new RegExp(
  String.raw`[[【]${SPACES}(?:R|RR|RRE|RREF(?:\d{1,6}(?:${SPACES}[,;]${SPACES}(?:RREF)?\d{1,6}){0,19}` +
    String.raw`${SPACES}(?:[,;]${SPACES}R{0,2}E?F?)?)?)?$`,
  'i',
)
export const MAX_MARK_CHARS = 400

/** Other forms that models write: `(RREF1)`, `[see RREF1 and RREF2]`, `[RREF1-3]`, `RREF1`. */
const SEE = oneOf(allPhrases('models', 'beforeMarks'))
const AND = `(?:[,;&–-]|${oneOf(allWords('talk', 'and'))})`
const LOOSE_MARK = new RegExp(
  String.raw`[[【(]${SPACES}(?:\^|${SEE}[ \t]{1,4})?RREF[ \t]?\d{1,6}` +
    String.raw`(?:${SPACES}${AND}${SPACES}(?:RREF[ \t]?)?\d{1,6}){0,19}${SPACES}[\]】)]` +
    String.raw`|(?<![\p{L}\p{N}])RREF\d{1,6}(?![\p{L}\p{N}])`,
  'giu',
)
/** A longer range is not a range of marks. */
const MAX_RANGE = 20

function numbersOf(mark: string): readonly number[] {
  return Array.from(mark.matchAll(/(\d+)(?:[ \t]*[–-][ \t]*(?:RREF[ \t]?)?(\d+))?/gi), ([, from, to]) => {
    const [first, last] = [Number(from), Number(to ?? from)]
    const length = last - first + 1
    return length > 0 && length <= MAX_RANGE ? Array.from({ length }, (_, index) => first + index) : [first, last]
  }).flat()
}

export const showMarks = (text: string): string =>
  text.replace(MARK, (mark) =>
    numbersOf(mark)
      .map((number) => `[${number}]`)
      .join(''),
  )

const CODE = /(```[^]*?(?:```|$)|`[^`\n]+`)/
/** The text outside code, changed. */
function outsideCode(text: string, change: (piece: string) => string): string {
  const pieces = text.split(CODE)
  return pieces.map((piece, index) => (index % 2 === 1 ? piece : change(piece))).join('')
}

/** Excludes the words of a link and definitions. */
const NUMBER = /\[(\d{1,6})\](?![(:])/g

/** Rewrites `[12]` as `(12)` where it is no mark: numbers quoted from files would look like references. */
const withoutNumbers = (text: string): string => outsideCode(text, (piece) => piece.replace(NUMBER, '($1)'))

/** Numbers alone, as models cite that know no `RREF`: `[1]`, `[1, 3]`, `[1-3]`, `[^1]`, `【1】`, `【1†source】`. */
const MORE_NUMBERS = String.raw`(?:${SPACES}[,;–-]${SPACES}\^?\d{1,6}){0,19}`
const PLAIN_MARK = new RegExp(
  String.raw`(?:\[${SPACES}\^?\d{1,6}${MORE_NUMBERS}${SPACES}\](?![(:])` +
    String.raw`|【${SPACES}\d{1,6}${MORE_NUMBERS}(?:†[^】\n]{0,40})?${SPACES}】)`,
  'gu',
)
/** The same in round brackets, which also count things: only at the end of a clause. */
const ROUND_MARK = new RegExp(
  String.raw`(?<=[^\s(])[ \t]?\(${SPACES}\d{1,3}(?:${SPACES}[,;–-]${SPACES}\d{1,3}){0,19}${SPACES}\)` +
    String.raw`(?=${SPACES}(?:[.,;:!?]|$|\(\d))`,
  'gmu',
)
/** A list of sources that a model wrote itself: `[^1]: handbook.pdf`. */
const DEFINITION = /^[ \t]{0,3}\[\^?(\d{1,6})\]:[ \t].{0,500}$/gmu
/** A name of a file in brackets: `(handbook.pdf, p. 3)`, `[Source: handbook.pdf]`. */
const NAMED_MARK = new RegExp(
  String.raw`[[【(](?:${oneOf(allWords('models', 'sources'))}[ \t:]{1,4})?` +
    String.raw`([^[\]【】()\n]{1,200}?\.[\p{L}\p{N}]{1,10})((?:,${SPACES}|[ \t]{1,4})[^[\]【】()\n]{1,60})?[\]】)](?![(:])`,
  'giu',
)

/** A name without brackets. It begins where a word begins, so that a long word is read once and not once a letter. */
const BARE_NAME =
  /(?<![^\s()[\]"'“”„*`,;:])[^\s()[\]"'“”„*`,;:]{1,200}\.[\p{L}\p{N}]{1,10}(?=[*`"'”]{0,3}(?:[\s,;:.!?)]|$))/gu

/** Writes plain marks of known entries in the platform's form; if no number in the text is known, none is a mark. */
function fromNumbers(text: string, known: ReadonlySet<number>, form: RegExp): string {
  const isKnown = (mark: string) => numbersOf(mark).some((number) => known.has(number))
  let cites = false
  const changed = outsideCode(text, (piece) =>
    piece.replace(form, (mark) => {
      cites ||= isKnown(mark)
      const marks = numbersOf(mark).map((number) => `[RREF${number}]`)
      return `${mark.startsWith(' ') ? ' ' : ''}${marks.join('')}`
    }),
  )
  return cites ? changed.replace(DEFINITION, (line, number) => (known.has(Number(number)) ? '' : line)) : text
}

/** Names of a file in the collection as people and models write it: `plan.docx.md` is `plan.docx` too. */
const namesOf = (file: string): readonly string[] => {
  const name = file.toLowerCase()
  const original = /^(.+\.[\p{L}\p{N}]{1,10})\.(?:md|txt)$/u.exec(name)?.[1]
  return original === undefined ? [name] : [name, original]
}

/** Writes names of known files, in brackets, in the platform's form; else puts a mark after the first bare name. */
function fromNames(text: string, entries: readonly Entry[]): string {
  const byName = new Map<string, Entry[]>()
  for (const entry of entries) {
    for (const name of namesOf(entry.file ?? '')) byName.set(name, [...(byName.get(name) ?? []), entry])
  }
  let cites = false
  const inBrackets = outsideCode(text, (piece) =>
    piece.replace(NAMED_MARK, (whole, name: string, place = '') => {
      const of = byName.get(name.trim().toLowerCase()) ?? []
      const digits = /\d+/.exec(String(place))?.[0]
      const entry = of.find((each) => digits !== undefined && /\d+/.exec(each.place ?? '')?.[0] === digits) ?? of[0]
      cites ||= entry !== undefined
      return entry === undefined ? whole : `[RREF${entry.number}]`
    }),
  )
  if (cites) return inBrackets
  const marked = new Set<number>()
  return outsideCode(text, (piece) =>
    piece.replace(BARE_NAME, (name) => {
      const [entry] = byName.get(name.toLowerCase()) ?? []
      if (entry === undefined || marked.has(entry.number)) return name
      marked.add(entry.number)
      return `${name} [RREF${entry.number}]`
    }),
  )
}

/** The answer with its citations in the platform's form, whatever form the model wrote them in. */
function normaliseMarks(answer: string, entries: readonly Entry[]): string {
  if (answer.search(LOOSE_MARK) !== -1) return withoutNumbers(answer)
  if (entries.length === 0) return answer
  const known = new Set(entries.map(({ number }) => number))
  for (const form of [PLAIN_MARK, ROUND_MARK]) {
    const changed = fromNumbers(answer, known, form)
    if (changed !== answer) return changed
  }
  return fromNames(answer, entries)
}

/**
 * Rewrites marks as `[n]`; drops those without an entry, with the space before them.
 *
 * @param known numbers of the entries that are shown; default all.
 */
export function resolveMarks(
  answer: string,
  entries: readonly Entry[],
  known: ReadonlySet<number> = new Set(entries.map(({ number }) => number)),
): { readonly text: string; readonly used: ReadonlySet<number> } {
  const text = normaliseMarks(answer, entries)
  const used = new Set<number>()
  let resolved = ''
  let at = 0
  for (const { 0: mark, index } of text.matchAll(LOOSE_MARK)) {
    resolved += text.slice(at, index)
    at = index + mark.length
    const numbers = numbersOf(mark).filter((number) => known.has(number))
    for (const number of numbers) used.add(number)
    resolved += numbers.map((number) => `[${number}]`).join('')
    if (numbers.length > 0) continue
    const bare = resolved.slice(0, endWithout(' \t', resolved, resolved.length - 8))
    if (bare !== '' && !bare.endsWith('\n')) resolved = bare
    else if (text[at] === ' ') at += 1
  }
  return { text: resolved + text.slice(at), used }
}
