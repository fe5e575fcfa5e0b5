import { createHmac } from 'node:crypto'
import { describe, expect, it, test, vi } from 'vitest'
import type { Inbound, Message } from '#bridge/port/message.ts'
import { PATIENCE } from '#test/support/patience.ts'
import { setScene } from '../scene.ts'
import { setMany } from '../workspaces/many.ts'

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5'

/** A request as Slack signs it. */
function signed(body: string, type = 'application/json') {
  const stamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', SECRET).update(`v0:${stamp}:${body}`).digest('hex')
  const headers = { 'content-type': type, 'x-slack-request-timestamp': stamp, 'x-slack-signature': `v0=${signature}` }
  return () => new Request('https://footbridge.example.org/slack/events', { method: 'POST', headers, body })
}

async function overHttp() {
  const scene = await setScene({ appToken: undefined, signingSecret: SECRET })
  const { slack, adapter, channel, ada } = scene
  let count = 0
  const event = (fields: object = {}, around: object = {}) => {
    const ts = `1700000000.${String((count += 1)).padStart(6, '0')}`
    const message = { type: 'message', channel, channel_type: 'channel', user: ada, text: `line ${count}`, ts }
    const body = { type: 'event_callback', team_id: slack.teamId, event_id: `Ev${ts}`, ...around }
    return signed(JSON.stringify({ ...body, event: { ...message, ...fields } }))
  }
  const interaction = (fields: object) => {
    const body = { team: { id: slack.teamId }, user: { id: ada }, channel: { id: channel }, ...fields }
    const form = new URLSearchParams({ payload: JSON.stringify(body) })
    return signed(form.toString(), 'application/x-www-form-urlencoded')
  }
  return { ...scene, event, interaction, take: (request: () => Request) => adapter.fetch(request()) }
}

const told = (inbounds: readonly Inbound[]) =>
  inbounds.map((one) => (one.kind === 'message' ? one.message.text : one.kind))

describe('an event', () => {
  it('behind a press or a shortcut in the same channel is handed on behind it', async () => {
    const { adapter, inbounds, receive, event, interaction, take, channel } = await overHttp()
    await adapter.start(receive)
    const press = interaction({
      type: 'block_actions',
      container: { type: 'message', message_ts: '1.1', channel_id: channel },
      actions: [{ type: 'button', action_id: 'fb:0:vote.up', value: 'v', action_ts: '2.2' }],
    })
    const shortcut = interaction({
      type: 'message_action',
      callback_id: 'fb:ask',
      message_ts: '1.2',
      message: { text: 'x', ts: '1.2' },
      trigger_id: 't1',
    })
    await Promise.all([press, event(), shortcut, event()].map(take))
    expect(told(inbounds)).toEqual(['action', 'line 1', 'command', 'line 2'])
  })

  it('that can’t be read is taken and told to the operator once: Slack would send it again and again', async () => {
    const { adapter, inbounds, receive, event, take, lines } = await overHttp()
    await adapter.start(receive)
    const answers = await Promise.all([event({ ts: 'never' }), event()].map(take))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(told(inbounds)).toEqual(['line 2'])
    expect(lines.filter(({ message }) => message.includes('could not be read'))).toMatchObject([
      { level: 'error', fields: { type: 'message' } },
    ])
  })

  it('that comes while Footbridge stops is left to Slack, without an alarm', async () => {
    const { adapter, receive, event, take, lines } = await overHttp()
    const [gate, began] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await adapter.start(async (inbound) => {
      began.resolve()
      await gate.promise
      await receive(inbound)
    })
    const first = take(event())
    await began.promise
    const stopped = adapter.stop()
    const late = await take(event())
    gate.resolve()
    expect([(await first).status, late.status]).toEqual([200, 503])
    await stopped
    const said = lines.filter(({ message }) => message.includes('Slack sends it again'))
    expect(said.map(({ level }) => level)).toEqual(['info'])
  })

  it('that was not stored is taken when Slack sends it again at once, in the same second', async () => {
    const { adapter, inbounds, event } = await overHttp()
    let isFull = true
    await adapter.start(async (inbound) => {
      if (isFull) throw new Error('The disk is full.')
      inbounds.push(inbound)
    })
    const request = event()
    expect((await adapter.fetch(request())).status).toBe(503)
    isFull = false
    expect((await adapter.fetch(request())).status).toBe(200)
    // A repeated event has the same key, by which the inbox knows it.
    expect((await adapter.fetch(request())).status).toBe(200)
    expect(inbounds.map(({ key }) => key)).toEqual([inbounds[0]?.key, inbounds[0]?.key])
  })

  it('of an organization that installed the app is ours, whichever of its workspaces it names', async () => {
    const { adapter, inbounds, receive, event, take, slack } = await overHttp()
    await adapter.start(receive)
    const named = (team_id: string | null, enterprise_id: string | null) =>
      take(event({}, { authorizations: [{ team_id, enterprise_id, is_bot: true }] }))
    await named('T0OTHER', slack.teamId)
    await named(null, slack.teamId)
    await named(slack.teamId, null)
    await named('T0OTHER', 'E0OTHER')
    expect(told(inbounds)).toEqual(['line 1', 'line 2', 'line 3'])
  })

  it('that is still being read is stored before its workspace is deleted', async () => {
    const { cloud, adapter, install, receive, inbounds } = await setMany()
    await adapter.start(receive)
    await install('T1')
    const team = cloud.teams.get('T1')
    const channel = team?.workspace.addChannel({ name: 'ferry' }).id ?? ''
    const user = team?.workspace.addUser({ name: 'Ada' }).id ?? ''
    team?.faults.script('users.info', { hang: true })
    const said = team?.say({ channel, user, text: 'psst', mention: true, order: 'message-only' })
    await cloud.until(() => team?.calls.some(({ method }) => method === 'users.info'), 'the look-up of a name')
    cloud.oauth.revoke('T1')
    await Promise.all([said?.acked, team?.sendEvent({ type: 'app_uninstalled' }).acked])
    expect(inbounds.map(({ kind }) => kind)).toEqual(['message', 'workspace-gone'])
  })
})

