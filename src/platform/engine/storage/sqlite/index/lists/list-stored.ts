import { toHeadingText } from '../../../../search/score.ts'
import { createListWriter } from './list-writer.ts'
import { mergeNewest, type Statements } from './segments.ts'
import { createTermCounter, type TermCounter } from './term-counter.ts'

interface StoredChunk {
  readonly id: number
  readonly body: string
  readonly lead: string
  readonly headings: string
}

/**
 * Counts a chunk's terms: of its headings, with the name of the file, and of its text.
 *
 * @returns whether the segment is full
 */
export const addChunk = (
  counter: TermCounter,
  file: { readonly name: string; readonly language: string },
  { headings, lead, body }: { readonly headings: readonly string[]; readonly lead: string; readonly body: string },
): boolean => counter.add(toHeadingText(file.name, headings), lead === '' ? body : `${lead}${body}`, file.language)

/** The lengths of chunks as a file's row holds them. */
export const toLengths = (lengths: readonly number[]): Uint8Array =>
  new Uint8Array(Uint16Array.from(lengths, (length) => Math.min(length, 65_535)).buffer)

/**
 * Writes the lists of all chunks that are stored.
 *
 * @param onStretch called before each file
 */
export function listStored(write: Statements, onStretch: () => void): void {
  const lists = createListWriter(write)
  const counter = createTermCounter()
  const files = write('SELECT id, name, language FROM file ORDER BY first_chunk').all()
  const chunksOf = write('SELECT id, body, lead, headings FROM chunk WHERE file_id = ? ORDER BY id')
  const setLengths = write('UPDATE file SET terms = ?, lengths = ? WHERE id = ?')
  for (const row of files) {
    onStretch()
    const file = { name: String(row['name']), language: String(row['language']) }
    const lengths: number[] = []
    let first: number | undefined
    const take = () => {
      const counted = counter.take()
      lists.add((first ?? 0) + lengths.length, counted)
      for (const length of counted.lengths) lengths.push(length)
    }
    for (const chunk of chunksOf.iterate(Number(row['id'])) as Iterable<unknown> as Iterable<StoredChunk>) {
      first ??= chunk.id
      const isFull = addChunk(counter, file, { ...chunk, headings: JSON.parse(chunk.headings) as readonly string[] })
      if (isFull) take()
    }
    take()
    const total = lengths.reduce((sum, length) => sum + length, 0)
    setLengths.run(total, toLengths(lengths), Number(row['id']))
  }
  lists.flush()
  mergeNewest(write)
}
