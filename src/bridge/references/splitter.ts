import { addressesIn } from './addresses.ts'
import { judgeLine, lineStarts, type ParsedReference, parseEntries } from './block.ts'
import type { OnRead } from './line-syntax.ts'
import { createLinkFilter } from './links.ts'
import type { ReferenceField } from '../port/platform.ts'
import { MAX_MARK_CHARS, resolveMarks, showMarks, UNFINISHED_MARK } from './marks.ts'

export type { ParsedReference } from './block.ts'

export interface SplitAnswer {
  /** The rest of the held text, which belongs to the answer. May be empty. */
  readonly tail: string
  /** The whole answer: marks as `[1]`, marks without an entry dropped, block removed, white space at the end removed. */
  readonly text: string
  /** The same text unresolved: marks in the platform's form, also those without an entry. */
  readonly answer: string
  /** In the order of the block. One number may occur twice when a body imitates an entry. */
  readonly references: readonly ParsedReference[]
  /** Numbers that are marked in the text and have an entry. */
  readonly used: ReadonlySet<number>
}

export interface ReferenceSplitter {
  /** Takes the next delta; returns the text that is safe to show now. */
  push(delta: string): string
  end(): SplitAnswer
}

/** End of the answer in a complete text, and start of its block, if any. */
function findBlock(text: string): { readonly answerEnd: number; readonly block?: number } {
  let unscored: { answerEnd: number; block?: number } | undefined
  for (const { gap, line } of lineStarts(text, true)) {
    const verdict = judgeLine(text, line, true)
    if (verdict === 'scored-block') return { answerEnd: gap, block: line }
    if (verdict === 'block') unscored ??= { answerEnd: gap, block: line }
    if (verdict === 'cut-block') unscored ??= { answerEnd: gap }
  }
  return unscored ?? { answerEnd: text.length }
}

/** Length of `pending` that certainly belongs to the answer; `frozen`: a block has begun. */
function findSafe(pending: string, atLineStart: boolean): { readonly safe: number; readonly frozen: boolean } {
  for (const { gap, line } of lineStarts(pending, atLineStart)) {
    const verdict = judgeLine(pending, line, false)
    if (verdict !== 'text') return { safe: gap, frozen: verdict !== 'undecided' }
  }
  const visible = pending.trimEnd().length
  const from = Math.max(0, visible - MAX_MARK_CHARS)
  const mark = UNFINISHED_MARK.exec(pending.slice(from))
  return { safe: Math.min(visible, mark === null ? visible : from + mark.index), frozen: false }
}

/** Growth after which held text is read again: in all it is read three times, however the stream is cut. */
const REREAD_GROWTH = 1.5

/** The entries of the References block of a whole answer. */
export function readEntries(answer: string): readonly ParsedReference[] {
  const splitter = createReferenceSplitter()
  splitter.push(answer)
  return splitter.end().references
}

/** Names of the files in the References block of a whole answer. */
export const filesCited = (answer: string): readonly string[] => readEntries(answer).map(({ file }) => file)

/** The same entries with the places that the platform told as fields. */
export function withPlaces(
  references: readonly ParsedReference[],
  fields: readonly ReferenceField[],
): readonly ParsedReference[] {
  const places = new Map(fields.map(({ number, file, place }) => [`${number} ${file}`, place]))
  return references.map((one) => ({ ...one, place: one.place ?? places.get(`${one.number} ${one.file}`) }))
}

/** The same answer with entries that came another way. */
export function withEntries(end: SplitAnswer, references: readonly ParsedReference[]): SplitAnswer {
  const { text, used } = resolveMarks(end.answer, references)
  return { ...end, text: text.trimEnd(), references, used }
}

/**
 * Splits a streamed answer into the text and the References block under it, wherever the stream is cut.
 *
 * Decisions where the interface leaves room:
 * - A block is a `References:` line (with or without a rule line above it) that an entry follows:
 *   `[RREF1] name place (score)`. Without a score the name must end like a file's. Everything else stays text.
 * - The answer ends at the first block whose first entry has a score, else at the first block. So a list of sources
 *   that a model wrote itself, without scores, above the real block stays answer text; and a block that a chunk's body
 *   imitates, being below the real one, never becomes answer text. Nothing is thrown away in either case: the text after
 *   the split is in the bodies.
 * - Inside the block every line that has the form of an entry is one, also inside a body: a body is whatever somebody
 *   dropped. Numbers may then repeat; only an entry whose body is in its file counts, and verifying that is the caller's
 *   part.
 * - A stream that breaks off after a rule of 20 hyphens or more and `References:` had a block: it is not shown.
 * - Marks in code are marks too: a model that cites inside a code block means it.
 *
 * All that `push` returned, with `tail` after it, is `text` except for marks without an entry: these are seen as `[9]`
 * while the answer grows, since only the block, which comes last, tells; and marks in another form than the platform's.
 *
 * @param look receives the number of characters read: a small multiple of the text, however it is cut.
 */
export function createReferenceSplitter(look: OnRead = () => {}): ReferenceSplitter {
  const shown: string[] = []
  let pending = ''
  /** Length of `pending` at which it is read again. */
  let due = 0
  let frozen = false
  let atLineStart = true
  return {
    push(delta) {
      // Endless line breaks of a stuck model must not be re-read at each delta.
      const stillBlank = !/\S/.test(delta) && pending.slice(-1).trim() === ''
      pending += delta
      if (frozen || stillBlank || pending.length < due) return ''
      look(pending.length)
      const found = findSafe(pending, atLineStart)
      frozen = found.frozen
      const safe = pending.slice(0, found.safe)
      pending = pending.slice(found.safe)
      due = pending.length * REREAD_GROWTH
      if (safe === '') return ''
      shown.push(safe)
      atLineStart = false
      return showMarks(safe)
    },
    end() {
      const before = shown.join('')
      const whole = before + pending
      look(whole.length)
      const { answerEnd, block } = findBlock(whole)
      const answer = whole.slice(0, answerEnd).trimEnd()
      const references = block === undefined ? [] : parseEntries(whole, block)
      const resolved = resolveMarks(answer, references)
      return {
        tail: showMarks(answer.slice(before.length)),
        text: resolved.text.trimEnd(),
        answer,
        references,
        used: resolved.used,
      }
    },
  }
}

/**
 * Reads a streamed answer: the text of `push`, then `tail`, is safe to show. It contains no platform marks, no
 * References block, and links only to addresses of the question. Other links become live in the text of
 * `resolveReferences`, once the block is known.
 */
export function createAnswerReader(question: string): ReferenceSplitter {
  const splitter = createReferenceSplitter()
  let asked: ReturnType<typeof addressesIn> | undefined
  const links = createLinkFilter((key) => (asked ??= addressesIn(question)).has(key))
  return {
    push: (delta) => links.push(splitter.push(delta)),
    end() {
      const end = splitter.end()
      return { ...end, tail: links.push(end.tail) + links.end() }
    },
  }
}
