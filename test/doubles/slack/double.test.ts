import { App } from '@slack/bolt'
import { WebClient } from '@slack/web-api'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSdkLogger } from '#adapters/slack/api.ts'
import { createLogSink } from '#test/adapters/slack/log-sink.ts'
import { startSlackDouble } from './double.ts'
import { isJson, type Json } from './types.ts'

const quiet = createSdkLogger(createLogSink().log)

/** The double, the SDK's own client of it, and a question to answer. */
async function open(options: Parameters<typeof startSlackDouble>[0] = {}) {
  const slack = await startSlackDouble(options)
  onTestFinished(async () => slack.close())
  const client = (token: string) =>
    new WebClient(token, {
      slackApiUrl: slack.apiUrl,
      retryConfig: { retries: 0 },
      timeout: 2_000,
      rejectRateLimitedCalls: true,
      logger: quiet,
    })
  const user = slack.addUser({ name: 'Ada' }).id
  const channel = slack.addChannel()
  const said = slack.say({ channel, user, text: 'how long?', mention: true })
  const thread = { channel, thread_ts: said.ts }
  const web = client(slack.botToken)
  const call = async (method: string, args: Json): Promise<Json> => ({ ...(await web.apiCall(method, args)) })
  const refusal = async (method: string, args: Json) =>
    call(method, args).then(
      () => 'ok',
      (error: { data?: { error?: string }; message: string }) => error.data?.error ?? error.message,
    )
  return { slack, client, user, channel, said, thread, web, call, refusal }
}

const recipient = (user: string) => ({ recipient_team_id: 'T0HOME', recipient_user_id: user })
const markdown = (text: string) => ({ type: 'markdown', text })
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } })

