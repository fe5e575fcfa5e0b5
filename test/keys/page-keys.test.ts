import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runKeys } from '#keys/command.ts'
import { createPageKeys } from '#keys/page-keys.ts'
import { createEngine, type Engine } from '#platform/engine/engine.ts'
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
  const keys = createPageKeys(engine.keys, () => now)
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

it('a name is taken once, twenty keys are the most, and only keys of the page are revoked', async () => {
  const keys = createPageKeys(engine.keys, () => now)
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
