import { createHash } from 'node:crypto'
import type { Chunk } from '#platform/engine/chunk/units.ts'
import { HEADING_WEIGHT, toHeadingText } from '#platform/engine/search/score.ts'
import { analyse } from '#platform/engine/text/terms.ts'

/**
 * PostgreSQL arrays in binary form, made in the thread to spare the event loop. Format: dimensions, null flag, type,
 * length, first index; then length and bytes of each value, −1 for null.
 */
const TYPES = { bytea: 17, int8: 20, int4: 23, text: 25 } as const

interface Codec<Item> {
  readonly type: number
  sizeOf(item: Item): number
  write(into: Buffer, item: Item, at: number, size: number): void
}

const HEAD_LENGTH = 20

function encode<Item>(codec: Codec<Item>, items: readonly (Item | null)[]): Uint8Array {
  const sizes = items.map((item) => (item === null ? 0 : codec.sizeOf(item)))
  // Not from the buffer pool: a thread transfers all memory under a view, and the pool is shared.
  const buffer = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + 4 + size, HEAD_LENGTH))
  const head = [1, items.includes(null) ? 1 : 0, codec.type, items.length, 1]
  head.forEach((value, at) => buffer.writeInt32BE(value, at * 4))
  let at = HEAD_LENGTH
  for (const [index, item] of items.entries()) {
    const size = sizes[index] ?? 0
    buffer.writeInt32BE(item === null ? -1 : size, at)
    at += 4
    if (item !== null) codec.write(buffer, item, at, size)
    at += size
  }
  return buffer
}

const text: Codec<string> = {
  type: TYPES.text,
  sizeOf: (item) => Buffer.byteLength(item),
  write: (into, item, at, size) => into.write(item, at, size),
}
const int4: Codec<number> = {
  type: TYPES.int4,
  sizeOf: () => 4,
  write: (into, item, at) => into.writeInt32BE(item, at),
}
const int8: Codec<number> = {
  type: TYPES.int8,
  sizeOf: () => 8,
  write: (into, item, at) => into.writeBigInt64BE(BigInt(item), at),
}
const bytea: Codec<Uint8Array> = {
  type: TYPES.bytea,
  sizeOf: (item) => item.length,
  write: (into, item, at) => into.set(item, at),
}

/** PostgreSQL text cannot contain NUL: it becomes the replacement character. */
const withoutNul = (item: string) => (item.includes('\0') ? item.replaceAll('\0', '\uFFFD') : item)

const toTextArray = (items: readonly string[]) => encode(text, items.map(withoutNul))
const toIntArray = (items: readonly (number | null)[]) => encode(int4, items)
const toBigintArray = (items: readonly number[]) => encode(int8, items)
const toByteaArray = (items: readonly Uint8Array[]) => encode(bytea, items)

/** Variable-length integers from 0: seven bits a byte, lowest first. */
function pushNumber(bytes: number[], value: number): void {
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  bytes.push(rest)
}

/** Reads variable-length integers one by one. */
export interface NumberReader {
  readonly atEnd: boolean
  next(): number
}

export function readNumbers(bytes: Uint8Array): NumberReader {
  let at = 0
  return {
    get atEnd() {
      return at >= bytes.length
    },
    next() {
      let value = 0
      for (let factor = 1; ; factor *= 0x80) {
        const byte = bytes[at] ?? 0
        at += 1
        if (byte < 0x80) return value + byte * factor
        value += (byte - 0x80) * factor
      }
    },
  }
}

/**
 * Some chunks of a file as table columns. `list`, of one word: first chunk's number, chunks in the block, chunks with
 * the word; for each of these the distance to the one before, the word's count, and its body's terms.
 */
export interface Block {
  readonly chunks: number
  /** Number of terms in the bodies. */
  readonly bodyTerms: number
  readonly ids: Uint8Array
  readonly bodies: Uint8Array
  readonly leads: Uint8Array
  readonly headings: Uint8Array
  readonly pages: Uint8Array
  readonly linesFrom: Uint8Array
  readonly linesTo: Uint8Array
  readonly terms: Uint8Array
  readonly holders: Uint8Array
  readonly lists: Uint8Array
}

/** A B-tree key has at most 2,700 bytes; a longer "word" is replaced by its digest. */
const MAX_TERM_LENGTH = 200

export const toKey = (term: string) =>
  term.length <= MAX_TERM_LENGTH ? term : createHash('sha256').update(term).digest('hex')

interface Posting {
  holders: number
  last: number
  readonly bytes: number[]
}

function countWords(heading: readonly string[], body: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of heading) counts.set(term, (counts.get(term) ?? 0) + HEADING_WEIGHT)
  for (const term of body) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

function toList({ holders, bytes }: Posting, firstId: number, chunks: number): Uint8Array {
  const head: number[] = []
  for (const value of [firstId, chunks, holders]) pushNumber(head, value)
  return Uint8Array.from([...head, ...bytes])
}

export function toBlock(
  chunks: readonly Chunk[],
  file: { readonly name: string; readonly language: string; readonly firstId: number },
): Block {
  const postings = new Map<string, Posting>()
  let bodyTerms = 0
  for (const [at, chunk] of chunks.entries()) {
    const body = analyse(`${chunk.lead}${chunk.body}`, file.language)
    const heading = analyse(toHeadingText(file.name, chunk.headings), file.language)
    bodyTerms += body.length
    for (const [term, count] of countWords(heading, body)) {
      let posting = postings.get(term)
      if (posting === undefined) postings.set(term, (posting = { holders: 0, last: 0, bytes: [] }))
      pushNumber(posting.bytes, at - posting.last)
      pushNumber(posting.bytes, count)
      pushNumber(posting.bytes, body.length)
      posting.holders += 1
      posting.last = at
    }
  }
  // In key order the table takes rows in half the time.
  const sorted = [...postings].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const all = sorted.map(([, posting]) => posting)
  return {
    chunks: chunks.length,
    bodyTerms,
    ids: toBigintArray(chunks.map((_, at) => file.firstId + at)),
    bodies: toTextArray(chunks.map((chunk) => chunk.body)),
    leads: toTextArray(chunks.map((chunk) => chunk.lead)),
    headings: toTextArray(chunks.map((chunk) => JSON.stringify(chunk.headings))),
    pages: toIntArray(chunks.map((chunk) => chunk.page ?? null)),
    linesFrom: toIntArray(chunks.map((chunk) => chunk.lineFrom)),
    linesTo: toIntArray(chunks.map((chunk) => chunk.lineTo)),
    terms: toTextArray(sorted.map(([term]) => toKey(term))),
    holders: toIntArray(all.map((posting) => posting.holders)),
    lists: toByteaArray(all.map((posting) => toList(posting, file.firstId, chunks.length))),
  }
}
