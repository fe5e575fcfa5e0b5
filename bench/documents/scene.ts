import { createBridge } from '#bridge/bridge.ts'
import { conversationQueue } from '#bridge/port/keys.ts'
import type { Reference } from '#bridge/port/message.ts'
import { createPlatformClient } from '#platform/client/client.ts'
import { openStore } from '#store/store.ts'
import { createFakeAdapter } from '#test/support/fakes/adapter.ts'
import { createFakeChat } from '#test/support/fakes/chat.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { openFolder } from '../footbridge.ts'
import { startPlatform } from '../platform.ts'
import { makeFile } from './make.ts'
import { papers } from './papers.ts'

export interface Answer {
  readonly text: string
  readonly references: readonly Reference[]
}

export interface Scene {
  /** Asks in the channel that holds all papers; resolves with the visible answer. */
  ask(question: string, model: string): Promise<Answer>
  /** References that failed the check so far. */
  dropped(): number
  /** How long each answer with a block waited for it to be checked. */
  checkedMs(): readonly number[]
}

const pollMs = 5

const pause = () =>
  new Promise((resolve) => {
    setTimeout(resolve, pollMs)
  })

async function until<T>(look: () => T | undefined, what: () => string): Promise<T> {
  const end = Date.now() + 120_000
  for (;;) {
    const found = look()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`It did not come about: ${what()}`)
    await pause()
  }
}

/** All papers dropped by way of a bridge into the embedded platform, each by a message of its own, and ready. */
export async function openScene(
  scope: AsyncDisposableStack,
  env: Readonly<Record<string, string>>,
  options: { readonly secondLook?: boolean } = {},
): Promise<Scene> {
  const platform = await startPlatform(scope, { ...env, LOG_LEVEL: 'error' })
  const client = createPlatformClient({ baseUrl: platform.baseUrl, apiKey: platform.key, profile: 'collection' })
  scope.defer(() => client.close())
  const store = openStore(openFolder(scope))
  scope.defer(() => store.close())
  const chat = createFakeChat()
  const log = createLogSink()
  const limits = { textLength: 100_000 }
  const bridge = createBridge({
    adapters: [createFakeAdapter({ chat, limits })],
    platform: client,
    store,
    log,
    ...options,
  })
  await bridge.start()
  scope.defer(() => bridge.stop(0))
  const seen = () =>
    chat
      .visible()
      .map(({ text }) => text.slice(0, 200))
      .join('\n')
  for (const paper of papers) chat.drop([await makeFile(paper)])
  await until(() => {
    const receipts = chat.visible().flatMap(({ outgoing }) => outgoing.receipt ?? [])
    const failed = receipts.find(({ state }) => state === 'failed')
    if (failed !== undefined) throw new Error(`${failed.file} failed: ${failed.note ?? ''}`)
    return receipts.length === papers.length && receipts.every(({ state }) => state === 'ready') ? true : undefined
  }, seen)
  let asked = 0
  return {
    dropped: () => log.at('warn').filter(({ message }) => message.includes('were not believed')).length,
    checkedMs: () =>
      log.at('debug').flatMap(({ fields }) => (typeof fields['checkedMs'] === 'number' ? [fields['checkedMs']] : [])),
    async ask(question, model) {
      asked += 1
      const thread = `t${asked}`
      const said = chat.mention(question, { thread })
      if (said.inbound.kind !== 'message') throw new Error('A mention is a message.')
      await store.preferences.set(conversationQueue(said.inbound.message.conversation), 'model', model)
      await said.taken
      let job = await store.inbox.job(said.inbound.key)
      while (job === undefined || (job.state !== 'done' && job.state !== 'dead')) {
        await pause()
        job = await store.inbox.job(said.inbound.key)
      }
      const shown = chat.visible().filter(({ conversation }) => conversation.thread === thread)
      const last = shown.at(-1)
      if (last === undefined || last.outgoing.kind !== 'answer')
        throw new Error(`${question} was answered with: ${last?.text ?? 'nothing'}`)
      return { text: shown.map(({ text }) => text).join('\n'), references: last.outgoing.references ?? [] }
    },
  }
}
