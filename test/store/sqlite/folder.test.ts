import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TooLargeError } from '#bridge/port/errors.ts'
import { openStore, type OpenStore } from '#store/store.ts'

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
const bytes = (text: string) => new Blob([text]).stream()

const isOnDisk = (word: string) =>
  readdirSync(directory).some((name) => name.startsWith('bridge') && readFileSync(join(directory, name)).includes(word))

it('of a deleted channel, and of a workspace, no word stays on the disk', async () => {
  const conversation = { adapter: 'fake', workspace: 'W1', channel: 'C1', direct: false }
  const say = (word: string) =>
    store.history.append('fake:W1:C1/', 'fake:W1:C1', { messageId: 'm', role: 'user', author: 'u', text: word, at: 1 })
  await say('canary-one')
  expect(isOnDisk('canary-one')).toBe(true)
  await store.forgetChannel(conversation)
  expect(isOnDisk('canary-one')).toBe(false)
  await say('canary-two')
  await store.forgetWorkspace('fake', 'W1')
  expect(isOnDisk('canary-two')).toBe(false)
})

it('records are found by their attachment by an index', () => {
  const database = new DatabaseSync(join(directory, 'bridge.sqlite'), { readOnly: true })
  const query = `EXPLAIN QUERY PLAN SELECT entry FROM file_record WHERE (entry ->> 'attachmentId') = 'F1'`
  expect(database.prepare(query).get()?.['detail']).toContain('file_record_attachment')
  database.close()
})

describe('the data folder', () => {
  it('is refused where its database was lost or emptied, with what to restore', async () => {
    await store.originals.keep('c', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', new Blob([]))
    store.close()
    for (const ending of ['', '-wal', '-shm']) rmSync(join(directory, `bridge.sqlite${ending}`), { force: true })
    expect(() => openStore(directory)).toThrow(/bridge\.sqlite is missing or empty.*originals.*Restore bridge\.sqlite/)
    writeFileSync(join(directory, 'bridge.sqlite'), '')
    expect(() => openStore(directory)).toThrow(/missing or empty/)
    rmSync(join(directory, 'originals'), { recursive: true })
    store = openStore(directory)
  })

  it('has all of a database in its one file after a stop', async () => {
    await store.preferences.set('scope', 'name', 'kept')
    store.close()
    const copy = join(directory, 'copy')
    mkdirSync(copy)
    copyFileSync(join(directory, 'bridge.sqlite'), join(copy, 'bridge.sqlite'))
    const copied = openStore(copy)
    expect(await copied.preferences.get('scope', 'name')).toBe('kept')
    copied.close()
    store = openStore(directory)
  })

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
    await expect(store.spool.write('a', bytes('hello'), 4)).rejects.toBeInstanceOf(TooLargeError)
    expect(await store.spool.read('a')).toBeUndefined()
    expect(readdirSync(join(directory, 'spool'))).toEqual([])
  })
})
