import type { SeparateSql } from '#sql/postgres/sql.ts'
import type { EngineLog } from '#platform/engine/types.ts'
import type { Analyse, AnalystOperations, Nearby, SegmentVectors, VectorSegment } from './analyst-calls.ts'
import { SEGMENT_SIZE, segmentOf } from './schema.ts'
import type { IndexState, VectorSearch } from './vectors.ts'
import { findNear, type Matrix } from '#platform/engine/search/nearest.ts'

/** Vectors read at once. */
const PAGE_SIZE = 1000

/** A larger index is searched by words only: its vectors would be read again for every question. */
const MAX_INDEX_BYTES = 512 * 1024 * 1024

interface FileVectors extends VectorSegment {
  readonly fileId: number
}

/** Adjacent files, so that one range of chunks covers exactly these. */
function toRuns(all: readonly FileVectors[], missing: ReadonlySet<number>): FileVectors[][] {
  const runs: FileVectors[][] = []
  let run: FileVectors[] | undefined
  for (const one of all) {
    if (!missing.has(one.segment)) {
      run = undefined
      continue
    }
    if (run === undefined) runs.push((run = []))
    run.push(one)
  }
  return runs
}

export interface ExactSearchParts extends Omit<VectorSearch, 'prepare' | 'near'> {
  readonly sql: SeparateSql
  readonly analyse: Analyse
  readonly log: EngineLog
}

/** Vectors as plain bytes, for every server. */
export const plainVectors = {
  table: 'fb_index_vector',
  sentAs: 'bytea',
  toData: 'made.data',
  encode: (unit: Float32Array) => Buffer.from(unit.buffer, unit.byteOffset, unit.byteLength),
  bytes: 'data',
  decode: (bytes: Buffer) => bytes,
} as const

/**
 * Exact comparison in the analysing thread, on any server. The thread keeps the vectors of recently asked indexes;
 * after a change only changed files are read.
 */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createExactSearch({ sql, analyse, log, ...where }: ExactSearchParts): VectorSearch {
  const { table, bytes } = where
  /** Version of the vectors in the thread, by index. */
  const held = new Map<number, number>()
  const loading = new Map<number, Promise<void>>()
  const tooLarge = new Set<number>()

  async function readRun(index: number, run: readonly FileVectors[]): Promise<SegmentVectors[]> {
    const made = new Map(run.map((one) => [one.segment, { ...one, ids: [] as number[], data: [] as Uint8Array[] }]))
    let after = (run[0]?.segment ?? 0) * SEGMENT_SIZE - 1
    const end = ((run.at(-1)?.segment ?? 0) + 1) * SEGMENT_SIZE
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- page after page
      const rows = await sql.all<{ id: number; data: Buffer }>(
        `SELECT chunk_id AS id, ${bytes} AS data FROM ${table}
         WHERE index_id = $1 AND chunk_id > $2 AND chunk_id < $3 ORDER BY chunk_id LIMIT ${PAGE_SIZE}`,
        index,
        after,
        end,
      )
      for (const { id, data } of rows) {
        const one = made.get(segmentOf(id))
        one?.ids.push(id)
        one?.data.push(where.decode(data))
      }
      after = rows.at(-1)?.id ?? after
      if (rows.length < PAGE_SIZE) return [...made.values()]
    }
  }

  async function load({ id, version, model }: IndexState): Promise<void> {
    const rows = await sql.all<FileVectors>(
      `SELECT segment, vector_stamp AS stamp, file_id AS "fileId" FROM fb_index_file
       WHERE index_id = $1 AND vector_stamp > 0 ORDER BY segment`,
      id,
    )
    const missing = await analyse('missing', { index: id, model, segments: rows })
    for (const run of toRuns(rows, new Set(missing.map(({ segment }) => segment)))) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other: all of them may be large
      await analyse('hold', { index: id, segments: await readRun(id, run) })
    }
    held.set(id, version)
  }

  /** Questions that arrive meanwhile share this load. */
  async function follow(state: IndexState): Promise<void> {
    await loading.get(state.id)
    if (held.get(state.id) === state.version) return
    const run = load(state).finally(() => loading.delete(state.id))
    loading.set(state.id, run)
    await run
  }

  function fits(state: IndexState, dimensions: number): boolean {
    if (state.total * dimensions * 4 <= MAX_INDEX_BYTES) return true
    if (!tooLarge.has(state.id)) {
      const sentence =
        'Index has too many vectors to compare without pgvector: it is searched by its words alone. Install pgvector'
      log.warn({ index: state.id, chunks: state.total, dimensions }, sentence)
    }
    tooLarge.add(state.id)
    return false
  }

  return {
    ...where,
    async near(state, { vector, fileId }, wanted, ids) {
      if (vector === undefined || vector.model !== state.model || !fits(state, vector.values.length)) {
        return undefined
      }
      await follow(state)
      const ask = () => analyse('near', { index: state.id, question: vector.values, wanted, fileId, ids })
      const nearby = await ask()
      if (nearby !== null) return nearby
      // Evicted in favour of others, or of another length.
      held.delete(state.id)
      await follow(state)
      return (await ask()) ?? undefined
    },
  }
}

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
  /** One matrix of all pieces; built on the first question. */
  matrix: Matrix | undefined
}

/** Most bytes of vectors in memory, over all indexes; the least recently used are evicted. */
const MAX_BYTES = 512 * 1024 * 1024

const bytesOf = ({ pieces }: Held) => [...pieces.values()].reduce((sum, { values }) => sum + values.byteLength, 0)

function toPiece({ stamp, fileId, ids, data }: SegmentVectors): Piece {
  const bytes = data[0]?.byteLength ?? 0
  // The model server changed its vector length under one name: such vectors are not compared.
  const rows = data.flatMap((one, at) => (one.byteLength === bytes ? [at] : []))
  const values = new Float32Array((bytes / 4) * rows.length)
  const into = new Uint8Array(values.buffer)
  rows.forEach((row, at) => into.set(data[row] ?? new Uint8Array(), at * bytes))
  return { stamp, fileId, ids: Float64Array.from(rows, (row) => ids[row] ?? 0), dimensions: bytes / 4, values }
}

/** One matrix in chunk order; the pieces become views of it, so nothing is stored twice. */
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

/** Vectors of recently asked indexes, synchronised with the database file by file. */
export function createMatrices() {
  const indexes = new Map<number, Held>()

  function use(index: number, model: string): Held {
    const known = indexes.get(index)
    const held = known?.model === model ? known : { model, pieces: new Map<number, Piece>(), matrix: undefined }
    // The last entry of the map is the most recently used.
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
