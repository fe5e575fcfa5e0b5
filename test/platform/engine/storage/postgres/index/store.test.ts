import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Pool } from 'pg'
import { openPostgresIndexStore } from '#platform/engine/storage/postgres/index/store.ts'
import { type Analyse, createAnalysis } from '#platform/engine/storage/postgres/index/analyst-calls.ts'
import { putFile } from '#platform/engine/storage/postgres/index/write.ts'
import { openPool } from '#sql/postgres/pool.ts'
import { createSeparateSql } from '#sql/postgres/sql.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'
import { createLogSink } from '#test/platform/server/platform.ts'
import { describeIndexStore } from '#test/platform/engine/storage/index/contract.ts'

const postgres = usePostgres()
const pools: Pool[] = []
afterAll(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end()))
})

describeIndexStore('in PostgreSQL', async () => {
  const pool = await openPool(await postgres.database())
  pools.push(pool)
  return { open: () => openPostgresIndexStore(pool, { log: createLogSink().log, sweepAfterMs: 0 }) }
})

it('reads a file anew whose thread was replaced because of another file', async () => {
  const pool = await openPool(await postgres.database())
  pools.push(pool)
  const store = await openPostgresIndexStore(pool, { log: createLogSink().log })
  const analysis = createAnalysis()
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-index-'))
  const path = join(folder, '1.md')
  await writeFile(path, 'The walrus sleeps.')
  const asked: string[] = []
  const analyse = (async (operation: 'open', request: never) => {
    asked.push(operation)
    // As a new thread answers, which knows nothing of the file.
    return asked.length === 2 ? 'gone' : analysis.files(operation, request)
  }) as Analyse
  const file = { id: 1, revision: 1, name: '1.md', source: { kind: 'markdown', path } } as const
  expect(await putFile({ sql: createSeparateSql(pool), analyse, vectors: 'fb_index_vector' }, 'one', file)).toEqual({
    chunks: 1,
  })
  expect(asked).toEqual(['open', 'next', 'close', 'open', 'next', 'next', 'close'])
  const { hits } = await store.search('one', { question: 'walrus', limit: 5 })
  expect(hits.map(({ body }) => body)).toEqual(['The walrus sleeps.'])
  await analysis.close()
  await store.close()
  await rm(folder, { recursive: true })
})
