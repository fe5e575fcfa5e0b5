import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createRunningJobs } from '../../../src/bridge/jobs/interrupt.ts'
import { createJobRunner } from '../../../src/bridge/jobs/run-job.ts'
import type { Job } from '../../../src/bridge/port/store.ts'
import { openStore } from '../../../src/store/store.ts'
import { createFakeAdapter } from '../../support/fakes/adapter.ts'
import { createFakeChat } from '../../support/fakes/chat.ts'
import { createLogSink } from '../../support/fakes/log.ts'

async function setUp() {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-run-job-'))
  const store = openStore(directory)
  onTestFinished(() => {
    store.close()
    rmSync(directory, { recursive: true })
  })
  const chat = createFakeChat()
  const adapter = createFakeAdapter({ chat })
  const { inbound } = chat.mention('A question that ends the process')
  const { stored } = await store.inbox.accept(inbound, { queue: 'q', now: 0, dueAt: 0 })
  await stored
  const begun: Job[] = []
  const run = createJobRunner({
    store,
    clock: () => 1,
    adapterOf: () => adapter,
    handle: async (job) => void begun.push(job),
    running: createRunningJobs(),
    log: createLogSink(),
    signal: new AbortController().signal,
  })
  const claim = async () => {
    const [job] = await store.inbox.claim(1, 1, true)
    if (job === undefined) throw new Error('Nothing is due.')
    return job
  }
  return { store, chat, begun, run, claim, id: inbound.key }
}

it('a job during which the process died five times is dead, and its failure is told', async () => {
  const { store, chat, begun, run, claim, id } = await setUp()
  for (let death = 0; death < 5; death += 1) {
    await claim()
    await store.inbox.recover(1)
  }
  await run(await claim())
  expect(begun).toEqual([])
  expect(await store.inbox.job(id)).toMatchObject({ state: 'dead', reason: expect.stringContaining('died 5 times') })
  expect(chat.visible().map(({ text }) => text)).toEqual([expect.stringContaining('stopped several times')])
})

it('a job that four deaths and many shutdowns cut off is begun again', async () => {
  const { store, begun, run, claim, id } = await setUp()
  for (let end = 0; end < 7; end += 1) {
    await claim()
    if (end < 4) await store.inbox.recover(1)
    else await store.inbox.release(1)
  }
  await run(await claim())
  expect(begun).toHaveLength(1)
  expect(await store.inbox.job(id)).toMatchObject({ state: 'done' })
})
