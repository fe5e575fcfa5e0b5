import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createWorker, jobsAtOnce } from '../../../src/bridge/jobs/worker.ts'
import type { Job } from '../../../src/bridge/port/store.ts'
import { openStore } from '../../../src/store/store.ts'
import { createLogSink } from '../../support/fakes/log.ts'

async function startWorker(work: (job: Job) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-worker-'))
  const store = openStore(folder)
  const worker = createWorker({ inbox: store.inbox, clock: Date.now, log: createLogSink(), work })
  onTestFinished(async () => {
    await worker.stop(0)
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await worker.start()
  return { store, worker }
}

const stopOf = (channel: string) => ({
  kind: 'stop' as const,
  key: `stop-${channel}`,
  conversation: { adapter: 'fake', workspace: 'w', channel, direct: false },
  author: { id: 'u', name: 'Ana' },
})

it('a job does not wait for the answers of others: a thousand queues are at work at once', async () => {
  const begun = new Set<string>()
  const { store, worker } = await startWorker(async (job) => {
    begun.add(job.id)
    await new Promise(() => undefined)
  })
  const now = Date.now()
  for (let index = 0; index < 1000; index += 1)
    await store.inbox.accept(stopOf(`c${index}`), { queue: `q${index}`, now, dueAt: now })
  worker.poke()
  await expect.poll(() => begun.size).toBe(1000)
})

it('how many run at once follows from the memory that the process may use', () => {
  expect(jobsAtOnce(4_000_000_000)).toBe(2000)
  expect(jobsAtOnce(1_000_000_000)).toBe(500)
  expect(jobsAtOnce(64_000_000)).toBe(64)
})
