import { describe, expect, it } from 'vitest'
import type { AnswerRecord } from '#bridge/port/records.ts'
import type { StorePlace } from './place.ts'

const answer = (id: string, change: Partial<AnswerRecord> = {}): AnswerRecord => ({
  id,
  jobId: `job-${id}`,
  queue: 'lane',
  channel: 'fake:w:c',
  conversation: { adapter: 'fake', workspace: 'w', channel: 'c', direct: false },
  collections: ['notes'],
  asker: 'u',
  question: 'When?',
  model: 'm',
  text: 'At ten [1].',
  references: [{ number: 1, file: 'a.md', passage: 'At ten.' }],
  outcome: 'answered',
  questionMessage: 'q1',
  messages: [`shown-${id}`],
  at: 1,
  ...change,
})

const at = (workspace: string) => ({ adapter: 'fake', workspace, channel: 'c', direct: false })
const inChannel = (channel: string) => ({ ...at('w'), channel })

export function describeAnswers(place: StorePlace): void {
  describe('answers', () => {
    it('are found by their id and by every message that shows them now', async () => {
      await place.store.answers.put(answer('a', { messages: ['m1', 'm2'] }))
      await place.reopen()
      expect(await place.store.answers.get('a')).toEqual(answer('a', { messages: ['m1', 'm2'] }))
      expect((await place.store.answers.ofMessage('fake:w:c', 'm2'))?.id).toBe('a')
      await place.store.answers.put(answer('a', { messages: ['m1'] }))
      expect(await place.store.answers.ofMessage('fake:w:c', 'm2')).toBeUndefined()
      expect(await place.store.answers.ofMessage('fake:w:other', 'm1')).toBeUndefined()
    })

    it('are kept with characters that not every database takes: a NUL, and half of a pair', async () => {
      const text = String.raw`a${'\0'}b${'\u{d800}'}c \u0000 ${'\u{1f6a2}'}`
      await place.store.answers.put(answer('odd', { text }))
      expect((await place.store.answers.get('odd'))?.text).toBe('a\u{fffd}b\u{fffd}c \\u0000 \u{1f6a2}')
      expect(await place.store.answers.ofQuestion('fake:w:c', 'q1')).toMatchObject([{ id: 'odd' }])
    })

    it.each([
      ['w', 'w2'],
      ['w_1', 'wx1'],
    ])(
      'of a workspace go with all its rows; another workspace, and names that look alike, stay: %s',
      async (gone, kept) => {
        const { store } = place
        for (const workspace of [gone, kept]) {
          const channel = `fake:${workspace}:c`
          const record = { key: channel, conversation: at(workspace), collection: `of-${workspace}` }
          await store.channels.put({ ...record, collecting: true, explained: true })
          await store.answers.put(
            answer(`a-${workspace}`, { channel, conversation: at(workspace), asker: `u-${workspace}` }),
          )
          await store.answers.vote({ answerId: `a-${workspace}`, by: 'v', vote: 'up', at: 1 })
          await store.history.append(`${channel}/t`, channel, {
            messageId: 'm',
            role: 'user',
            author: 'u',
            text: 'x',
            at: 1,
          })
          await store.buttonPayloads.put({
            id: `p-${workspace}`,
            kind: 'model',
            data: { queue: `${channel}/t` },
            at: 1,
          })
          await store.buttonPayloads.put({ id: `near-a-${workspace}`, kind: 'near', data: [], at: 1 })
          for (const scope of [channel, `workspace:fake:${workspace}`, `person:fake:u-${workspace}`])
            await store.preferences.set(scope, 'language', 'de')
          await store.usage.add({
            jobId: `fake:${workspace}:c:1`,
            subject: 'person:fake:u',
            kind: 'questions',
            amount: 1,
            at: 1,
          })
        }
        const left = async (workspace: string) => [
          (await place.store.channels.ofWorkspace('fake', workspace)).length,
          (await place.store.answers.get(`a-${workspace}`)) !== undefined,
          await place.store.history.has(`fake:${workspace}:c/t`),
          (await place.store.buttonPayloads.get(`p-${workspace}`)) !== undefined,
          (await place.store.buttonPayloads.get(`near-a-${workspace}`)) !== undefined,
          await place.store.preferences.get(`fake:${workspace}:c`, 'language'),
          await place.store.preferences.get(`workspace:fake:${workspace}`, 'language'),
          await place.store.preferences.get(`person:fake:u-${workspace}`, 'language'),
        ]
        // Rows that were read before may be cached.
        const all = [1, true, true, true, true, 'de', 'de', 'de']
        expect([await left(gone), await left(kept)]).toEqual([all, all])
        await store.forgetWorkspace('fake', gone)
        for (const look of [async () => undefined, () => place.reopen()]) {
          await look()
          expect(await left(gone)).toEqual([0, false, false, false, false, undefined, undefined, undefined])
          expect(await left(kept)).toEqual(all)
        }
        const used = await place.store.usage.since('person:fake:u', 'questions', 0)
        expect(used.map(({ jobId }) => jobId)).toEqual([`fake:${kept}:c:1`])
      },
    )

    it.each([
      ['c', 'c2'],
      ['c_1', 'cx1'],
    ])('of a channel go with all its rows; other channels, and what people used, stay: %s', async (gone, kept) => {
      const { store } = place
      for (const channel of [gone, kept]) {
        const key = `fake:w:${channel}`
        await store.channels.put({
          key,
          conversation: inChannel(channel),
          collection: channel,
          collecting: true,
          explained: true,
        })
        await store.answers.put(answer(`a-${channel}`, { channel: key, conversation: inChannel(channel) }))
        const turn = { messageId: 'm', role: 'user', author: 'u', text: 'x', at: 1 } as const
        await store.history.append(`${key}/t`, key, turn)
        await store.buttonPayloads.put({ id: `near-a-${channel}`, kind: 'near', data: [], at: 1 })
        await store.buttonPayloads.put({ id: `voice-${key}:1`, kind: 'voice-message', data: { text: 'said' }, at: 1 })
        await store.buttonPayloads.put({ id: `e-${channel}`, kind: 'escalation', data: { queue: `${key}/t` }, at: 1 })
        await store.preferences.set(key, 'language', 'de')
        await store.usage.add({ jobId: `${key}:1`, subject: 'person:fake:u', kind: 'questions', amount: 1, at: 1 })
        const send = {
          sendId: `s-${channel}`,
          jobId: `${key}:1`,
          slot: 'answer.0',
          conversation: inChannel(channel),
          text: '',
        }
        await store.outbox.open(send, 1)
      }
      const left = async (channel: string) => [
        await place.store.channels.get(`fake:w:${channel}`).then((record) => record !== undefined),
        (await place.store.answers.get(`a-${channel}`)) !== undefined,
        await place.store.history.has(`fake:w:${channel}/t`),
        (await place.store.buttonPayloads.get(`voice-fake:w:${channel}:1`)) !== undefined,
        (await place.store.buttonPayloads.get(`e-${channel}`)) !== undefined,
        (await place.store.buttonPayloads.get(`near-a-${channel}`)) !== undefined,
        await place.store.preferences.get(`fake:w:${channel}`, 'language'),
        (await place.store.outbox.ofSend(`s-${channel}`)) !== undefined,
      ]
      // Rows that were read before may be cached.
      const all = [true, true, true, true, true, true, 'de', true]
      expect([await left(gone), await left(kept)]).toEqual([all, all])
      await store.forgetChannel(inChannel(gone))
      for (const look of [async () => undefined, () => place.reopen()]) {
        await look()
        expect(await left(gone)).toEqual([false, false, false, false, false, false, undefined, false])
        expect(await left(kept)).toEqual(all)
      }
      expect(await place.store.usage.since('person:fake:u', 'questions', 0)).toHaveLength(2)
    })

    it('of which nothing was found are the gaps of their channel, until they are closed', async () => {
      await place.store.answers.put(answer('a', { outcome: 'nothing' }))
      await place.store.answers.put(answer('b', { outcome: 'nothing' }))
      await place.store.answers.put(answer('c'))
      await place.store.answers.put(answer('d', { outcome: 'nothing', channel: 'fake:w:other' }))
      expect((await place.store.answers.unanswered('fake:w:c', 10)).map(({ id }) => id)).toEqual(['b', 'a'])
      await place.store.answers.put(answer('b', { outcome: 'nothing', closedAt: 5 }))
      expect((await place.store.answers.unanswered('fake:w:c', 10)).map(({ id }) => id)).toEqual(['a'])
    })

    it('are found by their question, and go with their votes', async () => {
      await place.store.answers.put(answer('a', { messages: ['m1'] }))
      await place.store.answers.put(answer('b', { messages: ['m1'] }))
      await place.store.answers.put(answer('c', { questionMessage: 'q2' }))
      await place.store.answers.put(answer('d', { channel: 'fake:w:other' }))
      await place.store.answers.vote({ answerId: 'a', by: 'u', vote: 'up', at: 2 })
      expect((await place.store.answers.ofQuestion('fake:w:c', 'q1')).map(({ id }) => id)).toEqual(['a', 'b'])
      for (const id of ['a', 'b', 'a']) await place.store.answers.remove(id)
      await place.reopen()
      expect(await place.store.answers.ofQuestion('fake:w:c', 'q1')).toEqual([])
      expect(await place.store.answers.ofMessage('fake:w:c', 'm1')).toBeUndefined()
      expect(await place.store.answers.voted()).toEqual([])
      expect(await place.store.answers.get('c')).toBeDefined()
    })

    it('keep the last vote of each person, and outlive pruning with it', async () => {
      await place.store.answers.put(answer('a'))
      await place.store.answers.put(answer('b'))
      await place.store.answers.vote({ answerId: 'a', by: 'u', vote: 'up', at: 2 })
      await place.store.answers.vote({ answerId: 'a', by: 'u', vote: 'down', reason: 'wrong day', at: 3 })
      await place.store.answers.vote({ answerId: 'a', by: 'v', vote: 'up', at: 4 })
      await place.store.inbox.prune(100)
      expect(await place.store.answers.get('b')).toBeUndefined()
      expect(await place.store.answers.voted()).toEqual([
        {
          answer: answer('a'),
          votes: [
            { answerId: 'a', by: 'u', vote: 'down', reason: 'wrong day', at: 3 },
            { answerId: 'a', by: 'v', vote: 'up', at: 4 },
          ],
        },
      ])
    })
  })

  describe('offers', () => {
    it('are given once when they are taken', async () => {
      const offer = { id: 'o', kind: 'undo', data: { entry: 'e', list: [1] }, at: 1 }
      await place.store.buttonPayloads.put(offer)
      await place.reopen()
      expect(await place.store.buttonPayloads.get('o')).toEqual(offer)
      expect(await place.store.buttonPayloads.take('o')).toEqual(offer)
      expect(await place.store.buttonPayloads.take('o')).toBeUndefined()
    })

    it('are forgotten when they are old', async () => {
      await place.store.buttonPayloads.put({ id: 'o', kind: 'undo', data: null, at: 1 })
      await place.store.inbox.prune(2)
      expect(await place.store.buttonPayloads.get('o')).toBeUndefined()
    })
  })

  describe('choices', () => {
    it('are kept by scope and name, and forgotten on demand', async () => {
      await place.store.preferences.set('thread', 'model', 'big')
      await place.store.preferences.set('thread', 'model', 'small')
      await place.store.preferences.set('other', 'model', 'x')
      await place.reopen()
      expect(await place.store.preferences.get('thread', 'model')).toBe('small')
      await place.store.preferences.set('thread', 'model', undefined)
      expect(await place.store.preferences.get('thread', 'model')).toBeUndefined()
      expect(await place.store.preferences.get('other', 'model')).toBe('x')
    })
  })

  describe('spending', () => {
    it('counts a job once for each subject and kind', async () => {
      const use = { jobId: 'j', subject: 'person:u', kind: 'questions', amount: 1, at: 10 }
      await place.store.usage.add(use)
      await place.store.usage.add({ ...use, at: 11 })
      await place.store.usage.add({ ...use, jobId: 'k', at: 20, amount: 2.5 })
      await place.store.usage.add({ ...use, kind: 'megabytes' })
      await place.reopen()
      expect(await place.store.usage.since('person:u', 'questions', 0)).toEqual([
        { jobId: 'j', amount: 1, at: 10 },
        { jobId: 'k', amount: 2.5, at: 20 },
      ])
      expect(await place.store.usage.since('person:u', 'questions', 15)).toEqual([{ jobId: 'k', amount: 2.5, at: 20 }])
    })
  })
}
