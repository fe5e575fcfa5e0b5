import { endWithout } from '#lib/unicode.ts'

/**
 * The grammar of the References block under a platform's answer: where it begins, and its entries. Every function is
 * linear in its input.
 */

/** One entry of the block, not verified yet. */
export interface ParsedReference {
  /** As in the block, without brackets: `RREF3`. */
  readonly label: string
  /** The number of the label, and of its mark in the text. */
  readonly number: number
  readonly file: string
  /** `p.45,3:7`, `L10-24`, `0:42`. */
  readonly place?: string
  /** A distance: lower is better. */
  readonly score?: number
  /** The raw entry: its line and everything below up to the next one. */
  readonly raw: string
  /** Verbatim, without surrounding blank lines; may be empty. */
  readonly body: string
}

const RULE = String.raw`[-–—─_=*]{1,500}[ \t]*\r?\n\s*`
const HEADING = String.raw`(?:#{1,6}[ \t]+)?(?:\*\*)?References:(?:\*\*)?[ \t]*\r?\n\s*`
const FRAME = new RegExp(`(?:${RULE})?${HEADING}`, 'y')
/** A rule this long above the heading is the platform's (41 hyphens), not a model's. */
const CERTAIN_FRAME = /-{20,500}[ \t]*\r?\n\s*R/y

/** A pattern for any prefix of this sequence of atoms. */
const prefixesOf = (atoms: readonly string[]): string => atoms.reduceRight((rest, atom) => `(?:${atom}${rest})?`, '')
const letters = (word: string): string[] => Array.from(word, (letter) => letter.replace(/[*[\]]/, '\\$&'))
const ENTRY_ATOMS = [
  String.raw`[\[【][ \t]*`,
  ...letters('RREF'),
  String.raw`\d{1,6}[ \t]*`,
  String.raw`[\]】][^\n]{0,1000}`,
]
const AFTER_HEADING = [':', String.raw`\*{0,2}[ \t]*`, String.raw`\r?`, '\n', String.raw`\s*`, ...ENTRY_ATOMS]
const HEADING_ATOMS = [String.raw`(?:#{1,6}[ \t]*)?\*{0,2}`, ...letters('References'), ...AFTER_HEADING]
const RULE_ATOMS = [String.raw`[-–—─_=*]{1,500}[ \t]*`, String.raw`\r?`, '\n', String.raw`\s*`, ...HEADING_ATOMS]
const UNFINISHED = new RegExp(`(?:${prefixesOf(HEADING_ATOMS)}|${prefixesOf(RULE_ATOMS)})$`, 'y')

const ENTRY = /^[[【][ \t]*(RREF(\d{1,6}))[ \t]*[\]】]:?[ \t]+(\S.*)$/
/** Ends of an entry line; each is searched for in the last characters only. */
const SCORE = /\((-?\d{1,6}(?:\.\d{1,20})?(?:e-?\d{1,3})?)\)$/i
const PAGE_OR_LINE = /(?<=[ \t])(?:pp?\.[ \t]?\d[\d,:–-]{0,60}|L\d{1,9}(?:-L?\d{1,9})?)$/
const TIME = /(?<=[ \t])\d{1,3}(?::\d{2}){1,2}(?:[–-]\d{1,3}(?::\d{2}){1,2})?$/
const MAX_END_CHARS = 80
const LINK = /^\[([^[\]]{1,300})\]\([^()]*(?:\([^()]*\)[^()]*)*\)[ \t]*(.*)$/
const EXTENSION = /\.[\p{L}\p{N}]{1,10}$/u

type Entry = Omit<ParsedReference, 'body' | 'raw'>

/** Longest line that is held back until it is known whether it is an entry. */
const MAX_ENTRY_CHARS = 1000

/**
 * Parses `[RREF1] name place (score)`. Without a score the name must look like a file name: otherwise it is a sentence.
 */
