import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createSdkLogger, toClientOptions } from '#adapters/slack/api.ts'
import { createLogSink } from '../log-sink.ts'
import { outgoing, setScene } from '../scene.ts'
import { inLong } from '#test/support/forms.ts'

const opened = 'apps.connections.open'

describe('the start', () => {
  test('is over when events flow', async () => {
    const { adapter, slack, receive, channel, ada, inbounds } = await setScene()
    await adapter.start(receive)
    await slack.say({ channel, user: ada, text: 'hello' }).acked
    expect(inbounds).toHaveLength(1)
  })

  test.each([
    [{ botToken: 'xoxb-wrong' }, /SLACK_BOT_TOKEN \(invalid_auth\)/],
    [{ appToken: 'xapp-wrong' }, /SLACK_APP_TOKEN \(invalid_auth\)/],
    [{ botToken: 'xapp-1' }, /SLACK_BOT_TOKEN holds an app-level token/],
    [{ appToken: 'xoxb-1' }, /SLACK_APP_TOKEN holds a bot token/],
  ])('with %j ends with a sentence that names the setting', async (wrong, sentence) => {
    const { adapter, slack, receive } = await setScene(wrong)
    await expect(adapter.start(receive)).rejects.toMatchObject({
      name: 'AdapterError',
      code: 'unauthorized',
      message: expect.stringMatching(sentence),
    })
    expect(slack.sockets()).toBe(0)
  })

  test('with a revoked app token names it', async () => {
    const { adapter, slack, receive } = await setScene()
    slack.script(opened, { error: 'account_inactive' }, { error: 'account_inactive' })
    await expect(adapter.start(receive)).rejects.toMatchObject({
      message: expect.stringContaining('SLACK_APP_TOKEN (account_inactive)'),
    })
  })

  test('without Slack in reach ends with a sentence', async () => {
    const { adapter, receive } = await setScene({ apiUrl: 'http://127.0.0.1:9/api/' })
    await expect(adapter.start(receive)).rejects.toMatchObject({
      code: 'network',
      message: expect.stringContaining('SLACK_API_URL'),
    })
  })

  test('gets over a first connection that fails', async () => {
    const { adapter, slack, receive } = await setScene({ sockets: 1 })
    slack.script(opened, { status: 500, body: '' })
    slack.script('socket', { drop: 'before' })
    await adapter.start(receive)
    expect(slack.sockets()).toBe(1)
  })
})

describe('a connection', () => {
  test('is kept twice, and both take events', async () => {
    const { adapter, slack, receive, channel, ada, inbounds } = await setScene({}, { spread: true })
    await adapter.start(receive)
    await slack.until(() => slack.sockets() === 2)
    await Promise.all([1, 2, 3, 4].map(async (line) => slack.say({ channel, user: ada, text: `${line}` }).acked))
    expect(inbounds).toHaveLength(4)
  })

  test('whose address comes only after it was given up is not opened beside the next one', async () => {
    const late = Promise.withResolvers<void>()
    const { adapter, slack, receive } = await setScene({ sockets: 1, helloMs: 500, reconnectMs: 20 })
    slack.script(opened, { until: late.promise })
    await adapter.start(receive)
    await slack.until(() => slack.sockets() === 1)
    const { attempts } = slack.connections()
    late.resolve()
    await slack.until(() => slack.callsOf(opened).every(({ status }) => status === 200))
    // The time in which the SDK would open it.
    await sleep(300)
    expect(slack.connections()).toEqual({ held: 1, attempts })
  })

  test.each(['warning', 'refresh_requested', 'link_disabled', 'too_many_websockets'] as const)(
    'that Slack recycles (%s) leaves no moment without one',
    async (reason) => {
      const { adapter, slack, receive } = await setScene()
      await adapter.start(receive)
      await slack.until(() => slack.sockets() === 2)
      const counts: number[] = []
      slack.disconnect(reason)
      await slack.until(() => {
        counts.push(slack.sockets())
        return slack.callsOf(opened).length === 3 && slack.sockets() === 2
      }, 'the new connection')
      expect(Math.min(...counts)).toBeGreaterThan(0)
    },
  )

  test('that is to go but never closes is replaced all the same', async () => {
    const { adapter, slack, receive, channel, ada, inbounds } = await setScene({ sockets: 1 })
    await adapter.start(receive)
    slack.deafenSockets()
    // The SDK waits 30 s for the other side to close.
    await slack.until(() => slack.sockets() === 1, 'the new connection', 25_000)
    await slack.say({ channel, user: ada, text: 'still there?' }).acked
    expect(inbounds).toHaveLength(1)
  })

  test('that dies without a word is noticed, since Slack answers no ping, and replaced', async () => {
    const { adapter, slack, receive, channel, ada, inbounds } = await setScene({ sockets: 1 })
    await adapter.start(receive)
    slack.silenceSockets()
    await slack.until(() => slack.sockets() === 1, 'the new connection', 25_000)
    await slack.say({ channel, user: ada, text: 'still there?' }).acked
    expect(inbounds).toHaveLength(1)
  })

  test('that breaks is replaced, and what was sent meanwhile arrives', async () => {
    const { adapter, slack, receive, channel, ada, inbounds } = await setScene()
    await adapter.start(receive)
    await slack.until(() => slack.sockets() === 2)
    slack.cutSockets()
    await slack.until(() => slack.sockets() === 0)
    await slack.say({ channel, user: ada, text: 'still there?' }).acked
    expect(inbounds).toHaveLength(1)
  })

  test('that cannot be replaced at once is tried again, and nothing crashes', inLong, async () => {
    const { adapter, slack, receive, channel, ada, inbounds } = await setScene({ sockets: 1 })
    await adapter.start(receive)
    slack.script(opened, { drop: 'before' }, { error: 'invalid_auth' })
    slack.script('socket', { drop: 'before' })
    slack.cutSockets()
    await slack.until(() => slack.sockets() === 0)
    await slack.say({ channel, user: ada, text: 'still there?' }).acked
    expect(inbounds).toHaveLength(1)
  })

  test('that died before the acknowledgement gets the event again', async () => {
    const { adapter, slack, channel, ada } = await setScene({ sockets: 1 })
    const gate = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    await adapter.start(async () => {
      asked.resolve()
      await gate.promise
    })
    const said = slack.say({ channel, user: ada, text: 'hold' })
    await asked.promise
    slack.cutSockets()
    await slack.until(() => slack.sockets() === 1 && said.envelopes[0]?.attempts === 2)
    expect(said.envelopes[0]?.ackedAt).toBeUndefined()
    gate.resolve()
    await said.acked
  })
})

