import { expect, test } from 'vitest'
import { createChannelInfo } from '#adapters/slack/calls/channel-info.ts'
import type { Fields } from '#adapters/shared/json.ts'
import { createApi, createSdkLogger, fixed } from '#adapters/slack/api.ts'
import { createLogSink } from '../log-sink.ts'
import { setScene } from '../scene.ts'

const START = 1_700_000_000_000

/** The channel as Slack has it, and events about it, at a time that the test sets. */
async function open(kind: 'channel' | 'private' | 'mpim' = 'channel') {
  const { slack } = await setScene()
  const api = createApi({ apiUrl: slack.apiUrl }, createSdkLogger(createLogSink().log), fixed(slack.botToken))
  let now = START
  const channels = createChannelInfo(api, () => now)
  const channel = slack.addChannel({ kind })
  return {
    slack,
    asked: () => slack.callsOf('conversations.info').length,
    recent: () => channels.recent(channel),
    ask: () => channels.ask(channel),
    at: (ms: number) => void (now = START + ms),
    says: (ms: number, type: string, isShared: unknown = false, more: Fields = {}) => {
      const event = { type: 'message', channel, channel_type: type, event_ts: String((START + ms) / 1000), ...more }
      channels.seen(event, { is_ext_shared_channel: isShared })
    },
  }
}

test('what Slack said of a channel is enough while messages confirm it', async () => {
  const { asked, recent, at, says } = await open()
  says(0, 'channel')
  const info = await recent()
  at(300_000)
  says(299_000, 'channel')
  expect(await recent()).toEqual(info)
  expect(asked()).toBe(1)
})

test('without a message of these seconds, and after ten minutes, Slack is asked', async () => {
  const { asked, recent, at, says } = await open()
  await recent()
  await recent()
  expect(asked()).toBe(2)
  says(0, 'channel')
  at(10_000)
  await recent()
  expect(asked()).toBe(3)
  at(610_000)
  says(610_000, 'channel')
  await recent()
  expect(asked()).toBe(4)
})

test('whoever must know it as it is now asks Slack', async () => {
  const { asked, recent, ask, says } = await open()
  says(0, 'channel')
  await recent()
  await ask()
  expect(asked()).toBe(2)
})

const OTHER = [
  ['a private one that became public', 'private', 'channel', false],
  ['a public one that became private', 'channel', 'group', false],
  ['one that other companies are in now', 'channel', 'channel', true],
  ['one of which the event does not tell who is in it', 'channel', 'channel', null],
  ['a group message', 'mpim', 'mpim', false],
] as const
test.each(OTHER)('%s is asked for again', async (_, kind, type, isShared) => {
  const { asked, recent, says } = await open(kind)
  await recent()
  says(0, type, isShared)
  await recent()
  expect(asked()).toBe(2)
})

test('a message that comes late says how it was before', async () => {
  const { asked, recent, at, says } = await open()
  await recent()
  at(5_000)
  says(4_000, 'group')
  says(3_000, 'channel')
  await recent()
  expect(asked()).toBe(2)
})

test.each(['channel_shared', 'channel_unshared'])('after %s Slack is asked, whatever messages say', async (type) => {
  const { asked, recent, says } = await open()
  says(0, 'channel')
  await recent()
  says(0, '', undefined, { type })
  await recent()
  expect(asked()).toBe(2)
})

test('after a conversion Slack is asked, though the message of it has the new kind', async () => {
  const { asked, recent, says } = await open()
  says(0, 'channel')
  await recent()
  says(1, 'channel', false, { subtype: 'channel_convert_to_public' })
  await recent()
  expect(asked()).toBe(2)
})
