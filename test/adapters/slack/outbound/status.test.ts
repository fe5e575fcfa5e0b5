import { expect, test, vi } from 'vitest'
import { PATIENCE } from '#test/support/patience.ts'
import { askedScene, outgoing } from '../scene.ts'

const status = 'assistant.threads.setStatus'

test('a status shows until it is ended', async () => {
  const { adapter, slack, conversation, said, channel } = await askedScene()
  const stop = new AbortController()
  await adapter.status(conversation, 'is reading…', stop.signal)
  expect(slack.status(channel, said.ts)).toBe('is reading…')
  stop.abort()
  await slack.until(() => slack.status(channel, said.ts) === undefined)
})

test('a status is said again before Slack forgets it', async () => {
  const { adapter, slack, conversation } = await askedScene({ statusRefreshMs: 20 })
  const stop = new AbortController()
  await adapter.status(conversation, 'is reading…', stop.signal)
  await slack.until(() => slack.callsOf(status).length >= 3)
  expect(new Set(slack.callsOf(status).map((call) => call.args['status']))).toEqual(new Set(['is reading…']))
  stop.abort()
  await slack.until(() => slack.callsOf(status).at(-1)?.args['status'] === '')
})

test('a message ends the saying again', async () => {
  const { adapter, slack, conversation } = await askedScene({ statusRefreshMs: 20 })
  const inThread = (thread = '') =>
    slack.callsOf(status).filter(({ args }) => args['thread_ts'] === thread && args['status'] !== '').length
  await adapter.status(conversation, 'is reading…', new AbortController().signal)
  await adapter.post(conversation, outgoing('Here it is.'))
  const before = inThread(conversation.thread)
  // Time is told by another thread, whose status goes on.
  const { thread: _, ...apart } = conversation
  const other = await adapter.post(apart, outgoing('A thread of its own.'))
  const stop = new AbortController()
  await adapter.status({ ...conversation, thread: other.id }, 'is reading…', stop.signal)
  await slack.until(() => inThread(other.id) >= 4)
  stop.abort()
  // One may have been on its way when the message showed.
  expect(inThread(conversation.thread)).toBeLessThanOrEqual(before + 1)
})

test('a message takes the status away by itself: nothing more is said', async () => {
  const { adapter, slack, conversation, said, channel } = await askedScene()
  const stop = new AbortController()
  await adapter.status(conversation, 'is reading…', stop.signal)
  await adapter.post(conversation, outgoing('Here it is.'))
  const before = slack.callsOf(status).length
  stop.abort()
  await adapter.post(conversation, outgoing('And more.'))
  expect(slack.callsOf(status)).toHaveLength(before)
  expect(slack.status(channel, said.ts)).toBeUndefined()
})

test('a status that is still on its way when the message shows is taken back', async () => {
  const { adapter, slack, conversation, said, channel } = await askedScene()
  const hold = Promise.withResolvers<void>()
  slack.script(status, { until: hold.promise })
  const showing = adapter.status(conversation, 'is reading…', new AbortController().signal)
  await adapter.post(conversation, outgoing('Here it is.'))
  hold.resolve()
  await showing
  await slack.until(() => slack.callsOf(status).at(-1)?.args['status'] === '')
  await vi.waitFor(() => expect(slack.status(channel, said.ts)).toBeUndefined(), PATIENCE)
})

test('a status that cannot be shown is said once to the operator and to nobody else', async () => {
  const { adapter, slack, conversation, lines } = await askedScene()
  slack.script(status, { error: 'missing_scope' }, { error: 'missing_scope' })
  for (let time = 0; time < 2; time += 1)
    await adapter.status(conversation, 'is reading…', new AbortController().signal)
  expect(lines.filter((line) => line.level === 'warn')).toHaveLength(1)
})

test('a status that had no turn before its work ended is not said at all', async () => {
  const { adapter, slack, conversation } = await askedScene()
  const hold = Promise.withResolvers<void>()
  // As many calls as there are connections.
  const held = Array.from({ length: 32 }, () => {
    slack.script('conversations.info', { until: hold.promise })
    return adapter.describeChannel(conversation)
  })
  const working = new AbortController()
  const showing = adapter.status(conversation, 'is reading…', working.signal)
  working.abort()
  hold.resolve()
  await Promise.all([...held, showing])
  await adapter.describeChannel(conversation)
  expect(slack.callsOf(status)).toEqual([])
})
