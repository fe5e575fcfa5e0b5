import { expect, it, onTestFinished, vi } from 'vitest'
import { createReceive } from '#bridge/jobs/receive.ts'
import type { Inbound, InboundOf } from '#bridge/port/message.ts'
import type { JobState } from '#bridge/port/store.ts'

const nothing = async () => undefined
const no = async () => false
/** A worker without room. */
const accepting = <Accepted>(accept: (begins: boolean) => Accepted) => accept(false)
/** No program was answered. */
const programPace = { personWrote: async () => undefined }
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const event = (channel: string): Inbound => ({
  kind: 'overview',
  key: channel,
  conversation: { adapter: 'fake', workspace: 'w', channel, direct: false },
  author: { id: 'u', name: 'U' },
})

/** A door whose disk syncs when it is told. */
function open() {
  const synced = new Map<string, PromiseWithResolvers<void>>()
  const said: string[] = []
  const accept = async ({ key }: Inbound) => {
    const disk = Promise.withResolvers<void>()
    synced.set(key, disk)
    return { outcome: 'accepted', stored: disk.promise }
  }
  const receive = createReceive({
    store: { inbox: { accept } },
    programPace,
    clock: () => 0,
    worker: { accepting, poke: () => said.push('work') },
  } as unknown as Parameters<typeof createReceive>[0])
  return {
    said,
    sync: (key: string) => synced.get(key)?.resolve(),
    send: (key: string) => receive(event(key)).then(() => said.push(`ack ${key}`)),
  }
}

it('work begins behind the acknowledgement of all events that came together, once', async () => {
  // The work waits for a while at most, and a busy machine may need longer than that between two lines.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { said, send, sync } = open()
  const others = Array.from({ length: 30 }, (_, at) => `${at}`)
  const sent = ['a', 'b', ...others].map(send)
  await nextTurn()
  sync('b')
  await sent[1]
  await nextTurn()
  await nextTurn()
  expect(said).toEqual(['ack b'])
  for (const key of ['a', ...others]) sync(key)
  await Promise.all(sent)
  await nextTurn()
  expect(said).toEqual(['ack b', 'ack a', ...others.map((key) => `ack ${key}`), 'work'])
})

it('the work of a few events does not wait for the disk', async () => {
  const { said, send, sync } = open()
  const keys = Array.from({ length: 24 }, (_, at) => `${at}`)
  const sent = keys.map(send)
  for (let turn = 0; turn < 4; turn += 1) await nextTurn()
  expect(said).toEqual(['work'])
  for (const key of keys) sync(key)
  await Promise.all(sent)
  for (let turn = 0; turn < 4; turn += 1) await nextTurn()
  expect(said).toEqual(['work', ...keys.map((key) => `ack ${key}`)])
})

it('who may ask is looked up while the question is stored, and a refusal is left to its job', async () => {
  const disk = Promise.withResolvers<void>()
  const asked: unknown[] = []
  const { conversation, author } = event('c') as InboundOf<'overview'>
  const said = { mentionsOthers: false, attachments: [], sentAt: '2026-11-23T09:00:00.000Z' }
  const message = { id: 'm', conversation, author, text: 'when?', addressed: true, ...said }
  const receive = createReceive({
    store: { inbox: { accept: async () => ({ outcome: 'accepted', stored: disk.promise }) }, history: {} },
    adapterOf: () => ({}),
    authority: { lookAhead: (_: unknown, request: unknown) => void asked.push(request) },
    programPace,
    clock: () => 0,
    worker: { accepting, poke: () => {} },
  } as unknown as Parameters<typeof createReceive>[0])
  const received = receive({ kind: 'message', key: 'm', message })
  await nextTurn()
  expect(asked).toEqual([{ conversation, personId: 'u' }])
  disk.resolve()
  await received
})

it('nothing is looked up for a provisional event: its fuller twin may say what is needed', async () => {
  const asked: unknown[] = []
  const { conversation, author } = event('c') as InboundOf<'overview'>
  const said = { mentionsOthers: false, attachments: [], sentAt: '2026-11-23T09:00:00.000Z' }
  const message = { id: 'm', conversation, author, text: 'when?', addressed: true, ...said }
  const receive = createReceive({
    store: { inbox: { accept: async () => ({ outcome: 'accepted', stored: Promise.resolve() }) }, history: {} },
    adapterOf: () => ({}),
    authority: { lookAhead: (_: unknown, request: unknown) => void asked.push(request) },
    programPace,
    clock: () => 0,
    worker: { pokeAt: () => {} },
  } as unknown as Parameters<typeof createReceive>[0])
  await receive({ kind: 'message', key: 'm', message, provisional: true })
  await nextTurn()
  expect(asked).toEqual([])
})

