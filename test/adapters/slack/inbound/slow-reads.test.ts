import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ConversationRef, Inbound } from '#bridge/port/message.ts'
import { eventually } from '#test/support/eventually.ts'
import { memoryCursors } from '#test/adapters/discord/harness.ts'
import { outgoing, setScene } from '../scene.ts'

/** Slack's minute. Pauses are told in whole seconds. */
const EVERY_MS = 1000
/** Longer than a test: what waits for it does not end. */
const LONG_MS = 600_000
const HISTORY = 'conversations.history'
const REPLIES = 'conversations.replies'

const texts = (inbounds: readonly Inbound[]) => [
  ...new Set(inbounds.flatMap((inbound) => ('message' in inbound ? [inbound.message.text] : []))),
]
const lines = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name} ${at}`)

/** A commercial app outside the Marketplace that heard something in each of two channels, and went away. */
async function wasHere(readYieldMs = 100) {
  const cursors = memoryCursors()
  const scene = await setScene({ cursorsOf: () => cursors, readYieldMs })
  const { slack, adapter, channel, ada: user, make, inbounds, receive } = scene
  const other = slack.addChannel({ name: 'mole' })
  await adapter.start(receive)
  for (const one of [other, channel]) await slack.say({ channel: one, user, text: 'first', mention: true }).acked
  await adapter.stop()
  await eventually(() => slack.sockets() === 0)
  slack.workspace.readEveryMs = EVERY_MS
  const say = (text: string, more: object = {}) => slack.say({ channel, user, text, ...more })
  const back = async () => {
    slack.giveUp()
    inbounds.length = 0
    const next = make()
    await next.start(receive)
    return next
  }
  const conversation = (thread?: string): ConversationRef => ({
    adapter: 'slack',
    workspace: slack.teamId,
    channel,
    thread,
    direct: false,
  })
  return { ...scene, cursors, other, user, say, back, conversation }
}

test('a missed channel is read page by page at Slack’s pace, and each is read', async () => {
  const { slack, say, back, inbounds, other, user } = await wasHere()
  for (const text of lines('away', 40)) say(text)
  slack.say({ channel: other, user, text: 'in the other one' })
  await back()
  await eventually(() => texts(inbounds).includes('in the other one'))
  expect(texts(inbounds)).toEqual([...lines('away', 40), 'in the other one'])
  const read = slack.callsOf(HISTORY).filter(({ status }) => status === 200)
  // Three pages of one channel and one of the other; the first of each tells nothing of a pause.
  expect(read).toHaveLength(4)
  const gaps = read.slice(1).map(({ at }, index) => at - (read[index]?.at ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(EVERY_MS)
  // No page is refused twice.
  expect(
    slack
      .callsOf(HISTORY)
      .map(({ status }) => status)
      .join(' '),
  ).not.toContain('429 429')
})

test('of a long absence 150 messages of a channel are read, the log says how far back, and they are not read again', async () => {
  const { slack, say, back, inbounds, lines: log, cursors, channel } = await wasHere()
  slack.workspace.readEveryMs = 1
  for (const text of lines('away', 200)) say(text)
  const first = await back()
  await eventually(() => texts(inbounds).length >= 150)
  expect(texts(inbounds)).toEqual(lines('away', 200).slice(50))
  const told = log.filter(({ message }) => message.includes('15 messages a minute'))
  expect(told).toEqual([
    expect.objectContaining({
      level: 'warn',
      fields: expect.objectContaining({ channel, backTo: expect.stringMatching(/^20.*Z$/), threadsLeft: 0 }),
    }),
  ])
  await eventually(() => (cursors.saved.get(channel) ?? '') >= (slack.workspace.messagesIn(channel).at(-1)?.ts ?? '9'))
  await first.stop()
  await back()
  await sleep(300)
  expect(texts(inbounds)).toEqual([])
})

test('messages of a channel do not wait for its threads, and answers read theirs between', async () => {
  const { slack, say, back, inbounds, conversation, channel, user } = await wasHere(2500)
  const roots = lines('root', 3).map((text) => say(text))
  for (const [at, { ts }] of roots.entries()) say(`reply ${at}`, { thread: ts })
  const next = await back()
  await eventually(() => texts(inbounds).includes('root 2'))
  expect(texts(inbounds).filter((text) => text.startsWith('reply')).length).toBeLessThanOrEqual(1)
  await eventually(() => slack.callsOf(REPLIES).some(({ status }) => status === 429))
  // The thread of a question, while the reading of missed threads pauses.
  await sleep(EVERY_MS)
  const asked = slack.say({ channel, user, text: 'and now?', thread: roots[0]?.ts })
  const seen = await next.history(conversation(roots[0]?.ts), asked.ts)
  expect(seen.map(({ text }) => text)).toEqual(['root 0', 'reply 0'])
  await eventually(() => texts(inbounds).filter((text) => text.startsWith('reply')).length === 3)
})

test('a post does not wait while the reading pauses', async () => {
  const { slack, say, back, conversation } = await wasHere()
  slack.workspace.readEveryMs = LONG_MS
  say('away')
  const next = await back()
  // One channel is read, the other one has to wait.
  await eventually(() => slack.callsOf(HISTORY).some(({ status }) => status === 429))
  await next.post(conversation(), outgoing('an answer'))
  expect(slack.callsOf(HISTORY).filter(({ status }) => status === 200)).toHaveLength(1)
})

test('the thread of a question is read on from the last one, with one page', async () => {
  const { slack, say, back, conversation } = await wasHere()
  slack.workspace.readEveryMs = 200
  const root = say('root')
  const replies = lines('reply', 40).map((text) => say(text, { thread: root.ts }))
  const next = await back()
  const last = replies.at(-1)?.ts ?? ''
  await eventually(() => slack.callsOf(REPLIES).some(({ status }) => status === 200))
  await sleep(250)
  const seen = await next.history(conversation(root.ts), last, replies[34]?.ts)
  expect(seen.map(({ text }) => text).slice(-4)).toEqual(lines('reply', 39).slice(-4))
})
