import { expect, it } from 'vitest'
import type { PostgresSql } from '#sql/postgres/sql.ts'
import { createPacer } from '#store/postgres/sharing/pacer.ts'

const EVERY_MS = 20

/** The row of a pace, as PostgreSQL keeps it. */
function openRow() {
  let nextAt = 0
  const get = async (_statement: string, _name: string, count: number) => {
    const now = performance.now()
    const first = Math.max(nextAt, now)
    nextAt = first + count * EVERY_MS
    return { wait: first - now }
  }
  return { get } as unknown as PostgresSql
}

const standStill = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

it('a process that stood still takes new turns instead of making up for those that it missed', async () => {
  const wait = createPacer(openRow(), 'request', { everyMs: EVERY_MS })
  const left: number[] = []
  const all = Array.from({ length: 60 }, () => wait().then(() => left.push(performance.now())))
  await Promise.race(all)
  standStill(500)
  await Promise.all(all)
  const mostAtOnce = Math.max(...left.map((at) => left.filter((each) => each >= at && each < at + 200).length))
  expect(mostAtOnce).toBeLessThanOrEqual(200 / EVERY_MS + 100 / EVERY_MS + 1)
})

it('a process that is always late waits for its turn twice at most', async () => {
  let statements = 0
  const get = async () => {
    statements += 1
    standStill(150)
    return { wait: 0 }
  }
  await createPacer({ get } as unknown as PostgresSql, 'request', { everyMs: EVERY_MS })()
  expect(statements).toBe(2)
})
