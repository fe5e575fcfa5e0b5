import { describe, expect, it } from 'vitest'
import type { Inbound } from '#bridge/port/message.ts'
import { conversation, said } from './said.ts'
import type { StorePlace } from './place.ts'

const stop = (key: string): Inbound => ({ kind: 'stop', key, conversation, author: { id: 'u', name: 'U' } })

export function describeInbox(place: StorePlace): void {
  const accept = async (inbound: Inbound, queue = 'lane', dueAt = 0) => {
    const options = { queue, dueAt, now: 0, message: `m/${inbound.key}` }
    const { outcome, stored } = await place.store.inbox.accept(inbound, options)
    await stored
    return outcome
  }
  const claimed = async (now = 0) => (await place.store.inbox.claim(now, 10, true)).map(({ id }) => id)

  describe('the inbox', () => {
    it('knows an event that it was told before, also when its work is long done', async () => {
      expect(await accept(said('1'))).toBe('accepted')
      expect(await accept(said('1'))).toBe('duplicate')
      expect(await claimed()).toEqual(['fake:1'])
      await place.store.inbox.complete('fake:1', 1)
      expect(await accept(said('1'))).toBe('duplicate')
      expect(await claimed()).toEqual([])
    })

    it('blames beyond doubt only a job that was the only suspect, and holds it back longer after each trial', async () => {
      await accept(said('1'), 'a')
      await accept(said('2'), 'b')
      for (let death = 0; death < 2; death += 1) {
        await place.store.inbox.claim(0, 10, true)
        await place.crash()
      }
      expect(await place.store.inbox.claim(0, 10, false)).toEqual([])
      expect(await place.store.inbox.claim(0, 10, true)).toMatchObject([{ id: 'fake:1', deaths: 2 }])
      await accept(said('3'), 'c')
      expect(await place.store.inbox.claim(0, 10, false)).toMatchObject([{ id: 'fake:3' }])
      await place.crash()
      // The second is tried, while the first is held back; the third ran together with a suspect and is not blamed.
      expect(await place.store.inbox.claim(0, 10, true)).toMatchObject([{ id: 'fake:2', deaths: 2 }])
      await place.store.inbox.complete('fake:2', 0)
      expect(await place.store.inbox.claim(0, 10, true)).toMatchObject([{ id: 'fake:3', deaths: 0 }])
      await place.store.inbox.complete('fake:3', 0)
      expect(await claimed(9999)).toEqual([])
      expect(await place.store.inbox.claim(10_000, 10, true)).toMatchObject([{ id: 'fake:1', deaths: 3 }])
      await place.crash()
      expect(await claimed(59_999)).toEqual([])
      expect(await place.store.inbox.claim(60_000, 10, true)).toMatchObject([{ id: 'fake:1', deaths: 4 }])
    })

    it('counts the time that a process lived without a suspect, not the time of its start', async () => {
      await accept(said('1'), 'a')
      await accept(said('2'), 'b')
      for (let death = 0; death < 3; death += 1) {
        await place.store.inbox.claim(0, 10, true)
        await place.crash()
      }
      expect(await place.store.inbox.job('fake:1')).toMatchObject({ deaths: 3, dueAt: 10_000 })
      // The second is tried now, a suspect too.
      expect(await place.store.inbox.claim(9000, 10, true)).toMatchObject([{ id: 'fake:2', deaths: 2 }])
      await place.reopen()
      await place.store.inbox.recover(9000)
      expect(await place.store.inbox.job('fake:1')).toMatchObject({ deaths: 3, dueAt: 19_000 })
    })

    it('clears every suspect when the process dies without one', async () => {
      await accept(said('1'), 'a')
      for (let death = 0; death < 3; death += 1) {
        await place.store.inbox.claim(0, 10, true)
        await place.crash()
      }
      expect(await place.store.inbox.job('fake:1')).toMatchObject({ deaths: 3, dueAt: 10_000 })
      await accept(said('2'), 'b')
      await place.store.inbox.claim(0, 10, true)
      await place.crash()
      expect(await place.store.inbox.claim(0, 10, false)).toMatchObject([
        { id: 'fake:1', deaths: 0 },
        { id: 'fake:2', deaths: 1 },
      ])
    })

    it('blames no job for the end of a process that was told to end', async () => {
      await accept(said('1'))
      for (let end = 0; end < 4; end += 1) {
        expect(await place.store.inbox.claim(0, 10, true)).toMatchObject([{ id: 'fake:1', deaths: 0 }])
        await place.store.inbox.leave(0)
        await place.crash()
      }
      await place.store.inbox.claim(0, 10, true)
      await place.crash()
      expect(await place.store.inbox.job('fake:1')).toMatchObject({ deaths: 1 })
    })

    it('gives what was cut off all its attempts again: it did not fail', async () => {
      await accept(said('1'))
      for (let end = 0; end < 7; end += 1) {
        await place.store.inbox.claim(0, 10, true)
        if (end % 2 === 0) await place.store.inbox.release(0)
        else {
          await place.store.inbox.leave(0)
          await place.crash()
        }
      }
      expect(await place.store.inbox.claim(0, 10, true)).toMatchObject([{ attempt: 2 }])
    })

    it('gives a suspect beside other jobs when it has waited for a minute: a busy bridge has no quiet moment', async () => {
      await accept(said('1'))
      for (let death = 0; death < 2; death += 1) {
        await place.store.inbox.claim(0, 10, true)
        await place.crash()
      }
      expect(await place.store.inbox.claim(59_999, 10, false)).toEqual([])
      expect(await place.store.inbox.claim(60_000, 10, false)).toMatchObject([{ id: 'fake:1' }])
    })

    it('gives the jobs of a queue one at a time, in order, and queues side by side', async () => {
      await accept(said('a1'), 'a')
      await accept(said('a2'), 'a')
      await accept(said('b1'), 'b')
      expect(await claimed()).toEqual(['fake:a1', 'fake:b1'])
      expect(await claimed()).toEqual([])
      await place.store.inbox.complete('fake:a1', 1)
      expect(await claimed()).toEqual(['fake:a2'])
    })

    it('lets the fuller twin take the place of a provisional event, in either order, until somebody began', async () => {
      expect(await accept(said('1', { text: 'thin', provisional: true }), 'a', 1500)).toBe('accepted')
      expect(await claimed(0)).toEqual([])
      expect(await accept(said('1', { text: 'full' }), 'a', 10)).toBe('replaced')
      expect(await accept(said('1', { text: 'thin', provisional: true }), 'a', 1500)).toBe('duplicate')
      const [job] = await place.store.inbox.claim(10, 10, true)
      expect(job?.inbound).toMatchObject({ message: { text: 'full' } })
      expect(await accept(said('2', { text: 'thin', provisional: true }), 'b', 1500)).toBe('accepted')
      expect(await claimed(1500)).toEqual(['fake:2'])
      expect(await accept(said('2', { text: 'full' }), 'b')).toBe('duplicate')
    })

    it('keeps the order of a queue while its head is held back, and names the time at which it falls due', async () => {
      await accept(said('1', { provisional: true }), 'a', 1500)
      await accept(said('2'), 'a', 5)
      expect(await claimed(100)).toEqual([])
      expect(await place.store.inbox.nextDueAt()).toBe(1500)
      expect(await claimed(1500)).toEqual(['fake:1'])
    })

    it('takes up after a crash what was running, and counts the attempts', async () => {
      await accept(said('1'))
      expect(await claimed()).toEqual(['fake:1'])
      await place.reopen()
      expect(await claimed()).toEqual([])
      expect(await place.store.inbox.recover(5)).toBe(1)
      const [job] = await place.store.inbox.claim(5, 10, true)
      expect(job).toMatchObject({ id: 'fake:1', attempt: 2, createdAt: 0 })
    })

    it('puts a job back until its time, buries what is permanent, and keeps both to be seen', async () => {
      await accept(said('1'))
      await claimed()
      await place.store.inbox.retry('fake:1', 100, 'not reached', 1)
      expect(await claimed(99)).toEqual([])
      expect(await claimed(100)).toEqual(['fake:1'])
      await place.store.inbox.bury('fake:1', 'permanent', 101)
      expect(await place.store.inbox.job('fake:1')).toMatchObject({ state: 'dead', reason: 'permanent' })
      expect(await place.store.inbox.ofMessage('m/fake:1')).toMatchObject({ id: 'fake:1' })
    })

    it('names the queue of the newest event of a channel that is no message and has not ended, however many jobs are older', async () => {
      const { inbox } = place.store
      const press = (key: string, queue: string) => inbox.accept(stop(key), { queue, dueAt: 0, now: 0 })
      await press('1', 'a:b:c/!action')
      await press('2', 'a:b:c/7!action')
      await press('3', 'a:b:c/8!pin')
      await press('4', 'a:b:cc/!action')
      await press('5', 'a:b:c/1!action/x')
      await accept(said('behind'), 'a:b:c/!action')
      expect(await inbox.openQueue('a:b:c', '!action')).toBe('a:b:c/7!action')
      expect(await inbox.claim(0, 10, false)).toHaveLength(5)
      expect(await inbox.openQueue('a:b:c', '!action')).toBe('a:b:c/7!action')
      await inbox.complete('2', 1)
      expect(await inbox.openQueue('a:b:c', '!action')).toBe('a:b:c/!action')
      await inbox.bury('1', 'no', 1)
      expect(await inbox.openQueue('a:b:c', '!action')).toBeUndefined()
    })

    it('names the channels of one chat service that have messages', async () => {
      const keys = [
        'fake:w:a/1',
        'fake:w:a/2',
        'fake:w:a1/1',
        'fake:w:b%2F/1',
        'fakes:w:a/1',
        'fake:w:a/3',
        'other:w:a/9',
      ]
      for (const message of keys)
        await place.store.inbox.accept(said(message), { queue: message, dueAt: 0, now: 0, message })
      expect(await place.store.inbox.channelsOf('fake')).toEqual(['fake:w:a', 'fake:w:a1', 'fake:w:b%2F'])
      expect(await place.store.inbox.channelsOf('none')).toEqual([])
    })

    it('counts and lists what is left to do, and takes orders of operators about what is dead or waits', async () => {
      for (const id of ['1', '2', '3', '4']) await accept(said(id), id)
      await claimed()
      await place.store.inbox.bury('fake:1', 'permanent', 5)
      await place.store.inbox.complete('fake:2', 5)
      await place.store.inbox.retry('fake:3', 100, 'not reached', 5)
      expect(await place.store.inbox.depth()).toEqual({ waiting: 1, running: 1, dead: 1, oldestAt: 0 })
      expect(await place.store.inbox.list(['dead', 'queued'], 9)).toMatchObject([
        { id: 'fake:1', state: 'dead', reason: 'permanent' },
        { id: 'fake:3', state: 'queued', dueAt: 100 },
      ])
      expect(await place.store.inbox.list(['dead', 'queued'], 1)).toMatchObject([{ id: 'fake:1' }])
      const changed = async (change: 'requeue' | 'discard') =>
        Promise.all(['1', '2', '3', '4', 'none'].map((id) => place.store.inbox[change](`fake:${id}`, 7)))
      expect(await changed('requeue')).toEqual([true, false, true, false, false])
      expect(await place.store.inbox.claim(7, 10, true)).toMatchObject([
        { id: 'fake:1', attempt: 1, reason: 'permanent' },
        { id: 'fake:3', attempt: 1 },
      ])
      await place.store.inbox.retry('fake:3', 100, 'not reached', 8)
      expect(await changed('discard')).toEqual([false, false, true, false, false])
      expect(await place.store.inbox.depth()).toEqual({ waiting: 0, running: 2, dead: 0, oldestAt: undefined })
      expect(await accept(said('3'))).toBe('duplicate')
    })

    it('runs a job alone that the process died with, also when an operator has it run again', async () => {
      await accept(said('1'))
      for (let death = 0; death < 5; death += 1) {
        await place.store.inbox.claim(60_000, 10, true)
        await place.crash()
      }
      expect(await place.store.inbox.job('fake:1')).toMatchObject({ deaths: 5 })
      await place.store.inbox.bury('fake:1', 'deadly', 0)
      await place.store.inbox.requeue('fake:1', 1)
      expect(await place.store.inbox.claim(1, 10, false)).toEqual([])
      expect(await place.store.inbox.claim(1, 10, true)).toMatchObject([{ deaths: 2, attempt: 1 }])
    })

    it('forgets finished work only when it is old', async () => {
      await accept(said('1'))
      await accept(said('2'), 'other')
      await claimed()
      await place.store.inbox.complete('fake:1', 50)
      expect(await place.store.inbox.prune(50)).toBe(0)
      expect(await place.store.inbox.prune(51)).toBe(1)
      expect(await place.store.inbox.job('fake:2')).toMatchObject({ state: 'running' })
    })

    it('finds a message with its edits, and states anew what is over', async () => {
      const one = said('1', { text: 'a secret' })
      const message = 'm/fake:1'
      if (one.kind !== 'message') return
      await accept(one)
      const edit: Inbound = { kind: 'edit', key: 'fake:1:edit', message: one.message }
      await place.store.inbox.accept(edit, { queue: 'lane', dueAt: 0, now: 0, message })
      expect((await place.store.inbox.ofMessage(message))?.id).toBe('fake:1')
      expect((await place.store.inbox.allOfMessage(message)).map(({ id }) => id)).toEqual(['fake:1', 'fake:1:edit'])
      await place.store.inbox.claim(0, 1, true)
      await place.store.inbox.complete('fake:1', 1)
      const bare = { ...one, message: { ...one.message, text: '' } }
      await place.store.inbox.replaceEvent('fake:1', bare)
      // Still to be done: it needs its words.
      await place.store.inbox.replaceEvent('fake:1:edit', { ...edit, message: bare.message })
      expect((await place.store.inbox.allOfMessage(message)).map(({ inbound }) => inbound)).toEqual([bare, edit])
      expect(await accept(one)).toBe('duplicate')
    })
  })
}
