import { DENSE_SCRIPTS } from '#lib/unicode.ts'
import { findAddresses } from './addresses.ts'
import { MAX_HELD_CHARS, type OnRead, type Reader } from './line-syntax.ts'

/** A text in brackets: `[text](target)`, `[label]:` (a definition where a line begins), or neither. */
export type Bracketed =
  | { readonly kind: 'link'; readonly text: string; readonly target: string; readonly length: number }
  | { readonly kind: 'definition'; readonly label: string; readonly length: number }
  | { readonly kind: 'none' }

const MAX_TEXT_CHARS = 400
const MAX_TARGET_CHARS = 2500
/** A blank line, with at most this many blanks, ends a paragraph. */
const MAX_BLANK_LINE_CHARS = 79

/** Finds the closing bracket of the one at `from`; -1: it is not closed. */
function createClosingReader(from: number, longest: number, look: OnRead) {
  let at = from
  let depth = 0
  let newline: number | undefined
  let found: number | undefined
  return (text: string): number | undefined => {
    const begun = at
    const [open, close] = text[from] === '[' ? '[]' : '()'
    if (found !== undefined) return found
    const isFar = at === from && text.length > from + longest + 1
    if (isFar && !text.slice(from, from + longest + 1).includes(close ?? '')) {
      look(longest)
      return (found = -1)
    }
    try {
      for (; at < text.length; at += 1) {
        const character = text[at]
        if (at - from > longest) return -1
        if (character === '\n') {
          if (newline !== undefined && at - newline <= MAX_BLANK_LINE_CHARS) return -1
          newline = at
        } else if (character !== ' ' && character !== '\t') newline = undefined
        if (character === '\\') at += 1
        else if (character === open) depth += 1
        else if (character === close) depth -= 1
        if (depth === 0) return (found = at)
      }
      return undefined
    } finally {
      look(at - begun)
    }
  }
}

/** Reads text that begins with `[` or `![`. */
export function createBracketReader(look: OnRead): Reader<Bracketed> {
  const none = { kind: 'none' } as const
  let label: ReturnType<typeof createClosingReader> | undefined
  let target: ReturnType<typeof createClosingReader> | undefined
  let end: number | undefined
  return (text, complete) => {
    const from = text.startsWith('!') ? 1 : 0
    label ??= createClosingReader(from, MAX_TEXT_CHARS, look)
    end ??= label(text)
    if (end === -1) return none
    const next = end === undefined ? undefined : text[end + 1]
    if (end === undefined || next === undefined) return complete ? none : undefined
    if (next === ':') return { kind: 'definition', label: text.slice(from + 1, end), length: end + 2 }
    if (next !== '(') return none
    target ??= createClosingReader(end + 1, MAX_TARGET_CHARS, look)
    const last = target(text)
    if (last === undefined) return complete ? none : undefined
    if (last === -1) return none
    const inside = text.slice(end + 2, last).trim()
    const address = /^<([^<>\n]*)>/.exec(inside)?.[1] ?? /^\S*/.exec(inside)?.[0] ?? ''
    return { kind: 'link', text: text.slice(from + 1, end), target: address, length: last + 1 }
  }
}

/** Replaces links and pictures by their words. */
export function withoutLinks(text: string): string {
  const last = text.lastIndexOf(')')
  let bare = ''
  let from = 0
  let close = -1
  for (let open = text.indexOf('['); open !== -1; open = text.indexOf('[', Math.max(from, open + 1))) {
    if (close < open) close = text.indexOf(']', open)
    if (close === -1 || close > last) break
    if (text[close + 1] !== '(' || last < close + 2) continue
    bare += text.slice(from, text[open - 1] === '!' ? open - 1 : open) + text.slice(open + 1, close)
    from = text.indexOf(')', close + 2) + 1
  }
  return bare + text.slice(from)
}

/** `<address>`, or Slack's `<address|words>`. */
export interface Angle {
  readonly address: string
  readonly words: string
  readonly length: number
}

