import { DatabaseSync } from 'node:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Inbound } from '../../../src/bridge/port/message.ts'
import { openDatabase, type Durably } from '../../../src/store/sqlite/database.ts'
import { createInbox } from '../../../src/store/sqlite/inbox.ts'
import { createOutbox } from '../../../src/store/sqlite/outbox.ts'
import { openStore, type OpenStore } from '../../../src/store/store.ts'

let directory: string
let store: OpenStore
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footbridge-store-'))
  store = openStore(directory)
})
afterEach(() => {
  store.close()
  rmSync(directory, { recursive: true })
})

const conversation = { adapter: 'fake', workspace: 'w', channel: 'c', direct: false }
function said(id: string, options: { text?: string; provisional?: boolean } = {}): Inbound {
  return {
    kind: 'message',
    key: `fake:${id}`,
    message: {
      id,
      conversation,
      author: { id: 'u', name: 'U' },
      text: options.text ?? id,
      addressed: true,
      mentionsOthers: false,
      attachments: [],
      sentAt: '2026-11-21T08:00:00Z',
    },
    ...(options.provisional === undefined ? {} : { provisional: options.provisional }),
  }
}
const accept = async (inbound: Inbound, queue = 'lane', dueAt = 0) => {
  const options = { queue, dueAt, now: 0, message: `m/${inbound.key}` }
  const { outcome, stored } = await store.inbox.accept(inbound, options)
  await stored
  return outcome
}
const claimed = async (now = 0) => (await store.inbox.claim(now, 10, true)).map(({ id }) => id)

describe('the inbox', () => {
  it('knows an event that it was told before, also when its work is long done', async () => {
    expect(await accept(said('1'))).toBe('accepted')
    expect(await accept(said('1'))).toBe('duplicate')
    expect(await claimed()).toEqual(['fake:1'])
    await store.inbox.complete('fake:1', 1)
    expect(await accept(said('1'))).toBe('duplicate')
    expect(await claimed()).toEqual([])
  })

  it('blames no job more than twice for deaths of the process that others were running in, and gives suspects one at a time', async () => {
    await accept(said('1'), 'a')
    await accept(said('2'), 'b')
    for (let death = 0; death < 4; death += 1) {
      await store.inbox.claim(0, 10, true)
      if (death > 1) await store.inbox.claim(0, 10, false)
      await store.inbox.recover(0)
    }
    expect(await store.inbox.claim(0, 10, false)).toEqual([])
    // The third and fourth death met the first alone.
    expect(await store.inbox.claim(0, 10, true)).toMatchObject([{ id: 'fake:1', deaths: 4 }])
    await store.inbox.complete('fake:1', 0)
    expect(await store.inbox.claim(0, 10, true)).toMatchObject([{ id: 'fake:2', deaths: 2 }])
  })

  it('gives a suspect beside other jobs when it has waited for a minute: a busy bridge has no quiet moment', async () => {
    await accept(said('1'))
    for (let death = 0; death < 2; death += 1) {
      await store.inbox.claim(0, 10, true)
      await store.inbox.recover(0)
    }
    expect(await store.inbox.claim(59_999, 10, false)).toEqual([])
    expect(await store.inbox.claim(60_000, 10, false)).toMatchObject([{ id: 'fake:1' }])
  })

  it('gives the jobs of a queue one at a time, in order, and queues side by side', async () => {
    await accept(said('a1'), 'a')
    await accept(said('a2'), 'a')
    await accept(said('b1'), 'b')
    expect(await claimed()).toEqual(['fake:a1', 'fake:b1'])
    expect(await claimed()).toEqual([])
    await store.inbox.complete('fake:a1', 1)
    expect(await claimed()).toEqual(['fake:a2'])
  })

  it('lets the fuller twin take the place of a provisional event, in either order, until somebody began', async () => {
    expect(await accept(said('1', { text: 'thin', provisional: true }), 'a', 1500)).toBe('accepted')
    expect(await claimed(0)).toEqual([])
    expect(await accept(said('1', { text: 'full' }), 'a', 10)).toBe('replaced')
    expect(await accept(said('1', { text: 'thin', provisional: true }), 'a', 1500)).toBe('duplicate')
    const [job] = await store.inbox.claim(10, 10, true)
    expect(job?.inbound).toMatchObject({ message: { text: 'full' } })
    expect(await accept(said('2', { text: 'thin', provisional: true }), 'b', 1500)).toBe('accepted')
    expect(await claimed(1500)).toEqual(['fake:2'])
    expect(await accept(said('2', { text: 'full' }), 'b')).toBe('duplicate')
  })

  it('keeps the order of a queue while its head is held back, and names the time at which it falls due', async () => {
    await accept(said('1', { provisional: true }), 'a', 1500)
    await accept(said('2'), 'a', 5)
    expect(await claimed(100)).toEqual([])
    expect(await store.inbox.nextDueAt()).toBe(1500)
    expect(await claimed(1500)).toEqual(['fake:1'])
  })

  it('takes up after a crash what was running, and counts the attempts', async () => {
    await accept(said('1'))
    expect(await claimed()).toEqual(['fake:1'])
    store.close()
    store = openStore(directory)
    expect(await claimed()).toEqual([])
    expect(await store.inbox.recover(5)).toBe(1)
    const [job] = await store.inbox.claim(5, 10, true)
    expect(job).toMatchObject({ id: 'fake:1', attempt: 2, createdAt: 0 })
  })

  it('puts a job back until its time, buries what is permanent, and keeps both to be seen', async () => {
    await accept(said('1'))
    await claimed()
    await store.inbox.retry('fake:1', 100, 'not reached', 1)
    expect(await claimed(99)).toEqual([])
    expect(await claimed(100)).toEqual(['fake:1'])
    await store.inbox.bury('fake:1', 'permanent', 101)
    expect(await store.inbox.job('fake:1')).toMatchObject({ state: 'dead', reason: 'permanent' })
    expect(await store.inbox.ofMessage('m/fake:1')).toMatchObject({ id: 'fake:1' })
  })

  it('forgets finished work only when it is old', async () => {
    await accept(said('1'))
    await accept(said('2'), 'other')
    await claimed()
    await store.inbox.complete('fake:1', 50)
    expect(await store.inbox.prune(50)).toBe(0)
    expect(await store.inbox.prune(51)).toBe(1)
    expect(await store.inbox.job('fake:2')).toMatchObject({ state: 'running' })
  })

  it('finds a message with its edits, and states anew what is over', async () => {
    const one = said('1', { text: 'a secret' })
    const message = 'm/fake:1'
    if (one.kind !== 'message') return
    await accept(one)
    const edit: Inbound = { kind: 'edit', key: 'fake:1:edit', message: one.message }
    await store.inbox.accept(edit, { queue: 'lane', dueAt: 0, now: 0, message })
    expect((await store.inbox.ofMessage(message))?.id).toBe('fake:1')
    expect((await store.inbox.allOfMessage(message)).map(({ id }) => id)).toEqual(['fake:1', 'fake:1:edit'])
    await store.inbox.claim(0, 1, true)
    await store.inbox.complete('fake:1', 1)
    const bare = { ...one, message: { ...one.message, text: '' } }
    await store.inbox.restate('fake:1', bare)
    // Still to be done: it needs its words.
    await store.inbox.restate('fake:1:edit', { ...edit, message: bare.message })
    expect((await store.inbox.allOfMessage(message)).map(({ inbound }) => inbound)).toEqual([bare, edit])
    expect(await accept(one)).toBe('duplicate')
  })
})

