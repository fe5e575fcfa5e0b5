import { expect, it } from 'vitest'
import { createRefused } from '#bridge/jobs/refused.ts'
import { createStorageNotices } from '#bridge/jobs/storage-notices.ts'
import { StoreUnavailableError } from '#bridge/port/errors.ts'
import type { Inbound } from '#bridge/port/message.ts'
import type { Room } from '#bridge/port/store.ts'
import { createFakeAdapter } from '#test/support/fakes/adapter.ts'
import { createFakeChat } from '#test/support/fakes/chat.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { eventually } from '#test/support/eventually.ts'

const FULL = new StoreUnavailableError('The disk is full.')

/** A disk that is full or not, and a room that reports it. */
function setUp() {
  const chat = createFakeChat()
  const adapter = createFakeAdapter({ chat })
  const log = createLogSink()
  const watchers: Parameters<Room['watch']>[0][] = []
  let trouble: string | undefined
  const say = (to: string | undefined) => {
    if ((to === undefined) === (trouble === undefined)) return
    trouble = to
    for (const watcher of watchers) watcher(to)
  }
  const disk = { isFull: true }
  const stored: string[] = []
  const room: Room = {
    trouble: async () => trouble,
    watch: (onChange) => void watchers.push(onChange),
    failed(error) {
      say(FULL.message)
      return error instanceof Error && error !== FULL ? FULL : error
    },
    leave: () => undefined,
  }
  const notices = createStorageNotices(() => adapter, log)
  const store = async ({ key }: Inbound) => {
    if (disk.isFull) throw new Error('ENOSPC')
    stored.push(key)
  }
  const receive = createRefused({ store: { room }, notices, log }, store)
  const notes = () => chat.visible().filter(({ text }) => /disk is full/.test(text))
  return { chat, disk, stored, receive, say, notes }
}

it('tells a refused person again where there was room for a moment only', async () => {
  const { chat, receive, say, notes, disk, stored } = setUp()
  const { inbound } = chat.mention('What does the ferry cost?')
  await expect(receive(inbound)).rejects.toThrow(FULL)
  await eventually(() => notes().length === 1)
  // A trial found room, and what is stored then finds none.
  say(undefined)
  const verbs = () => chat.transcript.map(({ verb }) => verb).join(' ')
  await eventually(() => /^post (remove post|post remove)$/.test(verbs()) && notes().length === 1)
  disk.isFull = false
  say(undefined)
  await eventually(() => stored.length === 1 && notes().length === 0)
})

it('tells a person whose event just fits, since its job may find no room', async () => {
  const { chat, receive, say, notes, disk, stored } = setUp()
  say(FULL.message)
  disk.isFull = false
  await receive(chat.mention('What does the ferry cost?').inbound)
  expect(stored).toHaveLength(1)
  await eventually(() => notes().length === 1)
})

it('tells a person with the next try of the service, where the first notice could not be posted', async () => {
  const { chat, receive, notes } = setUp()
  const { inbound } = chat.mention('What does the ferry cost?')
  chat.fail('post', new Error('Too many calls.'), { times: 1 })
  await expect(receive(inbound)).rejects.toThrow(FULL)
  await new Promise(setImmediate)
  expect(notes()).toEqual([])
  await expect(receive(inbound)).rejects.toThrow(FULL)
  await eventually(() => notes().length === 1)
})
