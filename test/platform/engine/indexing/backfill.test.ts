import { expect, it } from 'vitest'
import { createMeaningSearch } from '#platform/engine/indexing/backfill.ts'
import type { Embedder } from '#platform/engine/indexing/embedder.ts'
import type { Catalog } from '#platform/engine/storage/catalog.ts'
import { eventually } from '#test/support/eventually.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const catalog = { collections: { all: async () => [{ indexName: 'i', chunks: 100 }] } } as unknown as Catalog

it('is no longer said to be unusable once a later try makes vectors', async () => {
  const goOn = Promise.withResolvers<void>()
  let tries = 0
  const fill: Embedder['fill'] = async (_, __, onBatch) => {
    tries += 1
    if (tries === 1) return false
    onBatch?.(50)
    await goOn.promise
    return true
  }
  const embedder: Embedder = { fill, ask: async () => undefined }
  const search = createMeaningSearch({ catalog, embedder, model: 'e5', log, retryMs: 20 })
  const filling = search.backfill(new AbortController().signal)
  await eventually(() => {
    const state = search.state()
    return state.by === 'meaning' && state.state === 'unusable'
  })
  await eventually(() => tries === 2)
  expect(search.state()).toMatchObject({ state: 'preparing', percent: 50 })
  goOn.resolve()
  await filling
  expect(search.state()).toMatchObject({ state: 'ready' })
})
