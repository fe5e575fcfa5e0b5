import { type ChunkBatch, readBatches } from '#platform/engine/chunk/document.ts'
import type { Chunk } from '#platform/engine/chunk/units.ts'
import { errorText } from '#platform/engine/errors.ts'
import type { IndexFile } from '#platform/engine/storage/types.ts'
import { toHeadingText } from '#platform/engine/search/score.ts'
import { type CountedTerms, createTermCounter, type TermCounter } from '../lists/term-counter.ts'

/** Chunks of a part at most: those of some 10 ms. */
const CHUNKS_A_PART = 200

/** A chunk as the columns of its row: body, lead, headings, page, first and last line, start and end. */
export type ChunkColumns = readonly [string, string, string, number | null, number, number, number, number]

/** Some chunks of a file with their terms. */
export interface FilePart {
  /** Place of the file among those that are read together. */
  readonly file: number
  readonly language: string
  readonly chunks: readonly ChunkColumns[]
  readonly counted: CountedTerms
  /** No other part of this file follows. */
  readonly isLast: boolean
}

/**
 * Counts a chunk's terms: of its headings, with the name of the file, and of its text.
 *
 * @returns whether the segment is full
 */
const addChunk = (
  counter: TermCounter,
  file: { readonly name: string; readonly language: string },
  { headings, lead, body }: { readonly headings: readonly string[]; readonly lead: string; readonly body: string },
): boolean => counter.add(toHeadingText(file.name, headings), lead === '' ? body : `${lead}${body}`, file.language)

/** A file that can't be read. */
export interface Unread {
  readonly file: number
  readonly error: string
}

type Batches = AsyncIterable<ChunkBatch> | Iterable<ChunkBatch>

const toColumns = (chunk: Chunk): ChunkColumns => [
  chunk.body,
  chunk.lead,
  JSON.stringify(chunk.headings),
  chunk.page ?? null,
  chunk.lineFrom,
  chunk.lineTo,
  chunk.start,
  chunk.end,
]

async function readAll(batches: Batches): Promise<readonly ChunkBatch[]> {
  const all: ChunkBatch[] = []
  for await (const batch of batches) all.push(batch)
  return all
}

/**
 * Reads files for one transaction, in order. Of several each is read before any of it is given, so an unreadable one has no
 * part.
 *
 * @param onStretch called with the place of its file before each stretch of work without a yield
 */
export async function* readFiles(
  files: readonly IndexFile[],
  onStretch: (at: number) => void = () => undefined,
): AsyncGenerator<FilePart | Unread> {
  const counter = createTermCounter()
  for (const [file, { name, source }] of files.entries()) {
    onStretch(file)
    let language = 'und'
    let chunks: ChunkColumns[] = []
    const toPart = (isLast: boolean): FilePart => {
      const part = { file, language, chunks, counted: counter.take(), isLast }
      chunks = []
      return part
    }
    try {
      const batches = readBatches(source, CHUNKS_A_PART)
      for await (const batch of files.length === 1 ? batches : await readAll(batches)) {
        language = batch.language
        for (const chunk of batch.chunks) {
          chunks.push(toColumns(chunk))
          if (addChunk(counter, { name, language }, chunk)) yield toPart(false)
        }
        if (chunks.length >= CHUNKS_A_PART) {
          yield toPart(false)
          onStretch(file)
        }
      }
      yield toPart(true)
    } catch (error) {
      yield { file, error: errorText(error) }
    }
  }
}