it('a press is looked for only where a message might wait behind it', async () => {
  const asked: unknown[] = []
  const queues: string[] = []
  const { conversation: place, author } = event('c') as InboundOf<'overview'>
  const conversation = { ...place, thread: 't' }
  const said = { mentionsOthers: false, attachments: [], sentAt: '2026-11-23T09:00:00.000Z' }
  const inbox = {
    openQueue: async (...question: readonly unknown[]) => {
      asked.push(question)
      return 'fake:w:c/!action'
    },
    ofMessage: async () => undefined,
    hasOpen: no,
    accept: async (_: Inbound, { queue }: { queue: string }) => {
      queues.push(queue)
      return { outcome: 'accepted', stored: Promise.resolve() }
    },
  }
  const receive = createReceive({
    store: {
      inbox,
      history: { asked: no, has: no, queueOf: nothing },
      preferences: { get: nothing },
      buttonPayloads: { get: nothing },
    },
    settings: { of: async () => ({ listens: 'mentions' }) },
    registry: { parse: () => undefined },
    adapterOf: () => undefined,
    programPace,
    clock: () => 0,
    worker: { accepting, poke: () => {} },
  } as unknown as Parameters<typeof createReceive>[0])
  const tell = (id: string, addressed: boolean) =>
    receive({
      kind: 'message',
      key: id,
      message: { id, conversation, author, text: 'and?', addressed, underOurs: true, ...said },
    })
  await tell('m1', true)
  expect(asked).toEqual([])
  await tell('m2', false)
  expect(asked).toEqual([['fake:w:c', '!action']])
  expect(queues).toEqual(['fake:w:c/t', 'fake:w:c/!action'])
})

/** A press on Stop below the answer of a job; the job runs in no process that is known by this one. */
async function pressStop(state: JobState, isRecorded = true): Promise<readonly unknown[]> {
  const said: unknown[] = []
  const { conversation, author } = event('c') as InboundOf<'overview'>
  const inbound: Inbound = {
    kind: 'action',
    key: 'p',
    conversation,
    author,
    messageId: 'm',
    action: { id: 'x', value: isRecorded ? '' : 'asked' },
  }
  const receive = createReceive({
    store: {
      inbox: {
        accept: async () => ({ outcome: 'accepted', stored: Promise.resolve() }),
        job: async (id: string) => (id === 'asked' ? { id, state, queue: 'q', inbound: event('c') } : undefined),
      },
      outbox: { byMessage: async () => (isRecorded ? { jobId: 'asked' } : undefined) },
      preferences: { set: async (...choice: readonly unknown[]) => void said.push(choice) },
      sharing: { endJob: async (...told: readonly unknown[]) => void said.push(told) },
    },
    registry: { button: () => ({ stops: true }) },
    running: { stopQueue: () => [] },
    denies: async () => false,
    programPace,
    clock: () => 0,
    worker: { accepting, poke: () => {} },
  } as unknown as Parameters<typeof createReceive>[0])
  await receive(inbound)
  return said
}

it('a stop is stored for a job that has not ended, and told to the process that runs it', async () => {
  const stored = ['job:asked', 'stopped', 'yes']
  expect(await pressStop('running')).toEqual([stored, ['asked', 'stopped']])
  expect(await pressStop('queued')).toEqual([stored])
  expect(await pressStop('running', false)).toEqual([stored, ['asked', 'stopped']])
  for (const state of ['done', 'dead'] as const) expect(await pressStop(state)).toEqual([])
})

it('work does not wait for ever while further events come in, of which none is stored', async () => {
  const { said, send, sync } = open()
  const sent = ['a', 'b'].map(send)
  await expect.poll(() => said).toEqual(['work'])
  for (const key of ['a', 'b']) sync(key)
  await Promise.all(sent)
  await nextTurn()
  expect(said).toEqual(['work', 'ack a', 'ack b'])
})
