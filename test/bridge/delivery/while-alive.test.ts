import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Adapter } from '#bridge/port/adapter.ts'
import { createSender, type Sender } from '#bridge/delivery/outbox-sender.ts'
import { whileAlive } from '#bridge/delivery/while-alive.ts'
import { openPostgresStore, type SharedStore } from '#store/postgres/open-store.ts'
import { askedScene } from '#test/adapters/slack/scene.ts'
import { eventually } from '#test/support/eventually.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'

const postgres = usePostgres()
const directory = mkdtempSync(join(tmpdir(), 'footbridge-late-'))
let url: string
let client: Client
let other: SharedStore
beforeAll(async () => {
  url = await postgres.database()
  other = await openPostgresStore(url, directory, createLogSink())
  client = new Client({ connectionString: url })
  await client.connect()
  await client.query('SET search_path = footbridge_bridge')
})
afterAll(async () => {
  await client.end()
  await other.close()
  rmSync(directory, { recursive: true })
})

/** Others take the newest process for dead, as if its machine had been suspended. */
async function takeOverNewest(): Promise<void> {
  const { rows } = await client.query<{ number: string }>('SELECT max(number) AS number FROM process')
  await eventually(async () => {
    await client.query(`UPDATE process SET lease_until = now() - interval '1 s' WHERE number = $1`, [rows[0]?.number])
    await other.inbox.recover(1)
    return (await client.query('SELECT FROM process WHERE number = $1', [rows[0]?.number])).rowCount === 0
  })
}

const text = 'The ferry takes 47 minutes.'

const WAYS = {
  'chat.postMessage': (sender: Sender) => sender.show('answer.0', { kind: 'answer', text }),
  'chat.startStream': (sender: Sender, adapter: Adapter, asker: Parameters<NonNullable<Adapter['stream']>>[2]) =>
    sender.open('answer.0', { kind: 'answer', text }, async (outgoing) => {
      if (adapter.stream === undefined) throw new Error('no stream')
      return adapter.stream(sender.conversation, outgoing, asker)
    }),
} as const

it.each([
  ['chat.postMessage', 'has posted'],
  ['chat.postMessage', 'looks later'],
  ['chat.startStream', 'has posted'],
  ['chat.startStream', 'looks later'],
] as const)('%s that comes late stands once, where the process that took over %s', async (method, when) => {
  const { slack, adapter, conversation, said, asker } = await askedScene({ timeoutMs: 30_000 })
  const frozen = await openPostgresStore(url, directory, createLogSink())
  onTestFinished(() => frozen.close())
  // From now on it has jobs: taken for dead, it is lost.
  await frozen.sharing.watch({
    wake: () => undefined,
    ends: () => undefined,
    endsJob: () => undefined,
    channelChanged: () => undefined,
    sourceChanged: () => undefined,
    lost: () => undefined,
  })
  const jobId = `${method} ${when}`
  const senderOf = (store: SharedStore) => {
    const guarded = whileAlive(adapter, store)
    const { outbox } = store
    const options = { jobId, adapter: guarded, conversation, replyTo: said.ts ?? '', outbox, clock: Date.now }
    return { guarded, sender: createSender(options) }
  }
  const { promise: thaw, resolve: arrive } = Promise.withResolvers<void>()
  slack.script(method, { until: thaw })
  const { guarded, sender } = senderOf(frozen)
  const late = WAYS[method](sender, guarded, asker).then(String, String)
  // Not only sent: on a busy machine the call of the process that took over might come first, and meet the script.
  await eventually(() => slack.callsOf(method).length === 1)
  await takeOverNewest()
  const successor = senderOf(other).sender
  const goOn = async () => {
    await successor.locate('answer.0')
    return successor.show('answer.0', { kind: 'answer', text: `${text} [1]` })
  }
  const first = when === 'has posted' ? await goOn() : undefined
  arrive()
  if (first === undefined) await slack.until(() => slack.transcript(conversation.channel).some(({ own }) => own))
  const ref = first ?? (await goOn())
  expect(await late).toMatch(/took over its jobs|taken over the jobs/)
  const shown = slack.transcript(conversation.channel).filter(({ own }) => own)
  expect(shown).toMatchObject([{ ts: ref.id, body: `${text} [1]` }])
})
