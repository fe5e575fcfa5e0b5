import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Inbound } from '#bridge/port/message.ts'
import { openPostgresStore, type SharedStore } from '#store/postgres/open-store.ts'
import { conversation, said } from '../contract/said.ts'
import { eventually } from '#test/support/eventually.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'
import { inLong } from '#test/support/forms.ts'

const postgres = usePostgres()
const directory = mkdtempSync(join(tmpdir(), 'footbridge-sharing-'))
const log = createLogSink()
let url: string
let client: Client
let one: SharedStore
let other: SharedStore

const open = () => openPostgresStore(url, directory, log)
beforeAll(async () => {
  url = await postgres.database()
  one = await open()
  other = await open()
  client = new Client({ connectionString: url })
  await client.connect()
  await client.query('SET search_path = footbridge_bridge')
})
beforeEach(() => client.query('TRUNCATE job, outbox, signal RESTART IDENTITY'))
afterAll(async () => {
  await client.end()
  await one.close()
  await other.close()
  rmSync(directory, { recursive: true })
})

const accept = (store: SharedStore, id: string, queue = 'q') =>
  store.inbox.accept({ ...said(id), key: id }, { queue, message: id, dueAt: 0, now: 0 })
const ids = async (store: SharedStore) => (await store.inbox.claim(0, 100, false)).map(({ id }) => id)

const UNHEARD = {
  wake: () => undefined,
  ends: () => undefined,
  endsJob: () => undefined,
  channelChanged: () => undefined,
  sourceChanged: () => undefined,
  lost: () => undefined,
}

/** Hours until the next call at the slow pace. */
const hours = async () =>
  (
    await client.query<{ ahead: number }>(
      "SELECT round(extract(epoch FROM next_at - now()) / 3600)::int AS ahead FROM pace WHERE name = 'slow'",
    )
  ).rows[0]?.ahead

