import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPostgresPassLocks } from '#platform/engine/storage/postgres/pass-locks.ts'
import type { PassLocks } from '#platform/engine/storage/types.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'

const never = new AbortController().signal

const take = async (locks: PassLocks, id: number) => {
  const hold = await locks.pass(id)
  if (hold === undefined) throw new Error('another process has a pass')
  return hold
}

describe('pass locks', () => {
  const postgres = usePostgres()
  let url: string
  let here: PassLocks
  let there: PassLocks
  beforeEach(async () => {
    url = await postgres.database()
    here = createPostgresPassLocks(url)
    there = createPostgresPassLocks(url)
  })
  afterEach(async () => {
    await here.close()
    await there.close()
  })

  async function endSessions() {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'footbridge'`,
    )
    await client.end()
  }
  it('lets one process have a pass of a collection, and tells the others', async () => {
    const hold = await take(here, 1)
    expect(await there.pass(1)).toBeUndefined()
    expect([await there.isElsewhere(1), await there.isElsewhere(2), await here.isElsewhere(1)]).toEqual([
      true,
      false,
      false,
    ])
    await (await take(there, 2)).release()
    await hold.release()
    expect(await there.isElsewhere(1)).toBe(false)
    await (await take(there, 1)).release()
  })

  it('lets many processes change a collection at once', async () => {
    const done = [await here.change(1, 0), await there.change(1, 0), await here.change(1, 0)]
    expect(done).not.toContain(undefined)
    for (const end of done) await end?.()
  })

  it('holds a pass back until the changes elsewhere are over, and no longer', async () => {
    const first = await here.change(1, 0)
    const hold = await take(there, 1)
    let isAlone = false
    const alone = hold.whenAlone(never).then(() => (isAlone = true))
    // Whoever comes now waits for the pass, so that it gets its turn.
    expect(await here.change(1, 120)).toBeUndefined()
    expect(isAlone).toBe(false)
    await first?.()
    await alone
    await hold.release()
    await (
      await here.change(1, 0)
    )?.()
  })

  it('gives up waiting for changes when the process stops', async () => {
    const change = await here.change(1, 0)
    const hold = await take(there, 1)
    const stop = new AbortController()
    const alone = hold.whenAlone(stop.signal)
    stop.abort()
    await alone
    await hold.release()
    await change?.()
    expect(await here.pass(1)).toBeDefined()
  })

  it('lets a change in as soon as the pass is over', async () => {
    const hold = await take(here, 1)
    await hold.whenAlone(never)
    const change = there.change(1, 30_000)
    await hold.release()
    expect(await change).toBeDefined()
  })

  it('is free again when the connection of its holder ends, and tells the holder', async () => {
    const hold = await take(here, 1)
    await hold.whenAlone(never)
    const lost = new Promise((resolve) => hold.lost.addEventListener('abort', resolve, { once: true }))
    await endSessions()
    await lost
    expect(hold.lost.reason).toMatchObject({ code: 'unavailable' })
    const next = await take(there, 1)
    await next.whenAlone(never)
    expect(await here.pass(1)).toBeUndefined()
    await hold.release()
    expect(await here.isElsewhere(1)).toBe(true)
  })
})
