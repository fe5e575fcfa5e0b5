import { setTimeout as delay } from 'node:timers/promises'
import type { LocalModel } from '../embedding/local-model.ts'
import type { Catalog } from '../storage/catalog.ts'
import type { EngineLog } from '../types.ts'
import type { Embedder } from './embedder.ts'

/** How files are searched, for people. */
export type SearchState =
  | {
      readonly by: 'words'
      /** Search by meaning can be switched on, with a download of this size. */
      readonly offeredMegabytes?: number
    }
  | {
      readonly by: 'meaning'
      readonly model: string
      /** `preparing`: downloaded, or older files are embedded; `unusable`: the log says why, words alone are searched. */
      readonly state: 'preparing' | 'ready' | 'unusable'
      /** Share of the chunks that have a vector, 0…100. */
      readonly percent: number
      /** Share of the model that is downloaded, 0…100; absent: it is there. */
      readonly downloaded?: number
      /** Why the last download failed; it is tried again. */
      readonly problem?: string
      /** People switched it on, and can switch it off. */
      readonly isChosen?: true
    }

interface MeaningParts {
  readonly catalog: Catalog
  readonly embedder: Embedder
  readonly model: string
  /** Absent: the model server has the model. */
  readonly localModel?: LocalModel
  readonly log: EngineLog
  /** Pause after a backfill that left chunks without a vector, milliseconds; default 5 min. */
  readonly retryMs?: number
}

/** Vectors of chunks from before there was a model: one collection after the other, a question always first. */
export function createMeaningSearch({ catalog, embedder, model, localModel, log, retryMs = 300_000 }: MeaningParts) {
  let state: 'preparing' | 'ready' | 'unusable' = 'preparing'
  let percent = 0

  /** @returns whether every chunk has a vector now */
  async function fillAll(signal: AbortSignal): Promise<boolean> {
    const collections = (await catalog.collections.all()).filter(({ chunks }) => chunks > 0)
    const total = collections.reduce((sum, { chunks }) => sum + chunks, 0)
    let before = 0
    let filled = 0
    let isComplete = true
    for (const { indexName, chunks } of collections) {
      let made = 0
      const show = () => (percent = Math.floor((100 * Math.min(before + made, total)) / total))
      const count = (batch: number) => {
        made += batch
        filled += batch
        // An earlier try may have failed.
        state = 'preparing'
        show()
      }
      // oxlint-disable-next-line no-await-in-loop -- one after the other: questions come first
      isComplete = (await embedder.fill(indexName, signal, count)) && isComplete
      if (signal.aborted) return false
      made = 0
      before += chunks
      show()
    }
    if (filled > 0) log.info({ model, chunks: filled }, 'Older files can be found by meaning now')
    return isComplete
  }

  return {
    model,
    /** Runs until every chunk has a vector, or the signal aborts. Never rejects. */
    async backfill(signal: AbortSignal): Promise<void> {
      try {
        if (localModel !== undefined && !(await localModel.prepare())) {
          state = 'unusable'
          return
        }
        // oxlint-disable no-await-in-loop -- one try after the other
        while (!(await fillAll(signal))) {
          if (signal.aborted) return
          // The embedder has logged why.
          state = 'unusable'
          await delay(retryMs, undefined, { signal, ref: false })
        }
        // oxlint-enable no-await-in-loop
        state = 'ready'
      } catch (error) {
        if (signal.aborted) return
        state = 'unusable'
        log.warn({ err: error }, 'Older files could not be embedded: restart to try again')
      }
    },
    state: (): SearchState => ({ by: 'meaning', model, state, percent, ...localModel?.progress() }),
  }
}
