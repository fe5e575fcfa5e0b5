import { expect, it } from 'vitest'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { withBridge } from './with-bridge.ts'

type Footbridge = Awaited<ReturnType<typeof withBridge>>

/** A Footbridge in a channel that admits all programs. */
async function open() {
  const one = await withBridge()
  const { slack, channel, store, platform } = one
  await store.preferences.set(`slack:${slack.teamId}:${channel}`, 'settings', '{"bot":"all"}')
  platform.script.answer('Answer 1.')
  return one
}

/** Two Footbridges in one channel, each of which admits the other. What they answer calls both. */
async function openTwo() {
  const one = await withBridge()
  const { slack, channel } = one
  const both = [one, await withBridge({}, { beside: slack })] as const
  const queue = `slack:${slack.teamId}:${channel}`
  const calls = both.map((each) => `<@${each.slack.botUserId}>`).join(' ')
  for (const { store, platform } of both) {
    await store.preferences.set(queue, 'settings', '{"bot":"all"}')
    platform.script.answer(...Array.from({ length: 9 }, () => `Answer for ${calls}.`))
  }
  const answers = (of: Footbridge) =>
    of.slack.transcript(channel).filter(({ own, streaming, text }) => own && !streaming && text.includes('Answer'))

  const done = new Set<string>()
  /** After each answer, its Footbridge posts a question that mentions both: worse than what two of them do. */
  async function askAll(thread: string | undefined) {
    for (const each of both)
      for (const { ts } of answers(each)) {
        if (done.has(ts)) continue
        done.add(ts)
        const words = { channel, text: `${calls} where is the mole?` }
        const body = new URLSearchParams(thread === undefined ? words : { ...words, thread_ts: thread })
        const headers = { authorization: `Bearer ${each.slack.botToken}` }
        await fetch(`${each.slack.apiUrl}chat.postMessage`, { method: 'POST', headers, body })
      }
  }
  /** All that was said is stored and done. */
  const isQuiet = async () => {
    if (both.some((each) => each.slack.unacked().length > 0)) return false
    const jobs = await Promise.all(both.map(({ store }) => store.inbox.list(['queued', 'running'], 1)))
    return jobs.flat().length === 0
  }
  return { ...one, both, answers, askAll, isQuiet, counts: () => both.map(asks) }
}

const asks = (of: Footbridge) => of.platform.script.requests.length

it('two Footbridges in one channel that were called in one message answer it, and nothing of each other', async () => {
  const { slack, channel, ada, answers, both, counts, isQuiet } = await openTwo()
  slack.say({ channel, user: ada, text: `<@${both[1].slack.botUserId}> where is the mole?`, mention: true })
  await expect.poll(() => both.map((each) => answers(each).length), { timeout: PATIENCE_MS }).toEqual([1, 1])
  await expect.poll(isQuiet, { timeout: PATIENCE_MS }).toBe(true)
  expect(counts()).toEqual([1, 1])
})

it.each([
  ['in the thread of the question', true, 1],
  ['at the top of the channel', false, 2],
])(
  'two Footbridges in one channel that mention each other and themselves %s end their talk',
  async (_, inThread, most) => {
    const { slack, channel, ada, askAll, counts, isQuiet } = await openTwo()
    const { ts } = slack.say({ channel, user: ada, text: 'where is the mole?', mention: true })
    const thread = inThread ? ts : undefined
    await expect.poll(async () => (await askAll(thread), counts()), { timeout: PATIENCE_MS }).toEqual([most, 1])
    // Each reads the last words of both, and says nothing.
    for (let time = 0; time < 3; time += 1) {
      await expect.poll(isQuiet, { timeout: PATIENCE_MS }).toBe(true)
      await askAll(thread)
    }
    expect(counts()).toEqual([most, 1])
  },
)

it('a thread that a program begins is read with a question in it', async () => {
  const { slack, channel, ada, sees, platform } = await open()
  const alarm = { bot_id: 'B0ALARM', app_id: 'A0ALARM' }
  const user = slack.addUser({ name: 'Alarm', bot: true }).id
  const root = slack.say({ channel, user, text: 'Build 77 of ZRED9 failed', kept: alarm })
  slack.say({ channel, user: ada, text: 'what does that mean?', mention: true, thread: root.ts })
  await sees(/Answer 1/)
  expect(JSON.stringify(platform.script.requests.at(-1)?.messages)).toContain('ZRED9')
})

it('a program is answered in one message that is no stream, with a webhook as author too', async () => {
  const { slack, channel, sees } = await open()
  const ts = slack.workspace.nextTs()
  const text = `<@${slack.botUserId}> where is the mole?`
  slack.workspace.insert({ ts, channel, user: '', text, blocks: [], files: [] })
  const event = {
    type: 'message',
    subtype: 'bot_message',
    bot_id: 'B0HOOK',
    channel,
    channel_type: 'channel',
    ts,
    text,
  }
  slack.sendEvent({ ...event, event_ts: ts })
  await sees(/Answer 1/)
  expect(slack.callsOf('chat.startStream')).toEqual([])
  expect(slack.calls.filter(({ error }) => error !== undefined)).toEqual([])
})
