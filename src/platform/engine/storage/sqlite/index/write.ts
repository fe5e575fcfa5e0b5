import { longTransaction } from '../../../../../lib/sqlite.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ChunkBatch, type IndexSource, readBatches } from '../../../chunk/document.ts'
import type { Chunk } from '../../../chunk/units.ts'
import { ANALYSER_VERSION } from '../../../text/terms.ts'
import { type FileInIndex, type PassageInIndex, toIndexedFile } from '../../indexed-file.ts'
import type { IndexedFile, IndexFile, IndexOperations } from '../../types.ts'
import type { IndexWriter } from './database.ts'
import { toLengths, toTerms } from './lists/list-stored.ts'
import { createListWriter, type ListWriter } from './lists/list-writer.ts'
import { mergeNewest, nextChunkId, removePostings } from './lists/segments.ts'
import { readModel } from './vectors.ts'

type Put = IndexOperations['put']['result']

/** Chunks written before the thread yields to questions: some 10 ms. */
const CHUNKS_A_TURN = 200

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
    add(chunk: Chunk, language: string) {
      const { heading, body } = toTerms({ name: file.name, language }, chunk)
      const id = first + lengths.length
      insertChunk.run(
        id,
        file.id,
        chunk.body,
        chunk.lead,
        JSON.stringify(chunk.headings),
        chunk.page ?? null,
        chunk.lineFrom,
        chunk.lineTo,
        chunk.start,
        chunk.end,
        body.length,
      )
      lists.add(id, heading, body)
      lengths.push(body.length)
      terms += body.length
    },
  }
}

type Batches = AsyncIterable<ChunkBatch> | Iterable<ChunkBatch>

/** Files of one transaction: their postings are stored together. */
function createFileWriter(database: IndexWriter) {
  const lists = createListWriter(database.write)
  let first = nextChunkId(database.write)
  return {
    /** Yields to questions in between. */
    async write(file: IndexFile, batches: Batches, onStretch: () => void): Promise<Put> {
      onStretch()
      if (isThere(database, file.id)) {
        // Its postings may be among those held.
        lists.flush()
        removeFiles(database, [file.id])
      }
      const writer = createWriter(database, lists, file, first)
      let language: string | undefined
      for await (const batch of batches) {
        language = batch.language
        for (const chunk of batch.chunks) writer.add(chunk, batch.language)
        await nextTurn()
        onStretch()
      }
      const chunks = writer.finish(language ?? 'und')
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
 * Writes all chunks of a file in one transaction: questions see it whole or not at all.
 *
 * @param onStretch called before each stretch of work without a yield
 */
export const putFile = (
  database: IndexWriter,
  file: IndexFile,
  onStretch: () => void = () => undefined,
): Promise<Put> =>
  longTransaction(database.writer, async () => {
    const writer = createFileWriter(database)
    const put = await writer.write(file, readBatches(file.source, CHUNKS_A_TURN), onStretch)
    writer.finish()
    return put
  })

async function readAll(source: IndexSource, onStretch: () => void): Promise<readonly ChunkBatch[]> {
  const batches: ChunkBatch[] = []
  onStretch()
  for await (const batch of readBatches(source, CHUNKS_A_TURN)) batches.push(batch)
  return batches
}

/**
 * Writes several small files in one transaction, for one disk sync and one list a term. Each is read before any of
 * it is written, so an unreadable one does not undo the others.
 */
export async function putFiles(
  database: IndexWriter,
  files: readonly IndexFile[],
  onStretch: (at: number) => void = () => undefined,
): Promise<readonly PromiseSettledResult<Put>[]> {
  return longTransaction(database.writer, async () => {
    const writer = createFileWriter(database)
    const results: PromiseSettledResult<Put>[] = []
    for (const [at, file] of files.entries()) {
      const step = () => onStretch(at)
      const [read] = await Promise.allSettled([readAll(file.source, step)])
      results.push(
        read.status === 'rejected' ? read : { status: 'fulfilled', value: await writer.write(file, read.value, step) },
      )
    }
    writer.finish()
    return results
  })
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
