import { createBridge } from '#bridge/bridge.ts'
import type { ReceiptItem } from '#bridge/port/message.ts'
import type { Platform } from '#bridge/port/platform.ts'
import { createPlatformClient } from '#platform/client/client.ts'
import { openStore } from '#store/store.ts'
import { createFakeAdapter } from '#test/support/fakes/adapter.ts'
import { createFakeChat, type FakeChat, type FakeFile } from '#test/support/fakes/chat.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { openFolder, startFootbridge } from '../footbridge.ts'
import type { Figure, Row } from '../row.ts'
import { createProse } from '../words.ts'

const channels = 10
const perChannel = 20
/** Slack's pace of edits. */
const editIntervalMs = 1200
const patienceMs = 55_000

const paragraph = (seed: number, sentences: number) => {
  const prose = createProse(seed)
  return Array.from({ length: sentences }, () => prose.sentence()).join(' ')
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
const file = (name: string, text: string, mimeType = 'text/markdown'): FakeFile => ({
  name,
  bytes: bytesOf(text),
  mimeType,
})

/** The files dropped into one channel, one message each, and their expected end states. */
function dropsOf(channel: number): readonly { readonly file: FakeFile; readonly end: 'ready' | 'failed' }[] {
  const text = (index: number) => `# Part ${index}\n\n${paragraph(channel * perChannel + index, 40)}\n`
  const plain = Array.from({ length: perChannel - 6 }, (_, index) => file(`part-${index}.md`, text(index)))
  const ready = [
    ...plain,
    file('table.csv', 'Lamp;Supplier\nparaffin burner;Fresnel and Sons\n', 'text/csv'),
    file('page.html', `<h1>Page</h1><p>${paragraph(channel, 10)}</p>`, 'text/html'),
    // A new version of the first, and the bytes of the second under another name.
    file('part-0.md', text(perChannel)),
    file('copy.md', text(1)),
  ]
  const failed = [file('program.exe', 'MZ', 'application/x-msdownload'), file('empty.md', '')]
  return [
    ...ready.map((one) => ({ file: one, end: 'ready' as const })),
    ...failed.map((one) => ({ file: one, end: 'failed' as const })),
  ]
}

/** The uploads and lists of the platform that receipts depend on. */
interface Seen {
  readonly platform: Platform
  /** Names that were uploaded, and names that a list showed as indexed since, by collection. */
  readonly uploaded: Map<string, number>
  readonly indexed: Map<string, number>
  mostAtOnce: number
  passes: number
}

function watch(client: Platform): Seen {
  const running = new Map<string, number>()
  const seen: Seen = { platform: client, uploaded: new Map(), indexed: new Map(), mostAtOnce: 0, passes: 0 }
  const keep = async (collection: string, name: string, work: Promise<void>) => {
    await work
    seen.uploaded.set(`${collection}/${name}`, performance.now())
  }
  const platform: Platform = {
    ...client,
    files: {
      ...client.files,
      upload: (collection, one, options) => keep(collection, one.name, client.files.upload(collection, one, options)),
      replace: (collection, one, options) => keep(collection, one.name, client.files.replace(collection, one, options)),
      async list(collection, options) {
        const list = await client.files.list(collection, options)
        for (const { name, index } of list)
          if (index?.status === 'INDEXED') seen.indexed.set(`${collection}/${name}`, performance.now())
        return list
      },
    },
    collections: {
      ...client.collections,
      async generateIndex(name, options) {
        const now = (running.get(name) ?? 0) + 1
        running.set(name, now)
        seen.passes += 1
        seen.mostAtOnce = Math.max(seen.mostAtOnce, now)
        try {
          return await client.collections.generateIndex(name, options)
        } finally {
          running.set(name, (running.get(name) ?? 1) - 1)
        }
      },
    },
  }
  return Object.assign(seen, { platform })
}

const over = new Set<ReceiptItem['state']>(['ready', 'failed', 'removed'])

/** A false statement of a receipt; undefined: all is true. */
function untrue({ file: name, state, note }: ReceiptItem, seen: Seen): string | undefined {
  const has = (map: Map<string, number>) => [...map.keys()].some((key) => key.includes(`/${name}`))
  // Duplicate bytes: the file with the other name is the one in the collection.
  if (state === 'ready' && note?.includes('the same file') === true) return undefined
  if (state === 'indexing' && !has(seen.uploaded)) return `${name} is said to be indexed before it was sent`
  if (state === 'ready' && !has(seen.indexed)) return `${name} is said to be ready before the platform said so`
  return undefined
}

/** Checks every receipt at the moment when it is shown. */
function checkReceipts(chat: FakeChat, seen: Seen): { readonly lies: string[] } {
  const lies: string[] = []
  const lines = chat.transcript as unknown as { push: (...added: FakeChat['transcript'][number][]) => number }
  const push = lines.push.bind(lines)
  lines.push = (...added) => {
    for (const { outgoing } of added)
      for (const item of outgoing?.receipt ?? []) lies.push(...[untrue(item, seen)].filter((lie) => lie !== undefined))
    return push(...added)
  }
  return { lies }
}

const receiptItems = (chat: FakeChat): readonly ReceiptItem[] =>
  chat.visible().flatMap(({ outgoing }) => outgoing.receipt ?? [])

async function allOver(chat: FakeChat, count: number): Promise<void> {
  const until = performance.now() + patienceMs
  for (;;) {
    const items = receiptItems(chat)
    if (items.length === count && items.every(({ state }) => over.has(state))) return
    if (performance.now() > until) {
      const left = items.filter(({ state }) => !over.has(state)).length + count - items.length
      throw new Error(`${left} of ${count} dropped files did not come to their end.`)
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}

function checkEnds(chat: FakeChat): void {
  for (let channel = 0; channel < channels; channel += 1) {
    const items = chat
      .visible()
      .filter(({ conversation }) => conversation.channel === `C${channel}`)
      .flatMap(({ outgoing }) => outgoing.receipt ?? [])
    const failed = items.filter(({ state }) => state === 'failed').map(({ file: name }) => name)
    // The receipt of the first version says that it was replaced.
    const replaced = items.filter(({ state }) => state === 'removed').map(({ file: name }) => name)
    const isRight =
      failed.toSorted((one, other) => one.localeCompare(other)).join() === 'empty.md,program.exe' &&
      replaced.join() === 'part-0.md'
    if (!isRight) throw new Error(`In channel ${channel} failed: ${failed.join()}; replaced: ${replaced.join()}.`)
  }
}

/** 200 files within a minute into 10 channels: the right ends, one pass at a time, and receipts that are true throughout. */
export const dropsRow: Row = {
  name: 'drops',
  async run(scope) {
    const apiKey = 'bench-key-0123456789'
    const { url } = await startFootbridge(scope, openFolder(scope), { PLATFORM_API_KEY: apiKey })
    const client = createPlatformClient({ baseUrl: `${url}/v1`, apiKey, profile: 'collection' })
    scope.defer(() => client.close())
    const seen = watch(client)
    const chat = createFakeChat()
    const { lies } = checkReceipts(chat, seen)
    const store = openStore(openFolder(scope))
    scope.defer(() => store.close())
    const adapter = createFakeAdapter({ chat, limits: { editIntervalMs } })
    const bridge = createBridge({ adapters: [adapter], platform: seen.platform, store, log: createLogSink() })
    scope.defer(() => bridge.stop(0))
    await bridge.start()
    const all = Array.from({ length: channels }, (_, channel) =>
      dropsOf(channel).map((drop) => ({ ...drop, channel: `C${channel}` })),
    ).flat()
    const at = performance.now()
    for (const { file: one, channel } of all) await chat.drop([one], { channel }).taken
    await allOver(chat, all.length)
    const ms = performance.now() - at
    checkEnds(chat)
    if (lies.length > 0) throw new Error(`Receipts were not true: ${lies.slice(0, 3).join('; ')}.`)
    return toFigures(all.length, ms, seen)
  },
}

function toFigures(files: number, ms: number, { mostAtOnce, passes }: Seen): readonly Figure[] {
  return [
    {
      name: `${files} files dropped at once into ${channels} channels, to their ends`,
      value: files / (ms / 60_000),
      unit: 'files/min',
      least: files,
      detail: `${(ms / 1000).toFixed(1)} s, ${passes} index passes, every receipt true`,
    },
    { name: 'index passes of one collection at once, at most', value: mostAtOnce, unit: '×', goal: 1 },
  ]
}
