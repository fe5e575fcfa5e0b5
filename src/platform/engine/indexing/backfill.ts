import type { LocalModel } from '../embedding/local-model.ts'
import type { Catalog } from '../storage/catalog.ts'
import type { EngineLog } from '../types.ts'
import type { Embedder } from './embedder.ts'
import type { Passes } from './passes.ts'

/** How files are searched, for people. */
export type SearchState =
  | { readonly by: 'words' }
  | {
      readonly by: 'meaning'
      readonly model: string
      /** `preparing`: downloaded or embedding older files; `unusable`: the log says why, words alone are searched. */
      readonly state: 'preparing' | 'ready' | 'unusable'
      /** Share of the chunks that have a vector, 0…100; with `preparing`. */
      readonly percent: number
    }

interface MeaningParts {
  readonly catalog: Catalog
  readonly embedder: Embedder
  readonly model: string
  /** Absent: the model server has the model. */
  readonly localModel?: LocalModel
  readonly log: EngineLog
}

/** Vectors of what was indexed before there was a model: one collection after the other, a question always first. */
export function createMeaningSearch({ catalog, embedder, model, localModel, log }: MeaningParts) {
  let state: 'preparing' | 'ready' | 'unusable' = 'preparing'
  let percent = 0

  async function fillAll(passes: Passes, isStopped: () => boolean): Promise<void> {
    const collections = (await catalog.collections.all()).filter(({ chunks }) => chunks > 0)
    const total = collections.reduce((sum, { chunks }) => sum + chunks, 0)
    let before = 0
    let filled = 0
    for (const collection of collections) {
      if (isStopped()) return
      const show = (chunks: number) => (percent = Math.floor((100 * Math.min(before + chunks, total)) / total))
      let made = 0
      // A running pass makes the vectors itself.
      // oxlint-disable-next-line no-await-in-loop -- one after the other: questions come first
      if (!(await passes.isRunning(collection))) {
        // oxlint-disable-next-line no-await-in-loop -- as above
        filled += await embedder.fill(collection.indexName, undefined, (chunks) => show((made += chunks)))
      }
      before += collection.chunks
      show(0)
    }
    if (filled > 0) log.info({ model, chunks: filled }, 'Older files can be found by meaning now')
  }

  return {
    model,
    /** Never rejects. */
    async backfill(passes: Passes, isStopped: () => boolean): Promise<void> {
      try {
        if (localModel !== undefined && !(await localModel.prepare())) {
          state = 'unusable'
          return
        }
        await fillAll(passes, isStopped)
        if (!isStopped()) state = 'ready'
      } catch (error) {
        if (!isStopped()) log.warn({ err: error }, 'Older files could not be embedded: restart to try again')
      }
    },
    state: (): SearchState => ({ by: 'meaning', model, state, percent }),
  }
}
