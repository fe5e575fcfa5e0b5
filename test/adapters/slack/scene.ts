import { onTestFinished } from 'vitest'
import type { Adapter, Receive } from '#bridge/port/adapter.ts'
import type { Author } from '#bridge/port/author.ts'
import type { ConversationRef, Inbound, Outgoing } from '#bridge/port/message.ts'
import { ALL_SCOPES } from '#adapters/slack/manifest.ts'
import { createSlackAdapter, type SlackAdapter } from '#adapters/slack/adapter.ts'
import type { SlackOptions } from '#adapters/slack/adapter.ts'
import type { SlackDouble, SlackDoubleOptions } from '#test/doubles/slack/double.ts'
import { startSlackDouble } from '#test/doubles/slack/double.ts'
import { createLogSink } from './log-sink.ts'

/** The adapter on the double, with Ada in a channel and in a direct message. Not started. */
export async function setScene(options: Partial<SlackOptions> = {}, world: SlackDoubleOptions = {}) {
  const slack: SlackDouble = await startSlackDouble(world)
  // The scopes of the manifest, no others.
  slack.workspace.scopes = ALL_SCOPES
  const sink = createLogSink()
  const inbounds: Inbound[] = []
  const adapters: Adapter[] = []
  const make = (more: Partial<SlackOptions> = {}): SlackAdapter => {
    const adapter = createSlackAdapter({
      botToken: slack.botToken,
      appToken: slack.appToken,
      apiUrl: slack.apiUrl,
      fileHosts: ['127.0.0.1:*'],
      log: sink.log,
      appendIntervalMs: 0,
      timeoutMs: 5_000,
      ...options,
      ...more,
    })
    adapters.push(adapter)
    return adapter
  }
  const adapter = make()
  const ada = slack.addUser({ name: 'Ada', locale: 'de-DE' }).id
  const channel = slack.addChannel({ name: 'ferry' })
  const direct = slack.addChannel({ kind: 'im' })
  const receive: Receive = async (inbound) => void inbounds.push(inbound)
  onTestFinished(async () => {
    await Promise.all(adapters.map(async (one) => one.stop()))
    await slack.close()
  })
  return { slack, adapter, make, inbounds, receive, lines: sink.lines, ada, channel, direct }
}

export type Scene = Awaited<ReturnType<typeof setScene>>

/** A started scene with a question asked: the conversation, the asker, the question's `ts`. */
export async function askedScene(options: Partial<SlackOptions> = {}, world: SlackDoubleOptions = {}) {
  const scene = await setScene(options, world)
  await scene.adapter.start(scene.receive)
  const said = scene.slack.say({
    channel: scene.channel,
    user: scene.ada,
    text: 'how long is the ferry?',
    mention: true,
  })
  await said.acked
  const conversation: ConversationRef = {
    adapter: 'slack',
    workspace: scene.slack.teamId,
    channel: scene.channel,
    thread: said.ts,
    direct: false,
  }
  const asker: Author = { id: scene.ada, name: 'Ada' }
  return { ...scene, said, conversation, asker }
}

let serial = 0
export const outgoing = (text: string, more: Partial<Outgoing> = {}): Outgoing => ({
  sendId: `send-${(serial += 1)}`,
  kind: 'answer',
  text,
  ...more,
})
