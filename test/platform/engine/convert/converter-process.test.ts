import { expect, it } from 'vitest'
import { createProcessPool } from '../../../../src/platform/engine/convert/converter-process.ts'

it('lets owners take turns, whatever one of them has waiting', async () => {
  const pool = createProcessPool({ processes: 1, memoryBytes: 1e9, idleMs: 1000 })
  const served: string[] = []
  const works = ['ada', 'ada', 'ada', 'bob', 'bob', 'cleo'].map(async (owner) => {
    const process = await pool.take(owner)
    served.push(owner)
    pool.release(process)
  })
  await Promise.all(works)
  expect(served).toEqual(['ada', 'ada', 'bob', 'cleo', 'ada', 'bob'])
})
