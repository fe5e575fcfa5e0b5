import { MAX_COUNT } from '#platform/engine/search/postings.ts'

// Postings of a term as bytes. Each chunk is a number: twice the distance to the chunk before, plus 1 where a byte with
// the count follows. Numbers have seven bits a byte, the lowest first.

/** Most bytes of one chunk. */
const MAX_BYTES = 6

/** Chunks in rising order, and how often each holds the term. */
export interface Entries {
  readonly ids: Uint32Array
  readonly counts: Uint8Array
}

export const createEntries = (size: number): Entries => ({ ids: new Uint32Array(size), counts: new Uint8Array(size) })

/** Reads a list into the places from `from` on. @returns the place after the last. */
export function readList(bytes: Uint8Array, { ids, counts }: Entries, from: number): number {
  let size = from
  let id = 0
  for (let at = 0; at < bytes.length; size += 1) {
    let byte = bytes[at++] ?? 0
    let value = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++] ?? 0
      value |= (byte & 0x7f) << shift
    }
    id += value >>> 1
    ids[size] = id
    counts[size] = value % 2 === 0 ? 1 : (bytes[at++] ?? 0)
  }
  return size
}

/** Reused for every list. */
let scratch = new Uint8Array(2 ** 16)

/** The bytes of the entries from…to. */
export function toList({ ids, counts }: Entries, from: number, to: number): Uint8Array {
  if (scratch.length < (to - from) * MAX_BYTES) scratch = new Uint8Array((to - from) * MAX_BYTES)
  let end = 0
  let last = 0
  for (let at = from; at < to; at += 1) {
    const id = ids[at] ?? 0
    const count = counts[at] ?? 1
    let rest = (id - last) * 2 + (count === 1 ? 0 : 1)
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) scratch[end++] = (rest & 0x7f) | 0x80
    scratch[end++] = rest
    if (count !== 1) scratch[end++] = Math.min(count, MAX_COUNT)
    last = id
  }
  return scratch.slice(0, end)
}
