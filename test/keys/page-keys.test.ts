import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfig } from '#src/config.ts'
import { openEmbeddedPlatform } from '#src/embedded.ts'
import { createLog } from '#start/log.ts'
import { runKeys } from '#keys/command.ts'
import { createPageKeys } from '#keys/page-keys.ts'
import { createEngine, type Engine } from '#platform/engine/engine.ts'
import { LIMITS } from '#platform/wire/limits.ts'
import { createLogSink } from '../platform/server/platform.ts'

let dataDir: string
let engine: Engine
let now: number
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'footbridge-page-keys-'))
  now = Date.UTC(2026, 10, 21, 12)
  engine = await createEngine({ dataDir, log: createLogSink().log, clock: () => now })
})
afterEach(async () => {
  await engine.close()
  await rm(dataDir, { recursive: true, force: true })
})

it('keys of the page open the API to a user of their own, for a year, and see neither the first key nor others', async () => {
  const keys = createPageKeys(engine, () => now)
  await runKeys(dataDir, ['add', 'anna', '--label', 'laptop'], () => now)
  expect(await keys.list()).toEqual([])
  const key = (await keys.make(' Nightly job ')) ?? ''
  expect((await engine.identify(key))?.user.name).toBe('web-page')
  expect((await engine.identify(engine.firstKey.key))?.user.name).not.toBe('web-page')
  const [listed] = await keys.list()
  expect(listed).toEqual({
    id: expect.any(Number),
    name: 'Nightly job',
    hint: key.slice(0, 8),
    createdAt: now,
    expiresAt: Date.UTC(2027, 10, 21, 12),
  })
  now = Date.UTC(2027, 10, 21, 12)
  expect([await keys.list(), await engine.identify(key)]).toEqual([[], undefined])
})

it('all keys of the page together have the requests of one: a new key brings none', async () => {
  const keys = createPageKeys(engine, () => now)
  const ask = async (key = '') => {
    const row = await engine.identify(key)
    if (row === undefined) throw new Error('this key opens nothing')
    return (await engine.quotas.take(row)).refusal
  }
  const first = await keys.make('first')
  for (let count = 0; count < LIMITS.quota.minute; count += 1) expect(await ask(first)).toBeUndefined()
  expect((await ask(await keys.make('second')))?.reason).toBe('rate_limit_minute')
  await keys.revokeAll()
  expect((await ask(await keys.make('third')))?.reason).toBe('rate_limit_minute')
  now += 60_000
  expect(await ask(await keys.make('fourth'))).toBeUndefined()
})

it('keys that are made at once have different names, and are not more than the most', async () => {
  const keys = createPageKeys(engine, () => now)
  const twice = await Promise.all([keys.make('job'), keys.make('Job')])
  expect(twice.filter((key) => key !== undefined)).toHaveLength(1)
  await Promise.all(Array.from({ length: 30 }, async (_, index) => keys.make(`key ${index}`)))
  expect(await keys.list()).toHaveLength(20)
})

it('a name is taken once, twenty keys are the most, and only keys of the page are revoked', async () => {
  const keys = createPageKeys(engine, () => now)
  const first = (await keys.make('one')) ?? ''
  expect(await keys.make('ONE')).toBeUndefined()
  expect(await keys.make('  ')).toBeUndefined()
  await Promise.all(Array.from({ length: 19 }, async (_, index) => keys.make(`key ${index}`)))
  expect(await keys.make('one more')).toBeUndefined()
  const own = (await engine.identify(engine.firstKey.key))?.id ?? 0
  expect(await keys.revoke(own)).toBe(false)
  expect(await keys.revoke(999)).toBe(false)
  const [one] = await keys.list()
  expect(await keys.revoke(one?.id ?? 0)).toBe(true)
  expect(await engine.identify(first)).toBeUndefined()
  await keys.revokeAll()
  expect(await keys.list()).toEqual([])
  expect(await engine.identify(engine.firstKey.key)).toBeDefined()
})

it('a key for agents reads its collections by its tools, and is listed with both', async () => {
  const keys = createPageKeys(engine, () => now)
  expect(await keys.choices()).toEqual({ tools: expect.arrayContaining(['search', 'fetch', 'ask']), collections: [] })
  const whole = await engine.identify((await keys.make('job')) ?? '')
  if (whole === undefined) throw new Error('this key opens nothing')
  for (const name of ['plans', 'notes']) await engine.collections.create(whole.user, name)
  expect((await keys.choices()).collections.toSorted()).toEqual(['web-page/notes', 'web-page/plans'])
  const scope = { collections: ['web-page/plans'], tools: ['search'] }
  const key = (await keys.make('agent', scope)) ?? ''
  expect((await engine.identify(key))?.scope).toEqual(scope)
  expect((await keys.list()).map((one) => one.scope)).toEqual([undefined, scope])
  const reading = await engine.identify((await keys.make('reader', { tools: ['search'] })) ?? '')
  expect(reading?.scope).toEqual({ tools: ['search'] })
})

it('WEB_KEYS=off: the page makes no keys, and those that it made are revoked', async () => {
  const open = (keys: 'on' | 'off') =>
    openEmbeddedPlatform(readConfig({ DATA_DIR: dataDir, WEB_KEYS: keys }), createLog('silent'), 'bridge')
  await engine.close()
  const on = await open('on')
  const key = (await on.forPage.keys?.make('job')) ?? ''
  expect(await on.engine.identify(key)).toBeDefined()
  await on.close()
  const off = await open('off')
  expect([off.forPage.keys, await off.engine.identify(key)]).toEqual([undefined, undefined])
  await off.close()
  engine = await createEngine({ dataDir, log: createLogSink().log })
})