describe('the database', () => {
  it('refuses a second process on the same directory with a sentence, and is free again when closed', () => {
    expect(() => openStore(directory)).toThrow(/Another Footbridge already uses .*DATA_DIR/)
    store.close()
    store = openStore(directory)
  })

  it('refuses a file that a newer version wrote', () => {
    store.close()
    const database = new DatabaseSync(join(directory, 'bridge.sqlite'))
    const { user_version: ours } = database.prepare('PRAGMA user_version').get() ?? {}
    database.exec('PRAGMA user_version=999')
    database.close()
    expect(() => openStore(directory)).toThrow(/newer Footbridge .*update Footbridge/)
    const mended = new DatabaseSync(join(directory, 'bridge.sqlite'))
    mended.exec(`PRAGMA user_version=${Number(ours)}`)
    mended.close()
    store = openStore(directory)
  })

  it('keeps a log that a commit does not wait for', () => {
    const database = openDatabase(join(directory, 'other.sqlite'))
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    // 1 is NORMAL: who must know that the disk has it waits for that beside the commit.
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 1 })
    database.close()
  })

  it('accepts an event, known or new, and opens a send only when the disk has it', async () => {
    const database = openDatabase(join(directory, 'other.sqlite'))
    const disk = Promise.withResolvers<void>()
    const stored = () => disk.promise
    const durably: Durably = async (write) => {
      const result = write()
      await stored()
      return result
    }
    const inbox = createInbox(database, { durably, stored })
    const outbox = createOutbox(database, durably)
    const row = { sendId: 's', jobId: 'fake:1', slot: 'answer.0', conversation, text: '' }
    const order: string[] = []
    const note = (name: string) => (result: unknown) => void order.push(`${name} ${JSON.stringify(result)}`)
    const once = async () => {
      const { outcome, stored: safe } = await inbox.accept(said('1'), { queue: 'a', dueAt: 0, now: 0 })
      await safe
      return outcome
    }
    const waiting = [
      once().then(note('new')),
      once().then(note('known')),
      outbox.open(row, 0).then(({ sendId }) => note('send')(sendId)),
    ]
    // All is seen at once: whoever looks meanwhile finds the event.
    expect(await inbox.hasOpen('a')).toBe(true)
    expect(order).toEqual([])
    disk.resolve()
    await Promise.all(waiting)
    expect(order.toSorted()).toEqual(['known "duplicate"', 'new "accepted"', 'send "s"'])
    database.close()
  })
})
