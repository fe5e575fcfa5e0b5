import { createHash } from 'node:crypto'
import type { Chunk } from '../../../chunk/chunk.ts'
import { toHeadingText } from '../../../search/heading-text.ts'
import { HEADING_WEIGHT } from '../../../search/score.ts'
import { analyse } from '../../../text/terms.ts'
import { toBigintArray, toByteaArray, toIntArray, toTextArray } from './arrays.ts'
import { pushNumber } from './varint.ts'
import { toWord } from './word.ts'

/**
 * Some chunks of a file with their words, as columns that go into the tables as they are. `list` holds of one word and
 * block: the first chunk's number, how many chunks the block has and how many hold the word; then of each of these how far
 * it is behind the one before, how often the word stands there (in headings as often as it weighs there), and how many
 * terms its body has.
 */
export interface Block {
  readonly chunks: number
  /** Of the bodies. */
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
  /** Of each chunk its words as one text, where they are asked for. */
  readonly words: Uint8Array | undefined
}

/** A key of a B-tree has at most 2,700 bytes; a longer "word" is known by its digest. */
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

const toText = (heading: readonly string[], body: readonly string[]) =>
  [...Array.from({ length: HEADING_WEIGHT }, () => heading).flat(), ...body]
    .map((term) => toWord(toKey(term)))
    .join(' ')

function toList({ holders, bytes }: Posting, firstId: number, chunks: number): Uint8Array {
  const head: number[] = []
  for (const value of [firstId, chunks, holders]) pushNumber(head, value)
  return Uint8Array.from([...head, ...bytes])
}

export function toBlock(
  chunks: readonly Chunk[],
  file: {
    readonly name: string
    readonly language: string
    readonly firstId: number
    readonly withWords: boolean
  },
): Block {
  const postings = new Map<string, Posting>()
  const texts: string[] = []
  let bodyTerms = 0
  for (const [at, chunk] of chunks.entries()) {
    const body = analyse(`${chunk.lead}${chunk.body}`, file.language)
    const heading = analyse(toHeadingText(file.name, chunk.headings), file.language)
    bodyTerms += body.length
    if (file.withWords) texts.push(toText(heading, body))
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
  // In the order of the table's key: it takes them in half the time.
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
    words: file.withWords ? toTextArray(texts) : undefined,
  }
}
