import { normalizedName } from '#lib/unicode.ts'
import { toPlace } from '../chunk/units.ts'
import { EngineError } from '../errors.ts'
import type { Catalog, CollectionRow } from '../storage/catalog.ts'
import type { IndexStore } from '../storage/types.ts'

/** One chunk of an indexed file. */
export interface FilePassage {
  /** As in a reference: `p.3`, `L10-24`. */
  readonly place: string
  /** From 1; absent: the file has no pages. */
  readonly page?: number
  /** From 1, both inclusive, counted in the page or the file. */
  readonly lineFrom: number
  readonly lineTo: number
  readonly headings: readonly string[]
  /** Header rows of the table, where the chunk is a later part of it. */
  readonly lead: string
  /** Verbatim. */
  readonly body: string
}

/**
 * All chunks of a file, in order; empty while it is not indexed.
 *
 * @throws {EngineError} `not-found` when the collection has no such file
 */
export type ReadPassages = (collection: CollectionRow, name: string) => Promise<readonly FilePassage[]>

export function createReadPassages(parts: { readonly catalog: Catalog; readonly index: IndexStore }): ReadPassages {
  return async (collection, name) => {
    const file = await parts.catalog.files.get(collection.id, normalizedName(name))
    if (file === undefined) throw new EngineError('not-found', `There is no file ${name} in ${collection.name}.`)
    const indexed = await parts.index.read(collection.indexName, file.id)
    // A chunk of an older revision may still be in the index.
    if (indexed === null || file.status !== 'INDEXED' || indexed.revision !== file.revision) return []
    return indexed.source.chunks.map(({ page, ...chunk }) => ({
      ...chunk,
      page: page ?? undefined,
      place: toPlace({ ...chunk, page }),
    }))
  }
}
