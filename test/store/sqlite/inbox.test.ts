import { DatabaseSync } from 'node:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, openDisk } from '#store/sqlite/database.ts'
import { CLAIMABLE, createInbox } from '#store/sqlite/inbox.ts'
import { NEXT_DUE, OPEN_QUEUE } from '#store/tables/jobs.ts'
import { RUNNING } from '#store/sqlite/recover.ts'
import { createSqliteSql, createSyncSql } from '#sql/sqlite/sql.ts'
import { createOutbox } from '#store/tables/outbox.ts'
import { openStore, type OpenStore } from '#store/store.ts'
import { conversation, said } from '../contract/said.ts'

let directory: string
let store: OpenStore
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footbridge-store-'))
  store = openStore(directory)
})
afterEach(() => {
  store.close()
  rmSync(directory, { recursive: true })
})

describe('the database', () => {
  it('refuses a second process on the same directory with a sentence, and is free again when closed', () => {
    expect(() => openStore(directory)).toThrow(/Another Footbridge already uses .*DATA_DIR/)
    store.close()
    store = openStore(directory)
  })

  it('refuses a file that a newer version wrote', () => {
    store.close()
    const database = new DatabaseSync(join(directory, 'bridge.sqlite'))
    const { user_version: ours } = database.prepare('PRAGMA user_version').get() ?? {}
    database.exec('PRAGMA user_version=999')
    database.close()
    expect(() => openStore(directory)).toThrow(/newer Footbridge .*update Footbridge/)
    const mended = new DatabaseSync(join(directory, 'bridge.sqlite'))
    mended.exec(`PRAGMA user_version=${Number(ours)}`)
    mended.close()
    store = openStore(directory)
  })

  it('keeps a log that a commit does not wait for', () => {
    const database = openDatabase(join(directory, 'other.sqlite'))
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    // 1 is NORMAL: callers that must know that the disk has it wait for a sync after the commit.
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 1 })
    database.close()
  })

  it('accepts an event, known or new, and opens a send only when the disk has it', async () => {
    const database = openDatabase(join(directory, 'other.sqlite'))
    const synced = Promise.withResolvers<void>()
    const disk = openDisk(database, () => synced.promise)
    const inbox = createInbox(database, disk)
    const outbox = createOutbox(createSqliteSql(createSyncSql(database), disk))
    const row = { sendId: 's', jobId: 'fake:1', slot: 'answer.0', conversation, text: '' }
    const order: string[] = []
    const note = (name: string) => (result: unknown) => void order.push(`${name} ${JSON.stringify(result)}`)
    const once = async () => {
      const { outcome, stored: safe } = await inbox.accept(said('1'), { queue: 'a', dueAt: 0, now: 0 })
      await safe
      return outcome
    }
    const waiting = [
      once().then(note('new')),
      once().then(note('known')),
      outbox.open(row, 0).then(({ sendId }) => note('send')(sendId)),
    ]
    // All is seen at once: whoever looks meanwhile finds the event.
    expect(await inbox.hasOpen('a')).toBe(true)
    expect(order).toEqual([])
    synced.resolve()
    await Promise.all(waiting)
    expect(order.toSorted()).toEqual(['known "duplicate"', 'new "accepted"', 'send "s"'])
    disk.close()
    database.close()
  })

  it('looks for work without reading the jobs that have ended', () => {
    const database = openDatabase(join(directory, 'other.sqlite'))
    const statements = [
      CLAIMABLE,
      NEXT_DUE,
      OPEN_QUEUE,
      `SELECT id FROM job WHERE ${RUNNING}`,
      `UPDATE job SET state = 'queued' WHERE ${RUNNING}`,
    ]
    const steps = statements.flatMap((sql) => {
      const values = sql === CLAIMABLE ? [0, 1] : sql === OPEN_QUEUE ? ['a', 'b'] : []
      return database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values)
        .map(({ detail }) => String(detail))
    })
    const reads = steps.filter((step) => /^(?:SCAN|SEARCH)/.test(step))
    expect(reads.length).toBeGreaterThanOrEqual(statements.length)
    expect(reads.filter((step) => !/USING (?:COVERING )?INDEX job_(?:open|queued)/.test(step))).toEqual([])
    database.close()
  })
})
