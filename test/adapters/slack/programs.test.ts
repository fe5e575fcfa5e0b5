import { expect, it } from 'vitest'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { withBridge } from './with-bridge.ts'

type Footbridge = Awaited<ReturnType<typeof withBridge>>

/** A Footbridge in a channel that admits all programs, and another program there. */
async function open() {
  const one = await withBridge()
  const { slack, channel, store } = one
  await store.preferences.set(`slack:${slack.teamId}:${channel}`, 'settings', '{"bot":"all"}')
  const other = slack.addUser({ name: 'Other', bot: true }).id
  one.platform.script.answer(...Array.from({ length: 9 }, (_, index) => `Answer ${index + 1}.`))
  const says = (text: string, thread?: string) =>
    slack.say({ channel, user: other, text, mention: true, thread, kept: { bot_id: 'B0OTHER', app_id: 'A0OTHER' } })
  const answers = () =>
    slack.transcript(channel).filter(({ own, streaming, text }) => own && !streaming && text.includes('Answer'))
  return { ...one, says, answers }
}

/** What each of the two says, the other one reads as a mention: worse than what two of them do. */
function between(
  [one, other]: readonly [Awaited<ReturnType<typeof open>>, Awaited<ReturnType<typeof open>>],
  inThread: boolean,
) {
  const told = new Set<string>()
  const tell = (from: typeof one, to: typeof one, thread: string | undefined) => {
    for (const { ts, text } of from.answers()) {
      if (told.has(`${from === one} ${ts}`)) continue
      told.add(`${from === one} ${ts}`)
      to.says(text, thread)
    }
  }
  return (thread: string) => {
    tell(one, other, undefined)
    tell(other, one, inThread ? thread : undefined)
  }
}

const asks = (of: Footbridge) => of.platform.script.requests.length

it.each([
  ['in the thread of the question', true, 1],
  ['at the top of the channel', false, 2],
])('two Footbridges that mention each other %s end their talk', async (_, inThread, mostOfFirst) => {
  const [one, other] = [await open(), await open()]
  const exchange = between([one, other], inThread)
  const { slack, channel, ada } = one
  const asked = slack.say({ channel, user: ada, text: 'where is the mole?', mention: true })
  await expect.poll(() => (exchange(asked.ts), other.answers().length), { timeout: PATIENCE_MS }).toBe(1)
  await expect.poll(() => (exchange(asked.ts), one.answers().length), { timeout: PATIENCE_MS }).toBe(mostOfFirst)
  // Each reads the last words of the other, and says nothing.
  exchange(asked.ts)
  const isQuiet = async ({ store }: Footbridge) => !(await store.inbox.hasOpen(`slack:${slack.teamId}:${channel}`))
  await expect.poll(async () => (await isQuiet(one)) && isQuiet(other), { timeout: PATIENCE_MS }).toBe(true)
  await slack.until(() => slack.unacked().length === 0, 'what was said is stored')
  exchange(asked.ts)
  expect([asks(one), asks(other)]).toEqual([mostOfFirst, 1])
})

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
