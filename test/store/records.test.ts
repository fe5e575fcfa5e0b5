import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FileRecord } from '../../src/bridge/port/records.ts'
import { openStore, type OpenStore } from '../../src/store/store.ts'

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
const reopen = () => {
  store.close()
  store = openStore(directory)
}
const conversation = { adapter: 'fake', workspace: 'w', channel: 'c', direct: false }

const turn = (id: string, role: 'user' | 'assistant', text: string) => ({
  messageId: id,
  role,
  author: 'u',
  text,
  at: 1,
})
const bytes = (text: string) => new Blob([text]).stream()

describe('the outbox', () => {
  const row = { sendId: 's1', jobId: 'j', slot: 'answer.0', conversation, text: 'Hello' }

  it('keeps a row for each send from before it leaves until it shows its final text', async () => {
    expect(await store.outbox.open(row, 1)).toMatchObject({ state: 'sending', text: 'Hello' })
    reopen()
    const [sending] = await store.outbox.ofJob('j')
    expect(sending).toMatchObject({ sendId: 's1', state: 'sending' })
    expect(sending?.ref).toBeUndefined()
    const ref = { conversation, id: 'm1' }
    await store.outbox.sent('s1', ref, 'Hello you', 2)
    expect(await store.outbox.byMessage(conversation, 'm1')).toMatchObject({ state: 'sent', ref, text: 'Hello you' })
    expect(await store.outbox.known(conversation)).toEqual(['m1'])
    await store.outbox.close('s1', 'Hello you all', 3)
    reopen()
    expect(await store.outbox.ofJob('j')).toMatchObject([{ state: 'closed', text: 'Hello you all', ref }])
  })

  it('opens a row once, and forgets one that certainly did not get out', async () => {
    await store.outbox.open(row, 1)
    await store.outbox.sent('s1', { conversation, id: 'm1' }, 'Hello', 2)
    expect(await store.outbox.open(row, 3)).toMatchObject({ state: 'sent' })
    await store.outbox.drop('s1')
    expect(await store.outbox.ofJob('j')).toEqual([])
  })
})

const dropped = (id: string, collection: string, attachmentId: string): FileRecord => ({
  id,
  jobId: id,
  channel: 'c',
  collection,
  attachmentId,
  displayName: 'a.md',
  fileName: 'a.md',
  state: 'ready',
  droppedBy: 'u',
  messageId: 'm',
  updatedAt: 1,
})

describe('channels, ledger and transcripts', () => {
  it('keeps the collection of a channel', async () => {
    const record = { key: 'k', conversation, collection: 'fake-c', collecting: true, explained: false }
    await store.channels.put(record)
    await store.channels.put({ ...record, collectionId: 'me/fake-c', explained: true })
    reopen()
    expect(await store.channels.get('k')).toEqual({ ...record, collectionId: 'me/fake-c', explained: true })
    expect(await store.channels.get('other')).toBeUndefined()
  })

  it('keeps the newest state of every dropped file, and knows whether anything can be found', async () => {
    const entry: FileRecord = {
      id: 'j#0',
      jobId: 'j',
      channel: 'k',
      collection: 'fake-c',
      attachmentId: 'f',
      displayName: 'Handbook.pdf',
      fileName: 'Handbook.pdf',
      state: 'received',
      droppedBy: 'u',
      messageId: 'm',
      updatedAt: 1,
    }
    await store.files.put(entry)
    expect(await store.files.hasReady('fake-c')).toBe(false)
    await store.files.put({ ...entry, state: 'ready', chunks: 3 })
    await store.files.put({ ...entry, id: 'j#1', displayName: 'Second.md' })
    reopen()
    expect(await store.files.get('j#0')).toMatchObject({ state: 'ready', chunks: 3 })
    expect((await store.files.ofCollection('fake-c')).map(({ id }) => id)).toEqual(['j#1', 'j#0'])
    expect((await store.files.ofJob('j')).map(({ id }) => id)).toEqual(['j#0', 'j#1'])
    expect(await store.files.hasReady('fake-c')).toBe(true)
  })

  it('finds everything that was dropped as one attachment, wherever, by an index', async () => {
    await store.files.put(dropped('one', 'here', 'F1'))
    await store.files.put(dropped('two', 'there', 'F1'))
    await store.files.put(dropped('three', 'here', 'F2'))
    reopen()
    expect((await store.files.ofAttachment('F1')).map(({ id }) => id)).toEqual(['one', 'two'])
    expect(await store.files.ofAttachment('F')).toEqual([])
    const database = new DatabaseSync(join(directory, 'bridge.sqlite'), { readOnly: true })
    const query = `EXPLAIN QUERY PLAN SELECT entry FROM ledger WHERE json_extract(entry, '$.attachmentId') = 'F1'`
    expect(database.prepare(query).get()?.['detail']).toContain('ledger_attachment')
    database.close()
  })

  it('keeps a conversation in order, newest turns first to go in, and finds it by any of its messages', async () => {
    await store.history.append('lane', 'k', turn('1', 'user', 'First?'))
    await store.history.append('lane', 'k', turn('2', 'assistant', 'Yes.'))
    await store.history.append('lane', 'k', turn('3', 'user', 'Second?'))
    await store.history.append('lane', 'k', turn('1', 'user', 'First, edited?'))
    reopen()
    expect((await store.history.of('lane', 10)).map(({ text }) => text)).toEqual(['First, edited?', 'Yes.', 'Second?'])
    expect((await store.history.of('lane', 2)).map(({ messageId }) => messageId)).toEqual(['2', '3'])
    expect(await store.history.queueOf('k', '2')).toBe('lane')
    expect(await store.history.queueOf('other', '2')).toBeUndefined()
    await store.history.remove('k', '2')
    expect(await store.history.queueOf('k', '2')).toBeUndefined()
  })

  it('keeps how far each adapter has read', async () => {
    const cursors = store.cursors('discord')
    await cursors.set('c1', '5')
    await cursors.set('c1', '7')
    expect(await cursors.get('c1')).toBe('7')
    expect(await cursors.all()).toEqual([{ channel: 'c1', position: '7' }])
    expect(await store.cursors('slack').all()).toEqual([])
  })
})

describe('the data folder', () => {
  it('is made for the user of the process alone', () => {
    const fresh = join(directory, 'fresh')
    openStore(fresh).close()
    expect(statSync(fresh).mode & 0o777).toBe(0o700)
  })
})

describe('the spool', () => {
  it('keeps bytes with their size and hash until they are removed', async () => {
    expect(await store.spool.write('../../etc/x', bytes('hello'), 100)).toEqual({
      sizeBytes: 5,
      sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    })
    expect(await (await store.spool.read('../../etc/x'))?.text()).toBe('hello')
    await store.spool.remove('../../etc/x')
    expect(await store.spool.read('../../etc/x')).toBeUndefined()
  })

  it('stops at the cap whatever was announced, and leaves nothing behind', async () => {
    await expect(store.spool.write('a', bytes('hello'), 4)).rejects.toBeInstanceOf(RangeError)
    expect(await store.spool.read('a')).toBeUndefined()
    expect(readdirSync(join(directory, 'spool'))).toEqual([])
  })
})
