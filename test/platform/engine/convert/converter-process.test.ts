import { expect, it } from 'vitest'
import { createProcessPool } from '#platform/engine/convert/converter-process.ts'

const limits = { memoryBytes: 1e9, renewBytes: 2e8, idleMs: 1000, turnMs: 20_000 }

it('lets owners take turns, whatever one of them has waiting', async () => {
  const pool = createProcessPool({ ...limits, processes: 1 })
  const served: string[] = []
  const works = ['ada', 'ada', 'ada', 'bob', 'bob', 'cleo'].map(async (owner) => {
    const turn = await pool.take(owner)
    served.push(owner)
    turn.release()
  })
  await Promise.all(works)
  expect(served).toEqual(['ada', 'ada', 'bob', 'cleo', 'ada', 'bob'])
})

it('keeps one child for short documents, whatever the others read', async () => {
  let now = 0
  const pool = createProcessPool({ ...limits, processes: 2 }, () => now)
  const [slow, slower] = [await pool.take('ada'), await pool.take('bob')]
  now = 19_999
  expect([slow.mayGoOn(), slower.mayGoOn()]).toEqual([true, true])
  now = 20_000
  // The first takes the place of a long document; the second goes on while nobody waits.
  expect([slow.mayGoOn(), slower.mayGoOn()]).toEqual([true, true])
  const started: string[] = []
  const take = async (owner: string, isLong = false) => {
    const turn = await pool.take(owner, isLong)
    started.push(owner)
    return turn
  }
  const short = take('cleo')
  expect([slow.mayGoOn(), slower.mayGoOn()]).toEqual([true, false])
  slower.release()
  const again = take('bob', true)
  const shortTurn = await short
  shortTurn.release()
  const next = await take('dora')
  expect(started).toEqual(['cleo', 'dora'])
  slow.release()
  const long = await again
  now = 100_000
  expect([long.mayGoOn(), next.mayGoOn()]).toEqual([true, true])
  const last = take('emil')
  expect([long.mayGoOn(), next.mayGoOn()]).toEqual([true, false])
  next.release()
  await last
  pool.stop()
})
