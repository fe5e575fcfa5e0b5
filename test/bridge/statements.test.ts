import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBridge, type Bridge } from '#bridge/bridge.ts'
import { openPostgresStore, type SharedStore } from '#store/postgres/open-store.ts'
import { createFakeAdapter } from '../support/fakes/adapter.ts'
import { createFakeChat } from '../support/fakes/chat.ts'
import { createLogSink } from '../support/fakes/log.ts'
import { createFakePlatform } from '../support/fakes/platform.ts'
import { usePostgres } from '../support/postgres/postgres.ts'
import { watchWire, type WatchedWire } from '../support/postgres/wire.ts'
import { eventually } from '../support/eventually.ts'

const postgres = usePostgres()
const directory = mkdtempSync(join(tmpdir(), 'footbridge-statements-'))
const chat = createFakeChat()
const platform = createFakePlatform()
const log = createLogSink()
let wire: WatchedWire
let store: SharedStore
let bridge: Bridge

beforeAll(async () => {
  wire = await watchWire(await postgres.database())
  store = await openPostgresStore(wire.url, directory, log)
  bridge = createBridge({ adapters: [createFakeAdapter({ chat })], platform, store, log })
  await bridge.start()
})
afterAll(async () => {
  await bridge.stop(0)
  await store.close()
  await wire.close()
  rmSync(directory, { recursive: true })
})

/** Looked at each second, asked again after 200 ms, or by the test itself: more of them on a slow machine. */
const BY_TIME = /candidates|process SET|signal|NOTIFY|FROM preference|FROM channel|SET tcp|set_config|FROM job WHERE id/

const reads = (text: string) => /SELECT .*FROM history/.test(text)

const ask = async (text: string, thread: string, id = thread) => {
  const { inbound } = chat.say(text, { thread, addressed: true, id })
  await eventually(async () => (await store.inbox.job(inbound.key))?.state === 'done', { everyMs: 200 })
}

it('an answer costs few statements', async () => {
  await ask('What is the time?', 't1')
  wire.statements()
  await ask('What is the time now?', 't2')
  const statements = wire.statements().filter((text) => !BY_TIME.test(text))
  expect(statements.slice(14)).toEqual([])
  // The history of the conversation is read once.
  expect(statements.filter(reads)).toHaveLength(1)
})

it('what people say among themselves costs none, once the process knows who else is there', async () => {
  let said = 0
  const say = async () => {
    const id = `x${(said += 1)}`
    await chat.say('Lunch at noon?', { channel: 'C2', id, thread: id }).taken
  }
  const cost = async () => {
    await say()
    await new Promise((resolve) => setTimeout(resolve, 300))
    wire.statements()
    for (let at = 1; at < 20; at += 1) await say()
    return wire.statements().filter((text) => text.includes('FROM preference') || !BY_TIME.test(text))
  }
  await expect.poll(cost, { interval: 500, timeout: 15_000 }).toEqual([])
})
