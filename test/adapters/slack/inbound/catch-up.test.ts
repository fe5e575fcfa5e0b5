import { expect, test } from 'vitest'
import type { Inbound } from '#bridge/port/message.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import type { Api } from '#adapters/slack/api.ts'
import { createCatchUp } from '#adapters/slack/inbound/catch-up.ts'
import { eventually } from '#test/support/eventually.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { memoryCursors } from '#test/adapters/discord/harness.ts'
import { setScene } from '../scene.ts'

/** As the inbox has them: one of each key. */
const once = (inbounds: readonly Inbound[]) => [...new Map(inbounds.map((inbound) => [inbound.key, inbound])).values()]
const texts = (inbounds: readonly Inbound[]) =>
  inbounds.flatMap((inbound) => ('message' in inbound ? [inbound.message.text] : []))

/** Was here, heard a question, and went away. */
async function wasHere(cursors = memoryCursors(), catchUpAgeMs?: number) {
  const scene = await setScene({ cursorsOf: () => cursors, catchUpAgeMs })
  const { slack, adapter, channel, ada: user, make, inbounds, receive } = scene
  await adapter.start(receive)
  const said = slack.say({ channel, user, text: 'first', mention: true })
  await said.acked
  await adapter.stop()
  await eventually(() => slack.sockets() === 0)
  const back = async () => {
    slack.giveUp()
    inbounds.length = 0
    await make().start(receive)
  }
  return { ...scene, cursors, said, back, user }
}

test('how far a channel was read is kept', async () => {
  const { cursors, channel, said } = await wasHere()
  expect(cursors.saved.get(channel)).toBe(said.ts)
})

test('what was said while we were away is read in order, in threads too, and each message once', async () => {
  const { slack, channel, user, said, back, inbounds } = await wasHere()
  slack.say({ channel, user, text: 'away one', mention: true })
  slack.say({ channel, user, text: 'a reply', thread: said.ts })
  slack.say({ channel, user, text: 'away two', files: [slack.hostFile('x', 'a.md', 'text/markdown')] })
  await back()
  await eventually(() => once(inbounds).length >= 3)
  expect(texts(once(inbounds))).toEqual(['away one', 'a reply', 'away two'])
  expect(once(inbounds)[2]).toMatchObject({ kind: 'message', message: { attachments: [{ name: 'a.md' }] } })
  expect(once(inbounds).some((inbound) => 'message' in inbound && inbound.message.missed === true)).toBe(false)
})

test('what was said and dropped while Footbridge was not in the channel is not read, what came after its return is', async () => {
  const { slack, channel, user, said, back, inbounds } = await wasHere()
  slack.say({ channel, user, text: 'secret', files: [slack.hostFile('x', 'secret.md', 'text/markdown')] })
  slack.say({ channel, user, text: 'a secret reply', thread: said.ts })
  slack.editMessage(channel, said.ts, 'a secret edit')
  const join = { channel, user: slack.botUserId, subtype: 'channel_join', text: 'has joined the channel' }
  slack.workspace.insert({ ...join, blocks: [], files: [] })
  slack.say({ channel, user, text: 'welcome back' })
  slack.say({ channel, user, text: 'a new reply', thread: said.ts })
  await back()
  await eventually(() => texts(inbounds).includes('a new reply'))
  expect(texts(once(inbounds))).toEqual(['welcome back', 'a new reply'])
})

test('long absences are read to the end, and what is too old for an answer is told as missed', async () => {
  const { slack, channel, user, back, inbounds } = await wasHere(memoryCursors(), -60_000)
  for (let at = 0; at < 250; at += 1) slack.say({ channel, user, text: `away ${at}` })
  await back()
  await eventually(() => once(inbounds).length >= 250)
  expect(texts(once(inbounds))).toEqual(Array.from({ length: 250 }, (_, at) => `away ${at}`))
  expect(once(inbounds).every((inbound) => 'message' in inbound && inbound.message.missed === true)).toBe(true)
})

test('a message that was edited meanwhile is told as edited', async () => {
  const { slack, channel, said, back, inbounds } = await wasHere()
  slack.editMessage(channel, said.ts, 'second')
  await back()
  await eventually(() => once(inbounds).length >= 1)
  expect(once(inbounds)).toMatchObject([{ kind: 'edit', message: { id: said.ts, text: 'second' } }])
})

test('the very first question of a workspace may be asked while Slack is away', async () => {
  const cursors = memoryCursors()
  const options = { cursorsOf: () => cursors, gapMs: 0, reconnectMs: 20 }
  const { slack, adapter, channel, ada: user, inbounds, receive } = await setScene(options)
  const ts = (Date.now() / 1000 - 60).toFixed(6)
  slack.workspace.insert({ channel, user, ts, text: 'before Footbridge', blocks: [], files: [] })
  await adapter.start(receive)
  const back = slack.goAway('error')
  slack.say({ channel, user, text: 'first', mention: true })
  await back()
  await eventually(() => once(inbounds).length > 0)
  expect(texts(once(inbounds))).toEqual(['first'])
})

