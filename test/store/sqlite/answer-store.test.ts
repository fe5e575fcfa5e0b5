import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AnswerRecord } from '../../../src/bridge/port/records.ts'
import { openStore, type OpenStore } from '../../../src/store/store.ts'

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

describe('answers', () => {
  it('are found by their id and by every message that shows them now', async () => {
    await store.answers.put(answer('a', { messages: ['m1', 'm2'] }))
    reopen()
    expect(await store.answers.get('a')).toEqual(answer('a', { messages: ['m1', 'm2'] }))
    expect((await store.answers.ofMessage('fake:w:c', 'm2'))?.id).toBe('a')
    await store.answers.put(answer('a', { messages: ['m1'] }))
    expect(await store.answers.ofMessage('fake:w:c', 'm2')).toBeUndefined()
    expect(await store.answers.ofMessage('fake:w:other', 'm1')).toBeUndefined()
  })

  it('of which nothing was found are the gaps of their channel, until they are closed', async () => {
    await store.answers.put(answer('a', { outcome: 'nothing' }))
    await store.answers.put(answer('b', { outcome: 'nothing' }))
    await store.answers.put(answer('c'))
    await store.answers.put(answer('d', { outcome: 'nothing', channel: 'fake:w:other' }))
    expect((await store.answers.unanswered('fake:w:c', 10)).map(({ id }) => id)).toEqual(['b', 'a'])
    await store.answers.put(answer('b', { outcome: 'nothing', closedAt: 5 }))
    expect((await store.answers.unanswered('fake:w:c', 10)).map(({ id }) => id)).toEqual(['a'])
  })

  it('are found by their question, and go with their votes', async () => {
    await store.answers.put(answer('a', { messages: ['m1'] }))
    await store.answers.put(answer('b', { messages: ['m1'] }))
    await store.answers.put(answer('c', { questionMessage: 'q2' }))
    await store.answers.put(answer('d', { channel: 'fake:w:other' }))
    await store.answers.vote({ answerId: 'a', by: 'u', vote: 'up', at: 2 })
    expect((await store.answers.ofQuestion('fake:w:c', 'q1')).map(({ id }) => id)).toEqual(['a', 'b'])
    for (const id of ['a', 'b', 'a']) await store.answers.remove(id)
    reopen()
    expect(await store.answers.ofQuestion('fake:w:c', 'q1')).toEqual([])
    expect(await store.answers.ofMessage('fake:w:c', 'm1')).toBeUndefined()
    expect(await store.answers.voted()).toEqual([])
    expect(await store.answers.get('c')).toBeDefined()
  })

  it('keep the last vote of each person, and outlive pruning with it', async () => {
    await store.answers.put(answer('a'))
    await store.answers.put(answer('b'))
    await store.answers.vote({ answerId: 'a', by: 'u', vote: 'up', at: 2 })
    await store.answers.vote({ answerId: 'a', by: 'u', vote: 'down', reason: 'wrong day', at: 3 })
    await store.answers.vote({ answerId: 'a', by: 'v', vote: 'up', at: 4 })
    await store.inbox.prune(100)
    expect(await store.answers.get('b')).toBeUndefined()
    expect(await store.answers.voted()).toEqual([
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
    await store.buttonPayloads.put(offer)
    reopen()
    expect(await store.buttonPayloads.get('o')).toEqual(offer)
    expect(await store.buttonPayloads.take('o')).toEqual(offer)
    expect(await store.buttonPayloads.take('o')).toBeUndefined()
  })

  it('are forgotten when they are old', async () => {
    await store.buttonPayloads.put({ id: 'o', kind: 'undo', data: null, at: 1 })
    await store.inbox.prune(2)
    expect(await store.buttonPayloads.get('o')).toBeUndefined()
  })
})

describe('choices', () => {
  it('are kept by scope and name, and forgotten on demand', async () => {
    await store.preferences.set('thread', 'model', 'big')
    await store.preferences.set('thread', 'model', 'small')
    await store.preferences.set('other', 'model', 'x')
    reopen()
    expect(await store.preferences.get('thread', 'model')).toBe('small')
    await store.preferences.set('thread', 'model', undefined)
    expect(await store.preferences.get('thread', 'model')).toBeUndefined()
    expect(await store.preferences.get('other', 'model')).toBe('x')
  })
})

describe('spending', () => {
  it('counts a job once for each subject and kind', async () => {
    const use = { jobId: 'j', subject: 'person:u', kind: 'questions', amount: 1, at: 10 }
    await store.usage.add(use)
    await store.usage.add({ ...use, at: 11 })
    await store.usage.add({ ...use, jobId: 'k', at: 20, amount: 2.5 })
    await store.usage.add({ ...use, kind: 'megabytes' })
    reopen()
    expect(await store.usage.since('person:u', 'questions', 0)).toEqual([
      { jobId: 'j', amount: 1, at: 10 },
      { jobId: 'k', amount: 2.5, at: 20 },
    ])
    expect(await store.usage.since('person:u', 'questions', 15)).toEqual([{ jobId: 'k', amount: 2.5, at: 20 }])
  })
})
