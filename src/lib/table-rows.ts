/**
 * Rows of tables in markdown, numbered as the program shows them that wrote the file. A conversion notes in its front
 * matter where they don't count up from 1: `rows: 8:3 12:9`, line 8 is row 3, line 12 is row 9, those below count on.
 */

/** A line of a text, from 1, and its row. */
export interface RowMark {
  readonly line: number
  readonly row: number
}

const NOTE = /^\uFEFF?---\nrows: (\d{1,9}:\d{1,9}(?: \d{1,9}:\d{1,9})*)\n---\n/
/** Lines of the note. */
const NOTE_LINES = 3
/** Longer front matter is taken for text. */
const MAX_NOTE_CHARS = 60_000
/** From the line of such a mark on the rows are unknown: there were too many marks. */
const UNKNOWN = 0

const TABLE_ROW = /^ {0,3}\|/
const TABLE_RULE = /^ {0,3}\|(?=[\s:|]*-)[\s:|-]*$/
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/

/** The markdown with a note of its rows; as it is where all of them count up from 1. */
export function withRowNote(markdown: string, marks: readonly RowMark[]): string {
  if (marks.length === 0) return markdown
  const parts: string[] = []
  let length = 0
  for (const { line, row } of marks) {
    const isFull = length > MAX_NOTE_CHARS
    const part = `${line + NOTE_LINES}:${isFull ? UNKNOWN : row}`
    parts.push(part)
    length += part.length + 1
    if (isFull) break
  }
  return `---\nrows: ${parts.join(' ')}\n---\n${markdown}`
}

/** The text that people wrote. */
export const withoutRowNote = (text: string): string => text.slice(noteOf(text)?.[0].length ?? 0)

const noteOf = (text: string) => NOTE.exec(text.slice(0, MAX_NOTE_CHARS + 200))

function readNote(text: string): ReadonlyMap<number, number> {
  const pairs = noteOf(text)?.[1]?.split(' ') ?? []
  return new Map(pairs.map((pair) => pair.split(':').map(Number) as [number, number]))
}

/**
 * Numbers the rows of a text, line by line from its beginning.
 *
 * @returns for a line and its number, from 1: its row, the header of a table being row 1 where the text notes nothing
 * else; 0 for a line that is not a row, or whose row is unknown
 */
export function createRowCounter(text: string): (line: string, number: number) => number {
  const marks = readNote(text)
  /** Lines of the open table, and its last row. */
  let [lines, row] = [0, 0]
  let isFenced = false
  let isKnown = true
  return (line, number) => {
    if (FENCE.test(line)) isFenced = !isFenced
    if (isFenced || !TABLE_ROW.test(line)) {
      lines = 0
      row = 0
      return 0
    }
    lines += 1
    if (lines === 2 && TABLE_RULE.test(line)) return 0
    row = marks.get(number) ?? row + 1
    isKnown &&= row !== UNKNOWN
    return isKnown ? row : 0
  }
}
