import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { openPostgresStore } from '#store/postgres/open-store.ts'
import { eventually } from '#test/support/eventually.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { startCluster } from '#test/support/postgres/cluster.ts'

const nothing = () => undefined

it('after the end of the server, a death counts at once of a process that had come back before', async () => {
  await using scope = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-outage-'))
  scope.defer(() => rmSync(directory, { recursive: true }))
  const cluster = await startCluster()
  scope.defer(() => cluster.remove())
  const store = await openPostgresStore(cluster.url, directory, createLogSink())
  scope.defer(() => store.close())
  const changes = { channelChanged: nothing, sourceChanged: nothing }
  await store.sharing.watch({ wake: nothing, ends: nothing, endsJob: nothing, ...changes, lost: nothing })
  await cluster.halt()
  await cluster.resume()
  const client = new Client({ connectionString: cluster.url })
  await client.connect()
  scope.defer(() => client.end())
  // The first one may still be cut off; the second one renewed its lease since, before this one was back.
  const { rows } = await client.query<{ number: string }>(
    `INSERT INTO footbridge_bridge.process (lease_until)
     SELECT pg_postmaster_start_time() + renewed + interval '10 s'
     FROM unnest(ARRAY[interval '-1 s', interval '1 ms']) AS renewed RETURNING number`,
  )
  const numbers = rows.map(({ number }) => number)
  const there = 'SELECT number FROM footbridge_bridge.process WHERE number = ANY ($1)'
  const left = await eventually(async () => {
    const found = await client.query(there, [numbers])
    return found.rowCount === 2 ? undefined : found.rows
  })
  expect(left).toEqual([{ number: numbers[0] }])
})

it('an event that asks for its job waits until the database is back', async () => {
  await using scope = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-outage-'))
  scope.defer(() => rmSync(directory, { recursive: true }))
  const cluster = await startCluster()
  scope.defer(() => cluster.remove())
  const store = await openPostgresStore(cluster.url, directory, createLogSink())
  scope.defer(() => store.close())
  await cluster.halt()
  const asked = store.inbox.job('unknown')
  await cluster.resume()
  expect(await asked).toBe(undefined)
})
