import { findNear, type Matrix } from '../../../search/nearest.ts'
import type { AnalystOperations, Nearby, SegmentVectors, VectorSegment } from './analyst-calls.ts'

interface Piece {
  readonly stamp: number
  readonly fileId: number
  readonly ids: Float64Array
  readonly dimensions: number
  readonly values: Float32Array
}

interface Held {
  readonly model: string
  readonly pieces: Map<number, Piece>
  /** All pieces as one; made when a question needs it. */
  matrix: Matrix | undefined
}

/** Bytes of vectors held in memory, all indexes together; the longest unused go first. */
const MAX_BYTES = 512 * 1024 * 1024

const bytesOf = ({ pieces }: Held) => [...pieces.values()].reduce((sum, { values }) => sum + values.byteLength, 0)

function toPiece({ stamp, fileId, ids, data }: SegmentVectors): Piece {
  const bytes = data[0]?.byteLength ?? 0
  // A server that changes its lengths under one name: such a vector compares with nothing.
  const rows = data.flatMap((one, at) => (one.byteLength === bytes ? [at] : []))
  const values = new Float32Array((bytes / 4) * rows.length)
  const into = new Uint8Array(values.buffer)
  rows.forEach((row, at) => into.set(data[row] ?? new Uint8Array(), at * bytes))
  return {
    stamp,
    fileId,
    ids: Float64Array.from(rows, (row) => ids[row] ?? 0),
    dimensions: bytes / 4,
    values,
  }
}

/** One matrix in the order of the chunks; afterwards the pieces are views of it, so that nothing is there twice. */
function join(held: Held): Matrix | undefined {
  const pieces = [...held.pieces].toSorted(([one], [other]) => one - other)
  const dimensions = Math.max(0, ...pieces.map(([, piece]) => piece.dimensions))
  const fitting = pieces.filter(([, piece]) => piece.dimensions === dimensions)
  const rows = fitting.reduce((sum, [, piece]) => sum + piece.ids.length, 0)
  if (rows === 0 || dimensions === 0) return undefined
  const matrix = {
    model: held.model,
    dimensions,
    ids: new Float64Array(rows),
    fileIds: new Float64Array(rows),
    values: new Float32Array(rows * dimensions),
  }
  let at = 0
  for (const [segment, piece] of fitting) {
    const end = at + piece.ids.length
    matrix.ids.set(piece.ids, at)
    matrix.fileIds.fill(piece.fileId, at, end)
    matrix.values.set(piece.values, at * dimensions)
    const values = matrix.values.subarray(at * dimensions, end * dimensions)
    held.pieces.set(segment, { ...piece, values })
    at = end
  }
  return matrix
}

/** Vectors of the indexes that are asked, kept in step with the database file by file. */
export function createMatrices() {
  const indexes = new Map<number, Held>()

  function use(index: number, model: string): Held {
    const known = indexes.get(index)
    const held = known?.model === model ? known : { model, pieces: new Map<number, Piece>(), matrix: undefined }
    // Last in the map is last used.
    indexes.delete(index)
    indexes.set(index, held)
    return held
  }

  function forgetBeyond(index: number): void {
    let bytes = 0
    for (const [name, held] of [...indexes].toReversed()) {
      bytes += bytesOf(held)
      if (bytes > MAX_BYTES && name !== index) indexes.delete(name)
    }
  }

  return {
    missing({ index, model, segments }: AnalystOperations['missing']['request']): readonly VectorSegment[] {
      const held = use(index, model)
      const wanted = new Set(segments.map(({ segment }) => segment))
      for (const segment of held.pieces.keys()) {
        if (wanted.has(segment)) continue
        held.pieces.delete(segment)
        held.matrix = undefined
      }
      return segments.filter(({ segment, stamp }) => held.pieces.get(segment)?.stamp !== stamp)
    },
    hold({ index, segments }: AnalystOperations['hold']['request']): null {
      const held = indexes.get(index)
      if (held === undefined) return null
      for (const one of segments) held.pieces.set(one.segment, toPiece(one))
      held.matrix = undefined
      forgetBeyond(index)
      return null
    },
    near({ index, question, wanted, fileId, ids }: AnalystOperations['near']['request']): Nearby | null {
      const held = indexes.get(index)
      const matrix = held === undefined ? undefined : (held.matrix ??= join(held))
      if (matrix?.dimensions !== question.length) return null
      const near = findNear(matrix, question, wanted, fileId)
      const { count, mean, deviation, best, fifth } = near
      const found = near.nearest.map(({ id }) => id)
      const cosines = [...new Set([...ids, ...found])].flatMap((id): [number, number][] => {
        const cosine = near.cosineOf(id)
        return cosine === undefined ? [] : [[id, cosine]]
      })
      return { nearness: { count, mean, deviation, best, fifth }, nearest: found, cosines: new Map(cosines) }
    },
  }
}