describe('the Web API', () => {
  test('knows its tokens, its methods and their fields', async () => {
    const { client, slack, refusal, thread } = await open()
    const error = async (token: string) =>
      client(token)
        .auth.test()
        .catch((failure: { data: { error: string } }) => failure.data.error)
    expect(await error('xoxb-wrong')).toBe('invalid_auth')
    expect(await error('')).toBe('not_authed')
    expect(await error(slack.appToken)).toBe('not_allowed_token_type')
    expect(await refusal('apps.connections.open', {})).toBe('not_allowed_token_type')
    expect(await refusal('chat.meow', {})).toBe('unknown_method')
    expect(await refusal('chat.postMessage', { ...thread, text: 'x', colour: 'red' })).toBe('invalid_arguments')
  })

  test('asks for the scope of each method, by the kind of channel', async () => {
    const { slack, refusal, thread, user } = await open()
    const closed = slack.addChannel({ kind: 'private' })
    slack.workspace.scopes = ['channels:history', 'chat:write', 'groups:read']
    expect(await refusal('conversations.replies', { channel: thread.channel, ts: thread.thread_ts })).toBe('ok')
    expect(await refusal('conversations.info', { channel: closed })).toBe('ok')
    for (const [method, args] of [
      ['conversations.info', { channel: thread.channel }],
      ['conversations.history', { channel: closed }],
      ['users.info', { user }],
      ['reactions.add', { channel: thread.channel, timestamp: thread.thread_ts, name: 'eyes' }],
    ] as const)
      expect(await refusal(method, args)).toBe('missing_scope')
  })

  test('puts an emoji under a message once, and takes it away once', async () => {
    const { refusal, thread } = await open()
    const args = { channel: thread.channel, timestamp: thread.thread_ts, name: 'eyes' }
    expect([await refusal('reactions.add', args), await refusal('reactions.add', args)]).toEqual([
      'ok',
      'already_reacted',
    ])
    expect([await refusal('reactions.remove', args), await refusal('reactions.remove', args)]).toEqual([
      'ok',
      'no_reaction',
    ])
    expect(await refusal('reactions.add', { ...args, name: ':eyes:' })).toBe('invalid_name')
  })

  test('takes JSON as well as forms', async () => {
    const { slack, thread } = await open()
    const body = JSON.stringify({ ...thread, text: 'x', blocks: [markdown('y')] })
    const headers = { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${slack.botToken}` }
    const response = await fetch(`${slack.apiUrl}chat.postMessage`, { method: 'POST', body, headers })
    expect(await response.json()).toMatchObject({ ok: true })
    expect(slack.transcript(thread.channel).at(-1)?.body).toBe('y')
  })

  test.each([
    ['text over 4,000', { text: 'x'.repeat(4_001) }, 'msg_too_long'],
    ['markdown over 12,000', { markdown_text: 'x'.repeat(12_001) }, 'msg_too_long'],
    ['markdown beside text', { markdown_text: 'x', text: 'x' }, 'markdown_text_conflict'],
    ['nothing', {}, 'no_text'],
    ['51 blocks', { blocks: Array.from({ length: 51 }, () => section('x')) }, 'invalid_blocks'],
    ['a section over 3,000', { blocks: [section('x'.repeat(3_001))] }, 'invalid_blocks'],
    ['an empty section', { blocks: [section('')] }, 'invalid_blocks'],
    ['a markdown block over 12,000', { blocks: [markdown('x'.repeat(12_001))] }, 'invalid_blocks'],
    [
      'markdown blocks over 12,000 together',
      { blocks: [markdown('x'.repeat(7_000)), markdown('x'.repeat(7_000))] },
      'msg_too_long',
    ],
    [
      'more than 13,100 in all',
      { blocks: [markdown('x'.repeat(11_500)), section('x'.repeat(2_500))] },
      'msg_blocks_too_long',
    ],
    ['an unknown block', { blocks: [{ type: 'marquee' }] }, 'invalid_blocks'],
    [
      'a markdown block in a container',
      { blocks: [{ type: 'container', title: { type: 'plain_text', text: 't' }, child_blocks: [markdown('x')] }] },
      'invalid_blocks',
    ],
    [
      'twins among action ids',
      {
        blocks: [
          {
            type: 'actions',
            elements: [1, 2].map(() => ({ type: 'button', action_id: 'a', text: { type: 'plain_text', text: 'A' } })),
          },
        ],
      },
      'invalid_blocks',
    ],
    ['metadata without a type', { text: 'x', metadata: { event_payload: {} } }, 'invalid_metadata_format'],
    ['a thread that is not there', { text: 'x', thread_ts: '1.1' }, 'thread_not_found'],
    ['a channel that is not there', { text: 'x', channel: 'C9' }, 'channel_not_found'],
    ['text at 4,000', { text: 'x'.repeat(4_000) }, 'ok'],
    ['markdown at 12,000', { markdown_text: 'x'.repeat(12_000) }, 'ok'],
  ])('answers %s as Slack does', async (_, args, answer) => {
    const { refusal, thread } = await open()
    expect(await refusal('chat.postMessage', { ...thread, ...args })).toBe(answer)
  })

  test('lets only what is ours be changed, and a channel only be used by its members', async () => {
    const { refusal, channel, said, slack } = await open()
    expect(await refusal('chat.update', { channel, ts: said.ts, text: 'x' })).toBe('cant_update_message')
    expect(await refusal('chat.delete', { channel, ts: said.ts })).toBe('cant_delete_message')
    expect(await refusal('chat.update', { channel, ts: '1.1', text: 'x' })).toBe('message_not_found')
    expect(await refusal('chat.postMessage', { channel: slack.addChannel({ joined: false }), text: 'x' })).toBe(
      'not_in_channel',
    )
    expect(await refusal('chat.postEphemeral', { channel, user: slack.addUser().id, text: 'x' })).toBe(
      'user_not_in_channel',
    )
  })
})

describe('streams', () => {
  test('need a recipient of the right team in channels, and none in direct messages', async () => {
    const { refusal, thread, user, slack } = await open()
    expect(await refusal('chat.startStream', { ...thread, markdown_text: 'x' })).toBe('missing_recipient_team_id')
    expect(await refusal('chat.startStream', { ...thread, recipient_team_id: 'T0HOME' })).toBe(
      'missing_recipient_user_id',
    )
    const guest = slack.addUser({ teamId: 'T9' }).id
    expect(await refusal('chat.startStream', { ...thread, ...recipient(guest) })).toBe('invalid_recipient_team_id')
    const direct = slack.addChannel({ kind: 'im' })
    const said = slack.say({ channel: direct, user, text: 'x' })
    expect(await refusal('chat.startStream', { channel: direct, thread_ts: said.ts, markdown_text: 'x' })).toBe('ok')
  })

  test('take about 11 kB of UTF-8 in all, blocks included, and no more for good', async () => {
    const { call, refusal, thread, user, channel } = await open()
    const { ts } = await call('chat.startStream', { ...thread, ...recipient(user), markdown_text: '漢'.repeat(3_000) })
    expect(await refusal('chat.appendStream', { channel, ts, markdown_text: '漢'.repeat(1_000) })).toBe('msg_too_long')
    expect(await refusal('chat.appendStream', { channel, ts, markdown_text: 'x'.repeat(1_000) })).toBe('ok')
    expect(await refusal('chat.stopStream', { channel, ts, blocks: [section('x'.repeat(900))] })).toBe('msg_too_long')
    expect(await refusal('chat.stopStream', { channel, ts })).toBe('ok')
    expect(await refusal('chat.stopStream', { channel, ts })).toBe('message_not_in_streaming_state')
  })

  test('end by age, by the reader, and refuse an edit while they run', async () => {
    const { call, refusal, thread, user, channel, said, slack } = await open()
    const begin = async () =>
      String((await call('chat.startStream', { ...thread, ...recipient(user), markdown_text: 'x' }))['ts'])
    const one = await begin()
    expect(await refusal('chat.update', { channel, ts: one, text: 'y' })).toBe('streaming_state_conflict')
    slack.pressStop({ channel, thread: said.ts, user })
    expect(await refusal('chat.appendStream', { channel, ts: one, markdown_text: 'y' })).toBe('stopped_by_user')
    const two = await begin()
    slack.setStreamLifetime(0)
    expect(await refusal('chat.appendStream', { channel, ts: two, markdown_text: 'y' })).toBe(
      'message_not_in_streaming_state',
    )
    expect(await refusal('chat.update', { channel, ts: two, text: 'y' })).toBe('ok')
  })

  test('take text or chunks, never both', async () => {
    const { call, refusal, thread, user, channel, slack } = await open()
    const chunks = [{ type: 'markdown_text', text: ' and more' }]
    const { ts } = await call('chat.startStream', { ...thread, ...recipient(user), markdown_text: 'some' })
    expect(await refusal('chat.appendStream', { channel, ts, markdown_text: 'x', chunks })).toBe('invalid_arguments')
    expect(await refusal('chat.appendStream', { channel, ts, chunks })).toBe('ok')
    expect(slack.transcript(channel).at(-1)).toMatchObject({ body: 'some and more', streaming: true })
  })
})

describe('scripted faults', () => {
  test('come in order, each once, and let others pass', async () => {
    const { slack, refusal, thread } = await open()
    slack.script(
      'chat.postMessage',
      { error: 'is_archived' },
      { pass: true },
      { status: 429, retryAfter: 3 },
      { drop: 'after' },
    )
    const send = async () => refusal('chat.postMessage', { ...thread, text: 'x' })
    expect([await send(), await send(), await send()]).toEqual([
      'is_archived',
      'ok',
      expect.stringContaining('3 seconds'),
    ])
    expect(await send()).toContain('fetch failed')
    expect(await send()).toBe('ok')
    expect(slack.transcript(thread.channel, thread.thread_ts).filter((message) => message.own)).toHaveLength(3)
  })

  test('a file can be a login page, gone elsewhere, or refused without its token', async () => {
    const { slack } = await open()
    const file = slack.hostFile('bytes', 'x.md', 'text/markdown')
    const get = async (token: string) =>
      fetch(file.url_private, { redirect: 'manual', headers: { authorization: `Bearer ${token}` } })
    expect(await (await get(slack.botToken)).text()).toBe('bytes')
    expect(await (await get('xoxb-wrong')).text()).toContain('Sign in')
    slack.script(`file:${file.id}`, { redirect: 'https://elsewhere.example/' })
    expect((await get(slack.botToken)).headers.get('location')).toBe('https://elsewhere.example/')
  })
})

test('a small Bolt app answers with its own helpers', async () => {
  const { slack, channel, user } = await open()
  const app = new App({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    logger: quiet,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 }, timeout: 2_000 },
  })
  app.event('app_mention', async ({ sayStream, setStatus, say, event }) => {
    await setStatus('is thinking')
    const stream = sayStream({ buffer_size: 1 })
    await stream.append({ markdown_text: 'It takes ' })
    await stream.append({ markdown_text: '47 minutes.' })
    await stream.stop()
    await say({ text: 'Done.', thread_ts: event.ts })
  })
  await app.start()
  onTestFinished(async () => {
    await app.stop()
  })
  const { ts } = slack.say({ channel, user, text: 'how long?', mention: true })
  await slack.until(() => slack.transcript(channel, ts).length === 3)
  expect(slack.transcript(channel, ts).map((message) => message.body)).toEqual([
    '<@U0BOT> how long?',
    'It takes 47 minutes.',
    'Done.',
  ])
  expect(slack.calls.filter((call) => call.error !== undefined)).toEqual([])
})

test('the transcript is what a person sees, after edits, deletions and private messages', async () => {
  const { slack, call, thread, channel, user } = await open()
  const { ts } = await call('chat.postMessage', { ...thread, text: 'wait' })
  const gone = await call('chat.postMessage', { ...thread, text: 'oops' })
  await call('chat.update', {
    channel,
    ts,
    text: 'x',
    blocks: [markdown('**ready** <!here>'), { type: 'context', elements: [{ type: 'plain_text', text: '[1] a.pdf' }] }],
  })
  await call('chat.delete', { channel, ts: gone['ts'] })
  await call('chat.postEphemeral', { ...thread, user, text: 'psst' })
  expect(slack.transcript(channel, thread.thread_ts)).toMatchObject([
    { own: false, body: '<@U0BOT> how long?' },
    { own: true, body: '**ready** <!here>', lines: ['[1] a.pdf'], edited: true, notifies: ['here'] },
    { own: true, body: 'psst', ephemeralTo: user },
  ])
})

test('cards of a message of the app come with the message: its links make none, and an edit takes them away', async () => {
  const { slack, call, thread, channel } = await open()
  const url = 'https://footbridge.example.org/#r-1'
  const attributes = { title: { text: 'a.pdf' } }
  const entity = {
    entity_type: 'slack#/entities/file',
    url,
    external_ref: { id: 'r-1' },
    entity_payload: { attributes },
  }
  const metadata = { event_type: 'e', event_payload: {}, entities: [entity] }
  const { ts } = await call('chat.postMessage', { ...thread, text: url, metadata })
  expect(slack.workspace.message(channel, ts)?.entities).toHaveLength(1)
  const entities = [{ ...entity, app_unfurl_url: url }]
  await expect(call('chat.unfurl', { channel, ts, metadata: { entities } })).rejects.toThrow('cannot_unfurl_url')
  await call('chat.update', { channel, ts, text: 'x', metadata: { event_type: 'e', event_payload: {} } })
  expect(slack.workspace.message(channel, ts)?.entities).toBeUndefined()
})

test('replies are paged, and metadata is told when asked for', async () => {
  const { call, thread, channel } = await open()
  const metadata = { event_type: 'e', event_payload: { id: '1' } }
  for (let index = 0; index < 3; index += 1) await call('chat.postMessage', { ...thread, text: `${index}`, metadata })
  const first = await call('conversations.replies', { channel, ts: thread.thread_ts, limit: 2 })
  expect(first).toMatchObject({ has_more: true, messages: [{}, { text: '0' }] })
  const { response_metadata: after } = first
  const cursor = isJson(after) ? after['next_cursor'] : undefined
  const second = await call('conversations.replies', {
    channel,
    ts: thread.thread_ts,
    limit: 2,
    cursor,
    include_all_metadata: true,
  })
  expect(second).toMatchObject({
    has_more: false,
    messages: [
      { text: '1', metadata },
      { text: '2', metadata },
    ],
  })
})
