import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hashesToKeep } from '#bridge/files/versions.ts'
import { createReceipts } from '#bridge/files/receipt/receipts.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import { openStore } from '#store/store.ts'
import { until } from '#test/support/bridge/set-up.ts'
import { createFakeAdapter } from '#test/support/fakes/adapter.ts'
import { createLogSink } from '#test/support/fakes/log.ts'

const MINUTE = 60_000
const conversation = { adapter: 'fake', workspace: 'W1', channel: 'C1', direct: false }

const entry = (change: Partial<FileRecord> = {}): FileRecord => ({
  id: 'job#0',
  jobId: 'job',
  channel: 'fake:W1:C1',
  collection: 'c',
  attachmentId: 'F1',
  displayName: 'a.pdf',
  fileName: 'a.pdf',
  state: 'indexing',
  droppedBy: 'U1',
  messageId: 'm1',
  conversation,
  updatedAt: 0,
  ...change,
})

const version = (number: number, change: Partial<FileRecord> = {}) =>
  entry({ id: `job${number}#0`, sha256: `sha${number}`, state: 'ready', version: number, ...change })

function setUp(minuteMs = 5) {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-receipts-'))
  const store = openStore(directory)
  const stop = new AbortController()
  onTestFinished(() => {
    stop.abort()
    store.close()
    rmSync(directory, { recursive: true })
  })
  let now = 0
  const adapter = createFakeAdapter()
  const log = createLogSink()
  const receipts = createReceipts({
    store,
    adapterOf: () => adapter,
    clock: () => now,
    log,
    signal: stop.signal,
    minuteMs,
  })
  const text = () => adapter.chat.visible()[0]?.text
  return { store, receipts, text, log, pass: (ms: number) => (now += ms), chat: adapter.chat }
}

describe('work that lasts', () => {
  it('shows for how long already, minute by minute, and how far the pass is where that is known', async () => {
    const { store, receipts, text, pass } = setUp()
    await store.files.put(entry())
    receipts.begin('job', false)
    await until(() => text() === '🔎 **a.pdf** — indexing', text)
    pass(3 * MINUTE)
    await until(() => text() === '🔎 **a.pdf** — indexing (3 min)', text)
    receipts.progress('job#0', { done: 12, total: 40 })
    pass(MINUTE)
    await until(() => text() === '🔎 **a.pdf** — indexing (4 min, 12 of 40 files done)', text)
    const reading = new Map([['a.pdf', { page: 3, pages: 13 }]])
    receipts.progress('job#0', { done: 12, total: 40, reading })
    receipts.touch('job')
    await until(() => text() === '🔎 **a.pdf** — indexing (reading page 3 of 13)', text)
    await store.files.put(entry({ state: 'ready' }))
    await receipts.settle('job')
    expect(text()).toBe('✅ **a.pdf** — ready')
  })

  it('is not drawn when nothing was said to have a receipt', async () => {
    const { store, receipts, chat, log } = setUp()
    await store.files.put(entry())
    receipts.touch('job')
    await receipts.settle('job')
    receipts.touch('unknown')
    await receipts.settle('unknown')
    expect(chat.visible()).toEqual([])
    expect(log.entries).toEqual([])
  })

  it('on a receipt that somebody took away hinders nobody, and is not drawn any more', async () => {
    const { store, receipts, chat, log, text, pass } = setUp()
    await store.files.put(entry())
    receipts.begin('job', false)
    await until(() => text() !== undefined)
    const [receipt] = chat.visible()
    chat.wire.shown.delete(receipt?.id ?? '')
    pass(3 * MINUTE)
    await until(() => log.entries.length > 0)
    await store.files.put(entry({ state: 'ready' }))
    await receipts.settle('job')
    expect(log.entries.map(({ level, message }) => [level, message])).toEqual(
      Array.from({ length: 2 }, () => ['info', 'A receipt is gone: somebody deleted its message']),
    )
  })

  it('in a channel that was closed meanwhile ends with its files ready, and without a failure', async () => {
    const { store, receipts, chat, log, text } = setUp(MINUTE)
    await store.files.put(entry())
    receipts.begin('job', false)
    await until(() => text() !== undefined)
    chat.fail('edit', new AdapterError('forbidden', 'The channel is archived.'))
    await store.files.put(entry({ state: 'ready' }))
    await receipts.settle('job')
    expect(log.entries.map(({ level, message }) => [level, message])).toEqual([
      [
        'warn',
        'A receipt could not be shown: the app may not write there any more. Its files are ingested all the same',
      ],
    ])
  })
})

describe('bytes', () => {
  const day = 24 * 60 * MINUTE
  it('of an earlier version are kept for thirty days after it was replaced', () => {
    const entries = [version(2, { updatedAt: 100 * day }), version(1, { replacedBy: 'job2#0', updatedAt: day })]
    expect(hashesToKeep(entries, 129 * day)).toEqual(new Set(['sha1', 'sha2']))
    expect(hashesToKeep(entries, 131 * day)).toEqual(new Set(['sha2']))
  })

  it('of a removed file are not kept, of one on its way or failed they are', () => {
    const entries = [
      version(1, { state: 'removed' }),
      version(2, { state: 'failed', fileName: 'b' }),
      version(3, { state: 'uploading', fileName: 'c' }),
    ]
    expect(hashesToKeep(entries, 0)).toEqual(new Set(['sha2', 'sha3']))
  })
})
