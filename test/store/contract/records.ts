import { describe, expect, it } from 'vitest'
import type { FileRecord } from '#bridge/port/records.ts'
import type { StorePlace } from './place.ts'

const conversation = { adapter: 'fake', workspace: 'w', channel: 'c', direct: false }

const turn = (id: string, role: 'user' | 'assistant', text: string) => ({
  messageId: id,
  role,
  author: 'u',
  text,
  at: 1,
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

export function describeRecords(place: StorePlace): void {
  describe('the outbox', () => {
    const row = { sendId: 's1', jobId: 'j', slot: 'answer.0', conversation, text: 'Hello' }

    it('keeps a row for each send from before it leaves until it shows its final text', async () => {
      expect(await place.store.outbox.open(row, 1)).toMatchObject({ state: 'sending', text: 'Hello' })
      await place.reopen()
      const [sending] = await place.store.outbox.ofJob('j')
      expect(sending).toMatchObject({ sendId: 's1', state: 'sending' })
      expect(sending?.ref).toBeUndefined()
      const ref = { conversation, id: 'm1' }
      await place.store.outbox.sent('s1', ref, 'Hello you', 2)
      expect(await place.store.outbox.byMessage(conversation, 'm1')).toMatchObject({
        state: 'sent',
        ref,
        text: 'Hello you',
      })
      expect(await place.store.outbox.ofSend('s1')).toMatchObject({ slot: 'answer.0', ref })
      expect(await place.store.outbox.known(conversation)).toEqual(['m1'])
      await place.store.outbox.close('s1', 'Hello you all', 3)
      await place.reopen()
      expect(await place.store.outbox.ofJob('j')).toMatchObject([{ state: 'closed', text: 'Hello you all', ref }])
    })

    it('opens a row once, and forgets one that certainly did not get out', async () => {
      await place.store.outbox.open(row, 1)
      await place.store.outbox.sent('s1', { conversation, id: 'm1' }, 'Hello', 2)
      expect(await place.store.outbox.open(row, 3)).toMatchObject({ state: 'sent' })
      await place.store.outbox.drop('s1')
      expect(await place.store.outbox.ofJob('j')).toEqual([])
    })

    it('deletes a row that was given up only where nothing was sent, and nobody else opened it', async () => {
      const { outbox } = place.store
      const states = async () => (await outbox.ofJob('j')).map(({ state }) => state)
      await outbox.open(row, 1)
      await outbox.open(row, 2)
      await outbox.dropUnsent('s1', 1)
      expect(await states()).toEqual(['sending'])
      await outbox.dropUnsent('s1', 2)
      expect(await states()).toEqual([])
      await outbox.open(row, 3)
      await outbox.sent('s1', { conversation, id: 'm1' }, 'Hello', 3)
      await outbox.dropUnsent('s1', 3)
      expect(await states()).toEqual(['sent'])
    })
  })

  describe('channels, ledger and transcripts', () => {
    it('keeps the collection of a channel', async () => {
      const record = { key: 'k', conversation, collection: 'fake-c', collecting: true, explained: false }
      await place.store.channels.put(record)
      await place.store.channels.put({ ...record, collectionId: 'me/fake-c', explained: true })
      await place.reopen()
      expect(await place.store.channels.get('k')).toEqual({ ...record, collectionId: 'me/fake-c', explained: true })
      expect(await place.store.channels.get('other')).toBeUndefined()
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
      await place.store.files.put(entry)
      expect(await place.store.files.hasReady('fake-c')).toBe(false)
      await place.store.files.put({ ...entry, state: 'ready' })
      await place.store.files.put({ ...entry, id: 'j#1', displayName: 'Second.md' })
      await place.reopen()
      expect(await place.store.files.get('j#0')).toMatchObject({ state: 'ready' })
      expect((await place.store.files.ofCollection('fake-c')).map(({ id }) => id)).toEqual(['j#1', 'j#0'])
      expect((await place.store.files.ofJob('j')).map(({ id }) => id)).toEqual(['j#0', 'j#1'])
      expect(await place.store.files.hasReady('fake-c')).toBe(true)
    })

    it('finds everything that was dropped as one attachment, wherever', async () => {
      await place.store.files.put(dropped('one', 'here', 'F1'))
      await place.store.files.put(dropped('two', 'there', 'F1'))
      await place.store.files.put(dropped('three', 'here', 'F2'))
      await place.reopen()
      expect((await place.store.files.ofAttachment('F1')).map(({ id }) => id)).toEqual(['one', 'two'])
      expect(await place.store.files.ofAttachment('F')).toEqual([])
      const ofChannel = (await place.store.files.ofChannel('c')).map(({ id }) => id)
      expect(ofChannel).toEqual(expect.arrayContaining(['one', 'two', 'three']))
      expect(await place.store.files.ofChannel('other')).toEqual([])
    })

    it('keeps a conversation in order, newest turns first to go in, and finds it by any of its messages', async () => {
      await place.store.history.append('lane', 'k', turn('1', 'user', 'First?'))
      await place.store.history.append('lane', 'k', turn('2', 'assistant', 'Yes.'))
      await place.store.history.append('lane', 'k', turn('3', 'user', 'Second?'))
      await place.store.history.append('lane', 'k', turn('1', 'user', 'First, edited?'))
      await place.reopen()
      expect((await place.store.history.of('lane', 10)).map(({ text }) => text)).toEqual([
        'First, edited?',
        'Yes.',
        'Second?',
      ])
      expect((await place.store.history.of('lane', 2)).map(({ messageId }) => messageId)).toEqual(['2', '3'])
      expect(await place.store.history.queueOf('k', '2')).toBe('lane')
      expect(await place.store.history.queueOf('other', '2')).toBeUndefined()
      await place.store.history.remove('k', '2')
      expect(await place.store.history.queueOf('k', '2')).toBeUndefined()
    })

    it('keeps how far each adapter has read', async () => {
      const cursors = place.store.cursors('discord')
      await cursors.set('c1', '5')
      await cursors.set('c1', '7')
      expect(await cursors.get('c1')).toBe('7')
      expect(await cursors.all()).toEqual([{ channel: 'c1', position: '7' }])
      expect(await place.store.cursors('slack').all()).toEqual([])
    })
  })

  describe('forgetting', () => {
    it('a message that dropped a file is still known when the dedupe layer has forgotten the others', async () => {
      for (const id of ['asked', 'dropped']) {
        const inbound = { kind: 'delete', key: id, conversation, messageId: id } as const
        await place.store.inbox.accept(inbound, { queue: id, message: `m/${id}`, dueAt: 0, now: 0 })
        await place.store.inbox.claim(0, 1, true)
        await place.store.inbox.complete(id, 0)
      }
      await place.store.files.put({
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
      expect(await place.store.inbox.prune(1)).toBe(1)
      expect(await place.store.inbox.ofMessage('m/asked')).toBeUndefined()
      expect(await place.store.inbox.ofMessage('m/dropped')).toMatchObject({ id: 'dropped' })
    })

    it('what was sent and said goes with the work that is forgotten, and nothing that is younger', async () => {
      for (const at of [0, 5]) {
        const inbound = { kind: 'delete', key: `j${at}`, conversation, messageId: `m${at}` } as const
        await place.store.inbox.accept(inbound, { queue: `l${at}`, dueAt: 0, now: at })
        await place.store.inbox.claim(at, 1, true)
        await place.store.outbox.open(
          { sendId: `s${at}`, jobId: `j${at}`, slot: 'answer.0', conversation, text: 'Hi' },
          at,
        )
        await place.store.inbox.complete(`j${at}`, at)
        await place.store.history.append(`l${at}`, 'c', { ...turn(`m${at}`, 'user', 'Hello'), at })
      }
      expect(await place.store.inbox.prune(3)).toBe(1)
      expect(await place.store.outbox.ofJob('j0')).toEqual([])
      expect(await place.store.outbox.ofJob('j5')).toHaveLength(1)
      expect(await place.store.history.has('l0')).toBe(false)
      expect(await place.store.history.has('l5')).toBe(true)
    })
  })
}
