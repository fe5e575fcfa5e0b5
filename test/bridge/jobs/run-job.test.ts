import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createRunningJobs, endAnswers } from '#bridge/jobs/interrupt.ts'
import { waitBefore } from '#bridge/jobs/retry-policy.ts'
import { AdapterError, StoreUnavailableError } from '#bridge/port/errors.ts'
import { createJobRunner } from '#bridge/jobs/run-job.ts'
import { conversationOf, type Inbound, type InboundOf } from '#bridge/port/message.ts'
import type { Job } from '#bridge/port/store.ts'
import { openStore } from '#store/store.ts'
import { createFakeAdapter } from '#test/support/fakes/adapter.ts'
import { createFakeChat, type SayOptions } from '#test/support/fakes/chat.ts'
import { createLogSink } from '#test/support/fakes/log.ts'

async function setUp({
  removal,
  fails = false,
  failure = new Error('The platform refuses it.'),
  away = 0,
  hasReceipts = false,
  says = { addressed: true },
}: {
  readonly removal?: Inbound
  readonly fails?: boolean
  readonly failure?: Error
  readonly away?: number
  readonly says?: SayOptions
  /** The receipts of its files tell of its failure. */
  readonly hasReceipts?: boolean
} = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-run-job-'))
  const store = openStore(directory)
  onTestFinished(() => {
    store.close()
    rmSync(directory, { recursive: true })
  })
  const chat = createFakeChat()
  const log = createLogSink()
  const adapter = createFakeAdapter({ chat })
  await adapter.start(async () => {})
  const inbound = removal ?? chat.say('A question that ends the process', says).inbound
  const { stored } = await store.inbox.accept(inbound, { queue: 'q', now: 0, dueAt: 0 })
  await stored
  const now = { ms: 1 }
  const outage = { failure: undefined as Error | undefined }
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
    clock: () => now.ms,
    adapterOf: () => adapter,
    async handle(job, { signal }) {
      begun.push(job)
      ended.push(signal.reason)
      if (fails) throw failure
      if (outage.failure !== undefined) throw outage.failure
      if (begun.length <= away) throw new StoreUnavailableError('The database is away.')
    },
    running,
    notices: { show: () => undefined, end: () => undefined, endAll: () => undefined },
    files: { abandon: async () => hasReceipts },
    log,
    signal: new AbortController().signal,
  })
  const claim = async () => {
    const [job] = await store.inbox.claim(Math.max(100_000, now.ms), 1, true)
    if (job === undefined) throw new Error('Nothing is due.')
    return job
  }
  const { key: id } = inbound
  /** Runs the job each time it is due, as long as it is to be tried again; at most until then. */
  const runUntil = async (ms: number) => {
    const waits: number[] = []
    for (;;) {
      const { state, dueAt } = (await store.inbox.job(id)) ?? { state: 'gone', dueAt: 0 }
      if (state !== 'queued' || dueAt > ms) return waits
      waits.push(dueAt - now.ms)
      now.ms = Math.max(now.ms, dueAt)
      await run(await claim())
    }
  }
  return { store, chat, log, now, outage, running, begun, ended, missed, run, claim, runUntil, id }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A chat service in which nothing can be posted. */
