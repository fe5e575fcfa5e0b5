import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { PostgresSql } from '#sql/postgres/sql.ts'
import { createPostgresInbox } from '#store/postgres/inbox.ts'
import { openPostgresStore, type SharedStore } from '#store/postgres/open-store.ts'
import { said } from '../contract/said.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'
import { watchWire } from '#test/support/postgres/wire.ts'

const postgres = usePostgres()
const directory = mkdtempSync(join(tmpdir(), 'footbridge-accept-'))
let url: string
let one: SharedStore
let other: SharedStore
let client: Client

beforeAll(async () => {
  url = await postgres.database()
  one = await openPostgresStore(url, directory, createLogSink())
  other = await openPostgresStore(url, directory, createLogSink())
  client = new Client({ connectionString: url })
  await client.connect()
  await client.query('SET search_path = footbridge_bridge')
})
afterAll(async () => {
  await client.end()
  await one.close()
  await other.close()
  rmSync(directory, { recursive: true })
})

const ids = async (store: SharedStore) => (await store.inbox.claim(0, 100, false)).map(({ id }) => id)

const nothing = async () => undefined

describe('two processes that accept events', () => {
  it('claim a job with its acceptance where nothing of its queue is open, whoever stored that', async () => {
    const now = Date.now()
    const begin = async (store: SharedStore, id: string, queue: string, provisional = false) => {
      const options = { queue, message: id, now, dueAt: provisional ? now + 60_000 : now, begins: true }
      const accepted = await store.inbox.accept({ ...said(id, { provisional }), key: id }, options)
      const { outcome } = accepted
      const { job } = accepted
      return job === undefined ? outcome : [job.id, job.queue, job.attempt, job.deaths]
    }
    const [first, second, alone] = await Promise.all([
      begin(one, 'a', 'q'),
      begin(one, 'b', 'q'),
      begin(one, 'c', 'beside'),
    ])
    expect([first, second, alone]).toEqual([['a', 'q', 1, 0], 'accepted', ['c', 'beside', 1, 0]])
    // A process that dies with it has a death on it.
    expect(await other.inbox.job('a')).toMatchObject({ state: 'running', attempt: 1 })
    expect(await begin(other, 'd', 'q')).toBe('accepted')
    expect(await begin(other, 'a', 'q')).toBe('duplicate')
    expect(await begin(one, 'p', 'pair', true)).toBe('accepted')
    expect(await begin(other, 'p', 'pair')).toEqual(['p', 'pair', 1, 0])
    expect(await ids(other)).toEqual([])
    await one.inbox.complete('a', now)
    expect((await other.inbox.claim(now, 100, false)).map(({ id }) => id)).toEqual(['b'])
    // A job that runs here is not given back together with unknown ones.
    await one.inbox.release(now)
    expect((await other.inbox.claim(now, 100, false)).map(({ id }) => id)).toEqual(['c'])
    one.sharing.standBy('fake', true)
    expect(await begin(one, 'e', 'away')).toBe('accepted')
    one.sharing.standBy('fake', false)
  })

  it('store a provisional event and its twin that come together as one', async () => {
    const options = { queue: 'twins', message: 't', now: 0 }
    const accepted = await Promise.all([
      one.inbox.accept({ ...said('t', { provisional: true }), key: 't' }, { ...options, dueAt: 1500 }),
      one.inbox.accept({ ...said('t', { text: 'whole' }), key: 't' }, { ...options, dueAt: 0, begins: true }),
    ])
    const jobs = await Promise.all(accepted.map(async ({ outcome, job }) => [outcome, job?.id]))
    expect(jobs).toEqual([
      ['accepted', undefined],
      ['replaced', 't'],
    ])
    expect(await one.inbox.job('t')).toMatchObject({ state: 'running', inbound: { message: { text: 'whole' } } })
    const again = await one.inbox.accept({ ...said('t'), key: 't' }, { ...options, dueAt: 0, begins: true })
    expect([again.outcome, again.job]).toEqual(['duplicate', undefined])
  })

  it('claim nothing with its acceptance while they doubt what they have claimed', async () => {
    const now = Date.now()
    const begin = async (id: string) => {
      const options = { queue: id, message: id, now, dueAt: now, begins: true }
      const { job } = await one.inbox.accept({ ...said(id), key: id }, options)
      return job?.id
    }
    expect(await begin('sure')).toBe('sure')
    await one.inbox.claim(now, 100, false)
    await client.query('ALTER TABLE job RENAME TO renamed')
    await expect(one.inbox.claim(now, 100, false)).rejects.toThrow('job')
    await client.query('ALTER TABLE renamed RENAME TO job')
    expect(await begin('doubtful')).toBeUndefined()
    await one.inbox.claim(now, 100, false)
    expect(await ids(other)).toEqual([])
    expect(await one.inbox.job('doubtful')).toMatchObject({ state: 'running', attempt: 1 })
    expect(await one.inbox.job('sure')).toMatchObject({ state: 'running', attempt: 1 })
  })

  it('give a job back whose acceptance was carried out although its answer was lost, and run it once', async () => {
    const wire = await watchWire(url)
    const cut = await openPostgresStore(wire.url, directory, createLogSink())
    const now = Date.now()
    const accepting = { queue: 'cut', message: 'cut', now, dueAt: now, begins: true }
    wire.loseAnswerTo('cut-off')
    const { outcome, job } = await cut.inbox.accept({ ...said('cut'), key: 'cut-off' }, accepting)
    // Sent once more, the event is known.
    expect([outcome, job]).toEqual(['duplicate', undefined])
    expect(await one.inbox.job('cut-off')).toMatchObject({ state: 'running', attempt: 1 })
    expect(await ids(other)).not.toContain('cut-off')
    expect((await cut.inbox.claim(now, 1, true)).map(({ id, attempt }) => [id, attempt])).toEqual([['cut-off', 2]])
    for (const store of [cut, other]) expect(await ids(store)).not.toContain('cut-off')
    await cut.close()
    await wire.close()
  })

  it('give back what a lost answer may have claimed, however late they look for jobs again, and without a place', async () => {
    const lost = ['unknown', 'placeless']
    for (const [at, id] of lost.entries()) {
      await one.inbox.accept({ ...said(id), key: id }, { queue: id, dueAt: 0, now: 0 })
      await client.query('ALTER TABLE job RENAME TO renamed')
      await expect(one.inbox.claim(0, 100, false)).rejects.toThrow('job')
      await client.query('ALTER TABLE renamed RENAME TO job')
      // The server carried out the claim; then a job that may crash the process ran alone for longer than the doubt.
      await client.query(
        `UPDATE job SET state = 'running', attempt = 1,
           owner = (SELECT number FROM process ORDER BY number LIMIT 1) WHERE id = $1`,
        [id],
      )
      vi.useFakeTimers({ toFake: ['Date'] })
      vi.setSystemTime(Date.now() + 60_000)
      try {
        const places = at === 0 ? 100 : 0
        const found = (await one.inbox.claim(0, places, false)).map((job) => job.id)
        expect([...found, ...(await ids(other))]).toContain(id)
        expect(found.length > 0).toBe(places > 0)
      } finally {
        vi.useRealTimers()
      }
    }
  })

  it('give back a job whose acceptance lost its answer, when the second one took longer than the doubt', async () => {
    const released: unknown[] = []
    let tries = 0
    const answers = async <Row>(text: string, ...values: readonly unknown[]) => {
      if (text.includes("SET state = 'queued', owner = NULL")) released.push(values[1])
      return [] as readonly Row[]
    }
    const sql: PostgresSql = {
      dialect: 'postgres',
      all: answers,
      get: async () => undefined,
      run: async (...statement) => (await answers(...statement)).length,
      async together<Row>() {
        tries += 1
        if (tries === 1) throw Object.assign(new Error('lost'), { code: '08006' })
        vi.setSystemTime(Date.now() + 60_000)
        await inbox.claim(0, 100, false)
        return [] as readonly (readonly Row[])[]
      },
      write: nothing,
      transaction: () => Promise.reject(new Error('not asked for')),
    }
    const sharing = { away: new Set<string>(), notify: nothing, scopeChanged: nothing, close: nothing }
    const inbox = createPostgresInbox(sql, 1, { ...one.sharing, ...sharing })
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const options = { queue: 'q', now: 0, dueAt: 0, begins: true }
      expect((await inbox.accept({ ...said('lost'), key: 'lost' }, options)).outcome).toBe('duplicate')
      vi.setSystemTime(Date.now() + 60_000)
      await inbox.claim(0, 100, false)
      await inbox.claim(0, 100, false)
    } finally {
      vi.useRealTimers()
    }
    // Once with the key left out, once without, and not again.
    expect(released).toEqual([['lost'], []])
  })
})