test('what was read and asks for nothing is not found again', async () => {
  const { slack, channel, said, back, cursors } = await wasHere()
  const { ts } = slack.workspace.insert({
    channel,
    user: slack.botUserId,
    subtype: 'channel_topic',
    text: 'a topic',
    blocks: [],
    files: [],
  })
  await back()
  await eventually(() => cursors.saved.get(channel) !== said.ts)
  expect(cursors.saved.get(channel)).toBe(ts)
})

test('where the marks cannot be loaded, none is overwritten, and nothing fails', async () => {
  const cursors = memoryCursors()
  const log = createLogSink()
  const catchUp = createCatchUp({
    api: {} as Api,
    cursors: { ...cursors, all: () => Promise.reject(new Error('The database is away.')) },
    log,
    ownId: () => 'U0BOT',
    team: 'T0HOME',
    deliver: async () => undefined,
    maxAgeMs: 1000,
    pace: { isSlow: false },
  })
  await catchUp.run()
  catchUp.seen('C1', '2.000000')
  await catchUp.stop()
  expect(log.at('warn')).toHaveLength(1)
  expect(cursors.saved.size).toBe(0)
})

test('channels of an organization are listed by its workspaces', async () => {
  const cursors = memoryCursors({ '@start': '1.000000' })
  const { slack, adapter, channel, ada, inbounds, receive } = await setScene(
    { cursorsOf: () => cursors },
    { teamId: 'E0ORG' },
  )
  slack.say({ channel, user: ada, text: 'the first question of this channel', mention: true })
  slack.giveUp()
  await adapter.start(receive)
  await eventually(() => inbounds.length > 0)
  expect(texts(once(inbounds))).toEqual(['the first question of this channel'])
  const teams = slack.callsOf('users.conversations').map(({ args }) => args['team_id'])
  expect(teams).toEqual(['T0ORG'])
})

test('marks that cannot be loaded are tried again', async () => {
  const cursors = memoryCursors({ '@start': '1.000000', C1: '1.000000' })
  let failures = 2
  const all = () => ((failures -= 1) >= 0 ? Promise.reject(new Error('The database is away.')) : cursors.all())
  const read: string[] = []
  const call: Api['call'] = async (method) => {
    read.push(method)
    return {} as never
  }
  const catchUp = createCatchUp({
    api: { call } as Api,
    cursors: { ...cursors, all },
    log: createLogSink(),
    ownId: () => 'U0BOT',
    team: 'T0HOME',
    deliver: async () => undefined,
    maxAgeMs: 1000,
    pace: { isSlow: false },
    retryMs: 5,
  })
  await catchUp.run()
  await eventually(() => read.includes('users.conversations'))
  expect(read).toEqual(['conversations.history', 'users.conversations'])
  await catchUp.stop()
})

/** Slack at a page a minute: a root, whose thread was refused once, so that its reply is read later. */
async function readSlowly(ts: { readonly root: string; readonly reply: string }) {
  const cursors = memoryCursors({ '@start': '1.000000', C1: '1.000000' })
  const late: boolean[] = []
  const saved: string[] = []
  const set = async (channel: string, position: string) => {
    if (channel === 'C1') saved.push(position)
    return cursors.set(channel, position)
  }
  let clockMs = Number(ts.root) * 1000
  let refusals = 1
  const call: Api['call'] = async (method) => {
    const root = { ts: ts.root, text: 'root', latest_reply: ts.reply }
    if (method === 'conversations.history') return { messages: [root] } as never
    if (method !== 'conversations.replies') return {} as never
    if ((refusals -= 1) >= 0) throw new AdapterError('rate-limited', 'Slack asks for a pause.')
    clockMs += 10_000
    return { messages: [root, { ts: ts.reply, text: 'reply', thread_ts: ts.root }] } as never
  }
  const catchUp = createCatchUp({
    api: { call } as Api,
    cursors: { ...cursors, set },
    log: createLogSink(),
    ownId: () => 'U0BOT',
    team: 'T0HOME',
    deliver: async (_, isLate) => void late.push(isLate),
    maxAgeMs: 5000,
    now: () => clockMs,
    pace: { isSlow: true },
  })
  await catchUp.run()
  await catchUp.stop()
  return { saved, late }
}

test('the mark that is saved while threads are read at a page a minute does not pass messages of the channel', async () => {
  const { saved } = await readSlowly({ root: '100.000000', reply: '900.000000' })
  expect(saved[0]).toBe('100.000000')
})

test('a missed question does not grow too old for an answer while Slack’s pace is waited for', async () => {
  const { late } = await readSlowly({ root: '100.000000', reply: '101.000000' })
  expect(late).toEqual([false, false])
})
