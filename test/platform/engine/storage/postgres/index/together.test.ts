import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPostgresIndexStore } from '#platform/engine/storage/postgres/index/store.ts'
import { openPool } from '#sql/postgres/pool.ts'
import type { IndexStore } from '#platform/engine/storage/types.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'
import { createLogSink } from '#test/platform/server/platform.ts'

const sections = (word: string) =>
  Array.from({ length: 30 }, (_, at) => `# Part ${at}\n\nThe ${word} of ${at} is awake.\n`).join('\n')

const bodies = async (store: IndexStore, question: string, index = 'one') =>
  (await store.search(index, { question, limit: 5 })).hits.map((hit) => hit.body)

const near = async (store: IndexStore) => {
  const vector = { model: 'm', values: Float32Array.from([0, 1]), alpha: 0 }
  const { hits } = await store.search('one', { question: 'boat', limit: 1, vector })
  return hits.map((hit) => hit.fileId)
}

/** Two processes on one database: each with connections and threads of its own. */
describe('two processes on one index', () => {
  const postgres = usePostgres()
  let folder: string
  let pools: Pool[]
  let one: IndexStore
  let other: IndexStore
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-together-'))
    const url = await postgres.database()
    pools = await Promise.all([openPool(url), openPool(url)])
    const stores = await Promise.all(pools.map((pool) => openPostgresIndexStore(pool, { log: createLogSink().log })))
    ;[one, other] = stores as [IndexStore, IndexStore]
  })
  afterEach(async () => {
    await Promise.all([one.close(), other.close()])
    await Promise.all(pools.map((pool) => pool.end()))
    await rm(folder, { recursive: true, force: true })
  })

  const put = async (store: IndexStore, id: number, text: string, index = 'one', revision = 1) => {
    const path = join(folder, `${index}-${id}-${revision}.md`)
    await writeFile(path, text)
    return store.put(index, { id, revision, name: `${id}.md`, source: { kind: 'markdown', path } })
  }
  const count = async (table: string) => {
    const { rows } = await (pools[0]?.query(`SELECT count(*) AS rows FROM ${table}`) ?? { rows: [] })
    return (rows[0] as { rows: number } | undefined)?.rows
  }
  it('find what other words of a question say', async () => {
    await put(one, 1, 'The walrus sleeps.')
    const others = new Map([['meerestier', ['walrus']]])
    const { hits } = await other.search('one', { question: 'Wo ist das Meerestier?', limit: 5, others })
    expect(hits.map(({ body }) => body)).toEqual(['The walrus sleeps.'])
  })

  it('see what the other puts, replaces and removes at once', async () => {
    expect(await bodies(other, 'walrus')).toEqual([])
    await put(one, 1, 'The walrus sleeps.')
    expect(await bodies(other, 'walrus')).toEqual(['The walrus sleeps.'])
    await put(other, 1, 'The walrus is awake.', 'one', 2)
    expect(await bodies(one, 'walrus')).toEqual(['The walrus is awake.'])
    await one.remove('one', [1])
    expect(await bodies(other, 'walrus')).toEqual([])
  })

  it('see the vectors that the other makes', async () => {
    await put(one, 1, 'The walrus sleeps.')
    await put(one, 2, 'The seagull is awake.')
    expect(await near(other)).toEqual([])
    const bare = await one.bare('one', { model: 'm', after: 0, limit: 5 })
    const vectors = bare.map((chunk) => ({ ...chunk, vector: Float32Array.from([2 - chunk.fileId, chunk.fileId - 1]) }))
    await one.vectors('one', { model: 'm', vectors })
    expect(await near(other)).toEqual([2])
    expect(await near(one)).toEqual([2])
    await one.remove('one', [2])
    expect(await near(other)).toEqual([1])
  })

  it('put, replace and remove files of one index at the same time, and nothing is there twice', async () => {
    const stores = [one, other]
    const work = Array.from({ length: 24 }, (_, at) => {
      const store = stores[at % 2] ?? one
      const file = 1 + (at % 6)
      return at % 8 === 7 ? store.remove('one', [file, 6, 1]) : put(store, file, sections(`w${at}`), 'one', at + 1)
    })
    await Promise.all(work)
    for (let file = 1; file <= 6; file += 1) await put(one, file, sections('walrus'), 'one', 100)
    expect(await count('fb_index_file')).toBe(6)
    expect(await count('fb_index_chunk')).toBe(180)
    const { hits } = await other.search('one', { question: 'walrus of 7', limit: 50 })
    expect(new Set(hits.map((hit) => `${hit.fileId} ${hit.lineFrom}`)).size).toBe(hits.length)
    expect(new Set(hits.map((hit) => hit.revision))).toEqual(new Set([100]))
    expect(await bodies(one, 'w3 w5 w11')).toEqual([])
  })

  it('asks on while files come and go', async () => {
    for (let file = 1; file <= 4; file += 1) await put(one, file, sections('walrus'))
    let ended = false
    const writing = (async () => {
      for (let round = 2; round < 12; round += 1) await put(one, 1 + (round % 4), sections('walrus'), 'one', round)
      ended = true
    })()
    while (!ended) expect(await bodies(other, 'walrus of 7')).toHaveLength(5)
    await writing
  })

  it('leave nothing behind when an index is dropped, also while it is being written', async () => {
    await put(one, 1, sections('walrus'))
    await put(one, 1, 'The seagull is awake.', 'two')
    const results = await Promise.allSettled([
      put(one, 2, sections('walrus')),
      other.drop('one'),
      put(other, 3, sections('walrus')),
    ])
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
    expect(reasons.filter((reason) => !reason.includes('was deleted'))).toEqual([])
    await one.drop('one')
    expect(await count('fb_index')).toBe(1)
    for (const table of ['fb_index_chunk', 'fb_index_file']) expect(await count(table)).toBe(1)
    expect(await count('fb_index_posting WHERE index_id <> (SELECT id FROM fb_index)')).toBe(0)
    expect(await bodies(other, 'seagull', 'two')).toHaveLength(1)
  })

  it('do not sweep what the other has just begun', async () => {
    await put(one, 1, 'The walrus sleeps.')
    expect(await other.sweep(new Set())).toBe(0)
    expect(await bodies(one, 'walrus')).toHaveLength(1)
  })

  it('keep questions of different collections apart', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => put(at % 2 === 0 ? one : other, 1, `The walrus ${at}.`, `c${at}`)),
    )
    expect(await bodies(one, 'walrus', 'c7')).toEqual(['The walrus 7.'])
    expect(await other.sweep(new Set())).toBe(0)
  })
})
