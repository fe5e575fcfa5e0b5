import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { beginsConversation, queueOf } from '#bridge/jobs/queue-key.ts'
import type { Inbound, Message } from '#bridge/port/message.ts'
import { openStore } from '#store/store.ts'

const conversation = { adapter: 'fake', workspace: 'w', channel: 'c', direct: false }
const message = (id: string, replyTo?: string): Message => ({
  id,
  conversation,
  author: { id: 'u', name: 'U' },
  text: id,
  addressed: true,
  mentionsOthers: false,
  attachments: [],
  sentAt: '2026-11-21T08:00:00Z',
  ...(replyTo === undefined ? {} : { replyTo }),
})

it('a reply to an answer that is seen but not yet remembered belongs to the conversation of that answer', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-queues-'))
  const store = openStore(directory)
  onTestFinished(() => {
    store.close()
    rmSync(directory, { recursive: true })
  })
  const asked: Inbound = { kind: 'message', key: 'job', message: message('1') }
  await store.inbox.accept(asked, { queue: 'the lane', dueAt: 0, now: 0 })
  await store.outbox.open({ sendId: 's', jobId: 'job', slot: 'answer.0', conversation, text: 'Yes.' }, 0)
  await store.outbox.sent('s', { conversation, id: '2' }, 'Yes.', 0)
  expect(await queueOf(message('3', '2'), store)).toBe('the lane')
  expect(await queueOf(message('4', 'unknown'), store)).not.toBe('the lane')
})

it('only a root that replies to nothing begins a conversation', () => {
  const root = message('1')
  const inThread = (thread: string) => ({ ...root, conversation: { ...conversation, thread } })
  expect([root, inThread('1')].map(beginsConversation)).toEqual([true, true])
  const direct = { ...root, conversation: { ...conversation, direct: true } }
  expect([message('2', '1'), inThread('0'), direct].map(beginsConversation)).toEqual([false, false, false])
})
