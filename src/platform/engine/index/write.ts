import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { chunkMarkdown, chunkPlainText, createPageChunker } from '../chunk/document.ts'
import type { Chunk } from '../chunk/chunk.ts'
import { analyse } from '../text/analyse.ts'
import { decodeText } from '../text/decode.ts'
import { detectLanguage } from '../text/detect.ts'
import type { IndexDatabase } from './database.ts'
import type { IndexFile, IndexSource } from './protocol.ts'
import { toHeadingText } from './heading-text.ts'

/** Chunks written before waiting questions get their turn: some 10 ms. */
const turn = 200

export interface ConvertedPage {
  readonly page: number
  readonly markdown: string
}

async function* readPages(path: string): AsyncGenerator<ConvertedPage> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) if (line !== '') yield JSON.parse(line) as ConvertedPage
}

async function* readChunks(source: IndexSource): AsyncGenerator<Chunk> {
  if (source.kind === 'pages') {
    const chunkPage = createPageChunker()
    for await (const { page, markdown } of readPages(source.path)) yield* chunkPage(page, markdown)
    return
  }
  const text = decodeText(await readFile(source.path))
  yield* source.kind === 'markdown' ? chunkMarkdown(text) : chunkPlainText(text)
}

export function removeFiles(database: IndexDatabase, fileIds: readonly number[]): void {
  for (const id of fileIds) {
    database.write('DELETE FROM term WHERE rowid IN (SELECT id FROM chunk WHERE file_id = ?)').run(id)
    database.write('DELETE FROM vector WHERE file_id = ?').run(id)
    database.write('DELETE FROM chunk WHERE file_id = ?').run(id)
    database.write('DELETE FROM file WHERE id = ?').run(id)
  }
}

/** Language by the first chunks; the rest of the file follows. */
const sampleChunks = 20

function createWriter(database: IndexDatabase, file: IndexFile) {
  const insertChunk = database.write(
    `INSERT INTO chunk (id, file_id, body, lead, headings, page, line_from, line_to, start_at, end_at, terms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertTerms = database.write('INSERT INTO term (rowid, heading, body) VALUES (?, ?, ?)')
  let id = Number(database.write('SELECT coalesce(max(id), 0) AS last FROM chunk').get()?.['last'] ?? 0)
  const totals = { chunks: 0, terms: 0 }
  return {
    totals,
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
      totals.chunks += 1
      totals.terms += body.length
    },
  }
}

/**
 * Writes all chunks of a file in one transaction: questions see it whole or not at all. Gives way to them in between.
 */
export async function putFile(
  database: IndexDatabase,
  file: IndexFile,
): Promise<{ readonly chunks: number }> {
  database.writer.exec('BEGIN IMMEDIATE')
  try {
    removeFiles(database, [file.id])
    const writer = createWriter(database, file)
    let waiting: Chunk[] = []
    let language: string | undefined
    const flush = () => {
      const code = (language ??= detectLanguage(waiting.map((chunk) => chunk.body).join('\n')))
      for (const chunk of waiting) writer.add(chunk, code)
      waiting = []
    }
    for await (const chunk of readChunks(file.source)) {
      waiting.push(chunk)
      if (waiting.length < (language === undefined ? sampleChunks : turn)) continue
      flush()
      await nextTurn()
    }
    flush()
    database
      .write('INSERT INTO file (id, revision, name, language, chunks, terms) VALUES (?, ?, ?, ?, ?, ?)')
      .run(file.id, file.revision, file.name, language ?? 'und', writer.totals.chunks, writer.totals.terms)
    database.writer.exec('COMMIT')
    return { chunks: writer.totals.chunks }
  } catch (error) {
    database.writer.exec('ROLLBACK')
    throw error
  }
}
