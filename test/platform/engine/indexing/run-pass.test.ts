import { describe, expect, it } from 'vitest'
import type { FileFormat, FileRow } from '#platform/engine/storage/catalog.ts'
import { toGroups } from '#platform/engine/indexing/run-pass.ts'

const file = (id: number, sizeBytes: number, format: FileFormat = 'markdown'): FileRow => ({
  id,
  collectionId: 1,
  name: `${id}`,
  format,
  blob: '',
  sizeBytes,
  sha256: '',
  revision: 1,
  sourceId: null,
  status: null,
  chunks: 0,
  error: null,
  createdAt: 0,
  updatedAt: 0,
})

const ids = (files: readonly FileRow[], most: number) =>
  [...toGroups(files, most)].map((group) => group.map(({ id }) => id))

describe('groups of a pass', () => {
  it('put small files together, in order, and leave PDFs and large ones alone', () => {
    const files = [
      file(1, 10),
      file(2, 10),
      file(3, 10, 'pdf'),
      file(4, 10),
      file(5, 1e6),
      file(6, 10, 'text'),
      file(7, 1),
    ]
    expect(ids(files, 9)).toEqual([[1, 2], [3], [4], [5], [6, 7]])
    expect(ids(files, 1)).toEqual(files.map(({ id }) => [id]))
    expect(ids([], 9)).toEqual([])
  })

  it('hold no more than they may', () => {
    const files = Array.from({ length: 7 }, (_, id) => file(id, 1))
    expect(ids(files, 3)).toEqual([[0, 1, 2], [3, 4, 5], [6]])
    const halves = Array.from({ length: 19 }, (_, id) => file(id, 500_000))
    expect(ids(halves, 64).map(({ length }) => length)).toEqual([16, 3])
  })
})
