import type { Nearness } from './fuse.ts'

/** All vectors of a collection, each of length 1, one after the other. */
export interface Matrix {
  readonly model: string
  readonly dimensions: number
  readonly ids: Float64Array
  readonly fileIds: Float64Array
  readonly values: Float32Array
}

export interface Near extends Nearness {
  /** Cosines by chunk, nearest first. */
  readonly nearest: readonly { readonly id: number; readonly cosine: number }[]
  cosineOf(id: number): number | undefined
}

export function toUnit(vector: Float32Array): Float32Array {
  let sum = 0
  for (const value of vector) sum += value * value
  const length = Math.sqrt(sum)
  // A vector that comes from another index stays as it is, to the bit.
  const isUnit = Math.abs(sum - 1) < 1e-6
  return length === 0 || isUnit ? vector.slice() : vector.map((value) => value / length)
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
