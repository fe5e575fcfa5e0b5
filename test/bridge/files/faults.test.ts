import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createBridge, type Bridge } from '#bridge/bridge.ts'
import { createPlatformClient } from '#platform/client/client.ts'
import { openStore } from '#store/store.ts'
import { markdown, until } from '#test/support/bridge/set-up.ts'
import { createFakeAdapter } from '#test/support/fakes/adapter.ts'
import { createFakeChat } from '#test/support/fakes/chat.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { startPlatformDouble } from '#test/doubles/platform/double.ts'
import { gatewayTimeout, type Fault } from '#test/doubles/platform/faults.ts'

/** The bridge on a platform that is reached over HTTP, and misbehaves on script. */
async function setUp() {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-faults-'))
  const chat = createFakeChat()
  const double = await startPlatformDouble({ profile: 'saia' })
  const store = openStore(directory)
  let client = createPlatformClient({ baseUrl: double.baseUrl, apiKey: double.key, profile: 'saia' })
  let bridge: Bridge
  const start = async () => {
    const timeLimits = { firstByteMs: 1000, indexMs: 1000 }
    client = createPlatformClient({ baseUrl: double.baseUrl, apiKey: double.key, profile: 'saia', timeLimits })
    const indexing = { deadlineMs: 20_000, pollMs: [2, 10], idleMs: 100 } as const
    const adapters = [createFakeAdapter({ chat })]
    bridge = createBridge({ adapters, platform: client, store, log: createLogSink(), indexing })
    await bridge.start()
  }
  await start()
  onTestFinished(async () => {
    await bridge.stop(0)
    await client.close()
    store.close()
    await double.close()
    rmSync(directory, { recursive: true })
  })
  const receipt = () => chat.visible()[0]?.text ?? ''
  return {
    chat,
    double,
    receipt,
    passes: () => double.requests.filter(({ op }) => op === 'generate-index').length,
    restart: async () => {
      await bridge.stop(0)
      await client.close()
      await start()
    },
  }
}

const FAULTS: readonly (readonly [string, Fault, number])[] = [
  ['answers 504 while the pass goes on', gatewayTimeout(), 1],
  ['answers 504, and nothing goes on', gatewayTimeout(false), 2],
  ['is dropped while the pass goes on', { kind: 'drop', carryOut: true }, 1],
  ['is dropped on its way', { kind: 'drop' }, 2],
  ['stays silent while the pass goes on', { kind: 'hang', carryOut: true }, 1],
  ['stays silent, and nothing goes on', { kind: 'hang' }, 2],
  ['takes long to be carried out', { kind: 'polls', polls: 20 }, 1],
]

it.each(FAULTS)('a file whose index trigger %s is ready in the end', async (_, fault, passes) => {
  const { chat, double, receipt, passes: count } = await setUp()
  double.script('generate-index', fault)
  chat.drop([markdown('a.md', 'The ferry leaves at nine.')])
  await until(() => receipt().includes('ready'), receipt)
  expect(count()).toBe(passes)
  expect(chat.visible()).toHaveLength(1)
})

it.each(FAULTS)('and after a restart in between: %s', async (_, fault) => {
  const { chat, double, receipt, restart } = await setUp()
  double.script('generate-index', fault)
  chat.drop([markdown('a.md', 'The ferry leaves at nine.')])
  await double.seen('generate-index')
  await restart()
  await until(() => receipt().includes('ready'), receipt)
  expect(chat.visible()).toHaveLength(1)
})

it('a file that comes while its collection is locked waits, and is ready without a press', async () => {
  const { chat, double, receipt } = await setUp()
  chat.drop([markdown('a.md', 'The ferry leaves at nine.')])
  await until(() => receipt().includes('ready'), receipt)
  const [name = ''] = [...double.collections.keys()]
  double.lock(name)
  chat.drop([markdown('b.md', 'The ferry comes back at ten.')])
  await until(() => (chat.visible()[1]?.text ?? '').includes('uploading'), receipt)
  const { length } = double.requests
  await until(() => double.requests.length > length + 2, receipt)
  expect(chat.visible()[1]?.text).toContain('uploading')
  double.lock(name, false)
  await until(() => (chat.visible()[1]?.text ?? '').includes('ready'), receipt)
  expect(chat.visible()).toHaveLength(2)
})
