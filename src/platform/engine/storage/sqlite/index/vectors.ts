import type { Nearness } from '../../../search/fuse.ts'
import { toHeadingText } from '../../../search/score.ts'
import type { BareChunk, NewVector } from '../../types.ts'
import type { IndexDatabase } from './database.ts'

/** All vectors of a collection, each of length 1, one behind the other. */
export interface Matrix {
  readonly model: string
  readonly dimensions: number
  readonly ids: Float64Array
  readonly fileIds: Float64Array
  readonly values: Float32Array
}

export interface Near extends Nearness {
  /** Cosine by chunk, the nearest first. */
  readonly nearest: readonly { readonly id: number; readonly cosine: number }[]
  cosineOf(id: number): number | undefined
}

function modelOf(row: Record<string, unknown> | undefined): string {
  const value = row?.['value']
  return typeof value === 'string' ? value : ''
}

/** Makes `model` the one whose vectors this index holds; those of another go. */
function chooseModel(database: IndexDatabase, model: string): void {
  const known = modelOf(database.write("SELECT value FROM setting WHERE name = 'vectors'").get())
  if (known === model) return
  database.writer.exec('BEGIN IMMEDIATE')
  try {
    database.writer.exec('DELETE FROM vector')
    database.write("INSERT OR REPLACE INTO setting (name, value) VALUES ('vectors', ?)").run(model)
    database.writer.exec('COMMIT')
  } catch (error) {
    database.writer.exec('ROLLBACK')
    throw error
  }
}

/** Chunks behind `after` that have no vector of this model yet, in the order of their ids, with what is to be embedded. */
export function findBare(
  database: IndexDatabase,
  model: string,
  after: number,
  limit: number,
): readonly BareChunk[] {
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

/** Keeps vectors, made to length 1, of chunks that are still there. */
export function addVectors(database: IndexDatabase, model: string, vectors: readonly NewVector[]): void {
  chooseModel(database, model)
  const insert = database.write(
    `INSERT OR REPLACE INTO vector (chunk_id, file_id, data)
     SELECT id, file_id, ? FROM chunk WHERE id = ? AND file_id = ?`,
  )
  database.writer.exec('BEGIN IMMEDIATE')
  try {
    for (const { id, fileId, vector } of vectors) {
      const unit = toUnit(vector)
      insert.run(new Uint8Array(unit.buffer, unit.byteOffset, unit.byteLength), id, fileId)
    }
    database.writer.exec('COMMIT')
  } catch (error) {
    database.writer.exec('ROLLBACK')
    throw error
  }
}

export function toUnit(vector: Float32Array): Float32Array {
  let sum = 0
  for (const value of vector) sum += value * value
  const length = Math.sqrt(sum)
  return length === 0 ? vector.slice() : vector.map((value) => value / length)
}

/** Reads all vectors; undefined when there are none. */
export function readMatrix(database: IndexDatabase): Matrix | undefined {
  const first = database.read('SELECT count(*) AS rows, max(length(data)) AS bytes FROM vector').get()
  const rows = Number(first?.['rows'] ?? 0)
  const dimensions = Number(first?.['bytes'] ?? 0) / 4
  if (rows === 0 || dimensions === 0) return undefined
  const model = modelOf(database.read("SELECT value FROM setting WHERE name = 'vectors'").get())
  const ids = new Float64Array(rows)
  const fileIds = new Float64Array(rows)
  const values = new Float32Array(rows * dimensions)
  const bytes = new Uint8Array(values.buffer)
  let index = 0
  for (const row of database.read('SELECT chunk_id, file_id, data FROM vector ORDER BY chunk_id').iterate()) {
    const data = row['data']
    // A server that changes its lengths under one name: such a vector compares with nothing.
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

function cosines({ dimensions, ids, values }: Matrix, question: Float32Array): Float32Array {
  const unit = toUnit(question)
  const found = new Float32Array(ids.length)
  for (let row = 0, at = 0; row < found.length; row += 1, at += dimensions) {
    let sum = 0
    for (let index = 0; index < dimensions; index += 1) {
      sum += (values[at + index] ?? 0) * (unit[index] ?? 0)
    }
    found[row] = sum
  }
  return found
}

/** Rows of the `wanted` largest values, largest first. */
function largest(values: Float32Array, wanted: number, isWanted: (row: number) => boolean): number[] {
  const rows: number[] = []
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] ?? 0
    const last = rows.length < wanted ? undefined : rows.at(-1)
    if ((last !== undefined && (values[last] ?? 0) >= value) || !isWanted(row)) continue
    let at = rows.length
    while (at > 0 && (values[rows[at - 1] ?? 0] ?? 0) < value) at -= 1
    rows.splice(at, 0, row)
    if (rows.length > wanted) rows.pop()
  }
  return rows
}

/** Exact scan of all vectors: 20 ms for 100,000 of 384 numbers. */
export function findNear(matrix: Matrix, question: Float32Array, wanted: number, fileId?: number): Near {
  const values = cosines(matrix, question)
  let sum = 0
  let squares = 0
  let best = -1
  for (const value of values) {
    sum += value
    squares += value * value
    if (value > best) best = value
  }
  const count = values.length
  const mean = sum / count
  const fifth = values[largest(values, 5, () => true).at(-1) ?? 0] ?? 0
  const rows = largest(values, wanted, (row) => fileId === undefined || matrix.fileIds[row] === fileId)
  const rowOf = (id: number) => {
    let low = 0
    let high = count - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const there = matrix.ids[middle] ?? 0
      if (there === id) return middle
      if (there < id) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
  return {
    count,
    mean,
    best,
    fifth,
    deviation: Math.sqrt(Math.max(0, squares / count - mean * mean)),
    nearest: rows.map((row) => ({ id: matrix.ids[row] ?? 0, cosine: values[row] ?? 0 })),
    cosineOf: (id) => values[rowOf(id)],
  }
}
