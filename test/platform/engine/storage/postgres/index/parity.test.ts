import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresIndexStore } from '#platform/engine/storage/postgres/index/store.ts'
import { openPool } from '#sql/postgres/pool.ts'
import { openIndexStore } from '#platform/engine/storage/sqlite/index/store.ts'
import type { IndexStore } from '#platform/engine/storage/types.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'
import { createLogSink } from '#test/platform/server/platform.ts'
import { type Corpus, createRandom, writeCorpus } from './corpus.ts'

const dimensions = 24
const model = 'made-up'

/** A direction of its own for every text, the same for the same text. */
function direction(text: string): Float32Array {
  let seed = 0
  for (const byte of Buffer.from(text)) seed = (Math.imul(seed, 31) + byte) | 0
  const random = createRandom(seed)
  return Float32Array.from({ length: dimensions }, () => random() - 0.5)
}

const round = (value: number) => Number(value.toFixed(6))

async function fill(store: IndexStore, corpus: Corpus): Promise<void> {
  for (const file of corpus.files) await store.put('notes', file)
  // Some come anew, some go: the index must not depend on the way to its contents.
  for (const file of corpus.files.slice(0, 5)) await store.put('notes', { ...file, revision: 2 })
  await store.remove('notes', [7, 8])
}

async function embed(store: IndexStore): Promise<void> {
  for (let after = 0; ;) {
    const bare = await store.bare('notes', { model, after, limit: 64 })
    const last = bare.at(-1)
    if (last === undefined) return
    after = last.id
    const vectors = bare.map(({ id, fileId, text }) => ({ id, fileId, vector: direction(text) }))
    await store.vectors('notes', { model, vectors })
  }
}

describe('the index in PostgreSQL and the one in files', () => {
  const postgres = usePostgres()
  let folder: string
  let corpus: Corpus
  let pool: Pool
  let inFiles: IndexStore
  let inPostgres: IndexStore
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-parity-'))
    corpus = await writeCorpus(async (name, text) => {
      const path = join(folder, name)
      await writeFile(path, text)
      return path
    })
    pool = await openPool(await postgres.database())
    inFiles = await openIndexStore(join(folder, 'index'))
    inPostgres = await openPostgresIndexStore(pool, { log: createLogSink().log })
    await Promise.all([fill(inFiles, corpus), fill(inPostgres, corpus)])
  })
  afterAll(async () => {
    await inFiles.close()
    await inPostgres.close()
    await pool.end()
    await rm(folder, { recursive: true, force: true })
  })

  async function answers(store: IndexStore, more: { readonly fileId?: number; readonly vectors?: boolean }) {
    const found = []
    for (const question of corpus.questions) {
      const vector = { model, values: direction(question), alpha: 0.5 }
      const { hits, quotes, language } = await store.search('notes', {
        question,
        limit: 6,
        quotes: true,
        ...(more.fileId === undefined ? {} : { fileId: more.fileId }),
        ...(more.vectors === true ? { vector } : {}),
      })
      found.push({
        question,
        language,
        hits: hits.map((hit) => [hit.fileId, hit.revision, hit.lineFrom, round(hit.score), round(hit.coverage)]),
        quotes: quotes.map((quote) => [quote.text, round(quote.score), round(quote.evidence)]),
      })
    }
    return found
  }
  const both = (more: { readonly fileId?: number; readonly vectors?: boolean }) =>
    Promise.all([answers(inPostgres, more), answers(inFiles, more)])

  it('rank the same chunks in the same order with the same scores and quotes', async () => {
    const [one, other] = await both({})
    expect(one).toEqual(other)
    expect(one.filter(({ hits }) => hits.length === 6).length).toBeGreaterThan(corpus.questions.length / 2)
    expect(new Set(one.map(({ language }) => language))).toEqual(new Set(['th', 'en', 'de', 'und']))
    expect(one.every(({ hits }) => hits.length > 0)).toBe(true)
  })

  it('do so in one file', async () => {
    const [one, other] = await both({ fileId: 3 })
    expect(one).toEqual(other)
    expect(one.some(({ hits }) => hits.length > 0)).toBe(true)
  })

  it('do so with vectors', async () => {
    await Promise.all([embed(inFiles), embed(inPostgres)])
    const [one, other] = await both({ vectors: true })
    expect(one).toEqual(other)
    const [words] = await both({})
    expect(one).not.toEqual(words)
  })
})