describe('the stop', () => {
  test('waits for what is being stored and acknowledges it, then disconnects', async () => {
    const { adapter, slack, channel, ada } = await setScene()
    const gate = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    await adapter.start(async () => {
      asked.resolve()
      await gate.promise
    })
    const said = slack.say({ channel, user: ada, text: 'the last one' })
    await asked.promise
    const stop = adapter.stop()
    gate.resolve()
    await stop
    await said.acked
    await slack.until(() => slack.sockets() === 0)
    expect(slack.unacked()).toEqual([])
    await adapter.stop()
  })

  test('does not wait for a Slack that has gone deaf', async () => {
    const { adapter, slack, receive } = await setScene()
    await adapter.start(receive)
    await slack.until(() => slack.sockets() === 2)
    slack.deafenSockets()
    await slack.until(() => slack.sockets() === 2, 'the new connections')
    slack.deafenSockets()
    await adapter.stop()
    slack.cutSockets()
    await slack.until(() => slack.sockets() === 0)
    expect(slack.sockets()).toBe(0)
  })

  test('leaves later events to the next start', async () => {
    const { adapter, make, slack, receive, channel, ada, inbounds } = await setScene()
    await adapter.start(receive)
    await adapter.stop()
    const said = slack.say({ channel, user: ada, text: 'anybody?' })
    expect(inbounds).toEqual([])
    await make().start(receive)
    await said.acked
    expect(inbounds).toHaveLength(1)
  })

  test('before the start is nothing, and calls before it say so', async () => {
    const { adapter, slack, channel, ada } = await setScene()
    const { ts: thread } = slack.say({ channel, user: ada, text: 'early' })
    const conversation = { adapter: 'slack', workspace: slack.teamId, channel, thread, direct: false }
    await expect(adapter.find(conversation, { sendId: 's', after: thread, known: [] })).rejects.toMatchObject({
      name: 'AdapterError',
      message: expect.stringContaining('not started'),
    })
    await adapter.stop()
  })

  test('lets the process end', inLong, async () => {
    const { slack } = await setScene()
    const script = fileURLToPath(new URL('../start-and-stop.ts', import.meta.url))
    const child = spawn(process.execPath, [script, slack.botToken, slack.appToken, slack.apiUrl], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
  })
})

test('each client has options of its own, with a time limit, without retries and without headers', () => {
  const sink = createLogSink()
  const options = {}
  const [one, two] = [
    toClientOptions(options, createSdkLogger(sink.log)),
    toClientOptions(options, createSdkLogger(sink.log)),
  ]
  expect(one).not.toBe(two)
  expect(one.retryConfig).not.toBe(two.retryConfig)
  expect(one).toMatchObject({
    slackApiUrl: 'https://slack.com/api/',
    retryConfig: { retries: 0 },
    timeout: 15_000,
    rejectRateLimitedCalls: true,
  })
  expect(one).not.toHaveProperty('headers')
})

test('what the SDK says is one step quieter, without credentials and without bodies', () => {
  const { log, lines } = createLogSink()
  const logger = createSdkLogger(log)
  logger.debug('a message of somebody')
  logger.info('xoxb-1-secret', new Error('ws://x/link/?ticket=abc&x=1'), { token: 'y' })
  logger.warn('xapp-1-secret')
  logger.error('broken')
  expect(lines.map(({ level, message }) => [level, message])).toEqual([
    ['debug', '[redacted] ws://x/link/?[redacted]&x=1'],
    ['info', '[redacted]'],
    ['warn', 'broken'],
  ])
})

test('no credential and nothing that people wrote reaches the log', async () => {
  const { adapter, slack, receive, channel, ada, lines } = await setScene()
  await adapter.start(receive)
  const said = slack.say({ channel, user: ada, text: 'a secret question', mention: true })
  await said.acked
  slack.script('chat.postMessage', { error: 'invalid_auth' })
  const conversation = { adapter: 'slack', workspace: slack.teamId, channel, thread: said.ts, direct: false }
  const refused = await adapter.post(conversation, outgoing('a secret answer')).catch((error: unknown) => error)
  slack.cutSockets()
  await slack.until(() => slack.sockets() === 2)
  const all = JSON.stringify(lines) + String(refused)
  for (const secret of [slack.botToken, slack.appToken, 'ticket=', 'a secret']) expect(all).not.toContain(secret)
  expect(lines.length).toBeGreaterThan(0)
})
