import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createKeyedMutex } from '#lib/keyed-mutex.ts'
import { type LocalModel, type MakeVectors, openLocalModel } from '../embedding/local-model.ts'
import { EngineError } from '../errors.ts'
import type { Catalog } from '../storage/catalog.ts'
import type { IndexStore } from '../storage/types.ts'
import type { EngineClock, EngineLog } from '../types.ts'
import { createMeaningSearch, type SearchState } from './backfill.ts'
import { createEmbedder, type Embedder } from './embedder.ts'

/** The model that people can switch on: small, for many languages. */
export const OFFERED_MODEL = 'multilingual-e5-small'
/** Size of its files. */
const OFFERED_MEGABYTES = 135

export interface MeaningParts {
  readonly index: IndexStore
  readonly catalog: Catalog
  readonly log: EngineLog
  readonly clock: EngineClock
  /** Folder of the platform: downloaded models, and the choice that people made. */
  readonly folder: string
  /** A model of the model server; it rules. */
  readonly served?: { readonly model: string; readonly name: string; readonly vectors: MakeVectors } | undefined
  /** A model of the settings; people switch nothing then. */
  readonly set?: string | undefined
  /** The model that people may switch on; undefined: several processes share the collections, and a setting rules. */
  readonly offered: string | undefined
}

export interface Meaning {
  readonly embedder: Embedder
  /** Name of the model in use. */
  readonly embeddingsModel: () => string | undefined
  readonly search: () => SearchState
  /** Switches search by meaning; vectors that were made stay. @throws {EngineError} a setting rules */
  readonly chooseMeaning: (on: boolean) => Promise<void>
  /** Older files get their vectors from now on. */
  readonly begin: () => void
  readonly close: () => Promise<void>
}

interface Current {
  readonly model: string
  readonly embedder: Embedder
  readonly local?: LocalModel
  readonly search: ReturnType<typeof createMeaningSearch>
  readonly stop: AbortController
  filling?: Promise<void>
}

async function leave(left: Current | undefined): Promise<void> {
  left?.stop.abort()
  await left?.local?.close()
  await left?.filling
}

function ofServer(
  { model, name, vectors }: NonNullable<MeaningParts['served']>,
  { index, catalog, log, clock }: Pick<MeaningParts, 'index' | 'catalog' | 'log' | 'clock'>,
): Current {
  const embedder = createEmbedder({ index, vectors, model: name, log, clock })
  const search = createMeaningSearch({ catalog, embedder, model, log })
  return { model, embedder, search, stop: new AbortController() }
}

/** Vectors come from the model server, else from this machine; without either, search uses words alone. */
export function createMeaning({ folder, served, set, offered, ...parts }: MeaningParts): Meaning {
  const { index, catalog, log, clock } = parts
  const file = join(folder, 'search-by-meaning')
  const isFree = served === undefined && set === undefined && offered !== undefined
  // Two presses at once would open two models, and close one.
  const oneAtATime = createKeyedMutex()
  let hasBegun = false
  let isClosed = false
  let current = served !== undefined ? ofServer(served, parts) : openChosen()

  function openChosen(): Current | undefined {
    const chosen = set ?? (isFree && existsSync(file) ? offered : undefined)
    if (chosen === undefined) return undefined
    const local = openLocalModel({ model: chosen, folder: join(folder, 'models'), log })
    const { name: model, vectors, isReady } = local
    const embedder = createEmbedder({ index, vectors, model, log, clock, isReady })
    const search = createMeaningSearch({ catalog, embedder, model, localModel: local, log })
    return { model, embedder, local, search, stop: new AbortController() }
  }

  function fill(): void {
    if (hasBegun && current !== undefined) current.filling ??= current.search.backfill(current.stop.signal)
  }

  async function choose(on: boolean): Promise<void> {
    if (isClosed || on === (current !== undefined)) return
    const left = current
    if (on) await writeFile(file, '', { mode: 0o600 })
    else await rm(file, { force: true })
    current = openChosen()
    fill()
    await leave(left)
  }

  return {
    embedder: {
      fill: async (...call) => current?.embedder.fill(...call) ?? true,
      ask: async (question) => current?.embedder.ask(question),
    },
    embeddingsModel: () => current?.model,
    search() {
      if (current === undefined) return { by: 'words', ...(isFree ? { offeredMegabytes: OFFERED_MEGABYTES } : {}) }
      return { ...current.search.state(), ...(isFree ? { isChosen: true } : {}) }
    },
    async chooseMeaning(on) {
      if (!isFree)
        throw new EngineError('conflict', 'The settings say how files are searched: change EMBEDDING_MODEL there.')
      await oneAtATime(file, () => choose(on))
    },
    begin() {
      hasBegun = true
      fill()
    },
    close: async () => {
      isClosed = true
      await oneAtATime(file, () => leave(current))
    },
  }
}
