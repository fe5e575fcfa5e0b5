import { longTransaction } from '#sql/sqlite/file.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ANALYSER_VERSION } from '#platform/engine/text/terms.ts'
import { type FileInIndex, type PassageInIndex, toIndexedFile } from '#platform/engine/storage/indexed-file.ts'
import type { IndexedFile, IndexFile, IndexOperations } from '#platform/engine/storage/types.ts'
import type { IndexWriter } from './database.ts'
import { createListWriter, type ListWriter } from './lists/list-writer.ts'
import { mergeNewest, nextChunkId, removePostings } from './lists/segments.ts'
import type { FilePart } from './read/read-files.ts'
import type { Reading } from './read/reader.ts'
import { readModel } from './vectors.ts'

type Put = IndexOperations['put']['result']

/** The lengths of chunks as a file's row holds them. */
const toLengths = (lengths: readonly number[]): Uint8Array =>
  new Uint8Array(Uint16Array.from(lengths, (length) => Math.min(length, 65_535)).buffer)

const isThere = (database: IndexWriter, fileId: number) =>
  database.write('SELECT 1 FROM file WHERE id = ?').get(fileId) !== undefined

export function removeFiles(database: IndexWriter, fileIds: readonly number[]): void {
  for (const id of fileIds) {
    const file = database.write('SELECT first_chunk AS first, chunks FROM file WHERE id = ?').get(id)
    if (file === undefined) continue
    database.write('DELETE FROM vector WHERE file_id = ?').run(id)
    database.write('DELETE FROM chunk WHERE file_id = ?').run(id)
    database.write('DELETE FROM file WHERE id = ?').run(id)
    const [first, chunks] = [Number(file['first']), Number(file['chunks'])]
    if (chunks > 0) removePostings(database.write, first, first + chunks - 1)
  }
}

function createWriter(database: IndexWriter, lists: ListWriter, file: IndexFile, first: number) {
  const insertChunk = database.write(
    `INSERT INTO chunk (id, file_id, body, lead, headings, page, line_from, line_to, start_at, end_at, terms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const lengths: number[] = []
  let terms = 0
  return {
    add({ chunks, counted }: FilePart) {
      lists.add(first + lengths.length, counted)
      for (const [at, columns] of chunks.entries()) {
        const length = counted.lengths[at] ?? 0
        insertChunk.run(first + lengths.length, file.id, ...columns, length)
        lengths.push(length)
        terms += length
      }
    },
    /** @returns the number of its chunks. */
    finish(language: string): number {
      database
        .write(
          `INSERT INTO file (id, revision, name, language, chunks, terms, first_chunk, lengths, analyser)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          file.id,
          file.revision,
          file.name,
          language,
          lengths.length,
          terms,
          first,
          toLengths(lengths),
          file.source.kind === 'passages' ? file.source.analyser : ANALYSER_VERSION,
        )
      return lengths.length
    },
  }
}

/** Files of one transaction: their postings are stored together. */
function createFileWriter(database: IndexWriter, files: readonly IndexFile[]) {
  const lists = createListWriter(database.write)
  let first = nextChunkId(database.write)
  let open: { readonly file: number; readonly writer: ReturnType<typeof createWriter> } | undefined
  function start(at: number) {
    const file = files[at]
    if (file === undefined) throw new Error('A part of an unknown file was read.')
    if (isThere(database, file.id)) {
      // Its postings may be among those held.
      lists.flush()
      removeFiles(database, [file.id])
    }
    return { file: at, writer: createWriter(database, lists, file, first) }
  }
  return {
    /** @returns the stored file, after its last part. */
    write(part: FilePart): Put | undefined {
      open ??= start(part.file)
      open.writer.add(part)
      if (!part.isLast) return undefined
      const chunks = open.writer.finish(part.language)
      open = undefined
      first += chunks
      return { chunks }
    },
    finish() {
      lists.flush()
      mergeNewest(database.write)
    },
  }
}

/**
 * Writes files in one transaction: questions see them whole or not at all. One that can't be read is left out; where it
 * is the only one, nothing is written.
 */
export async function putFiles(
  database: IndexWriter,
  files: readonly IndexFile[],
  reading: Reading,
): Promise<readonly PromiseSettledResult<Put>[]> {
  try {
    return await longTransaction(database.writer, () => writeParts(database, files, reading.parts))
  } finally {
    reading.end()
  }
}

async function writeParts(database: IndexWriter, files: readonly IndexFile[], parts: Reading['parts']) {
  const writer = createFileWriter(database, files)
  const results: PromiseSettledResult<Put>[] = []
  for await (const part of parts) {
    if ('error' in part) {
      const reason = new Error(part.error)
      if (files.length === 1) throw reason
      results[part.file] = { status: 'rejected', reason }
      continue
    }
    const put = writer.write(part)
    if (put !== undefined) results[part.file] = { status: 'fulfilled', value: put }
    // To questions, and to other calls.
    await nextTurn()
  }
  writer.finish()
  return results
}

const PASSAGES = `
  SELECT chunk.id, body, lead, headings, page, line_from AS lineFrom, line_to AS lineTo, data
  FROM chunk LEFT JOIN vector ON chunk_id = chunk.id WHERE chunk.file_id = ? ORDER BY chunk.id`

export function readFile(database: IndexWriter, fileId: number): IndexedFile | null {
  const file = database.write('SELECT revision, name, language, analyser FROM file WHERE id = ?').get(fileId)
  if (file === undefined) return null
  const rows = database.write(PASSAGES).all(fileId) as unknown as readonly PassageInIndex[]
  return toIndexedFile(file as unknown as FileInIndex, readModel(database), rows)
}
