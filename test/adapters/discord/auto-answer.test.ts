/** A channel and a forum in which every question that the files answer is answered; `AUTO_ANSWER=all` for 500 each. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { createDiscordAdapter } from '#adapters/discord/adapter.ts'
import { createBridge } from '#bridge/bridge.ts'
import { readConfig } from '#src/config.ts'
import { openEmbeddedPlatform } from '#src/embedded.ts'
import { createLog as createPino } from '#start/log.ts'
import { createPlatformClient } from '#platform/client/client.ts'
import { listen } from '#platform/server/listen.ts'
import { openStore } from '#store/store.ts'
import { startDiscordDouble } from '#test/doubles/discord/discord-double.ts'
import { AUTO_FILES, autoAnswerScript, autoAnswerShares } from '#test/support/auto-answer-script.ts'
import { createLog } from './harness.ts'

const SETTLING_MS = 240_000
const script = autoAnswerScript(env['AUTO_ANSWER'] === 'all' ? 500 : 100)

async function scene() {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-auto-'))
  const config = readConfig({ DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'silent', PORT: '0' })
  const platform = await openEmbeddedPlatform(config, createPino('silent'), 'bridge')
  const server = await listen({ host: '127.0.0.1', port: 0, fetch: (request) => platform.fetch(request) })
  const baseUrl = `${server.url.replace(/\/$/, '')}/v1`
  const client = createPlatformClient({ baseUrl, apiKey: platform.engine.firstKey.key, profile: 'collection' })
  const store = openStore(directory)
  const discord = await startDiscordDouble({ locale: 'en-GB', limits: { edits: Infinity } })
  const { log } = createLog()
  const { token, apiUrl, fileHost } = discord
  const quick = { globalRequestsPerSecond: 5_000, times: { editPaceMs: 1, editWindowMs: 5 } }
  const adapter = createDiscordAdapter({ token, apiUrl, fileHosts: [fileHost], log, ...quick })
  const bridge = createBridge({ adapters: [adapter], platform: client, store, log })
  await bridge.start()
  onTestFinished(async () => {
    await bridge.stop(0)
    await Promise.all([client.close(), discord.close()])
    await server.close()
    await platform.close()
    store.close()
    rmSync(directory, { recursive: true })
  })
  return { discord, store }
}

test.each(['channel', 'forum'] as const)(
  'in a %s, what the files answer is answered, and the rest meets silence',
  { timeout: SETTLING_MS },
  async (kind) => {
    const { discord, store } = await scene()
    const place = kind === 'forum' ? discord.addPlace('help', 'forum') : discord.channel
    const welcome = kind === 'forum' ? discord.post(place, 'Files', { user: 'owner', text: 'Here they are.' }) : place
    const files = AUTO_FILES.map(({ name, text }) => ({ name, bytes: text, mimeType: 'text/markdown' }))
    const drop = discord.say({ user: 'owner', channel: welcome, files })
    const receipt = () => discord.transcript(welcome).find(({ bot, replyTo }) => bot && replyTo === drop.id)
    await discord.until(() => receipt()?.text.match(/ready/g)?.length === files.length, SETTLING_MS)
    discord.callCommand('settings', { user: 'owner', channel: welcome, options: { change: 'answers questions' } })
    await discord.until(() => discord.transcript(welcome).some(({ text }) => text.includes('Every question that')))

    const said = script.map(({ text }) => {
      if (kind === 'channel') return { channel: place, id: discord.say({ user: 'Ben', text }).id }
      const id = discord.post(place, text, { user: 'Ben', text: 'Can anybody tell?' })
      return { channel: id, id }
    })
    // The last thing said is heard last, and answered in any case.
    const last = discord.say({ user: 'owner', channel: welcome, text: 'files', mention: true })
    await discord.until(() => discord.transcript(welcome).some(({ replyTo }) => replyTo === last.id), SETTLING_MS)
    await discord.until(() => undefined, 300).catch(() => {})
    for (let open = 1; open > 0;) {
      const { waiting, running } = await store.inbox.depth()
      open = waiting + running
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const isAnswered = ({ channel, id }: { readonly channel: string; readonly id: string }) =>
      discord.transcript(channel).some(({ bot, replyTo }) => bot && replyTo === id)
    const outcomes = script.map((line, index) => ({
      ...line,
      isAnswered: isAnswered(said[index] ?? { channel: place, id: '' }),
    }))
    const { hit, silent } = autoAnswerShares(`Discord, ${kind}`, outcomes)
    expect(hit).toBeGreaterThanOrEqual(0.95)
    expect(silent).toBeGreaterThanOrEqual(0.98)
  },
)
