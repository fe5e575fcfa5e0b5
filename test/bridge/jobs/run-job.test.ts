import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createRunningJobs } from '#bridge/jobs/interrupt.ts'
import { waitBefore } from '#bridge/jobs/retry-policy.ts'
import { AdapterError, StoreUnavailableError } from '#bridge/port/errors.ts'
import { createJobRunner } from '#bridge/jobs/run-job.ts'
import type { Inbound, InboundOf } from '#bridge/port/message.ts'
import type { Job } from '#bridge/port/store.ts'
import { openStore } from '#store/store.ts'
import { createFakeAdapter } from '#test/support/fakes/adapter.ts'
import { createFakeChat } from '#test/support/fakes/chat.ts'
import { createLogSink } from '#test/support/fakes/log.ts'

async function setUp({
  removal,
  fails = false,
  failure = new Error('The platform refuses it.'),
  away = 0,
}: { readonly removal?: Inbound; readonly fails?: boolean; readonly failure?: Error; readonly away?: number } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-run-job-'))
  const store = openStore(directory)
  onTestFinished(() => {
    store.close()
    rmSync(directory, { recursive: true })
  })
  const chat = createFakeChat()
  const log = createLogSink()
  const adapter = createFakeAdapter({ chat })
  const inbound = removal ?? chat.mention('A question that ends the process').inbound
  const { stored } = await store.inbox.accept(inbound, { queue: 'q', now: 0, dueAt: 0 })
  await stored
  const begun: Job[] = []
  const ended: unknown[] = []
  /** Jobs that another process ended before they began here. */
  const missed: string[] = []
  const running = createRunningJobs(new AbortController().signal)
  const sharing = {
    ...store.sharing,
    begun: ({ id }: Job) => missed.includes(id) && running.interruptJob(id, 'stopped'),
  }
  const run = createJobRunner({
    store: { ...store, sharing },
    clock: () => 1,
    adapterOf: () => adapter,
    async handle(job, { signal }) {
      begun.push(job)
      ended.push(signal.reason)
      if (fails) throw failure
      if (begun.length <= away) throw new StoreUnavailableError('The database is away.')
    },
    running,
    notices: { show: () => undefined, end: () => undefined, endAll: () => undefined },
    files: { abandon: async () => false },
    log,
    signal: new AbortController().signal,
  })
  const claim = async () => {
    const [job] = await store.inbox.claim(100_000, 1, true)
    if (job === undefined) throw new Error('Nothing is due.')
    return job
  }
  return { store, chat, log, begun, ended, missed, run, claim, id: inbound.key }
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

it('a job that was stopped elsewhere before it began here is stopped when it begins', async () => {
  const { ended, missed, run, claim, id } = await setUp()
  missed.push(id)
  await run(await claim())
  expect(ended).toEqual(['stopped'])
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

it('the end of a workspace is begun again after any number of deaths and failures', async () => {
  const removal = { kind: 'workspace-gone', key: 'gone', adapter: 'fake', workspace: 'W1' } as const
  const { store, begun, run, claim, id } = await setUp({ removal, fails: true })
  for (let death = 0; death < 9; death += 1) {
    await claim()
    await store.inbox.recover(1)
  }
  await run(await claim())
  expect(begun).toHaveLength(1)
  expect(await store.inbox.job(id)).toMatchObject({ state: 'queued' })
  expect(waitBefore({ ...(begun[0] as Job), attempt: 900 }, new Error('still away'), () => 0)).toBe(600_000)
})

it('a question is tried again within a minute, for twelve, while the chat service is away', async () => {
  const { begun, run, claim } = await setUp()
  await run(await claim())
  const failure = new AdapterError('network', 'Discord cannot be reached.')
  const waits = Array.from({ length: 18 }, (_, index) =>
    waitBefore({ ...(begun[0] as Job), attempt: index + 1 }, failure, () => 0),
  )
  expect(waits.slice(0, 5)).toEqual([1000, 5000, 30_000, 45_000, 45_000])
  expect(waits.filter((wait) => wait === undefined)).toHaveLength(1)
  expect(waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0)).toBeGreaterThan(11 * 60_000)
  const told = new AdapterError('rate-limited', 'Discord asks to wait.', { retryAfterMs: 90_000 })
  expect(waitBefore({ ...(begun[0] as Job), attempt: 9 }, told, () => 0)).toBe(90_000)
})

it('the press on a card, which waits for three seconds, is not tried again', async () => {
  const { begun, run, claim } = await setUp()
  await run(await claim())
  const conversation = { adapter: 'fake', workspace: 'W1', channel: 'C1', direct: false }
  const place = { conversation, author: { id: 'U1', name: 'Ada' }, url: 'https://chat.example/1' }
  const inbound: Inbound = { kind: 'details', key: 'd', ticket: '{}', ...place }
  const failure = new AdapterError('network', 'Slack cannot be reached.')
  expect(waitBefore({ ...(begun[0] as Job), inbound }, failure)).toBeUndefined()
})

it('jobs of one outage come back one after the other, and never before the service allows it', async () => {
  const { begun, run, claim } = await setUp()
  await run(await claim())
  const waits = (error: AdapterError) =>
    [0, 0.5, 1].map((chance) => waitBefore({ ...(begun[0] as Job), attempt: 9 }, error, () => chance))
  expect(waits(new AdapterError('network', 'Discord cannot be reached.'))).toEqual([45_000, 47_250, 49_500])
  const told = new AdapterError('rate-limited', 'Discord asks to wait.', { retryAfterMs: 90_000 })
  expect(waits(told)).toEqual([90_000, 94_500, 99_000])
})

it.each([
  ['a deletion warns', { kind: 'workspace-gone', key: 'gone', adapter: 'fake', workspace: 'W1' } as const, 5],
  ['another job does not', undefined, 3],
])('after three failures %s', async (_, removal, warnings) => {
  const failure = new AdapterError('network', 'It cannot be reached.')
  const { log, run, claim } = await setUp({ fails: true, failure, ...(removal && { removal }) })
  const job = await claim()
  for (let attempt = 1; attempt <= 5; attempt += 1) await run({ ...job, attempt })
  expect(log.at('warn')).toHaveLength(warnings)
  expect(log.at('debug')).toHaveLength(5 - warnings)
})

it('an answer that comes after all takes the message about its failure away', async () => {
  const { store, chat, run, claim, id } = await setUp()
  for (let death = 0; death < 5; death += 1) {
    await claim()
    await store.inbox.recover(1)
  }
  await run(await claim())
  expect(chat.visible()).toHaveLength(1)
  await store.inbox.requeue(id, 1)
  await run(await claim())
  expect(chat.visible()).toEqual([])
  expect(await store.inbox.job(id)).toMatchObject({ state: 'done' })
})

it('a job that an outage of the database cut off is tried until the database is back', async () => {
  const { store, chat, run, claim, id } = await setUp({ away: 8 })
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    await run(await claim())
    expect(await store.inbox.job(id)).toMatchObject({ state: 'queued' })
    await store.inbox.requeue(id, 1)
  }
  await run(await claim())
  expect(await store.inbox.job(id)).toMatchObject({ state: 'done' })
  expect(chat.visible()).toEqual([])
})

it('a job that is done stays done when the text typed for it cannot be erased', async () => {
  const { conversation } = (createFakeChat().mention('Hello?').inbound as InboundOf<'message'>).message
  const author = { id: 'U1', name: 'Anna' }
  const action = { id: 'vote.down', value: '1', text: 'Too long' }
  const press = { kind: 'action', key: 'press', conversation, author, messageId: 'm1', action } as const
  const { store, chat, run, claim, id } = await setUp({ removal: press })
  store.inbox.replaceEvent = () => Promise.reject(new Error('The disk is full.'))
  await run(await claim())
  expect(await store.inbox.job(id)).toMatchObject({ state: 'done' })
  expect(chat.visible()).toEqual([])
})
