import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createBridge, type Bridge, type BridgeOptions } from '#bridge/bridge.ts'
import type { ListedModel } from '#bridge/port/platform.ts'
import { openStore } from '#store/store.ts'
import { createFakeAdapter, type FakeAdapterOptions } from '../fakes/adapter.ts'
import { createFakeChat } from '../fakes/chat.ts'
import { createLogSink } from '../fakes/log.ts'
import { createFakePlatform } from '../fakes/platform.ts'
import { PATIENCE_MS } from '../patience.ts'

const POLL_MS = 5

/**
 * Waits until `check` returns something other than undefined or false; the error says what was seen last. Patience begins
 * again as long as what is seen changes.
 */
export async function until<T>(check: () => T | undefined | false, seen: () => unknown = () => ''): Promise<T> {
  let end = Date.now() + PATIENCE_MS
  let before = JSON.stringify(seen(), null, 2)
  for (;;) {
    const found = check()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) {
      const now = JSON.stringify(seen(), null, 2)
      if (now === before) throw new Error(`It did not come about. Seen last: ${now}`)
      before = now
      end = Date.now() + PATIENCE_MS
    }
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS)
    })
  }
}

/** A bridge between a chat and a platform in memory, on a real store; `restart` keeps all three. */
export type AdapterOptions = Parameters<typeof setUpBridge>[0]

export async function setUpBridge(
  options: FakeAdapterOptions &
    Pick<
      BridgeOptions,
      'readsOut' | 'expandsQueries' | 'searchesMeaning' | 'budgets' | 'admins' | 'tokens' | 'clock'
    > & { readonly models?: readonly (string | ListedModel)[] } = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-bridge-'))
  const chat = createFakeChat()
  const platform = createFakePlatform(options.models === undefined ? {} : { models: options.models })
  const log = createLogSink()
  let store = openStore(directory)
  let bridge: Bridge
  const start = async () => {
    bridge = createBridge({
      adapters: [createFakeAdapter({ ...options, chat })],
      platform,
      store,
      log,
      maxFileBytes: 1000,
      readsOut: options.readsOut ?? false,
      expandsQueries: options.expandsQueries ?? false,
      searchesMeaning: options.searchesMeaning ?? (() => true),
      budgets: options.budgets ?? {},
      admins: options.admins ?? new Set(),
      tokens: options.tokens,
      clock: options.clock ?? Date.now,
      indexing: { deadlineMs: PATIENCE_MS, pollMs: [2, 10] },
    })
    await bridge.start()
  }
  await start()
  onTestFinished(async () => {
    await bridge.stop(0)
    store.close()
    rmSync(directory, { recursive: true })
  })
  const texts = () => chat.visible().map(({ text }) => text)
  return {
    /** Of the store. */
    directory,
    chat,
    platform,
    log,
    store: () => store,
    /** The bridge's files for an adapter that shows files itself. */
    files: () => bridge.files,
    /** Rights of people, for programs that act as them. */
    access: () => bridge.access,
    texts,
    /** Resolves when a finished message of Footbridge matches. */
    shows: (pattern: RegExp) =>
      until(() => chat.visible().find(({ text, finished }) => finished && pattern.test(text)), texts),
    /** The outcome of a message, once it has one. */
    settled: async (key: string) => {
      for (;;) {
        const job = await store.inbox.job(key)
        if (job !== undefined && (job.state === 'done' || job.state === 'dead')) return job
        await new Promise((resolve) => {
          setTimeout(resolve, POLL_MS)
        })
      }
    },
    /** Stops without grace, as a crash does to work under way, and starts again on the same store. */
    restart: async () => {
      await bridge.stop(0)
      store.close()
      store = openStore(directory)
      await start()
    },
  }
}

export const markdown = (name: string, text: string) => ({
  name,
  bytes: new TextEncoder().encode(text),
  mimeType: 'text/markdown',
})

/** An answer with a mark, and the block under it as a platform writes it. */
export const cited = (text: string, file: string, passage: string) =>
  `${text} [RREF1]\n${'-'.repeat(41)}\nReferences:\n\n[RREF1] ${file} (0.135)\n${passage}\n`
