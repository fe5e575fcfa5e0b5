import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { createBridge } from '#bridge/bridge.ts'
import { readConfig } from '#src/config.ts'
import { openEmbeddedPlatform } from '#src/embedded.ts'
import { createLog } from '#start/log.ts'
import { createPlatformClient } from '#platform/client/client.ts'
import { listen } from '#platform/server/listen.ts'
import { openStore } from '#store/store.ts'
import { markdown, until } from '#test/support/bridge/set-up.ts'
import { AUTO_FILES, autoAnswerScript, autoAnswerShares } from '#test/support/auto-answer-script.ts'
import { createFakeAdapter } from '#test/support/fakes/adapter.ts'
import { createLogSink } from '#test/support/fakes/log.ts'

const SETTLING_MS = 240_000

it(
  'every question that the files answer is answered, and the rest of a channel of 500 messages meets silence',
  { timeout: SETTLING_MS },
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'footbridge-auto-'))
    const config = readConfig({ DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'silent', PORT: '0' })
    const platform = await openEmbeddedPlatform(config, createLog('silent'), 'bridge')
    const server = await listen({ host: '127.0.0.1', port: 0, fetch: (request) => platform.fetch(request) })
    const client = createPlatformClient({
      baseUrl: `${server.url.replace(/\/$/, '')}/v1`,
      apiKey: platform.engine.firstKey.key,
      profile: 'collection',
    })
    const store = openStore(directory)
    const adapter = createFakeAdapter()
    const { chat } = adapter
    const bridge = createBridge({
      adapters: [adapter],
      platform: client,
      store,
      log: createLogSink(),
      admins: new Set(['fake:U1']),
    })
    await bridge.start()
    onTestFinished(async () => {
      await bridge.stop(0)
      await client.close()
      await server.close()
      await platform.close()
      store.close()
      rmSync(directory, { recursive: true })
    })
    const shown = () => chat.visible().map(({ text }) => text)
    chat.drop(AUTO_FILES.map(({ name, text }) => markdown(name, text)))
    await until(() => shown().some((text) => (text.match(/ready/g) ?? []).length === AUTO_FILES.length), shown)
    chat.mention('settings answers questions')
    await until(() => shown().some((text) => text.includes('Every question that the files answer')), shown)

    const script = autoAnswerScript()
    const database = new DatabaseSync(join(directory, 'bridge.sqlite'), { readOnly: true })
    onTestFinished(() => database.close())
    const open = database.prepare(`SELECT count(*) AS count FROM job WHERE state IN ('queued', 'running')`)
    const before = chat.visible().length
    const said = script.map((line) => ({
      ...line,
      said: chat.say(line.text, { author: { id: 'U2', name: 'Ben', language: 'en' } }),
    }))
    await Promise.all(said.map(({ said: { taken } }) => taken))
    await until(
      () => open.get()?.['count'] === 0,
      () => open.get(),
    )
    const answered = new Set(
      chat
        .visible()
        .slice(before)
        .map(({ outgoing }) => outgoing.replyTo),
    )
    const outcomes = said.map((line) => ({ ...line, isAnswered: answered.has(line.said.id) }))
    const { hit, silent } = autoAnswerShares('Auto-answer', outcomes)
    expect(hit).toBeGreaterThanOrEqual(0.95)
    expect(silent).toBeGreaterThanOrEqual(0.98)
    expect(shown().join('\n')).not.toMatch(/Not in this channel/)
  },
)
