import type { Engine } from '#platform/engine/engine.ts'
import type { FilePassage } from '#platform/engine/api/read-passages.ts'
import { EngineError } from '#platform/engine/errors.ts'
import type { ChatReference } from '#platform/wire/references.ts'
import type { Asker, Readable } from '../askers/asker.ts'
import { markOf, parseAddress } from './address.ts'
import { isAt, type Located, textOf, toRead, widen } from './passages.ts'

/** The part of the engine that is read here. Nothing of it changes anything. */
export type ReadEngine = Pick<Engine, 'retrieve' | 'passages' | 'chat' | 'models'> & {
  readonly collections: Pick<Engine['collections'], 'readable' | 'list'>
  readonly files: Pick<Engine['files'], 'list'>
}

const missing = (sentence: string) => new EngineError('not-found', sentence)

export const noCollection = (id: string) =>
  missing(`There is no collection ${id} that you may read now: list_collections tells which there are.`)

const noPassage = () =>
  missing('There is no such passage that you may read now: search again, and use an id of the result.')

/** Collections, files and passages that an asker may read. Every call asks for the rights anew. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createKnowledge(engine: ReadEngine, asker: Asker) {
  const rowOf = ({ platformId }: Readable) => engine.collections.readable(asker.user, platformId)

  /** None of a file that is not there. */
  async function passagesOf(collection: Readable, file: string): Promise<readonly FilePassage[]> {
    return engine.passages(await rowOf(collection), file).catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'not-found') return []
      throw error
    })
  }

  async function find(id: string): Promise<Readable> {
    const found = await asker.find(id)
    if (found === undefined) throw noCollection(id)
    return found
  }

  async function searchOne(collection: Readable, question: string, limit: number) {
    const { passages } = await engine.retrieve([await rowOf(collection)], { question, limit })
    return passages.map(({ file, place, lead, body, distance }) => ({
      address: { collection: collection.id, file, place, mark: markOf(body) },
      collection,
      /** 0…1, 1 is best. */
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
    const passages = await passagesOf(collection, address.file)
    const isNamed = (one: FilePassage) => address.place === undefined || isAt(one, address)
    const [first, last] = [passages.findIndex(isNamed), passages.findLastIndex(isNamed)]
    if (first < 0) throw noPassage()
    return { address, collection, passages, first, last }
  }

  return {
    find,
    collections: () => asker.collections(),
    search: async (question: string, limit: number, id?: string) =>
      searchAll(id === undefined ? await asker.collections() : [await find(id)], question, limit),
    /** The collections for a question: all while they are few, else those that have passages for it, best first. */
    async holding(question: string, limit: number): Promise<readonly Readable[]> {
      const all = await asker.collections()
      if (all.length <= limit) return all
      return (await searchAll(all, question, limit, 1)).map(({ collection }) => collection)
    },
    /** The first of these collections that has the file with this place. */
    async owner(collections: readonly Readable[], { file, place }: Pick<ChatReference, 'file' | 'place'>) {
      if (collections.length === 1) return collections[0]
      const isIn = (one: FilePassage) => place === undefined || isAt(one, { place })
      const having = await Promise.all(collections.map(async (one) => (await passagesOf(one, file)).some(isIn)))
      return collections[Math.max(0, having.indexOf(true))]
    },
    files: async (id: string) => engine.files.list(asker.user, (await find(id)).platformId),
    /** The passage alone, or those of its page or lines. */
    async passage(id: string) {
      const located = await locate(id)
      if (located.address.place === undefined) throw noPassage()
      return toRead(located)
    },
    /** The passage with the text around it; of a file without a place, its beginning. */
    async read(id: string) {
      const located = await locate(id)
      return toRead(widen(located.address.place === undefined ? { ...located, last: 0 } : located))
    },
  }
}

export type Knowledge = ReturnType<typeof createKnowledge>