function parseEntry(line: string): Entry | undefined {
  if (line.length > MAX_ENTRY_CHARS) return undefined
  const [, label, digits, rest] = ENTRY.exec(line.trimEnd()) ?? []
  if (label === undefined || rest === undefined) return undefined
  const { before: named, end: score } = splitEnd(rest, SCORE)
  const [, linked, afterLink] = LINK.exec(named) ?? []
  // A place after a link is read as if the name were plain text.
  const whole = linked === undefined ? named : `${linked} ${afterLink ?? ''}`.trim()
  const { before: file, end: place } = splitPlace(whole)
  if (score === undefined && linked === undefined && !EXTENSION.test(file)) return undefined
  return { label, number: Number(digits), file, place, score: score === undefined ? undefined : Number(score) }
}

/** Splits off an end of this form; if the form has a group, that is the end. */
function splitEnd(text: string, form: RegExp): { readonly before: string; readonly end?: string } {
  const [found, inner = found] = form.exec(text.slice(-MAX_END_CHARS)) ?? []
  if (found === undefined) return { before: text }
  const before = text.slice(0, endWithout(' \t', text, 0, text.length - found.length))
  return before === '' || before !== before.trimEnd() ? { before: text } : { before, end: inner }
}

function splitPlace(text: string) {
  const page = splitEnd(text, PAGE_OR_LINE)
  if (page.end !== undefined) return page
  const time = splitEnd(text, TIME)
  return EXTENSION.test(time.before) ? time : { before: text, end: undefined }
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at)
  return text.slice(at, end === -1 ? undefined : end)
}

function matchAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/**
 * Starts of non-blank lines, where a block can begin: `gap` is the start of the white space before the line, `line` its
 * first visible character (or the end of the text).
 */
export function* lineStarts(text: string, atLineStart: boolean): Generator<{ gap: number; line: number }> {
  const skip = (from: number) => {
    let at = from
    while (at < text.length && text[at]?.trim() === '') at += 1
    return at
  }
  let line = skip(0)
  if (atLineStart || text.slice(0, line).includes('\n')) yield { gap: 0, line }
  for (let newline = text.indexOf('\n', line); newline !== -1; newline = text.indexOf('\n', line)) {
    const gap = newline - (text.slice(line, newline).length - text.slice(line, newline).trimEnd().length)
    line = skip(newline)
    yield { gap, line }
  }
}

/** The construct at the beginning of a line. `undecided`: more text is needed. */
export type LineVerdict = 'scored-block' | 'block' | 'cut-block' | 'undecided' | 'text'

/** @param complete the text has ended: then `cut-block` is possible and `undecided` is not */
export function judgeLine(text: string, line: number, complete: boolean): LineVerdict {
  const entries = matchAt(FRAME, text, line)
  if (entries !== undefined) {
    const first = lineAt(text, entries)
    if (complete || entries + first.length < text.length) {
      const entry = parseEntry(first)
      if (entry !== undefined) return entry.score === undefined ? 'block' : 'scored-block'
    }
  }
  if (matchAt(UNFINISHED, text, line) === undefined) return 'text'
  if (!complete) return 'undecided'
  return matchAt(CERTAIN_FRAME, text, line) === undefined ? 'text' : 'cut-block'
}

/** The text below an entry line, without surrounding blank lines. */
export const toBody = (below: string): string => below.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd()

/** The entries of a block that begins at `line`. Lines in a body that look like an entry are entries too. */
export function parseEntries(text: string, line: number): readonly ParsedReference[] {
  const begin = matchAt(FRAME, text, line)
  if (begin === undefined) return []
  const references: ParsedReference[] = []
  let open: { readonly entry: Entry; readonly begin: number; readonly body: number } | undefined
  let scored = false
  const close = (end: number) => {
    if (open === undefined) return
    const body = toBody(text.slice(open.body, end))
    references.push({ ...open.entry, raw: text.slice(open.begin, end), body })
  }
  for (let at = begin; at < text.length;) {
    const row = lineAt(text, at)
    const entry = parseEntry(row)
    // If the first entry has a score, a line without one belongs to a body.
    if (entry !== undefined && !(scored && entry.score === undefined)) {
      close(at)
      scored ||= open === undefined && entry.score !== undefined
      open = { entry, begin: at, body: Math.min(at + row.length + 1, text.length) }
    }
    at += row.length + 1
  }
  close(text.length)
  return references
}
