/** A job that ends the process, each time that it runs: the data folder is copied at that moment, and the next process runs on the copy. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createBridge } from '#bridge/bridge.ts'
import { openStore } from '#store/store.ts'
import { markdown, until } from '#test/support/bridge/set-up.ts'
import { createFakeAdapter } from '#test/support/fakes/adapter.ts'
import { createFakeChat } from '#test/support/fakes/chat.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { createFakePlatform } from '#test/support/fakes/platform.ts'

const never = new Promise<never>(() => {})

/** One process after the other. A text with "deadly" ends the process that works on it, until `safe` is called. */
async function setUp() {
  const root = mkdtempSync(join(tmpdir(), 'footbridge-deadly-'))
  const chat = createFakeChat()
  const platform = createFakePlatform()
  const log = createLogSink()
  let skewMs = 0
  let deaths = 0
  let isDeadly = true
  let died = Promise.withResolvers<void>()
  const folder = () => join(root, String(deaths))

  function die(): Promise<never> {
    cpSync(folder(), join(root, String(deaths + 1)), { recursive: true })
    deaths += 1
    died.resolve()
    return never
  }

  async function start() {
    const plain = createFakeAdapter({ chat })
    const adapter: typeof plain = {
      ...plain,
      open: (attachment, signal) =>
        isDeadly && attachment.name.includes('deadly') ? die() : plain.open(attachment, signal),
    }
    const stream: typeof platform.chat.stream = (request, options) => {
      if (!isDeadly || !JSON.stringify(request.messages.at(-1)).includes('deadly'))
        return platform.chat.stream(request, options)
      void die()
      return { [Symbol.asyncIterator]: () => ({ next: () => never }) }
    }
    const store = openStore(folder())
    const bridge = createBridge({
      adapters: [adapter],
      platform: { ...platform, chat: { stream } },
      store,
      log,
      clock: () => Date.now() + skewMs,
      indexing: { pollMs: [2, 10] },
    })
    await bridge.start()
    return { bridge, store }
  }

  let current = await start()
  const end = async () => {
    await current.bridge.stop(0)
    current.store.close()
  }
  onTestFinished(async () => {
    await end()
    rmSync(root, { recursive: true })
  })
  const texts = () => chat.visible().map(({ text }) => text)
  return {
    chat,
    deaths: () => deaths,
    shows: (pattern: RegExp) =>
      until(() => chat.visible().find(({ text, finished }) => finished && pattern.test(text)), texts),
    safe: () => (isDeadly = false),
    later: (ms: number) => (skewMs += ms),
    /** Starts the next process when this one is dead. */
    next: async () => {
      await died.promise
      died = Promise.withResolvers()
      await end()
      current = await start()
    },
  }
}

type Place = Awaited<ReturnType<typeof setUp>>

/** Until it is given up: twice among others, and three times as the only suspect, further and further apart. */
async function letDie({ chat, next, shows, later, deaths }: Place) {
  await next()
  await next()
  await next()
  // It is held back now, and the process lives without it.
  chat.mention('Is anybody there? one')
  await shows(/one/)
  later(10_000)
  await next()
  chat.mention('Is anybody there? two')
  await shows(/two/)
  later(59_000)
  chat.mention('Is anybody there? three')
  await shows(/three/)
  later(1000)
  await next()
  expect(deaths()).toBe(5)
}

it('a file that ends the process each time is given up on its receipt, holds nobody up, and can be tried again', async () => {
  const place = await setUp()
  const { chat, shows, safe, deaths } = place
  chat.drop([markdown('deadly.md', 'The ferry leaves at nine.')])
  await letDie(place)
  const { id, text } = await shows(/deadly\.md.*failed/)
  expect(text).toContain('I stopped several times while I worked on it. Press Retry')
  expect(chat.visible().filter((shown) => /stopped several times/.test(shown.text))).toHaveLength(1)
  safe()
  chat.press(id, 'Retry')
  await shows(/deadly\.md.*ready/)
  expect(deaths()).toBe(5)
})

it('a question that ends the process each time is put aside without blame, and its Retry answers it', async () => {
  const place = await setUp()
  const { chat, shows, safe } = place
  chat.mention('Is this deadly?')
  await letDie(place)
  const { id, text } = await shows(/stopped several times/)
  expect(text).toContain('Your message may not be the cause: press Retry')
  safe()
  chat.press(id, 'Retry')
  await shows(/deadly/)
})
