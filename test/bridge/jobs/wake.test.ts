import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createReceive } from '#bridge/jobs/receive.ts'
import { createWorker } from '#bridge/jobs/worker.ts'
import type { Inbound } from '#bridge/port/message.ts'
import { openStore } from '#store/store.ts'
import { createLogSink } from '#test/support/fakes/log.ts'

/** A worker that never looks by itself, and whose jobs never end: only the events start them. */
async function open() {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-wake-'))
  const store = openStore(folder)
  const begun = new Set<string>()
  const work = ({ id }: { readonly id: string }) => {
    begun.add(id)
    return new Promise<void>(() => undefined)
  }
  const worker = createWorker({ inbox: store.inbox, clock: Date.now, log: createLogSink(), work })
  onTestFinished(async () => {
    await worker.stop(0)
    vi.useRealTimers()
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await worker.start()
  const parts = { store, worker, clock: Date.now }
  const receive = createReceive(parts as unknown as Parameters<typeof createReceive>[0])
  const send = (key: string) => {
    const conversation = { adapter: 'fake', workspace: 'w', channel: key, direct: false }
    const event: Inbound = { kind: 'overview', key, conversation, author: { id: 'u', name: 'Ana' } }
    return receive(event)
  }
  return { begun, send }
}

/** As `expect.poll`, which would move the timers on. */
async function until(isTrue: () => boolean): Promise<boolean> {
  for (let looks = 0; looks < 400 && !isTrue(); looks += 1) await sleep(5)
  return isTrue()
}

const microtasks = async (count: number) => {
  for (let passed = 0; passed < count; passed += 1) await Promise.resolve()
}

it('starts the job of an event that comes just as a burst before it is stored', async () => {
  const { begun, send } = await open()
  for (let count = 0; count < 12; count += 1) {
    await Promise.all(['a', 'b', 'c'].map((name) => send(`${name}${count}`)))
    await microtasks(count)
    void send(`late${count}`)
    expect(await until(() => begun.has(`late${count}`))).toBe(true)
  }
  expect(begun.size).toBe(48)
})

it('starts the jobs of two events, whatever lies between them', async () => {
  const { begun, send } = await open()
  for (let count = 0; count < 24; count += 1) {
    void send(`first${count}`)
    await microtasks(count)
    setImmediate(() => void send(`second${count}`))
    expect(await until(() => begun.has(`first${count}`) && begun.has(`second${count}`))).toBe(true)
  }
  expect(begun.size).toBe(48)
})