describe('two processes on one database', () => {
  it('know each other’s events, and give a queue in order to one of them at a time', async () => {
    expect((await accept(one, 'a')).outcome).toBe('accepted')
    expect((await accept(other, 'a')).outcome).toBe('duplicate')
    await accept(other, 'b')
    await accept(one, 'c', 'beside')
    expect(await ids(other)).toEqual(['a', 'c'])
    expect(await ids(one)).toEqual([])
    await other.inbox.complete('a', 1)
    expect(await ids(one)).toEqual(['b'])
    // Whoever does not run a job can't finish it.
    await other.inbox.complete('b', 1)
    expect(await one.inbox.job('b')).toMatchObject({ state: 'running' })
  })

  it('claim each of many jobs once, and each queue in the order of its events, however they race', async () => {
    const stores = [one, other]
    const order = new Map<string, string[]>()
    await Promise.all(
      Array.from({ length: 120 }, (_, at) => accept(stores[at % 2] ?? one, `m${at}`, `queue ${at % 7}`)),
    )
    const { rows } = await client.query<{ id: string; queue: string }>('SELECT id, queue FROM job ORDER BY seq')
    const work = async (store: SharedStore) => {
      for (let idle = 0; idle < 5;) {
        const jobs = await store.inbox.claim(0, 3, false)
        idle = jobs.length > 0 ? 0 : idle + 1
        for (const { id, queue } of jobs) {
          order.set(queue, [...(order.get(queue) ?? []), id])
          await store.inbox.complete(id, 1)
        }
      }
    }
    await Promise.all([work(one), work(other), work(one), work(other)])
    for (const [queue, done] of order)
      expect(done).toEqual(rows.filter((row) => row.queue === queue).map(({ id }) => id))
    expect([...order.values()].flat()).toHaveLength(120)
  })

  it('know channels that they just read, their own changes at once and those of others soon', async () => {
    const record = { key: 'fake:w:c', conversation, collection: 'c1', collecting: true, explained: false }
    await one.channels.put(record)
    for (const store of [one, other]) expect(await store.channels.ofCollection('c1')).toEqual(record)
    await other.channels.put({ ...record, collection: 'c2', explained: true })
    expect(await other.channels.get(record.key)).toMatchObject({ collection: 'c2', explained: true })
    await expect.poll(() => one.channels.get(record.key)).toMatchObject({ collection: 'c2' })
    expect(await one.channels.ofCollection('c1')).toBeUndefined()
    expect(await one.channels.ofCollection('c2')).toMatchObject({ key: record.key })
  })

  it('know preferences that they just read, their own changes at once and those of others soon', inLong, async () => {
    await one.preferences.set('c', 'model', 'small')
    for (const store of [one, other]) expect(await store.preferences.get('c', 'model')).toBe('small')
    await Promise.all([other.preferences.get('c', 'model'), other.preferences.set('c', 'model', 'large')])
    expect(await other.preferences.get('c', 'model')).toBe('large')
    await expect.poll(() => one.preferences.get('c', 'model')).toBe('large')
  })

  it('keep a pace together, by name, and ask once for all that wait', async () => {
    const pace = { everyMs: 3_600_000, burst: 4 }
    let done = 0
    for (const store of [one, other]) {
      const wait = store.sharing.pacer?.('slow', pace)
      for (let at = 0; at < 5; at += 1) void wait?.().then(() => (done += 1))
    }
    await expect.poll(hours).toBe(6)
    await expect.poll(() => done).toBe(5)
    await one.sharing.pacer?.('another', pace)()
    expect(done).toBe(5)
    // Each counts with its next beat.
    await expect
      .poll(() => [one, other].map(({ sharing }) => sharing.processes?.()), { timeout: 10_000 })
      .toEqual([2, 2])
  })

  it('let nothing of a process through that was taken for dead, and go on with its jobs', async () => {
    const frozen = await open()
    const lost: Error[] = []
    await frozen.sharing.watch({ ...UNHEARD, lost: (error: Error) => lost.push(error) })
    await accept(one, 'a')
    expect(await ids(frozen)).toEqual(['a'])
    const row = { sendId: 's', jobId: 'a', slot: 'answer.0', conversation, text: 'x' }
    await frozen.outbox.open(row, 0)
    // Its machine is gone: nobody renews its lease.
    const expire = `UPDATE process SET lease_until = now() - interval '1 s'
                    WHERE number = (SELECT owner FROM job WHERE id = 'a')`
    await eventually(async () => {
      await client.query(expire)
      return (await other.inbox.recover(5)) === 1
    })
    expect(await one.inbox.recover(5)).toBe(0)
    expect(await other.inbox.claim(5, 1, true)).toMatchObject([{ id: 'a', attempt: 2, deaths: 1 }])
    await expect(frozen.outbox.close('s', 'y', 6)).rejects.toThrow(/taken over/)
    await expect(frozen.inbox.complete('a', 6)).rejects.toThrow(/taken over/)
    // Its connection ends a moment after the takeover; its lease, by its own clock, much later.
    await eventually(() =>
      frozen.sharing.assertAlive().then(
        () => false,
        (error: Error) => error.message.includes('another one took over'),
      ),
    )
    expect(lost).toHaveLength(1)
    expect(await other.outbox.ofJob('a')).toMatchObject([{ text: 'x', state: 'sending' }])
    await frozen.close()
  })

  it('take nobody for dead who comes back after an outage for all a moment later', async () => {
    const lost: Error[] = []
    const stores = [await open(), await open()]
    const { rows } = await client.query<{ number: string }>('SELECT number FROM process ORDER BY number DESC LIMIT 2')
    const numbers = rows.map(({ number }) => number)
    for (const store of stores) await store.sharing.watch({ ...UNHEARD, lost: (error: Error) => lost.push(error) })
    const old = `now() - interval '1 s'`
    // One statement, as an outage that all of them notice, and that was longer than a lease.
    await client.query(
      `UPDATE process SET lease_until = ${old} WHERE number = ANY ('{${numbers.join(',')}}');
       SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = ANY ('{${numbers.map((number) => `footbridge-${number}`).join(',')}}')`,
    )
    await eventually(async () => {
      const back = `SELECT FROM process WHERE number = ANY ($1) AND lease_until > now()`
      return lost.length > 0 || (await client.query(back, [numbers])).rowCount === 2
    })
    expect(lost).toEqual([])
    for (const store of stores) await store.close()
  })

  it('see at once that a process died which came back from the same outage before', async () => {
    const back = await open()
    const { rows } = await client.query<{ number: string }>('SELECT max(number) AS number FROM process')
    const number = rows[0]?.number
    await back.sharing.watch(UNHEARD)
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'footbridge-${number}'`,
    )
    const lease = `SELECT lease_until::text AS lease FROM process WHERE number = ${number}`
    const leaseNow = async () => (await client.query<{ lease: string }>(lease)).rows[0]?.lease
    const before = await leaseNow()
    await eventually(async () => (await leaseNow()) !== before)
    // Neither has its lock. The first one may still be cut off, the second one renewed its lease just now.
    const dead = await client.query<{ number: string }>(
      "INSERT INTO process (lease_until) VALUES (now() + interval '3 s'), (now() + interval '10 s') RETURNING number",
    )
    const numbers = dead.rows.map((row) => row.number)
    const there = async () =>
      (await client.query<{ number: string }>('SELECT number FROM process WHERE number = ANY ($1)', [numbers])).rows
    await eventually(async () => (await there()).length < 2)
    expect(await there()).toEqual([{ number: numbers[0] }])
    await client.query('DELETE FROM process WHERE number = ANY ($1)', [numbers])
    await back.close()
  })

  it('free the locks and the rows that a process held which stands still', async () => {
    const frozen = await open()
    const { promise: inside, resolve: enter } = Promise.withResolvers<void>()
    const { promise: thaw, resolve: end } = Promise.withResolvers<void>()
    const held = frozen.sharing.mutex('file')('x', async () => {
      enter()
      await thaw
    })
    await inside
    expect(await frozen.sharing.leads('daily')).toBe(true)
    const writing = new Client({ connectionString: frozen.place.DATABASE_URL })
    writing.on('error', () => undefined)
    await writing.connect()
    await writing.query('BEGIN; LOCK TABLE footbridge_bridge.vote')
    const { rows } = await client.query<{ number: string }>('SELECT max(number) AS number FROM process')
    const number = rows[0]?.number
    await eventually(async () => {
      await client.query(`UPDATE process SET lease_until = now() - interval '1 s' WHERE number = $1`, [number])
      await one.inbox.recover(1)
      return (await client.query('SELECT FROM process WHERE number = $1', [number])).rowCount === 0
    })
    await client.query('BEGIN; LOCK TABLE vote; COMMIT')
    expect(await other.sharing.mutex('file')('x', async () => 'mine')).toBe('mine')
    await eventually(() => other.sharing.leads('daily'))
    end()
    await held
    await frozen.close()
  })

  it('join again when a slow start was taken for a death', async () => {
    const starting = await open()
    const { rows } = await client.query<{ number: string }>('SELECT max(number) AS number FROM process')
    const number = rows[0]?.number
    await eventually(async () => {
      await client.query(`UPDATE process SET lease_until = now() - interval '1 s' WHERE number = $1`, [number])
      await one.inbox.recover(1)
      return (await client.query('SELECT FROM process WHERE number = $1', [number])).rowCount === 0
    })
    const lost: Error[] = []
    await starting.sharing.watch({ ...UNHEARD, lost: (error) => lost.push(error) })
    await accept(one, 'a')
    expect(await ids(starting)).toEqual(['a'])
    await starting.inbox.complete('a', 1)
    expect(await one.inbox.job('a')).toMatchObject({ state: 'done' })
    expect(lost).toEqual([])
    await starting.close()
  })

  it('lead no more where another process took the lead while their connection was broken', async () => {
    const broken = await open()
    expect(await broken.sharing.leads('weekly')).toBe(true)
    const next = new Client({ connectionString: url })
    await next.connect()
    const { rows } = await client.query<{ name: string; pid: number }>(
      `SELECT (classid::bigint << 32 | objid::bigint)::text AS name, pid FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE locktype = 'advisory' AND objsubid = 1 AND granted
         AND application_name = 'footbridge-' || (SELECT max(number) FROM process)`,
    )
    const [lock] = rows
    const taken = next.query('SELECT pg_advisory_lock($1::bigint)', [lock?.name])
    await eventually(
      async () =>
        (await client.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).rowCount === 1,
    )
    await client.query('SELECT pg_terminate_backend($1)', [lock?.pid])
    await taken
    await eventually(async () => !(await broken.sharing.leads('weekly')))
    await next.end()
    await eventually(() => broken.sharing.leads('weekly'))
    await broken.close()
  })

  it('take over at once from a process whose connection ended', async () => {
    const dying = await open()
    await accept(one, 'a')
    expect(await ids(dying)).toEqual(['a'])
    const { rows } = await client.query<{ owner: number }>("SELECT owner::int FROM job WHERE id = 'a'")
    const number = rows[0]?.owner
    // As if the machines had been up for longer.
    await client.query(`UPDATE process SET joined_at = now() - interval '1 h' WHERE number = $1`, [number])
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${number}`,
    )
    await eventually(async () => (await other.inbox.recover(1)) === 1)
    await dying.close()
  })

  it('stay alive while a takeover waits for a write of a process that stands still', async () => {
    const waiting = await open()
    const { rows } = await client.query<{ number: string }>('SELECT max(number) AS number FROM process')
    const dead = await client.query<{ number: string }>(
      "INSERT INTO process (lease_until) VALUES (now() - interval '1 s') RETURNING number",
    )
    const number = dead.rows[0]?.number
    await accept(one, 'a')
    await client.query("UPDATE job SET state = 'running', owner = $1 WHERE id = 'a'", [number])
    const writing = new Client({ connectionString: url })
    await writing.connect()
    await writing.query('BEGIN')
    await writing.query("SELECT set_config('footbridge.process', $1, true)", [number])
    await writing.query('DELETE FROM footbridge_bridge.vote')
    const joined = waiting.sharing.watch(UNHEARD)
    const leases = new Set<string>()
    await eventually(async () => {
      const lease = 'SELECT lease_until::text AS lease FROM process WHERE number = $1'
      leases.add((await client.query<{ lease: string }>(lease, [rows[0]?.number])).rows[0]?.lease ?? '')
      return leases.size > 3
    }).finally(() => writing.end())
    await eventually(async () => (await one.inbox.job('a'))?.state === 'queued')
    await joined
    expect(leases.size).toBeGreaterThan(3)
    await waiting.close()
  })

  it('hear of what ends an answer, whoever accepted it, but not for what came after it, and of changed channels and files', async () => {
    const heard: unknown[] = []
    const listening = await open()
    const ends = (event: { key: string }, order: number) => heard.push([event.key, order])
    await listening.sharing.watch({
      ...UNHEARD,
      ends,
      endsJob: (id, reason) => heard.push(`${id} ${reason}`),
      channelChanged: ({ channel }) => heard.push(channel),
      sourceChanged: (...file) => heard.push(file),
    })
    await accept(one, 'a')
    const stop: Inbound = { kind: 'stop', key: 'stop', conversation, author: { id: 'u', name: 'U' } }
    await one.inbox.accept(stop, { queue: 'stop', dueAt: 0, now: 0 })
    await one.sharing.endJob('a', 'changed')
    await one.sharing.endJob('b', 'stopped')
    await one.sharing.channelChanged(conversation)
    await one.sharing.sourceChanged('c', 'a.md')
    await eventually(() => heard.length === 5)
    expect(heard).toEqual([['stop', 2], 'a changed', 'b stopped', conversation.channel, ['c', 'a.md']])
    // A job that begins later than it was claimed has missed what ends it, and nothing else.
    const begin = (id: string, order: number) => {
      heard.length = 0
      listening.sharing.begun({ id, queue: 'q', inbound: said(id), attempt: 1, deaths: 0, createdAt: 0, order })
      return [...heard]
    }
    expect(begin('b', 1)).toEqual([['stop', 2], 'b stopped'])
    expect(begin('c', 3)).toEqual([])
    await listening.close()
  })

  it('run work under the same lock one at a time, and one of them leads', async () => {
    let inside = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, (inside += 1))
      await new Promise((resolve) => setTimeout(resolve, 5))
      inside -= 1
    }
    const mutexes = [one, other].map((store) => store.sharing.mutex('file'))
    await Promise.all(mutexes.flatMap((mutex) => [mutex('x', work), mutex('x', work)]))
    expect(most).toBe(1)
    expect(await one.sharing.leads()).toBe(true)
    expect(await other.sharing.leads()).toBe(false)
    expect(await one.sharing.leads()).toBe(true)
  })
})
