import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createWorker, jobsAtOnce, type Worker } from '#bridge/jobs/worker.ts'
import type { Inbox, Job } from '#bridge/port/store.ts'
import { openStore } from '#store/store.ts'
import { createLogSink } from '#test/support/fakes/log.ts'

async function startWorker(
  work: (job: Job) => Promise<void>,
  prepare: (inbox: Inbox) => Promise<void> = async () => undefined,
) {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-worker-'))
  const store = openStore(folder)
  const worker = createWorker({ inbox: store.inbox, clock: Date.now, log: createLogSink(), work })
  onTestFinished(async () => {
    await worker.stop(0)
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await prepare(store.inbox)
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

it('a crowd of jobs begins in small groups, with turns for everything else between them', async () => {
  let turn = 0
  const count = () => {
    turn += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  onTestFinished(() => clearImmediate(counting))
  const begun: number[] = []
  await startWorker(
    async () => {
      begun.push(turn)
      await new Promise(() => undefined)
    },
    async (inbox) => {
      for (let index = 0; index < 100; index += 1)
        await inbox.accept(stopOf(`c${index}`), { queue: `q${index}`, now: 0, dueAt: 0 })
    },
  )
  await expect.poll(() => begun.length).toBe(100)
  const groups = Map.groupBy(begun, (at) => at)
  expect(Math.max(...groups.values().map(({ length }) => length))).toBeLessThanOrEqual(32)
})

it('requests that a group of jobs makes leave before the next group begins', async () => {
  const begun = new Set<string>()
  const before: number[] = []
  await startWorker(
    async (job) => {
      begun.add(job.id)
      await Promise.resolve()
      // As undici does with a connection that it kept.
      setImmediate(() => void before.push(begun.size))
      await new Promise(() => undefined)
    },
    async (inbox) => {
      for (let index = 0; index < 48; index += 1)
        await inbox.accept(stopOf(`c${index}`), { queue: `q${index}`, now: 0, dueAt: 0 })
    },
  )
  await expect.poll(() => before.length).toBe(48)
  expect([...new Set(before)]).toEqual([16, 32, 48])
})

it('how many run at once follows from the memory that the process may use', () => {
  expect(jobsAtOnce(4_000_000_000)).toBe(2000)
  expect(jobsAtOnce(1_000_000_000)).toBe(500)
  expect(jobsAtOnce(64_000_000)).toBe(64)
})

it('a job that the process died with twice runs alone, and then all others do', async () => {
  const finish = new Map<string, () => void>()
  const { store } = await startWorker(
    async (job) => {
      await new Promise<void>((resolve) => void finish.set(job.queue, resolve))
      await store.inbox.complete(job.id, 1)
    },
    async (inbox) => {
      await inbox.accept(stopOf('a'), { queue: 'a', now: 0, dueAt: 0 })
      await inbox.claim(1, 1, true)
      await inbox.recover(1)
      // The second death is found when the worker starts.
      await inbox.claim(1, 1, true)
      await inbox.accept(stopOf('b'), { queue: 'b', now: 0, dueAt: 0 })
    },
  )
  await expect.poll(() => finish.size).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([...finish.keys()]).toEqual(['a'])
  finish.get('a')?.()
  await expect.poll(() => finish.has('b')).toBe(true)
})

/** A worker whose claims are answered by the test. */
async function startClaiming(claim: Inbox['claim'], work: (job: Job) => Promise<void>) {
  const inbox = { claim, recover: async () => 0, nextDueAt: async () => undefined } as Partial<Inbox> as Inbox
  const worker = createWorker({ inbox, clock: Date.now, log: createLogSink(), work })
  onTestFinished(() => void worker.stop(0))
  await worker.start()
  return worker
}

/** Whether a job may be claimed with its acceptance now. */
async function mayBegin(worker: Worker): Promise<boolean> {
  let may = false
  await worker.accepting(async (begins) => {
    may = begins
    return {}
  })
  return may
}

const never = () => new Promise<never>(() => undefined)

it('while a job runs alone, jobs are looked for without a place for any: what a lost answer claimed is given back', async () => {
  const places: number[] = []
  const begun: string[] = []
  const worker = await startClaiming(
    async (_, max) => {
      places.push(max)
      return begun.length === 0 ? [{ ...jobOf('suspect'), deaths: 2 }] : []
    },
    ({ id }) => {
      begun.push(id)
      return never()
    },
  )
  await expect.poll(() => begun).toEqual(['suspect'])
  worker.poke()
  await expect.poll(() => places.slice(1)).toContain(0)
  expect(places.slice(1).every((max) => max === 0)).toBe(true)
})

it('nothing may be claimed with its acceptance while a job is looked for that is to run alone, nor while it runs', async () => {
  const begun: string[] = []
  const claims: { readonly alone: boolean; readonly answer: (jobs: readonly Job[]) => void }[] = []
  const worker = await startClaiming(
    (_now, _max, alone) => new Promise((answer) => claims.push({ alone, answer })),
    ({ id }) => {
      begun.push(id)
      return never()
    },
  )
  expect(claims.map(({ alone }) => alone)).toEqual([true])
  expect(await mayBegin(worker)).toBe(false)
  claims[0]?.answer([{ ...jobOf('suspect'), deaths: 2 }])
  await expect.poll(() => begun).toEqual(['suspect'])
  expect(await mayBegin(worker)).toBe(false)
})

it('a job that may crash the process and has waited long begins beside others, and holds nobody up', async () => {
  const begun: string[] = []
  const claims: { readonly alone: boolean; readonly answer: (jobs: readonly Job[]) => void }[] = []
  const worker = await startClaiming(
    (_now, _max, alone) => new Promise((answer) => claims.push({ alone, answer })),
    ({ id }) => {
      begun.push(id)
      return never()
    },
  )
  claims[0]?.answer([])
  await expect.poll(() => mayBegin(worker)).toBe(true)
  const stored = Promise.withResolvers<void>()
  const accepted = worker.accepting(async () => {
    await stored.promise
    return { job: jobOf('beside') }
  })
  worker.poke()
  await expect.poll(() => claims.length).toBe(2)
  expect(claims[1]?.alone).toBe(false)
  claims[1]?.answer([{ ...jobOf('suspect'), deaths: 2 }])
  await expect.poll(() => begun).toEqual(['suspect'])
  stored.resolve()
  await accepted
  await expect.poll(() => begun).toEqual(['suspect', 'beside'])
  expect(await mayBegin(worker)).toBe(true)
})

const jobOf = (id: string): Job => ({ id, queue: id, inbound: stopOf(id), attempt: 1, deaths: 0, createdAt: 0 })

it('jobs that are claimed with their acceptance begin behind the acknowledgements, in groups, and also at the end', async () => {
  const said: string[] = []
  const { worker } = await startWorker(async ({ id }) => {
    said.push(id)
    await new Promise(() => undefined)
  })
  // The first look might find a job that has to run alone.
  await expect.poll(() => mayBegin(worker)).toBe(true)
  const ids = Array.from({ length: 20 }, (_, at) => `${at}`)
  await Promise.all(ids.map((id) => worker.accepting(async () => ({ job: jobOf(id) })).then(() => said.push('ack'))))
  expect(said).toEqual(ids.map(() => 'ack'))
  setImmediate(() => setImmediate(() => said.push('turn')))
  await expect.poll(() => said.length).toBe(41)
  expect(said.slice(20)).toEqual([...ids.slice(0, 16), 'turn', ...ids.slice(16)])
  const late = worker.accepting(async () => ({ job: jobOf('late') }))
  await worker.stop(0)
  await late
  expect(said.at(-1)).toBe('late')
  expect(await mayBegin(worker)).toBe(false)
})

it('a stop waits for jobs that are claimed with their acceptance meanwhile', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { worker } = await startWorker(() => ended)
  await expect.poll(() => mayBegin(worker)).toBe(true)
  const stored = Promise.withResolvers<void>()
  const accepted = [undefined, jobOf('c')].map((job) => worker.accepting(() => stored.promise.then(() => ({ job }))))
  let left: number | undefined
  const stopped = worker.stop(60_000).then((count) => (left = count))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(left).toBeUndefined()
  stored.resolve()
  await Promise.all(accepted)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(left).toBeUndefined()
  end()
  await stopped
  expect(left).toBe(0)
})
