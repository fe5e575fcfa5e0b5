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
    await store.inbox.accept(inbound, { lane: id, message: `m/${id}`, dueAt: 0, now: 0 })
    await store.inbox.claim(0, 1)
    await store.inbox.complete(id, 0)
  }
  await store.ledger.put({
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
