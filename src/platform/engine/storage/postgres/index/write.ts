import { EngineError } from '#platform/engine/errors.ts'
import { ANALYSER_VERSION } from '#platform/engine/text/terms.ts'
import type { IndexedFile, IndexFile, IndexOperations } from '#platform/engine/storage/types.ts'
import { type FileInIndex, type PassageInIndex, toIndexedFile } from '#platform/engine/storage/indexed-file.ts'
import type { SeparateSql, Statements } from '#sql/postgres/sql.ts'
import type { Analyse } from './analyst-calls.ts'
import type { Block } from './block.ts'
import { claimIndex, dropped, findIndex, makeIndex, SEGMENT_SIZE, shareIndex, touch } from './schema.ts'
import { removeVectors, type VectorSearch } from './vectors.ts'

async function removeSegments(
  client: Statements,
  { vectors }: WriteParts,
  index: number,
  segments: readonly number[],
): Promise<void> {
  const old = segments.filter((segment) => segment > 0)
  if (old.length === 0) return
  await client.run('DELETE FROM fb_index_posting WHERE segment = ANY($1)', old)
  await client.run(
    `DELETE FROM fb_index_chunk USING unnest($2::bigint[]) AS old (segment)
     WHERE index_id = $1 AND id >= old.segment * ${SEGMENT_SIZE} AND id < (old.segment + 1) * ${SEGMENT_SIZE}`,
    index,
    old,
  )
  await removeVectors(client, vectors, index, old)
}

async function addBlock(
  client: Statements,
  at: { readonly index: number; readonly segment: number; readonly fileId: number },
  block: Block,
): Promise<void> {
  await client.run(
    `INSERT INTO fb_index_chunk (index_id, file_id, id, body, lead, headings, page, line_from, line_to)
     SELECT $1, $2, * FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::int[], $8::int[], $9::int[])`,
    at.index,
    at.fileId,
    block.ids,
    block.bodies,
    block.leads,
    block.headings,
    block.pages,
    block.linesFrom,
    block.linesTo,
  )
  await client.run(
    `INSERT INTO fb_index_posting (index_id, segment, term, chunks, list)
     SELECT $1, $2, * FROM unnest($3::text[], $4::int[], $5::bytea[])`,
    at.index,
    at.segment,
    block.terms,
    block.holders,
    block.lists,
  )
}

const tooLong = () =>
  new EngineError('too-large', `The file has more than ${SEGMENT_SIZE.toLocaleString('en')} passages: divide it.`)

export interface WriteParts {
  readonly sql: SeparateSql
  readonly analyse: Analyse
  /** The table of vectors. */
  readonly vectors: string
}

/** The reading thread was replaced, because another file hung in it. */
class ReaderGone extends Error {}

/** Most times that a file is read anew because of others. */
const MAX_READS = 5

/** Replaces all chunks of a file in one transaction: questions see it whole or not at all. */
export async function putFile(parts: WriteParts, name: string, file: IndexFile): Promise<{ readonly chunks: number }> {
  for (let left = MAX_READS - 1; ; left -= 1) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
      return await putOnce(parts, name, file)
    } catch (error) {
      if (!(error instanceof ReaderGone) || left === 0) throw error
    }
  }
}

async function putOnce(parts: WriteParts, name: string, file: IndexFile): Promise<{ readonly chunks: number }> {
  const { sql, analyse } = parts
  const index = await makeIndex(sql, name)
  return sql.transaction(async (client) => {
    const made = await client.get<{ segment: number }>("SELECT nextval('fb_index_segment') AS segment")
    const segment = made?.segment ?? 0
    const firstId = segment * SEGMENT_SIZE
    await analyse('open', { ...file, firstId })
    const toNext = async () => {
      const next = await analyse('next', firstId)
      if (next === 'gone') throw new ReaderGone('The file is no longer being read: try again.')
      return next
    }
    try {
      // The first block takes longest to make, so it is made before any lock.
      let block = await toNext()
      if (!(await shareIndex(client, index))) throw dropped()
      // The no-op update returns the old segment, and locks the file against other writers.
      const known = await client.all<{ segment: number }>(
        `INSERT INTO fb_index_file (index_id, file_id, revision) VALUES ($1, $2, $3)
         ON CONFLICT (index_id, file_id) DO UPDATE SET revision = excluded.revision RETURNING segment`,
        index,
        file.id,
        file.revision,
      )
      await removeSegments(
        client,
        parts,
        index,
        known.map((one) => one.segment),
      )
      const language = block?.language ?? 'und'
      const totals = { chunks: 0, terms: 0 }
      while (block !== null) {
        const { chunks, bodyTerms } = block
        totals.chunks += chunks
        totals.terms += bodyTerms
        if (totals.chunks > SEGMENT_SIZE) throw tooLong()
        // The thread makes the next block while the database writes this one.
        const next = toNext()
        await Promise.all([addBlock(client, { index, segment, fileId: file.id }, block), next])
        block = await next
      }
      await client.run(
        `UPDATE fb_index_file SET segment = $3, name = $4, language = $5, chunks = $6, terms = $7, analyser = $8, vector_stamp = 0
         WHERE index_id = $1 AND file_id = $2`,
        index,
        file.id,
        segment,
        file.name,
        language,
        totals.chunks,
        totals.terms,
        file.source.kind === 'passages' ? file.source.analyser : ANALYSER_VERSION,
      )
      await touch(client, index)
      return { chunks: totals.chunks }
    } finally {
      await analyse('close', firstId)
    }
  })
}

