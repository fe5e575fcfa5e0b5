import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { expect, it, onTestFinished } from 'vitest'
import { createIdleCollection } from '#operate/idle-collection.ts'
import { eventually } from '../support/eventually.ts'

it('collects once after the last job, and never while one runs', async () => {
  let collected = 0
  const whileBusy = createIdleCollection(
    (run: () => Promise<void>) => run(),
    () => void (collected += 1),
  )
  const long = Promise.withResolvers<void>()
  const running = whileBusy(() => long.promise)
  for (let jobs = 0; jobs < 3; jobs += 1) await whileBusy(async () => undefined)
  await expect(whileBusy(() => Promise.reject(new Error('fails')))).rejects.toThrow('fails')
  await sleep(200)
  expect(collected).toBe(0)
  long.resolve()
  await running
  // Another one begins before it is quiet.
  await whileBusy(() => sleep(200))
  expect(collected).toBe(0)
  await eventually(() => collected === 1)
  await sleep(200)
  expect(collected).toBe(1)
})

const youngBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_used_size ?? 0

it('asks V8 for it where there is young garbage, with the option that npm start and the image set', async () => {
  const asked: unknown[] = []
  const before = globalThis.gc
  onTestFinished(() => void (globalThis.gc = before))
  globalThis.gc = ((options: unknown) => void asked.push(options)) as typeof globalThis.gc
  // V8 itself may empty the space while it is being filled.
  await eventually(
    async () => {
      let made: unknown[] = []
      for (let round = 0; round < 400 && youngBytes() < 4_500_000; round += 1)
        made = Array.from({ length: 500 }, (_, at) => ({ round, at, made }))
      await createIdleCollection(async () => undefined)()
      await sleep(150)
      return asked.length > 0
    },
    { everyMs: 1 },
  )
  expect(asked[0]).toEqual({ type: 'minor' })
  expect(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).toContain(
    '"start": "exec node --expose-gc ',
  )
  expect(readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')).toContain('CMD ["node", "--expose-gc", ')
})
