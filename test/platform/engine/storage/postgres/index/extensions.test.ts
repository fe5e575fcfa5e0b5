import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresIndexStore } from '#platform/engine/storage/postgres/index/store.ts'
import { openPool } from '#sql/postgres/pool.ts'
import type { IndexStore } from '#platform/engine/storage/types.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'
import { createLogSink } from '#test/platform/server/platform.ts'
import { describeIndexStore } from '#test/platform/engine/storage/index/contract.ts'
import { type ExtendedPostgres, startExtendedPostgres } from './extended.ts'

let extended: ExtendedPostgres
let pool: Pool
beforeAll(async () => {
  extended = await startExtendedPostgres()
  pool = await openPool(extended.url)
})
afterAll(async () => {
  await pool.end()
  await extended.close()
})

const clear = () => pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
/** The server runs one transaction at a time, whoever asks. */
const oneSession = { answersWhileWriting: false }
/** Every index counts as a large one. */
const large = { exactChunks: 0, sweepAfterMs: 0 }

describeIndexStore(
  'with pgvector’s graph',
  async () => {
    await clear()
    return { open: () => openPostgresIndexStore(pool, { log: createLogSink().log, ...large }) }
  },
  oneSession,
)

describe('pgvector on the server', () => {
  let folder: string
  let store: IndexStore
  let sink: ReturnType<typeof createLogSink>
  const start = async (options: { readonly exactChunks?: number }) => {
    await clear()
    folder = await mkdtemp(join(tmpdir(), 'footbridge-extensions-'))
    sink = createLogSink()
    store = await openPostgresIndexStore(pool, { log: sink.log, ...options })
  }
  afterEach(async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })
  const put = async (id: number, text: string) => {
    const path = join(folder, `${id}.md`)
    await writeFile(path, text)
    await store.put('one', { id, revision: 1, name: `${id}.md`, source: { kind: 'markdown', path } })
  }
  const said = (text: string) => sink.entries.filter(({ message }) => message.includes(text))

  it('is named once in the log', async () => {
    await start({})
    const used = said('PostgreSQL extension is used')
    expect(used.map(({ fields }) => fields)).toEqual([{ extension: 'vector' }])
  })

  it('keeps vectors that are compared exactly as long as the index is small', async () => {
    await start({})
    await put(1, 'The ferry leaves at nine.')
    await put(2, 'The canteen opens at noon.')
    const [one, two] = await store.bare('one', { model: 'm', after: 0, limit: 5 })
    if (one === undefined || two === undefined) throw new Error('there is nothing to embed')
    const nearest = async () => {
      const vector = { model: 'm', values: Float32Array.from([-3, 0.5]), alpha: 0 }
      return (await store.search('one', { question: 'boat', limit: 1, vector })).hits.map((hit) => hit.fileId)
    }
    const vectors = [
      { ...one, vector: Float32Array.from([4, 3]) },
      { ...two, vector: Float32Array.from([-3, 4]) },
    ]
    await store.vectors('one', { model: 'm', vectors })
    expect(await nearest()).toEqual([2])
    await store.remove('one', [2])
    expect(await nearest()).toEqual([1])
  })

  it('compares vectors that are too long for a graph of whole numbers, and others of any length', async () => {
    await start(large)
    await put(1, 'The ferry leaves at nine.')
    await put(2, 'The canteen opens at noon.')
    for (const length of [3, 2500, 5000]) {
      const model = `of ${length}`
      const axis = (at: number) => Float32Array.from({ length }, (_, place) => (place === at ? 1 : 0))
      const bare = await store.bare('one', { model, after: 0, limit: 5 })
      expect(bare).toHaveLength(2)
      await store.vectors('one', {
        model,
        vectors: bare.map(({ id, fileId }) => ({ id, fileId, vector: axis(fileId) })),
      })
      const vector = { model, values: axis(2), alpha: 0 }
      const { hits } = await store.search('one', { question: 'boat', limit: 1, vector })
      expect(hits.map((hit) => hit.fileId)).toEqual([2])
    }
    const { rows } = await pool.query("SELECT indexname FROM pg_indexes WHERE indexdef LIKE '%USING hnsw%'")
    expect(rows).toHaveLength(2)
    expect(said('pgvector failed')).toEqual([])
  })
})

describe('a server without extensions', () => {
  const plain = usePostgres()

  it('is taken as it is, without a word in the log', async () => {
    const own = await openPool(await plain.database())
    const sink = createLogSink()
    const store = await openPostgresIndexStore(own, { log: sink.log })
    expect(sink.entries.filter(({ level }) => level !== 'debug')).toEqual([])
    await store.close()
    await own.end()
  })
})
