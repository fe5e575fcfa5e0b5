import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../src/store/store.ts'

it('a message that dropped a file is still known when the dedupe layer has forgotten the others', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-store-'))
  const store = openStore(directory)
  onTestFinished(() => {
    store.close()
    rmSync(directory, { recursive: true })
  })
  const conversation = { adapter: 'fake', workspace: 'w', channel: 'c', direct: false }
  for (const id of ['asked', 'dropped']) {
    const inbound = { kind: 'delete', key: id, conversation, messageId: id } as const
    await store.inbox.accept(inbound, { queue: id, message: `m/${id}`, dueAt: 0, now: 0 })
    await store.inbox.claim(0, 1, true)
    await store.inbox.complete(id, 0)
  }
  await store.files.put({
    id: 'dropped#0',
    jobId: 'dropped',
    channel: 'c',
    collection: 'c',
    attachmentId: 'a',
    displayName: 'a.md',
    fileName: 'a.md',
    state: 'ready',
    droppedBy: 'u',
    messageId: 'dropped',
    updatedAt: 0,
  })
  expect(await store.inbox.prune(1)).toBe(1)
  expect(await store.inbox.ofMessage('m/asked')).toBeUndefined()
  expect(await store.inbox.ofMessage('m/dropped')).toMatchObject({ id: 'dropped' })
})

const turn = (at: number) => ({ messageId: `m${at}`, role: 'user' as const, author: 'u', text: 'Hello', at })

it('what was sent and said goes with the work that is forgotten, and nothing that is younger', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-store-'))
  const store = openStore(directory)
  onTestFinished(() => {
    store.close()
    rmSync(directory, { recursive: true })
  })
  const conversation = { adapter: 'fake', workspace: 'w', channel: 'c', direct: false }
  for (const at of [0, 5]) {
    const inbound = { kind: 'delete', key: `j${at}`, conversation, messageId: `m${at}` } as const
    await store.inbox.accept(inbound, { queue: `l${at}`, dueAt: 0, now: at })
    await store.inbox.claim(at, 1, true)
    await store.outbox.open({ sendId: `s${at}`, jobId: `j${at}`, slot: 'answer.0', conversation, text: 'Hi' }, at)
    await store.inbox.complete(`j${at}`, at)
    await store.history.append(`l${at}`, 'c', turn(at))
  }
  expect(await store.inbox.prune(3)).toBe(1)
  expect(await store.outbox.ofJob('j0')).toEqual([])
  expect(await store.outbox.ofJob('j5')).toHaveLength(1)
  expect(await store.history.has('l0')).toBe(false)
  expect(await store.history.has('l5')).toBe(true)
})