async function started() {
  const scene = await setScene()
  await scene.adapter.start(scene.receive)
  return scene
}

const messagesOf = (inbounds: readonly Inbound[]): Message[] =>
  inbounds.flatMap((one) => (one.kind === 'message' ? [one.message] : []))

test('a pressed button tells who, what and where; one that is not ours is only acknowledged', async () => {
  const scene = await started()
  const { slack, channel, ada } = scene
  const root = slack.say({ channel, user: ada, text: 'root', mention: true })
  await root.acked
  const [first] = messagesOf(scene.inbounds)
  if (first === undefined) throw new Error('nothing arrived')
  const actions = [{ id: 'retry', label: 'Retry', value: 'job-7' }]
  const ref = await scene.adapter.post(first.conversation, { sendId: 's', kind: 'error', text: 'It failed.', actions })
  const press = slack.pressButton({ channel, user: ada, button: 'Retry' })
  await press.acked
  expect(scene.inbounds.at(-1)).toMatchObject({
    kind: 'action',
    messageId: ref.id,
    author: { id: ada, name: 'Ada' },
    conversation: { channel, thread: root.ts, direct: false },
    action: { id: 'retry', value: 'job-7' },
  })
  expect(slack.pressButton({ channel, user: ada, button: 'Retry' }).payload['team']).toMatchObject({ id: slack.teamId })
})

test('the stop button of Slack arrives as a stop of its thread', async () => {
  const scene = await started()
  const said = scene.slack.say({ channel: scene.direct, user: scene.ada, text: 'hello' })
  await said.acked
  await scene.slack.pressStop({ channel: scene.direct, thread: said.ts, user: scene.ada }).acked
  expect(scene.inbounds.at(-1)).toMatchObject({
    kind: 'stop',
    conversation: { channel: scene.direct, thread: said.ts, direct: true },
    author: { id: scene.ada },
  })
})

test('what was said in order is handed on in order, although the first needs a name looked up', async () => {
  const scene = await started()
  const grace = scene.slack.addUser({ name: 'Grace' }).id
  scene.slack.script('users.info', { delayMs: 200 })
  const said = [scene.ada, grace, scene.ada].map((user, index) =>
    scene.slack.say({ channel: scene.channel, user, text: `line ${index}` }),
  )
  await Promise.all(said.map(async (one) => one.acked))
  expect(messagesOf(scene.inbounds).map((message) => message.text)).toEqual(['line 0', 'line 1', 'line 2'])
})

test('an event is acknowledged after it is stored, and not when storing fails', async () => {
  const scene = await setScene()
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await scene.adapter.start(async () => {
    asked.resolve()
    await gate.promise
  })
  const said = scene.slack.say({ channel: scene.channel, user: scene.ada, text: 'hold', order: 'message-only' })
  await asked.promise
  expect(scene.slack.unacked()).toEqual(said.envelopes)
  gate.reject(new Error('The disk is full.'))
  await vi.waitFor(
    () => expect(scene.lines.some((line) => line.message.includes('was not stored'))).toBe(true),
    PATIENCE,
  )
  expect(scene.slack.unacked()).toEqual(said.envelopes)
})

test('a button press is acknowledged only after it is stored', async () => {
  const scene = await setScene()
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await scene.adapter.start(async (inbound) => {
    if (inbound.kind !== 'action') return
    asked.resolve()
    await gate.promise
  })
  const said = scene.slack.say({ channel: scene.direct, user: scene.ada, text: 'hello' })
  await said.acked
  const conversation = {
    adapter: 'slack',
    workspace: scene.slack.teamId,
    channel: scene.direct,
    thread: said.ts,
    direct: true,
  }
  await scene.adapter.post(conversation, {
    sendId: 's',
    kind: 'notice',
    text: 'x',
    actions: [{ id: 'a', label: 'A', value: '1' }],
  })
  const press = scene.slack.pressButton({ channel: scene.direct, user: scene.ada, button: 'A' })
  await asked.promise
  expect(press.ackedAt).toBeUndefined()
  gate.resolve()
  await press.acked
})
