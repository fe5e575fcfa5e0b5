import { transaction } from '#sql/sqlite/file.ts'
import { type Matrix, toUnit } from '#platform/engine/search/nearest.ts'
import { toHeadingText } from '#platform/engine/search/score.ts'
import type { BareChunk, NewVector } from '#platform/engine/storage/types.ts'
import type { IndexReader, IndexWriter } from './database.ts'

function modelOf(row: Record<string, unknown> | undefined): string {
  const value = row?.['value']
  return typeof value === 'string' ? value : ''
}

/** Model of the vectors; empty: none. */
export const readModel = (database: IndexWriter): string =>
  modelOf(database.write("SELECT value FROM setting WHERE name = 'vectors'").get())

/** Sets the model of this index; vectors of other models are deleted. */
function chooseModel(database: IndexWriter, model: string): void {
  if (readModel(database) === model) return
  transaction(database.writer, () => {
    database.writer.exec('DELETE FROM vector')
    database.write("INSERT OR REPLACE INTO setting (name, value) VALUES ('vectors', ?)").run(model)
  })
}

/** Chunks after `after` without a vector of this model, by id, with the text to embed. */
export function findBare(database: IndexWriter, model: string, after: number, limit: number): readonly BareChunk[] {
  chooseModel(database, model)
  return database
    .write(
      `SELECT chunk.id, chunk.file_id AS fileId, file.name, chunk.headings, chunk.lead, chunk.body
       FROM chunk JOIN file ON file.id = chunk.file_id
       WHERE chunk.id > ? AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.chunk_id = chunk.id)
       ORDER BY chunk.id LIMIT ?`,
    )
    .all(after, limit)
    .map((row) => {
      const headings = JSON.parse(String(row['headings'])) as readonly string[]
      const above = toHeadingText(String(row['name']), headings)
      const text = `${above}\n\n${String(row['lead'])}${String(row['body'])}`
      return { id: Number(row['id']), fileId: Number(row['fileId']), text }
    })
}

/** Stores vectors, normalised to length 1, of chunks that still exist. */
export function addVectors(database: IndexWriter, model: string, vectors: readonly NewVector[]): void {
  chooseModel(database, model)
  const insert = database.write(
    `INSERT OR REPLACE INTO vector (chunk_id, file_id, data)
     SELECT id, file_id, ? FROM chunk WHERE id = ? AND file_id = ?`,
  )
  transaction(database.writer, () => {
    for (const { id, fileId, vector } of vectors) {
      const unit = toUnit(vector)
      insert.run(new Uint8Array(unit.buffer, unit.byteOffset, unit.byteLength), id, fileId)
    }
  })
}

/** Reads all vectors; undefined when it has no vectors, or more than `maxBytes`. */
export function readMatrix(database: IndexReader, maxBytes: number): Matrix | undefined {
  const first = database.read('SELECT count(*) AS rows, max(length(data)) AS bytes FROM vector').get()
  const rows = Number(first?.['rows'] ?? 0)
  const dimensions = Number(first?.['bytes'] ?? 0) / 4
  if (rows === 0 || dimensions === 0 || rows * dimensions * 4 > maxBytes) return undefined
  const model = modelOf(database.read("SELECT value FROM setting WHERE name = 'vectors'").get())
  const ids = new Float64Array(rows)
  const fileIds = new Float64Array(rows)
  const values = new Float32Array(rows * dimensions)
  const bytes = new Uint8Array(values.buffer)
  let index = 0
  for (const row of database.read('SELECT chunk_id, file_id, data FROM vector ORDER BY chunk_id').iterate()) {
    const data = row['data']
    // The model server changed its vector length under one name: such vectors are not compared.
    if (!(data instanceof Uint8Array) || data.byteLength !== dimensions * 4 || index >= rows) continue
    ids[index] = Number(row['chunk_id'])
    fileIds[index] = Number(row['file_id'])
    bytes.set(data, index * dimensions * 4)
    index += 1
  }
  return {
    model,
    dimensions,
    ids: ids.subarray(0, index),
    fileIds: fileIds.subarray(0, index),
    values: values.subarray(0, index * dimensions),
  }
}
