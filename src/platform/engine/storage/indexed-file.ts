import type { IndexedFile } from './types.ts'

/** A row of the index's table of files. SQLite gives whole numbers as `bigint`. */
export interface FileInIndex {
  readonly revision: number | bigint
  readonly name: string
  readonly language: string
  readonly analyser: number | bigint
}

export interface PassageInIndex {
  readonly id: number | bigint
  readonly body: string
  readonly lead: string
  readonly headings: string
  readonly page: number | bigint | null
  readonly lineFrom: number | bigint
  readonly lineTo: number | bigint
  /** 32-bit floats of its vector. */
  readonly data: Uint8Array | null
}

function toVector(bytes: Uint8Array): Float32Array {
  // A copy: four-byte numbers begin where a view may not.
  const copy = Uint8Array.from(bytes)
  return new Float32Array(copy.buffer, 0, copy.byteLength / 4)
}

export const toIndexedFile = (
  file: FileInIndex,
  model: string,
  rows: readonly PassageInIndex[],
  decode: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes,
): IndexedFile => ({
  revision: Number(file.revision),
  name: file.name,
  source: {
    kind: 'passages',
    language: file.language,
    analyser: Number(file.analyser),
    chunks: rows.map(({ body, lead, headings, page, lineFrom, lineTo }) => ({
      body,
      lead,
      headings: JSON.parse(headings) as readonly string[],
      ...(page === null ? {} : { page: Number(page) }),
      lineFrom: Number(lineFrom),
      lineTo: Number(lineTo),
    })),
  },
  ids: rows.map(({ id }) => Number(id)),
  model,
  vectors: rows.map(({ data }) => (data === null ? null : toVector(decode(data)))),
})
