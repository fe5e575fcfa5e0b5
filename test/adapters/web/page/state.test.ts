import { expect, test } from 'vitest'
import { type ChatState, EMPTY, grow, reduce, toThreads, upsert } from '#adapters/web/page/chat/state.ts'
import type { WebEvent, WebMessage } from '#adapters/web/protocol.ts'

const message = (id: string, more: Partial<WebMessage> = {}): WebMessage => ({
  id,
  seq: 1,
  rev: 1,
  channel: 'general',
  ours: false,
  author: 'You',
  kind: 'message',
  text: '',
  streaming: false,
  accepted: true,
  sentAt: '2026-11-21T05:00:00.000Z',
  edited: false,
  attachments: [],
  references: [],
  receipt: [],
  actions: [],
  ...more,
})

const opened = (messages: readonly WebMessage[] = []): ChatState =>
  reduce(
    reduce(
      { ...EMPTY, current: 'general' },
      {
        type: 'state',
        state: {
          channels: [
            { id: 'general', name: 'general', direct: false },
            { id: 'other', name: 'other', direct: false },
          ],
          statuses: [],
          login: false,
          maxFileBytes: 1,
        },
      },
    ),
    { type: 'history', channel: 'general', history: { messages, before: null }, older: false },
  )
const after = (state: ChatState, ...events: readonly WebEvent[]) => reduce(state, { type: 'events', events })
const texts = (state: ChatState) => state.logs['general']?.messages.map(({ text }) => text)

test('pieces of an answer are put together once, whatever is told twice', () => {
  const growing = message('a', { text: 'The', streaming: true })
  expect(grow(growing, 3, ' ferry').text).toBe('The ferry')
  expect(grow(growing, 0, 'The').text).toBe('The')
  expect(grow(growing, 1, 'he ferry').text).toBe('The ferry')
  expect(grow(growing, 9, ' takes').text).toBe('The')
  expect(grow({ ...growing, streaming: false }, 3, ' ferry').text).toBe('The')
})

test('a late account of a message does not undo a newer one', () => {
  const newer = message('a', { rev: 2, text: 'newer' })
  expect(upsert([newer], message('a', { rev: 1, text: 'older, and longer' }))).toEqual([newer])
  expect(upsert([newer], message('a', { rev: 3, text: 'x' }))[0]?.text).toBe('x')
  const growing = message('a', { text: 'The ferry', streaming: true })
  expect(upsert([growing], { ...growing, text: 'The' })).toEqual([growing])
})

test('messages stand in the order of their arrival at the server', () => {
  const second = message('b', { seq: 2, text: 'second' })
  const first = message('a', { seq: 1, text: 'first' })
  const state = after(opened([second]), { type: 'message', message: first })
  expect(texts(state)).toEqual(['first', 'second'])
})

test('events before the history of a channel are not lost to it', () => {
  const growing = message('a', { text: 'The', streaming: true })
  const state = after(opened([growing]), { type: 'delta', channel: 'general', id: 'a', at: 3, text: ' ferry' })
  const late = reduce(state, {
    type: 'history',
    channel: 'general',
    history: { messages: [growing], before: null },
    older: false,
  })
  expect(texts(late)).toEqual(['The ferry'])
})

test('events between the question for the history of a channel and its answer are not lost to it', () => {
  const removed = message('a', { text: 'taken back' })
  const growing = message('b', { seq: 2, text: 'The', streaming: true })
  const said = message('c', { seq: 3, text: 'how long?' })
  const asked = reduce({ ...EMPTY, current: 'general' }, { type: 'asked', channel: 'general' })
  const before = after(
    asked,
    { type: 'removed', channel: 'general', id: 'a' },
    { type: 'message', message: growing },
    { type: 'delta', channel: 'general', id: 'b', at: 3, text: ' ferry' },
    { type: 'message', message: said },
    { type: 'message', message: message('d', { channel: 'other' }) },
  )
  expect(before.logs).toEqual({})
  const history = { messages: [removed, { ...growing, text: 'Th' }], before: null }
  const state = reduce(before, { type: 'history', channel: 'general', history, older: false })
  expect(texts(state)).toEqual(['The ferry', 'how long?'])
  expect(texts(after(state, { type: 'message', message: { ...said, rev: 2, text: 'how far?' } }))).toEqual([
    'The ferry',
    'how far?',
  ])
})

test('a page of older messages that comes after everything was loaded anew does not stand for the whole', () => {
  const history = { messages: [message('a')], before: '7' }
  const state = reduce(EMPTY, { type: 'history', channel: 'general', history, older: true })
  expect(state.logs).toEqual({})
})

test('an answer elsewhere marks its channel until it is opened', () => {
  const there = message('a', { channel: 'other', ours: true })
  const state = after(opened(), { type: 'message', message: there }, { type: 'message', message: there })
  expect(state.unread).toEqual(['other'])
  expect(reduce(state, { type: 'open', channel: 'other' }).unread).toEqual([])
})

const status = (text: string | null) => ({ type: 'status', status: { channel: 'general', thread: 'a', text } }) as const

test('a status is replaced by the next one of its thread, and ends', () => {
  const state = after(opened(), status('is reading'), status('is searching'))
  expect(state.statuses).toEqual([{ channel: 'general', thread: 'a', text: 'is searching' }])
  expect(after(state, status(null)).statuses).toEqual([])
})

test('threads hold their replies, their status and what is on its way, each once', () => {
  const root = message('a', { seq: 1 })
  const reply = message('b', { seq: 3, thread: 'a' })
  const other = message('c', { seq: 2 })
  const orphan = message('d', { seq: 4, thread: 'gone' })
  const sending = { id: 'e', channel: 'general', thread: 'a', text: '', files: [] }
  const threads = toThreads(
    [root, other, reply, orphan],
    [sending, { ...sending, id: 'b' }],
    [{ channel: 'general', thread: 'a', text: 'is reading' }],
  )
  expect(threads).toEqual([
    { id: 'a', root, replies: [reply], pending: [sending], status: 'is reading' },
    { id: 'c', root: other, replies: [], pending: [] },
    { id: 'gone', replies: [orphan], pending: [] },
  ])
})
