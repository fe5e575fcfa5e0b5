import { afterEach } from 'vitest'
import type { Pool } from 'pg'
import { openPostgresIndexStore } from '../../../../../../src/platform/engine/storage/postgres/index/store.ts'
import { openPool } from '../../../../../../src/platform/engine/storage/postgres/pool.ts'
import { usePostgres } from '../../../../../support/postgres/postgres.ts'
import { createLogSink } from '../../../../server/platform.ts'
import { describeIndexStore } from '../../index/contract.ts'

const postgres = usePostgres()
const pools: Pool[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end()))
})

describeIndexStore('in PostgreSQL', async () => {
  const pool = await openPool(await postgres.database())
  pools.push(pool)
  return { open: () => openPostgresIndexStore(pool, { log: createLogSink().log, sweepAfterMs: 0 }) }
})
