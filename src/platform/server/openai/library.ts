import { randomUUID } from 'node:crypto'
import type { HeldFile } from '#platform/engine/api/files.ts'
import type { Engine } from '#platform/engine/engine.ts'
import { EngineError, type EngineErrorCode } from '#platform/engine/errors.ts'
import type { CollectionRow, UserRow } from '#platform/engine/storage/catalog.ts'
import { toCollectionId } from '#platform/wire/names.ts'
import { UPLOADS } from '#platform/wire/vector-stores.ts'
import { nameInFileId, toCollection, toFileId } from './ids.ts'

const idOf = ({ ownerName, name }: CollectionRow) => toCollectionId(ownerName, name)

const missing = (id: string) =>
  new EngineError('not-found', `No file has the id ${id.slice(0, 300)}: GET /v1/files lists all files.`)

const unless = (code: EngineErrorCode) => (error: unknown) => {
  if (error instanceof EngineError && error.code === code) return undefined
  throw error
}

function throwIfLeft(signal: AbortSignal): void {
  if (signal.aborted) throw new EngineError('aborted', 'The request was stopped.')
}

/** Vector stores and files of a user, which are collections and their files. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createLibrary({ collections, files }: Pick<Engine, 'collections' | 'files'>) {
  /** Files of these ids, in the order of the collections. */
  async function withIds(rows: readonly CollectionRow[], ids: readonly string[]): Promise<readonly HeldFile[]> {
    const names = ids.flatMap((id) => nameInFileId(id) ?? [])
    if (names.length === 0) return []
    return (await files.held(rows, names)).filter(({ file }) => ids.includes(toFileId(file)))
  }

  function store(user: UserRow, id: string): Promise<CollectionRow> {
    const name = toCollection(id)
    return name.includes('/') ? collections.readable(user, name) : collections.reading(user, name)
  }

  /**
   * Puts copies of these files into a collection and starts an index pass over it.
   *
   * @throws {EngineError} `conflict` where it has another file of the name; `forbidden`, `locked`, `aborted`
   */
  async function attach(
    user: UserRow,
    into: CollectionRow,
    sources: readonly HeldFile[],
    signal: AbortSignal,
  ): Promise<void> {
    const target = idOf(await collections.require(user, idOf(into)))
    const names = sources.map(({ file }) => file.name)
    const there = new Map((await files.held([into], names)).map(({ file }) => [file.name, file.sha256]))
    const missed = sources.filter(({ file }) => there.get(file.name) !== file.sha256)
    const other = missed.find(({ file }) => there.has(file.name))?.file.name
    if (other !== undefined) {
      const sentence = `The vector store already has a different file named ${other}: remove it first, or give this one another name.`
      throw new EngineError('conflict', sentence)
    }
    for (const { collection, file } of missed) {
      throwIfLeft(signal)
      // oxlint-disable-next-line no-await-in-loop -- files are stored one after the other
      const { content } = await files.download(user, idOf(collection), file.name)
      // oxlint-disable-next-line no-await-in-loop -- as above
      await files.upload(user, target, { name: file.name, content: await files.receive(content) })
    }
    // A pass that runs already takes the new files, or fails by itself and is told in the list.
    if (sources.length > 0) void collections.generateIndex(user, target).catch(() => undefined)
  }

  return {
    store,
    attach,
    /** A file in all collections that have it, the user's own first. @throws {EngineError} `not-found` */
    async holders(user: UserRow, id: string): Promise<readonly [HeldFile, ...HeldFile[]]> {
      const [first, ...others] = await withIds(await collections.rows(user), [id])
      if (first === undefined) throw missing(id)
      return [first, ...others]
    },
    /** Files of all collections. */
    all: async (user: UserRow) => files.held(await collections.rows(user)),
    /**
     * Files that can be attached together, each in the first collection that has it.
     *
     * @throws {EngineError} `not-found`; `conflict` for two of one name; `aborted`
     */
    async sources(user: UserRow, ids: readonly string[], signal: AbortSignal): Promise<readonly HeldFile[]> {
      throwIfLeft(signal)
      if (ids.length === 0) return []
      const held = await withIds(await collections.rows(user), ids)
      const byId = new Map(held.toReversed().map((one) => [toFileId(one.file), one]))
      const names = new Set<string>()
      return [...new Set(ids)].map((id) => {
        const one = byId.get(id)
        if (one === undefined) throw missing(id)
        const { name } = one.file
        if (names.has(name)) {
          const sentence = `Two of the files are named ${name}: attach one of them, or use one vector store for each.`
          throw new EngineError('conflict', sentence)
        }
        names.add(name)
        return one
      })
    },
    /** @throws {EngineError} `not-found` */
    async inStore(user: UserRow, storeId: string, fileId: string): Promise<HeldFile> {
      const [found] = await withIds([await store(user, storeId)], [fileId])
      if (found === undefined) throw missing(fileId)
      return found
    },
    /** A vector store with copies of these files; where one cannot be attached, nothing stays. @throws as `attach` */
    async createStore(
      user: UserRow,
      name: string | undefined,
      sources: readonly HeldFile[],
      signal: AbortSignal,
    ): Promise<CollectionRow> {
      const { id } = await collections.create(user, name ?? `store-${randomUUID()}`)
      try {
        if (sources.length > 0) await attach(user, await collections.readable(user, id), sources, signal)
      } catch (error) {
        // The refusal is what the caller has to know.
        await collections.remove(user, id).catch(() => undefined)
        throw error
      }
      return collections.readable(user, id)
    },
    /** The collection of uploads, made with the first one. */
    async uploads(user: UserRow): Promise<CollectionRow> {
      const id = toCollectionId(user.name, UPLOADS)
      const there = await collections.readable(user, id).catch(unless('not-found'))
      if (there !== undefined) return there
      await collections.create(user, UPLOADS).catch(unless('conflict'))
      return collections.readable(user, id)
    },
    remove: (user: UserRow, { collection, file }: HeldFile) => files.remove(user, idOf(collection), file.name),
    download: (user: UserRow, { collection, file }: HeldFile) => files.download(user, idOf(collection), file.name),
    removeStore: (user: UserRow, row: CollectionRow) => collections.remove(user, idOf(row)),
  }
}