const ANGLE = /^<((?:[a-z][a-z0-9+.-]*:|[^\s<>|@`]+@)[^\s<>|`]*)(?:\|([^<>\n]*))?>$/i

/** Reads text that begins with `<`. */
export function createAngleReader(look: OnRead): Reader<Angle | 'none'> {
  let at = 1
  let named = false
  return (text, complete) => {
    const from = at
    for (; at < text.length && at < MAX_HELD_CHARS; at += 1) {
      const character = text.charAt(at)
      if (character === '|' && !named) named = true
      else if (/[<>]/.test(character) || (named ? character === '\n' : /[\s|]/.test(character))) break
    }
    look(at - from)
    if (at === text.length && !complete && at < MAX_HELD_CHARS) return undefined
    const [whole, address, words = ''] = text[at] === '>' ? (ANGLE.exec(text.slice(0, at + 1)) ?? []) : []
    return whole === undefined || address === undefined ? 'none' : { address, words, length: whole.length }
  }
}

/** Backticks at the beginning of a text: their number, and the length of the code span if one backtick begins it. */
export interface Backticks {
  readonly run: number
  readonly span?: number
}

/**
 * Reads text that begins with a backtick. Only a span between single backticks, in one line, is code for every service.
 *
 * @param isDoubtful do not look for a code span.
 */
export function createBacktickReader(isDoubtful: boolean, look: OnRead): Reader<Backticks> {
  let at = 0
  let run: number | undefined
  let codeEnd: number | undefined
  return (text, complete) => {
    const from = at
    try {
      while (run === undefined && text[at] === '`') at += 1
      if (at === text.length && run === undefined && !complete) return undefined
      run ??= at
      if (run > 1 || isDoubtful) return { run }
      while (codeEnd === undefined && at < text.length && at < MAX_HELD_CHARS && !/[`\n]/.test(text.charAt(at))) at += 1
      if (at === text.length && !complete && at < MAX_HELD_CHARS) return undefined
      codeEnd ??= at
      while (text[at] === '`' && at - codeEnd < 2) at += 1
      if (at === text.length && !complete && at < MAX_HELD_CHARS) return undefined
    } finally {
      look(at - from)
    }
    const isSpan = at - codeEnd === 1 && at < MAX_HELD_CHARS && text[codeEnd - 1] !== '\\'
    return { run, span: isSpan ? at : undefined }
  }
}

const BREAKS = String.raw`\s\x60[<。、，；！？（）「」『』【】`
/** A word in a script that writes with spaces, and the characters of addresses. */
const WORD = new RegExp(`[^${BREAKS}${DENSE_SCRIPTS}]+`, 'uy')
/** An address continues with letters of every script. */
const ADDRESS_WORD = new RegExp(`[^${BREAKS}]+`, 'uy')
const DENSE_NEXT = new RegExp(`[${DENSE_SCRIPTS}]`, 'uy')
const ADDRESS_BEGUN = /:\/\/$|www\.$/i
const OPENING_MARKS = /^["'“„»«(*_]*/
const LETTERS = /^[\p{L}\p{N}\p{M}'’-]+$/u
const SCHEME_BEGUN = /^(?:h|ht|http?|https|w|ww|www|f|ft|ftp|m|ma|mai|mail|mailto?)$/iu

/** No part of an address, a construct, an escape or an entity. */
const HARMLESS = String.raw`[^\s<>\x60|"“”„«»。、，；！？（）「」『』【】/@:.\\&\[!]`
/** No address crosses it; a construct that begins a line does not begin with a letter. */
const GAP = String.raw`[ \t。、，；！？（）「」『』【】]|\n(?=\p{L})`
/**
 * A dot may end a word, but not `www`; a colon may be between digits. Longer words are looked at, or each try would
 * read to the end.
 */
const PLAIN = new RegExp(`(?:(?:${HARMLESS}|(?<=\\d):(?=\\d)){0,200}(?:(?<![wW])\\.|[:!])?(?:${GAP}))+`, 'uy')
const HARMLESS_RUN = new RegExp(`${HARMLESS}*`, 'uy')

/** Reads the words at the beginning in which nothing is to be done: one look at most of an answer. */
export function createPlainReader(look: OnRead) {
  /** This many characters at the beginning have no gap in them. */
  let barren = 0
  return {
    taken: (length: number) => void (barren = Math.max(0, barren - length)),
    /** Their length; 0 where something may be to be done. */
    read(text: string): number {
      if (barren > 0) return 0
      PLAIN.lastIndex = 0
      const length = PLAIN.test(text) ? PLAIN.lastIndex : 0
      if (length === 0) {
        HARMLESS_RUN.lastIndex = 0
        HARMLESS_RUN.test(text)
        barren = HARMLESS_RUN.lastIndex
      }
      look(length + barren)
      return length
    },
  }
}

/** A word being read. */
export interface Word {
  /** Everything read of the word, also the part shown before. */
  readonly text: string
  /** Characters that were not shown before. */
  readonly length: number
  /** `begun`: letters only, no address yet. `cut`: too long to be held back. */
  readonly state: 'whole' | 'begun' | 'cut'
}

/** Tracks whether a word is letters only, so no address yet. */
function createLetterWatch() {
  let letters: 'marks' | 'some' | 'none' = 'marks'
  /** The first letters, up to the length of a scheme. */
  let first = ''
  let last = ''
  return {
    note(piece: string): void {
      if (letters === 'none' || piece === '') return
      last = piece.slice(-1)
      const bare = letters === 'marks' ? piece.slice(OPENING_MARKS.exec(piece)?.[0].length ?? 0) : piece
      if (bare !== '') letters = LETTERS.test(bare) ? 'some' : 'none'
      const from = first === '' ? piece.search(/\p{L}/u) : 0
      if (from !== -1 && first.length < 8) first += piece.slice(from, from + 8)
    },
    isHarmless: () => (letters === 'some' || (letters === 'marks' && last === "'")) && !SCHEME_BEGUN.test(first),
  }
}

/** Reads words one after another: `next` begins a new one, `goOn` marks the read part as shown. */
export function createWordReader(look: OnRead) {
  let shown = ''
  let at = 0
  let isAddress = false
  let letters = createLetterWatch()

  /** Reads on to the end of the word, or of the text. @returns whether the word ends there. */
  function readOn(text: string, longest: number): boolean {
    for (;;) {
      const pattern = isAddress ? ADDRESS_WORD : WORD
      pattern.lastIndex = at
      const end = Math.min(pattern.test(text) ? pattern.lastIndex : at, longest)
      look(end - at + 1)
      letters.note(text.slice(at, end))
      at = end
      if (at === longest) return false
      DENSE_NEXT.lastIndex = at
      const isDense = !isAddress && DENSE_NEXT.test(text)
      const word = shown + text.slice(0, at)
      isAddress = isDense && (ADDRESS_BEGUN.test(word) || findAddresses(word).length > 0)
      if (!isAddress) return true
    }
  }

  return {
    /** No part of a word was read. */
    isFresh: () => at === 0 && shown === '',
    next: (): void => {
      shown = ''
      at = 0
      isAddress = false
      letters = createLetterWatch()
    },
    goOn: (word: Word): void => {
      shown = word.text
      at = 0
    },
    read: (text: string, complete: boolean): Word | undefined => {
      const half = !complete && /[\uD800-\uDBFF]$/.test(text) ? 1 : 0
      const most = MAX_HELD_CHARS - shown.length
      const longest = Math.min(text.length - half, most)
      const ends = at < longest && readOn(text, longest)
      const found = (length: number, state: Word['state']): Word => ({
        text: shown + text.slice(0, length),
        length,
        state,
      })
      if (at === most) return found(at, 'cut')
      if (ends || complete) {
        // `![` begins a picture.
        const isPicture = text[at] === '[' && text[at - 1] === '!'
        return found(isPicture ? at - 1 : at, 'whole')
      }
      return at > 0 && letters.isHarmless() ? found(at, 'begun') : undefined
    },
  }
}
