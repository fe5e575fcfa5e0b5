import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { createEntries, type Entries, readList, toList } from './list.ts'

// Postings are stored by segments: chunks that follow each other, with a row for each of their terms. Small segments are
// merged, so that few rows are read for a term. A chunk that is gone stays in the lists until its segment is written
// anew; its number is never used again.

/** Cached statements of the writing connection. */
export type Statements = (sql: string) => StatementSync

interface Segment {
  readonly first: number
  readonly last: number
  /** Chunks in its lists, and how many of them are gone. */
  readonly chunks: number
  readonly dead: number
}

export interface TermList {
  readonly term: string
  /** Number of chunks in it. */
  readonly found: number
  readonly list: Uint8Array
}

/** Whether a term comes before another one in the order of the table. */
export const isBefore = (one: string, other: string): boolean => one < other

/** Rows that are inserted at once, and their columns. */
const [ROWS, COLUMNS] = [16, 4]

// Two terms with a broken character may be one to SQLite.
const insertOf = (rows: number) =>
  `INSERT OR IGNORE INTO posting (segment, term, found, list) VALUES ${Array.from({ length: rows }, () => '(?, ?, ?, ?)').join(', ')}`

/** Stores the lists of new chunks, in the order of their terms: so rows are only appended. */
export function addSegment(
  write: Statements,
  { first, last, chunks }: Omit<Segment, 'dead'>,
  lists: Iterable<TermList>,
): void {
  write('INSERT INTO segment (first, last, chunks) VALUES (?, ?, ?)').run(first, last, chunks)
  // Several rows at a time take half the time.
  const [insertMany, insertOne] = [write(insertOf(ROWS)), write(insertOf(1))]
  let values: SQLInputValue[] = []
  for (const { term, found, list } of lists) {
    values.push(first, term, found, list)
    if (values.length < ROWS * COLUMNS) continue
    insertMany.run(...values)
    values = []
  }
  for (let at = 0; at < values.length; at += COLUMNS) insertOne.run(...values.slice(at, at + COLUMNS))
}

function removeSegment(write: Statements, { first }: Segment): void {
  write('DELETE FROM posting WHERE segment = ?').run(first)
  write('DELETE FROM segment WHERE first = ?').run(first)
}

const segmentsOf = (write: Statements, first: number, last: number) =>
  write('SELECT first, last, chunks, dead FROM segment WHERE last >= ? AND first <= ? ORDER BY first').all(
    first,
    last,
  ) as unknown as readonly Segment[]

/** Part of its chunks that may be gone before a segment is written anew. */
const MAX_DEAD = 0.5

/** Notes that these chunks, which follow each other, are gone. */
export function removePostings(write: Statements, first: number, last: number): void {
  for (const segment of segmentsOf(write, first, last)) {
    const dead = segment.dead + Math.min(last, segment.last) - Math.max(first, segment.first) + 1
    if (dead > segment.chunks * MAX_DEAD) merge(write, [{ ...segment, dead }])
    else write('UPDATE segment SET dead = ? WHERE first = ?').run(dead, segment.first)
  }
}

/** Runs of chunks that are there, of those from…to. */
function readRuns(write: Statements, first: number, last: number) {
  const rows = write(
    `SELECT first_chunk AS first, first_chunk + chunks AS behind FROM file
       WHERE chunks > 0 AND first_chunk + chunks > ? AND first_chunk <= ? ORDER BY first_chunk`,
  ).all(first, last) as unknown as readonly { readonly first: number; readonly behind: number }[]
  return rows.map((run) => ({ first: Math.max(run.first, first), behind: Math.min(run.behind, last + 1) }))
}

/** Moves the chunks of these runs to the front. @returns how many there are. */
function sift({ ids, counts }: Entries, size: number, runs: ReturnType<typeof readRuns>): number {
  let kept = 0
  let run = 0
  for (let at = 0; at < size; at += 1) {
    const id = ids[at] ?? 0
    while (id >= (runs[run]?.behind ?? Infinity)) run += 1
    if (id < (runs[run]?.first ?? Infinity)) continue
    ids[kept] = id
    counts[kept] = counts[at] ?? 1
    kept += 1
  }
  return kept
}

/** Lists by term of several segments, which are removed. */
function takeLists(write: Statements, segments: readonly Segment[]) {
  const parts = new Map<string, { found: number; readonly lists: Uint8Array[] }>()
  for (const segment of segments) {
    const rows = write('SELECT term, found, list FROM posting WHERE segment = ? ORDER BY term')
    for (const { term, found, list } of rows.iterate(segment.first) as Iterable<unknown> as Iterable<TermList>) {
      const known = parts.get(term)
      if (known === undefined) parts.set(term, { found, lists: [list] })
      else {
        known.found += found
        known.lists.push(list)
      }
    }
    removeSegment(write, segment)
  }
  return [...parts].toSorted(([one], [other]) => (isBefore(one, other) ? -1 : 1))
}

/** Writes segments that follow each other as one, without the chunks that are gone. */
function merge(write: Statements, segments: readonly Segment[]): void {
  const [first, last] = [segments[0]?.first ?? 0, segments.at(-1)?.last ?? 0]
  const isWhole = segments.every(({ dead }) => dead === 0)
  const runs = isWhole ? [] : readRuns(write, first, last)
  const chunks = isWhole
    ? segments.reduce((sum, segment) => sum + segment.chunks, 0)
    : runs.reduce((sum, run) => sum + run.behind - run.first, 0)
  const parts = takeLists(write, segments)
  function* toMerged(): Generator<TermList> {
    for (const [term, { found: most, lists }] of parts) {
      const entries = createEntries(most)
      const size = lists.reduce((sum, list) => readList(list, entries, sum), 0)
      const found = isWhole ? size : sift(entries, size, runs)
      if (found > 0) yield { term, found, list: toList(entries, 0, found) }
    }
  }
  if (chunks > 0) addSegment(write, { first, last, chunks }, toMerged())
}

/** Segments of about one size that are merged together. */
const MERGED = 8
/** Chunks from which on a segment is of the next size; the largest are not merged. */
const SIZES = [64, 512, 4096, 32_768]

const levelOf = ({ chunks }: Segment) => SIZES.filter((size) => chunks >= size).length

/** Merges the newest segments where there are many of about one size. */
export function mergeNewest(write: Statements): void {
  const segments = segmentsOf(write, 0, Number.MAX_SAFE_INTEGER)
  const newest = segments.at(-1)
  if (newest === undefined) return
  const level = levelOf(newest)
  const from = segments.findLastIndex((segment) => levelOf(segment) > level) + 1
  if (level === SIZES.length || segments.length - from < MERGED) return
  merge(write, segments.slice(from))
  mergeNewest(write)
}

/** The next number after those of all chunks that were ever stored. */
export const nextChunkId = (write: Statements): number =>
  Number(
    write(
      'SELECT max((SELECT coalesce(max(id), 0) FROM chunk), (SELECT coalesce(max(last), 0) FROM segment)) AS last',
    ).get()?.['last'] ?? 0,
  ) + 1
