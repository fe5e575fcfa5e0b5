import { randomUUID } from 'node:crypto'
import type { FileEntry } from '#platform/engine/api/files.ts'
import type { Engine } from '#platform/engine/engine.ts'
import { EngineError } from '#platform/engine/errors.ts'
import type { CollectionRow, UserRow } from '#platform/engine/storage/catalog.ts'
import { toCollectionId } from '#platform/wire/names.ts'
import { UPLOADS } from '#platform/wire/vector-stores.ts'
import { nameInFileId, readStore, toFileId } from './ids.ts'

/** A file and a collection that has it. */
export interface Held {
  readonly collection: CollectionRow
  readonly file: FileEntry
}

const idOf = ({ ownerName, name }: CollectionRow) => toCollectionId(ownerName, name)

const missing = (id: string) =>
  new EngineError('not-found', `No file has the id ${id.slice(0, 300)}: GET /v1/files lists all files.`)

function throwIfLeft(signal: AbortSignal): void {
  if (signal.aborted) throw new EngineError('aborted', 'The request was stopped.')
}

/** Vector stores and files of a user, which are collections and their files. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createLibrary({ collections, files }: Pick<Engine, 'collections' | 'files'>) {
  /** Collections of the user, and those shared by name. */
  async function rows(user: UserRow): Promise<readonly CollectionRow[]> {
    const records = await collections.list(user)
    const found = records.map(({ id }) =>
      collections.readable(user, id).catch((error: unknown) => {
        // It was deleted meanwhile.
        if (error instanceof EngineError && error.code === 'not-found') return undefined
        throw error
      }),
    )
    return (await Promise.all(found)).filter((row) => row !== undefined)
  }

  async function held(collection: CollectionRow, id: string): Promise<Held | undefined> {
    const name = nameInFileId(id)
    const file = name === undefined ? undefined : await files.entry(collection, name)
    return file !== undefined && toFileId(file.name, file.sha256) === id ? { collection, file } : undefined
  }

  async function holdersAmong(all: readonly CollectionRow[], id: string): Promise<readonly [Held, ...Held[]]> {
    const found = await Promise.all(all.map((row) => held(row, id)))
    const [first, ...others] = found.filter((one) => one !== undefined)
    if (first === undefined) throw missing(id)
    return [first, ...others]
  }

  /** Starts an index pass; one that runs already takes the new files, or fails by itself and is told in the list. */
  const startPass = (user: UserRow, collection: CollectionRow): void =>
    void collections.generateIndex(user, idOf(collection)).catch(() => undefined)

  /**
   * Puts copies of these files into a collection and starts a pass over it.
   *
   * @throws {EngineError} `conflict` where it has another file of the name; `forbidden`, `locked`, `aborted`
   */
  async function attach(
    user: UserRow,
    into: CollectionRow,
    sources: readonly Held[],
    signal: AbortSignal,
  ): Promise<void> {
    const { id: targetId } = await collections.require(user, idOf(into))
    for (const { collection, file } of sources) {
      throwIfLeft(signal)
      // oxlint-disable-next-line no-await-in-loop -- files are stored one after the other
      const there = await files.entry(into, file.name)
      if (there?.sha256 === file.sha256 || collection.id === targetId) continue
      if (there !== undefined) {
        throw new EngineError(
          'conflict',
          `The vector store already has a different file named ${file.name}: remove it first, or give this one another name.`,
        )
      }
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { content } = await files.download(user, idOf(collection), file.name)
      // oxlint-disable-next-line no-await-in-loop -- as above
      const received = await files.receive(content)
      // oxlint-disable-next-line no-await-in-loop -- as above
      await files.upload(user, idOf(into), { name: file.name, content: received })
    }
    if (sources.length > 0) startPass(user, into)
  }

  return {
    rows,
    /** All collections that have the file, the user's own first. @throws {EngineError} `not-found` */
    holders: async (user: UserRow, id: string) => holdersAmong(await rows(user), id),
    /**
     * Files that can be attached together, each in the first collection that has it.
     *
     * @throws {EngineError} `not-found`; `conflict` for two of one name; `aborted`
     */
    async sources(user: UserRow, ids: readonly string[], signal: AbortSignal): Promise<readonly Held[]> {
      if (ids.length === 0) return []
      const all = await rows(user)
      const byName = new Map<string, Held>()
      for (const id of new Set(ids)) {
        throwIfLeft(signal)
        // oxlint-disable-next-line no-await-in-loop -- one request asks for one file at a time
        const [first] = await holdersAmong(all, id)
        const { name } = first.file
        if (byName.has(name)) {
          throw new EngineError(
            'conflict',
            `Two of the files are named ${name}: attach one of them, or use one vector store for each.`,
          )
        }
        byName.set(name, first)
      }
      return [...byName.values()]
    },
    store: (user: UserRow, id: string) => readStore({ collections }, user, id),
    /** @throws {EngineError} `not-found` */
    async inStore(user: UserRow, storeId: string, fileId: string): Promise<Held> {
      const found = await held(await readStore({ collections }, user, storeId), fileId)
      if (found === undefined) throw missing(fileId)
      return found
    },
    /** A vector store with copies of these files; where one cannot be attached, nothing stays. @throws as `attach` */
    async createStore(
      user: UserRow,
      name: string | undefined,
      sources: readonly Held[],
      signal: AbortSignal,
    ): Promise<CollectionRow> {
      const { id } = await collections.create(user, name ?? `store-${randomUUID()}`)
      try {
        await attach(user, await collections.readable(user, id), sources, signal)
      } catch (error) {
        // The refusal is what the caller has to know.
        await collections.remove(user, id).catch(() => undefined)
        throw error
      }
      return collections.readable(user, id)
    },
    /** The collection of uploads, made with the first one. */
    async uploads(user: UserRow): Promise<CollectionRow> {
      await collections.create(user, UPLOADS).catch((error: unknown) => {
        if (!(error instanceof EngineError && error.code === 'conflict')) throw error
      })
      return collections.readable(user, toCollectionId(user.name, UPLOADS))
    },
    attach,
    remove: (user: UserRow, { collection, file }: Held) => files.remove(user, idOf(collection), file.name),
    removeStore: (user: UserRow, row: CollectionRow) => collections.remove(user, idOf(row)),
  }
}

export type Library = ReturnType<typeof createLibrary>
