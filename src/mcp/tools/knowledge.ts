import type { Engine } from '#platform/engine/engine.ts'
import type { FilePassage } from '#platform/engine/api/read-passages.ts'
import type { CollectionRow } from '#platform/engine/storage/catalog.ts'
import { EngineError } from '#platform/engine/errors.ts'
import type { Asker, Readable } from '../askers/asker.ts'
import { type Address, markOf, parseAddress } from './address.ts'
import { isAt, type Located, type ReadText, textOf, toRead, widen } from './passages.ts'

/** The part of the engine that is read here. Nothing of it changes anything. */
export type ReadEngine = Pick<Engine, 'retrieve' | 'passages' | 'chat' | 'models'> & {
  readonly collections: Pick<Engine['collections'], 'readable' | 'list'>
  readonly files: Pick<Engine['files'], 'list'>
}

export interface Found {
  readonly address: Address
  readonly collection: Readable
  readonly headings: readonly string[]
  /** 0…1, 1 is best. */
  readonly score: number
  /** Header rows of its table, and the passage, verbatim. */
  readonly text: string
}

export const noCollection = (id: string) =>
  new EngineError(
    'not-found',
    `There is no collection ${id} that you may read now: list_collections tells which there are.`,
  )

const noPassage = () =>
  new EngineError(
    'not-found',
    'There is no such passage that you may read now: search again, and use an id of the result.',
  )

async function readPassages(engine: ReadEngine, row: CollectionRow, file: string): Promise<readonly FilePassage[]> {
  try {
    return await engine.passages(row, file)
  } catch (error) {
    if (error instanceof EngineError && error.code === 'not-found') throw noPassage()
    throw error
  }
}

/** Collections, files and passages that an asker may read. Every call asks for the rights anew. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createKnowledge(engine: ReadEngine, asker: Asker) {
  const rowOf = ({ platformId }: Readable) => engine.collections.readable(asker.user, platformId)

  async function find(id: string): Promise<Readable> {
    const found = await asker.find(id)
    if (found === undefined) throw noCollection(id)
    return found
  }

  async function searchOne(collection: Readable, question: string, limit: number): Promise<readonly Found[]> {
    const row = await rowOf(collection)
    const { passages } = await engine.retrieve([row], { question, limit })
    return passages.map(({ file, place, headings, lead, body, distance }) => ({
      address: { collection: collection.id, file, place, mark: markOf(body) },
      collection,
      headings,
      score: 1 - distance,
      text: textOf({ lead, body }),
    }))
  }

  /** Best first. */
  async function searchAll(within: readonly Readable[], question: string, limit: number, ofEach = limit) {
    const found = await Promise.all(within.map((collection) => searchOne(collection, question, ofEach)))
    const best = found.flat().toSorted((one, other) => other.score - one.score)
    return best.slice(0, limit)
  }

  /** @throws {EngineError} `not-found` for everything that may not be read, whatever the reason */
  async function locate(id: string): Promise<Located> {
    const address = parseAddress(id)
    const collection = address && (await asker.find(address.collection))
    if (address === undefined || collection === undefined) throw noPassage()
    const row = await rowOf(collection)
    const passages = await readPassages(engine, row, address.file)
    return {
      address,
      collection,
      passages,
      at: passages.map((one, index) => (isAt(one, address) ? index : -1)).filter((index) => index >= 0),
    }
  }

  return {
    find,
    collections: () => asker.collections(),
    async search(question: string, limit: number, id?: string): Promise<readonly Found[]> {
      return searchAll(id === undefined ? await asker.collections() : [await find(id)], question, limit)
    },
    /** The collections for a question: all while they are few, else those that have passages for it, best first. */
    async holding(question: string, limit: number): Promise<readonly Readable[]> {
      const all = await asker.collections()
      if (all.length <= limit) return all
      return (await searchAll(all, question, limit, 1)).map(({ collection }) => collection)
    },
    /** The collection of each reference: the first that has the file with this place. */
    async owners(
      collections: readonly Readable[],
      references: readonly { readonly file: string; readonly place?: string }[],
    ) {
      const [only, ...others] = collections
      if (others.length === 0) return references.map(() => only)
      const owner = async ({ file, place }: { readonly file: string; readonly place?: string }) => {
        for (const collection of collections) {
          // oxlint-disable-next-line no-await-in-loop -- the first one ends the search
          const passages = await readPassages(engine, await rowOf(collection), file).catch(() => [])
          if (passages.some((one) => place === undefined || isAt(one, { collection: '', file, place })))
            return collection
        }
        return only
      }
      return Promise.all(references.map(owner))
    },
    async files(id: string) {
      const { platformId } = await find(id)
      return engine.files.list(asker.user, platformId)
    },
    /** The passage alone, or those of its page or lines. */
    async passage(id: string): Promise<ReadText> {
      const located = await locate(id)
      if (located.address.place === undefined || located.at.length === 0) throw noPassage()
      return toRead(located, located.at[0] ?? 0, located.at.at(-1) ?? 0)
    },
    /** The passage with the text around it; of a file without a place, its beginning. */
    async read(id: string): Promise<ReadText> {
      const located = await locate(id)
      const { passages, at } = located
      if (passages.length === 0 || (located.address.place !== undefined && at.length === 0)) throw noPassage()
      const [first, last] = widen(passages, at[0] ?? 0, at.at(-1) ?? 0)
      return toRead(located, first, last)
    },
  }
}

export type Knowledge = ReturnType<typeof createKnowledge>
