import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { createDiscordAdapter } from '#adapters/discord/adapter.ts'
import { createBridge } from '#bridge/bridge.ts'
import { openStore } from '#store/store.ts'
import { type DiscordDoubleOptions, startDiscordDouble } from '#test/doubles/discord/discord-double.ts'
import { createFakePlatform } from '#test/support/fakes/platform.ts'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { createLog } from './harness.ts'

/** The real adapter and the real bridge between the double and a platform in memory. */
export async function withBridge({
  isKept,
  ...options
}: Omit<DiscordDoubleOptions, 'locale'> & { readonly isKept?: true } = {}) {
  const discord = await startDiscordDouble({ locale: 'en-GB', ...options })
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-discord-'))
  const store = openStore(directory)
  const platform = createFakePlatform()
  const { log, lines } = createLog()
  const { token, apiUrl, fileHost } = discord
  const adapter = createDiscordAdapter({ token, apiUrl, fileHosts: [fileHost], log, times: { identifyMs: 0 } })
  const bridge = createBridge({
    adapters: [adapter],
    platform,
    store,
    log,
    indexing: { deadlineMs: PATIENCE_MS, pollMs: [2, 10] },
  })
  await bridge.start()
  // Of several tests: the file ends it.
  const atEnd = isKept === true ? afterAll : onTestFinished
  atEnd(async () => {
    await bridge.stop(0)
    await discord.close()
    store.close()
    rmSync(directory, { recursive: true })
  })
  /** A message of the bot there that looks like this. */
  const sees = (pattern: RegExp, where = discord.channel) =>
    discord.until(() => discord.transcript(where).findLast(({ bot, text }) => bot && pattern.test(text)))
  /** The last messages for the model. */
  const told = () => JSON.stringify(platform.script.requests.at(-1)?.messages)
  return { discord, platform, store, bridge, lines, sees, told }
}