async function removeLocked(
  client: Statements,
  parts: WriteParts,
  index: number,
  fileIds: readonly number[],
): Promise<void> {
  if (fileIds.length === 0) return
  // Locks in one order against deadlocks.
  const rows = await client.all<{ segment: number }>(
    'SELECT segment FROM fb_index_file WHERE index_id = $1 AND file_id = ANY($2) ORDER BY file_id FOR UPDATE',
    index,
    fileIds,
  )
  await removeSegments(
    client,
    parts,
    index,
    rows.map((row) => row.segment),
  )
  await client.run('DELETE FROM fb_index_file WHERE index_id = $1 AND file_id = ANY($2)', index, fileIds)
  await touch(client, index)
}

export async function removeFiles(parts: WriteParts, name: string, fileIds: readonly number[]): Promise<void> {
  const index = await findIndex(parts.sql, name)
  if (index === undefined || fileIds.length === 0) return
  await parts.sql.transaction(async (client) => {
    if (await shareIndex(client, index)) await removeLocked(client, parts, index, fileIds)
  })
}

export async function keepFiles(
  parts: WriteParts,
  name: string,
  files: IndexOperations['keep']['request']['files'],
): Promise<number> {
  const index = await findIndex(parts.sql, name)
  if (index === undefined) return 0
  const wanted = new Map(files.map((file) => [file.id, file.revision]))
  return parts.sql.transaction(async (client) => {
    if (!(await shareIndex(client, index))) return 0
    const rows = await client.all<{ id: number; revision: number }>(
      'SELECT file_id AS id, revision FROM fb_index_file WHERE index_id = $1',
      index,
    )
    const gone = rows.filter((row) => wanted.get(row.id) !== row.revision).map((row) => row.id)
    await removeLocked(client, parts, index, gone)
    return gone.length
  })
}

export async function findOutdated(
  sql: SeparateSql,
  name: string,
  files: IndexOperations['keep']['request']['files'],
): Promise<readonly number[]> {
  const rows = await sql.all<{ id: number; revision: number }>(
    'SELECT file_id AS id, revision FROM fb_index_file WHERE index_id = $1 AND analyser = $2',
    (await findIndex(sql, name)) ?? 0,
    ANALYSER_VERSION,
  )
  const current = new Map(rows.map((row) => [row.id, row.revision]))
  return files.filter(({ id, revision }) => current.get(id) !== revision).map(({ id }) => id)
}

const passagesWith = (vectors: VectorSearch) => `
  SELECT id, body, lead, headings, page, line_from AS "lineFrom", line_to AS "lineTo", ${vectors.bytes} AS data
  FROM fb_index_chunk AS chunk LEFT JOIN ${vectors.table} AS vector ON vector.index_id = $1 AND vector.chunk_id = chunk.id
  WHERE chunk.index_id = $1 AND chunk.id >= $2 AND chunk.id < $3 ORDER BY chunk.id`

export async function readFile(
  sql: SeparateSql,
  vectors: VectorSearch,
  name: string,
  fileId: number,
): Promise<IndexedFile | null> {
  type Row = FileInIndex & { readonly index: number; readonly segment: number; readonly model: string }
  const file = await sql.get<Row>(
    `SELECT index_id AS index, revision, segment, file.name, language, analyser, model
     FROM fb_index_file AS file JOIN fb_index ON fb_index.id = index_id WHERE fb_index.name = $1 AND file_id = $2`,
    name,
    fileId,
  )
  if (file === undefined) return null
  const range = [file.segment * SEGMENT_SIZE, (file.segment + 1) * SEGMENT_SIZE]
  const passages = await sql.all<PassageInIndex>(passagesWith(vectors), file.index, ...range)
  return toIndexedFile(file, file.model, passages, (bytes) => vectors.decode(Buffer.from(bytes)))
}

export async function dropIndex(parts: WriteParts, name: string): Promise<void> {
  const index = await findIndex(parts.sql, name)
  if (index === undefined) return
  await parts.sql.transaction(async (client) => {
    await claimIndex(client, index)
    for (const table of [parts.vectors, 'fb_index_posting', 'fb_index_chunk', 'fb_index_file']) {
      await client.run(`DELETE FROM ${table} WHERE index_id = $1`, index)
    }
    await client.run('DELETE FROM fb_index WHERE id = $1', index)
  })
}
