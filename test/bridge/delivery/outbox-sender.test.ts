import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSender } from '#bridge/delivery/outbox-sender.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import { openStore } from '#store/store.ts'
import { createFakeAdapter } from '#test/support/fakes/adapter.ts'

const conversation = { adapter: 'fake', workspace: 'w', channel: 'c', direct: false }

/** A sender on a real store, and how often the rows of its job were read. */
function open() {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-sender-'))
  const store = openStore(directory)
  onTestFinished(() => {
    store.close()
    rmSync(directory, { recursive: true })
  })
  const adapter = createFakeAdapter()
  let reads = 0
  const ofJob = (jobId: string) => {
    reads += 1
    return store.outbox.ofJob(jobId)
  }
  const opened: string[] = []
  const disk = { isFree: Promise.resolve() }
  const noted: typeof store.outbox.open = async (row, now) => {
    opened.push(row.slot)
    await disk.isFree
    return store.outbox.open(row, now)
  }
  const outbox = { ...store.outbox, ofJob, open: noted }
  const of = { jobId: 'job', adapter, conversation, replyTo: 'q', clock: () => 0 }
  return {
    sender: createSender({ ...of, outbox }),
    opened,
    disk,
    adapter,
    chat: adapter.chat,
    /** Another process, which goes on with the job. */
    successor: createSender({ ...of, outbox: store.outbox, clock: () => 1 }),
    rows: () => store.outbox.ofJob('job'),
    reads: () => reads,
  }
}

const content = (text: string) => ({ kind: 'answer', text }) as const

it('reads the rows of its job once, however often it edits', async () => {
  const { sender, chat, rows, reads } = open()
  const texts = ['one', 'one two', 'one two three']
  for (const text of texts) await sender.show('answer.0', content(text))
  await sender.show('answer.1', content('four'))
  expect(await sender.slots()).toEqual(['answer.0', 'answer.1'])
  await sender.remove('answer.1')
  expect(await sender.slots()).toEqual(['answer.0'])
  expect(chat.visible().map(({ text }) => text)).toEqual(['one two three'])
  expect((await rows()).map(({ text }) => text)).toEqual(['one two three'])
  expect(reads()).toBe(1)
})

it('posts again what certainly was not posted, and finds what may have been', async () => {
  const { sender, chat, rows } = open()
  chat.fail('post', new AdapterError('invalid', 'no'))
  await expect(sender.show('answer.0', content('one'))).rejects.toThrow('no')
  expect(await rows()).toEqual([])
  chat.fail('post', new AdapterError('ambiguous', 'lost'), { after: true })
  await sender.show('answer.0', content('two'))
  await sender.show('answer.0', content('three'))
  expect(chat.visible().map(({ text }) => text)).toEqual(['three'])
})

it.each(['network', 'rate-limited', 'forbidden'] as const)(
  'keeps the row of a send whose reply was lost where the search for it fails, too (%s)',
  async (code) => {
    const { sender, chat, rows } = open()
    chat.fail('post', new AdapterError('ambiguous', 'lost'), { after: true })
    chat.fail('find', new AdapterError(code, 'no search'))
    await expect(sender.show('answer.0', content('one'))).rejects.toThrow('lost')
    expect(await rows()).toMatchObject([{ slot: 'answer.0', state: 'sending' }])
    await sender.show('answer.0', content('two'))
    expect(chat.visible().map(({ text }) => text)).toEqual(['two'])
  },
)

it('registers a slot ahead of its send, and gives it up where nothing was sent', async () => {
  const { sender, chat, rows, opened } = open()
  sender.prepare('answer.0')
  sender.prepare('answer.1')
  // The row says that a message may be out there: here nobody looks for one.
  await sender.show('answer.0', content('one'))
  expect(chat.transcript.map(({ verb }) => verb)).toEqual(['post'])
  expect((await rows()).map(({ slot, state, text }) => [slot, state, text])).toEqual([
    ['answer.0', 'sent', 'one'],
    ['answer.1', 'sending', ''],
  ])
  expect(await sender.slots()).toEqual(['answer.0'])
  await sender.discard()
  await sender.show('answer.0', content('one two'))
  expect((await rows()).map(({ text }) => text)).toEqual(['one two'])
  expect(opened).toEqual(['answer.0', 'answer.1'])
})

it('keeps the row of a slot that is given up in the moment in which its send begins', async () => {
  const { sender, chat, rows, disk } = open()
  const free = Promise.withResolvers<void>()
  disk.isFree = free.promise
  sender.prepare('answer.0')
  const [shown, discarded] = [sender.show('answer.0', content('one')), sender.discard()]
  free.resolve()
  await Promise.all([shown, discarded])
  expect(chat.visible().map(({ text }) => text)).toEqual(['one'])
  expect((await rows()).map(({ slot, state }) => [slot, state])).toEqual([['answer.0', 'sent']])
  sender.prepare('answer.1')
  await Promise.all([sender.discard(), sender.show('answer.1', content('two'))])
  expect((await rows()).map(({ slot, state }) => [slot, state])).toEqual([
    ['answer.0', 'sent'],
    ['answer.1', 'sent'],
  ])
})

it('registers nothing ahead of a send that has begun: giving the slot up would take its row', async () => {
  const { sender, rows, disk, opened } = open()
  const free = Promise.withResolvers<void>()
  disk.isFree = free.promise
  const shown = sender.show('answer.0', content('one'))
  await expect.poll(() => opened).toEqual(['answer.0'])
  sender.prepare('answer.0')
  const discarded = sender.discard()
  free.resolve()
  await Promise.all([shown, discarded])
  sender.prepare('answer.0')
  await sender.discard()
  expect(opened).toEqual(['answer.0'])
  expect((await rows()).map(({ slot, state }) => [slot, state])).toEqual([['answer.0', 'sent']])
})

it('leaves the row of a slot to a successor that sends in it', async () => {
  const { sender, successor, adapter, rows } = open()
  sender.prepare('answer.0')
  await successor.open('answer.0', content('one'), async (message) => {
    await sender.discard()
    return { ref: await adapter.post(conversation, message) }
  })
  expect((await rows()).map(({ slot, state }) => [slot, state])).toEqual([['answer.0', 'sent']])
})

it('gives each message of a job a send id of its own, of the length of a nonce: a notice never stands for an answer', async () => {
  const { sender, rows } = open()
  for (const slot of ['answer.0', 'answer.1', 'status', 'failure']) await sender.show(slot, content(slot))
  const ids = (await rows()).map(({ sendId }) => sendId)
  expect(new Set(ids).size).toBe(4)
  expect(ids.every(({ length }) => length <= 25)).toBe(true)
})