async function setUpAway() {
  const bench = await setUp()
  const failure = new AdapterError('network', 'The service is away.')
  bench.outage.failure = failure
  bench.chat.fail('post', failure, { times: 10_000 })
  return bench
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

it('a stop that comes while the next try is being stored ends that try at once', async () => {
  const bench = await setUp()
  const { store, outage, running, ended, run, claim, id } = bench
  outage.failure = new AdapterError('network', 'The service is away.')
  const job = await claim()
  const retry = store.inbox.retry.bind(store.inbox)
  store.inbox.retry = async (...words) => {
    await retry(...words)
    running.interruptJob(id, 'stopped')
  }
  await run(job)
  outage.failure = undefined
  expect(await store.inbox.job(id)).toMatchObject({ state: 'queued', dueAt: bench.now.ms })
  await run(await claim())
  expect(ended).toEqual([undefined, 'stopped'])
})

it('a stop is kept for an answer that runs in another process, which may die before it hears of it', async () => {
  const { store, running, ended, run, claim } = await setUp()
  const job = await claim()
  const conversation = conversationOf(job.inbound)
  await endAnswers(
    { store, running, clock: () => 1 },
    { kind: 'stop', key: 's', conversation, author: { id: 'U1', name: 'Ada' } },
  )
  await run({ ...job, attempt: 2 })
  expect(ended).toEqual(['stopped'])
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

it('a job whose own message is refused is tried again within a minute, for ten', async () => {
  const { begun, run, claim } = await setUp()
  await run(await claim())
  const failure = new AdapterError('network', 'Discord cannot be reached.')
  const waits = Array.from({ length: 18 }, (_, index) =>
    waitBefore({ ...(begun[0] as Job), attempt: index + 1 }, failure, () => 0),
  )
  expect(waits.slice(0, 5)).toEqual([1000, 5000, 30_000, 40_000, 40_000])
  expect(waits.filter((wait) => wait === undefined)).toHaveLength(1)
  expect(waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0)).toBeGreaterThan(9.5 * 60_000)
  const told = new AdapterError('rate-limited', 'Discord asks to wait.', { retryAfterMs: 90_000 })
  expect(waitBefore({ ...(begun[0] as Job), attempt: 9 }, told, () => 0)).toBe(90_000)
})

it('a question waits as long as nothing can be posted, with a try a minute, and is answered once', async () => {
  const { store, chat, log, outage, begun, runUntil, id } = await setUpAway()
  const waits = await runUntil(HOUR_MS)
  expect(Math.max(...waits)).toBeLessThan(MINUTE_MS)
  expect(begun.length).toBeLessThan(60 * 1.6)
  expect(log.at('warn')).toHaveLength(1)
  expect(log.at('error')).toEqual([])
  outage.failure = undefined
  await runUntil(2 * HOUR_MS)
  expect(await store.inbox.job(id)).toMatchObject({ state: 'done' })
  expect(chat.visible()).toEqual([])
})

it('a question that waits for its service is given up after a day', async () => {
  const { store, log, runUntil, now, id } = await setUpAway()
  now.ms = 23.7 * HOUR_MS
  await runUntil(48 * HOUR_MS)
  expect(now.ms).toBeGreaterThan(23.9 * HOUR_MS)
  expect(now.ms).toBeLessThan(24.1 * HOUR_MS)
  expect(await store.inbox.job(id)).toMatchObject({ state: 'dead', reason: 'The service is away.' })
  expect(log.at('error')).toHaveLength(1)
})

it('a job whose own message alone is refused is given up after its tries, and the person is told', async () => {
  const { store, chat, outage, runUntil, now, id } = await setUp()
  outage.failure = new AdapterError('ambiguous', 'The service answered 500.')
  await runUntil(HOUR_MS)
  expect(now.ms).toBeLessThan(15 * MINUTE_MS)
  expect(await store.inbox.job(id)).toMatchObject({ state: 'dead' })
  expect(chat.visible().map(({ text }) => text)).toEqual([expect.stringContaining('could not finish this')])
})

it('a service that is back between a try and the notice has its answer a moment later, without the notice', async () => {
  const { store, chat, outage, runUntil, begun, id } = await setUp()
  outage.failure = new AdapterError('network', 'The service is away.')
  while (begun.length < 18) await runUntil((await store.inbox.job(id))?.dueAt ?? 0)
  expect(chat.visible()).toHaveLength(1)
  outage.failure = undefined
  expect((await runUntil(HOUR_MS))[0]).toBeLessThan(2000)
  expect(await store.inbox.job(id)).toMatchObject({ state: 'done' })
  expect(chat.visible()).toEqual([])
})

it('a press that fails while its service takes notices is given up with one: Slack cannot take back what one person sees', async () => {
  const conversation = { adapter: 'fake', workspace: 'W1', channel: 'C1', direct: false }
  const pressed = { conversation, author: { id: 'U1', name: 'Ada' }, messageId: 'm1' }
  const removal = { kind: 'action', key: 'press', action: { id: 'vote', value: 'up' }, ...pressed } as const
  const { store, chat, outage, runUntil, begun, id } = await setUp({ removal })
  outage.failure = new AdapterError('ambiguous', 'The service answered 500.')
  await runUntil(HOUR_MS)
  expect(begun).toHaveLength(18)
  expect(await store.inbox.job(id)).toMatchObject({ state: 'dead' })
  expect(chat.transcript.map(({ verb }) => verb)).toEqual(['post'])
})

it('the failure of files is told by their receipts alone', async () => {
  const file = { name: 'a.md', bytes: new Uint8Array(1) }
  const { chat, outage, runUntil, begun } = await setUp({
    removal: createFakeChat().drop([file]).inbound,
    hasReceipts: true,
  })
  outage.failure = new AdapterError('ambiguous', 'The service answered 500.')
  await runUntil(HOUR_MS)
  expect(begun).toHaveLength(19)
  expect(chat.visible()).toEqual([])
})

it('a notice whose response was lost in the outage is taken away too', async () => {
  const { store, chat, outage, begun, runUntil, id } = await setUp()
  outage.failure = new AdapterError('ambiguous', 'The service answered 500.')
  const lost = new AdapterError('ambiguous', 'The response was lost.')
  chat.fail('find', new AdapterError('network', 'The service is away.'), { times: 1 })
  chat.fail('post', lost, { times: 1, after: true })
  while (begun.length < 18) await runUntil((await store.inbox.job(id))?.dueAt ?? 0)
  expect(chat.visible()).toHaveLength(1)
  outage.failure = undefined
  await runUntil(HOUR_MS)
  expect(await store.inbox.job(id)).toMatchObject({ state: 'done' })
  expect(chat.visible()).toEqual([])
})

it('where nothing may be written either, nothing is waited for', async () => {
  const { store, chat, outage, now, runUntil, id } = await setUp()
  outage.failure = new AdapterError('network', 'The service is away.')
  chat.fail('post', new AdapterError('forbidden', 'Footbridge may not write there.'), { times: 100 })
  await runUntil(HOUR_MS)
  expect(now.ms).toBeLessThan(15 * MINUTE_MS)
  expect(await store.inbox.job(id)).toMatchObject({ state: 'dead' })
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
  expect(waits(new AdapterError('network', 'Discord cannot be reached.'))).toEqual([40_000, 42_000, 44_000])
  const told = new AdapterError('rate-limited', 'Discord asks to wait.', { retryAfterMs: 90_000 })
  expect(waits(told)).toEqual([90_000, 94_500, 99_000])
})

it('each failure of a deletion is told, since its tries are far apart', async () => {
  const removal = { kind: 'workspace-gone', key: 'gone', adapter: 'fake', workspace: 'W1' } as const
  const { log, run, claim } = await setUp({ fails: true, removal })
  const job = await claim()
  for (let attempt = 1; attempt <= 5; attempt += 1) await run({ ...job, attempt })
  expect(log.at('warn')).toHaveLength(5)
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

it.each([
  ['who asked is told alone', { addressed: true }, 1],
  ['what nobody asked for is told to nobody', { addressed: false }, 0],
  ['a program is told nothing', { addressed: true, author: { id: 'B1', name: 'Robot', programIds: ['A1'] } }, 0],
])('where nothing may be written any more, %s', async (_, how, told) => {
  const failure = new AdapterError('closed', 'The thread is locked.')
  const { store, chat, log, run, claim, id } = await setUp({ says: how, fails: true, failure })
  await run(await claim())
  expect(chat.visible().map(({ outgoing, text }) => [outgoing.privateTo, text])).toEqual(
    Array.from({ length: told }, () => [expect.any(String), expect.stringContaining('locked')]),
  )
  expect(await store.inbox.job(id)).toMatchObject({ state: 'dead', reason: 'The thread is locked.' })
  expect(log.entries.map(({ level, message }) => [level, message])).toEqual([['warn', 'The thread is locked.']])
})
