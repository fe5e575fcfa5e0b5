import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#src/config.ts'
import { diagnose } from '#operate/doctor.ts'
import { runKeys } from '#keys/command.ts'
import { createEngine, type Engine } from '#platform/engine/engine.ts'
import { openPool } from '#sql/postgres/pool.ts'
import { createLogSink } from '../platform/server/platform.ts'
import { usePostgres } from '../support/postgres/postgres.ts'

describe('the keys command on PostgreSQL', () => {
  const postgres = usePostgres()
  const folders: string[] = []
  const open: Engine[] = []
  let databaseUrl: string
  let now: number
  beforeEach(async () => {
    databaseUrl = await postgres.database()
    now = Date.UTC(2026, 10, 21, 12)
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((engine) => engine.close()))
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
  })

  async function makeFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'footbridge-keys-'))
    folders.push(folder)
    return folder
  }
  async function start(dataDir: string, firstKey?: string): Promise<Engine> {
    const options = firstKey === undefined ? {} : { firstKey }
    const engine = await createEngine({ ...options, dataDir, databaseUrl, log: createLogSink().log })
    open.push(engine)
    return engine
  }
  const keys = (dataDir: string, ...words: string[]) => runKeys(dataDir, words, () => now, databaseUrl)

  it('makes, lists, limits and ends keys, before the platform ever ran and while it runs', async () => {
    const folder = await makeFolder()
    expect(await keys(folder, 'list')).toMatch(/^There are no keys yet/)
    const [key = ''] = (await keys(folder, 'add', 'anna', '--label', 'laptop')).split('\n')
    const elsewhere = await start(await makeFolder())
    expect(await elsewhere.identify(key)).toMatchObject({ label: 'laptop', user: { name: 'anna' } })
    expect(await keys(folder, 'limit', '1', '--minute', '9')).toContain('9/200/1000/3000')
    expect(await keys(folder, 'limit', 'anna', '--day', '7')).toContain('none/none/7/none')
    expect(await keys(folder, 'list')).toContain('9/200/1000/3000, together none/none/7/none')
    const row = await elsewhere.identify(key)
    expect(row?.quota).toMatchObject({ minute: 9 })
    if (row !== undefined) await elsewhere.quotas.take(row)
    expect(row && (await elsewhere.quotas.peek(row))).toMatchObject({
      limit_day: 7,
      remaining_day: 6,
      remaining_minute: 8,
    })
    expect(await keys(folder, 'revoke', '1')).toContain('is revoked')
    expect(await elsewhere.identify(key)).toBeUndefined()
    expect(await keys(folder, 'list')).toMatch(/anna +fb-\S+ +laptop .* revoked 2026-11-21/)
  })

  it('ends the first key of a data folder that is gone, and leaves that of its own alone', async () => {
    const [here, gone] = [await makeFolder(), await makeFolder()]
    const own = await start(here)
    const other = await start(gone)
    await expect(keys(here, 'revoke', '1')).rejects.toThrow(/is the first key.*delete the file platform-key/)
    expect(await keys(here, 'list')).toMatch(/first key of /)
    expect(await keys(here, 'revoke', '2')).toContain('Key 2 of local is revoked')
    expect(await own.identify(other.firstKey.key)).toBeUndefined()
    await other.close()
    await expect(start(gone)).rejects.toThrow(/was revoked: delete the file platform-key/)
    await rm(join(gone, 'platform-key'))
    const again = await start(gone)
    expect(await own.identify(again.firstKey.key)).toMatchObject({ isFirst: true })
  })

  it('takes one given key for all, and forgets it where another is given', async () => {
    const [one, two] = [await makeFolder(), await makeFolder()]
    const first = await start(one, 'given-to-all')
    const second = await start(two, 'given-to-all')
    expect(await second.identify('given-to-all')).toEqual(await first.identify('given-to-all'))
    await first.close()
    const renewed = await start(one, 'given-later')
    expect(await renewed.identify('given-to-all')).toBeUndefined()
    expect(await second.identify('given-later')).toBeDefined()
  })

  it('is looked after by the doctor, who makes nothing in it', async () => {
    const DATA_DIR = await makeFolder()
    const look = async (DATABASE_URL: string) => {
      const findings = await diagnose(readConfig({ DATA_DIR, DATABASE_URL }))
      return findings.filter(({ text }) => text.includes('DATABASE_URL'))
    }
    expect(await look(databaseUrl)).toEqual([{ ok: true, text: 'its collections are in PostgreSQL (DATABASE_URL)' }])
    expect(await look('postgres://anna:secret@127.0.0.1:1/notes')).toEqual([
      { ok: false, text: expect.stringMatching(/127\.0\.0\.1:1\/notes .* nothing listens there/) },
    ])
    const pool = await openPool(databaseUrl)
    expect((await pool.query("SELECT to_regclass('fb_user') AS made")).rows).toEqual([{ made: null }])
    await pool.end()
  })
})
