import { longTransaction } from '../../../../../lib/sqlite.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ChunkBatch, type IndexSource, readBatches } from '../../../chunk/document.ts'
import type { Chunk } from '../../../chunk/units.ts'
import { toHeadingText } from '../../../search/score.ts'
import { analyse, ANALYSER_VERSION } from '../../../text/terms.ts'
import type { IndexFile, IndexOperations } from '../../types.ts'
import type { IndexWriter } from './database.ts'

type Put = IndexOperations['put']['result']

/** Chunks written before the thread yields to questions: some 10 ms. */
const CHUNKS_A_TURN = 200

export function removeFiles(database: IndexWriter, fileIds: readonly number[]): void {
  for (const id of fileIds) {
    // Most files are new. A needless delete makes FTS5 write one more small segment, to be merged later.
    if (database.write('SELECT 1 FROM file WHERE id = ?').get(id) === undefined) continue
    database.write('DELETE FROM term WHERE rowid IN (SELECT id FROM chunk WHERE file_id = ?)').run(id)
    database.write('DELETE FROM vector WHERE file_id = ?').run(id)
    database.write('DELETE FROM chunk WHERE file_id = ?').run(id)
    database.write('DELETE FROM file WHERE id = ?').run(id)
  }
}

function createWriter(database: IndexWriter, file: IndexFile) {
  const insertChunk = database.write(
    `INSERT INTO chunk (id, file_id, body, lead, headings, page, line_from, line_to, start_at, end_at, terms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertTerms = database.write('INSERT INTO term (rowid, heading, body) VALUES (?, ?, ?)')
  let id = Number(database.write('SELECT coalesce(max(id), 0) AS last FROM chunk').get()?.['last'] ?? 0)
  const first = id + 1
  const lengths: number[] = []
  let terms = 0
  return {
    finish(language: string) {
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
          new Uint8Array(Uint16Array.from(lengths, (length) => Math.min(length, 65_535)).buffer),
          ANALYSER_VERSION,
        )
      return { chunks: lengths.length }
    },
    add(chunk: Chunk, language: string) {
      const body = analyse(`${chunk.lead}${chunk.body}`, language)
      const heading = analyse(toHeadingText(file.name, chunk.headings), language)
      id += 1
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
      insertTerms.run(id, heading.join(' '), body.join(' '))
      lengths.push(body.length)
      terms += body.length
    },
  }
}

/** Yields to questions in between. */
async function writeFile(
  database: IndexWriter,
  file: IndexFile,
  batches: AsyncIterable<ChunkBatch> | Iterable<ChunkBatch>,
  onStretch: () => void,
): Promise<Put> {
  onStretch()
  removeFiles(database, [file.id])
  const writer = createWriter(database, file)
  let language: string | undefined
  for await (const batch of batches) {
    language = batch.language
    for (const chunk of batch.chunks) writer.add(chunk, batch.language)
    await nextTurn()
    onStretch()
  }
  return writer.finish(language ?? 'und')
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
  longTransaction(database.writer, () => writeFile(database, file, readBatches(file.source, CHUNKS_A_TURN), onStretch))

async function readAll(source: IndexSource, onStretch: () => void): Promise<readonly ChunkBatch[]> {
  const batches: ChunkBatch[] = []
  onStretch()
  for await (const batch of readBatches(source, CHUNKS_A_TURN)) batches.push(batch)
  return batches
}

/**
 * Writes several small files in one transaction, for one disk sync and one FTS5 merge. All are read first, so an
 * unreadable one does not undo the others.
 */
export async function putFiles(
  database: IndexWriter,
  files: readonly IndexFile[],
  onStretch: (at: number) => void = () => undefined,
): Promise<readonly PromiseSettledResult<Put>[]> {
  return longTransaction(database.writer, async () => {
    const results: PromiseSettledResult<Put>[] = []
    for (const [at, file] of files.entries()) {
      const step = () => onStretch(at)
      const [read] = await Promise.allSettled([readAll(file.source, step)])
      results.push(
        read.status === 'rejected'
          ? read
          : { status: 'fulfilled', value: await writeFile(database, file, read.value, step) },
      )
    }
    return results
  })
}
