import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createBridge, type BridgeOptions } from '#bridge/bridge.ts'
import { openStore } from '#store/store.ts'
import type { SlackOptions } from '#adapters/slack/adapter.ts'
import type { SlackDoubleOptions } from '#test/doubles/slack/double.ts'
import { createFakePlatform } from '#test/support/fakes/platform.ts'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { setScene } from './scene.ts'

/** The real adapter and the real bridge between the double and a platform in memory. */
export async function withBridge(
  options: Partial<SlackOptions> & Pick<BridgeOptions, 'budgets'> = {},
  world: SlackDoubleOptions = {},
) {
  const { budgets, ...slackOptions } = options
  const scene = await setScene(slackOptions, world)
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-slack-'))
  const store = openStore(directory)
  const platform = createFakePlatform()
  const bridge = createBridge({
    adapters: [scene.adapter],
    platform,
    store,
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    indexing: { deadlineMs: PATIENCE_MS, pollMs: [2, 10] },
    budgets,
  })
  await bridge.start()
  onTestFinished(async () => {
    await bridge.stop(0)
    store.close()
    rmSync(directory, { recursive: true })
  })
  const { slack, channel } = scene
  slack.workspace.channel(channel).members.add(scene.ada)
  slack.workspace.channel(scene.direct).members.add(scene.ada)
  /** Footbridge's newest message there that looks like this and grows no more. */
  const sees = (pattern: RegExp, where = channel) =>
    slack.until(
      () => slack.transcript(where).findLast(({ own, text, streaming }) => own && !streaming && pattern.test(text)),
      `${String(pattern)} in ${JSON.stringify(slack.transcript(where).map(({ text }) => text))}`,
    )
  const drop = async (name: string, text: string, user = scene.ada) => {
    const file = slack.hostFile(text, name, 'text/markdown')
    slack.say({ channel, user, files: [file] })
    await sees(new RegExp(`${name.replaceAll('.', String.raw`\.`)}.*(?:ready|bereit)`))
  }
  return { ...scene, bridge, store, platform, sees, drop }
}
