import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkSlack } from '#adapters/slack/check.ts'
import { SCOPES } from '#adapters/slack/manifest.ts'
import { openStore } from '#store/store.ts'
import { setScene } from '../scene.ts'

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5'

interface Signed {
  readonly body: string
  readonly type?: string
  readonly stamp?: number
  readonly secret?: string
  readonly signature?: string
}

function sign({
  body,
  type = 'application/json',
  stamp = Math.floor(Date.now() / 1000),
  secret = SECRET,
  signature,
}: Signed) {
  const made = `v0=${createHmac('sha256', secret).update(`v0:${stamp}:${body}`).digest('hex')}`
  const headers = {
    'content-type': type,
    'x-slack-request-timestamp': String(stamp),
    'x-slack-signature': signature ?? made,
  }
  return { headers, body }
}

const post = ({ headers, body }: ReturnType<typeof sign>) =>
  new Request('https://footbridge.example.org/slack/events', { method: 'POST', headers, body })

const FORM = 'application/x-www-form-urlencoded'

interface People {
  readonly channel: string
  readonly ada: string
  readonly team: string
}

const commandOf = ({ channel, ada, team }: People): string =>
  new URLSearchParams({
    command: '/footbridge',
    text: 'help',
    channel_id: channel,
    user_id: ada,
    team_id: team,
    trigger_id: 't1',
    response_url: 'https://hooks.slack.com/x',
  }).toString()

const pressOf = ({ channel, ada, team }: People): string => {
  const press = {
    type: 'block_actions',
    team: { id: team },
    user: { id: ada },
    channel: { id: channel },
    container: { type: 'message', message_ts: '1.1', channel_id: channel },
    actions: [{ type: 'button', action_id: 'fb:0:vote.up', value: 'v', action_ts: '2.2' }],
  }
  return new URLSearchParams({ payload: JSON.stringify(press) }).toString()
}

async function setUp() {
  const scene = await setScene({ appToken: undefined, signingSecret: SECRET })
  const { slack, adapter, channel, ada } = scene
  await adapter.start(scene.receive)
  let count = 0
  const event = (text = 'Where is the mole?') => {
    count += 1
    const ts = `1700000000.${String(count).padStart(6, '0')}`
    const message = {
      type: 'message',
      channel,
      channel_type: 'channel',
      user: ada,
      text: `<@${slack.botUserId}> ${text}`,
      ts,
    }
    return JSON.stringify({ type: 'event_callback', team_id: slack.teamId, event_id: `Ev${ts}`, event: message })
  }
  return { ...scene, event }
}

describe('an event over HTTP', () => {
  it.each(['shortcut', 'block_suggestion', 'view_closed', 'something_new'])(
    'of the kind %s, which nobody listens to, is taken',
    async (type) => {
      const { adapter, inbounds, slack, ada } = await setUp()
      const payload = { type, callback_id: 'x', team: { id: slack.teamId }, user: { id: ada }, trigger_id: '1' }
      const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
      const answer = await adapter.fetch(post(sign({ body, type: 'application/x-www-form-urlencoded' })))
      expect([answer.status, inbounds]).toEqual([200, []])
    },
  )

  it('is answered when it is stored, and not before', async () => {
    const { adapter, inbounds, event, slack } = await setUp()
    expect((await adapter.fetch(post(sign({ body: event() })))).status).toBe(200)
    expect(inbounds).toMatchObject([{ kind: 'message', message: { text: 'Where is the mole?', addressed: true } }])
    expect(slack.sockets()).toBe(0)
  })

  it('is asked for again when it could not be stored', async () => {
    const scene = await setScene({ appToken: undefined, signingSecret: SECRET })
    await scene.adapter.start(async () => Promise.reject(new Error('the disk is full')))
    const body = JSON.stringify({
      type: 'event_callback',
      team_id: scene.slack.teamId,
      event: { type: 'message', channel: scene.channel, user: scene.ada, text: 'x', ts: '1700000000.000001' },
    })
    expect((await scene.adapter.fetch(post(sign({ body })))).status).toBe(503)
  })

  it('that somebody recorded is done once, also after a restart and by another process', async () => {
    const { adapter, make, event, channel, ada, slack } = await setUp()
    const folder = mkdtempSync(join(tmpdir(), 'footbridge-replay-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const recorded = [
      sign({ body: event() }),
      sign({ body: commandOf({ channel, ada, team: slack.teamId }), type: FORM }),
      sign({ body: pressOf({ channel, ada, team: slack.teamId }), type: FORM }),
    ]
    const outcomes: string[] = []
    for (let start = 0; start < 3; start += 1) {
      const store = openStore(folder)
      // A fresh adapter knows nothing of the events that the one before it took.
      const fresh = make()
      await fresh.start(async (inbound) => {
        const accepted = await store.inbox.accept(inbound, { queue: 'q', now: 1, dueAt: 1 })
        await accepted.stored
        outcomes.push(accepted.outcome)
      })
      for (const one of [...recorded, ...recorded]) expect((await fresh.fetch(post(one))).status).toBe(200)
      store.close()
    }
    expect(outcomes).toEqual(Array.from({ length: 18 }, (_, place) => (place < 3 ? 'accepted' : 'duplicate')))
    await adapter.stop()
  })

  it('may be a command, a press, or the question whether we are here', async () => {
    const { adapter, inbounds, channel, ada, slack } = await setUp()
    const people = { channel, ada, team: slack.teamId }
    const command = commandOf(people)
    const called = await adapter.fetch(post(sign({ body: command, type: FORM })))
    expect([called.status, await called.text()]).toEqual([200, ''])
    expect((await adapter.fetch(post(sign({ body: pressOf(people), type: FORM })))).status).toBe(200)
    expect(inbounds.map(({ kind }) => kind)).toEqual(['command', 'action'])
    const asked = await adapter.fetch(
      post(sign({ body: JSON.stringify({ type: 'url_verification', challenge: 'c' }) })),
    )
    expect(await asked.json()).toEqual({ challenge: 'c' })
    // Slack looks after the certificate of the address now and then.
    const look = await adapter.fetch(post(sign({ body: 'ssl_check=1&token=legacy', type: FORM })))
    expect([look.status, inbounds.length]).toEqual([200, 2])
  })

  it('that Slack calls a retry is taken like any other: the first try may never have arrived', async () => {
    const { adapter, inbounds, event } = await setUp()
    const { headers, body } = sign({ body: event() })
    const retry = { ...headers, 'x-slack-retry-num': '2', 'x-slack-retry-reason': 'http_timeout' }
    expect((await adapter.fetch(post({ headers: retry, body }))).status).toBe(200)
    expect(inbounds).toHaveLength(1)
  })

  it('is refused when forged or stale: none of 240', async () => {
    const { adapter, inbounds, event } = await setUp()
    const good = sign({ body: event() })
    expect((await adapter.fetch(post(good))).status).toBe(200)
    const now = Math.floor(Date.now() / 1000)
    const statuses: number[] = []
    for (let turn = 0; turn < 60; turn += 1) {
      const body = event(`forged ${turn}`)
      const bad = [
        sign({ body, secret: `${SECRET}${turn}` }),
        sign({ body, signature: `v0=${'0'.repeat(turn)}` }),
        sign({ body, stamp: now - 301 - turn }),
        { ...sign({ body }), body: `${body} ` },
      ]
      for (const one of bad) statuses.push((await adapter.fetch(post(one))).status)
    }
    expect(statuses).toHaveLength(240)
    expect(new Set(statuses)).toEqual(new Set([401]))
    expect(inbounds).toHaveLength(1)
  })

  it.each([
    ['both headers', {}],
    ['a signature', { 'x-slack-request-timestamp': String(Math.floor(Date.now() / 1000)) }],
    ['a fresh stamp', { 'x-slack-request-timestamp': '1', 'x-slack-signature': `v0=${'0'.repeat(64)}` }],
  ])('without %s is refused before its body is read', async (_, headers) => {
    const { adapter } = await setUp()
    let pulls = 0
    const pull = () => void (pulls += 1)
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 })
    const url = 'https://footbridge.example.org/slack/events'
    const answer = await adapter.fetch(new Request(url, { method: 'POST', headers, body, duplex: 'half' }))
    expect([answer.status, pulls]).toEqual([401, 0])
  })

  it('of more than a megabyte, or before the start, is not taken', async () => {
    const { make, adapter } = await setUp()
    expect((await adapter.fetch(post(sign({ body: 'x'.repeat(1_000_001) })))).status).toBe(413)
    expect((await make().fetch(post(sign({ body: '{"type":"event_callback"}' })))).status).toBe(503)
  })
})

describe('what doctor asks of Slack', () => {
  it('names the token, the scopes and the page where each is put right', async () => {
    const { slack } = await setScene()
    const { botToken, appToken, apiUrl } = slack
    slack.workspace.scopes = SCOPES
    expect((await checkSlack({ botToken, appToken, apiUrl })).map(({ ok }) => ok)).toEqual([true, true, true])
    const { id } = slack.hostFile('# Mole', 'mole.md', 'text/markdown')
    const fileHosts = ['127.0.0.1:*']
    const told = async (more: object = { fileHosts }) =>
      (await checkSlack({ botToken, appToken, apiUrl, ...more })).map(({ text }) => text)
    expect(await told()).toContain('Slack: gives out files')
    expect(await told({})).toContainEqual(expect.stringMatching(/lies on 127\.0\.0\.1.*FILE_HOSTS/))
    slack.script(`file:${id}`, { html: true })
    expect(await told()).toContainEqual(expect.stringMatching(/gives Footbridge no files.*files:read.*oauth$/))
    slack.workspace.files.clear()
    slack.workspace.scopes = SCOPES.filter((scope) => scope !== 'files:read')
    const found = await checkSlack({ botToken, appToken: 'xapp-wrong', apiUrl })
    expect(found.filter(({ ok }) => !ok).map(({ text }) => text)).toEqual([
      expect.stringMatching(/lacks files:read.*app-manifest$/),
      expect.stringMatching(/refuses SLACK_APP_TOKEN \(invalid_auth\).*general$/),
    ])
    expect((await checkSlack({ botToken: 'xoxb-no', apiUrl, signingSecret: 'short' })).map(({ text }) => text)).toEqual(
      [
        expect.stringMatching(/refuses SLACK_BOT_TOKEN/),
        expect.stringMatching(/SLACK_SIGNING_SECRET does not look like a signing secret/),
      ],
    )
    const away = await checkSlack({ botToken, appToken, apiUrl: 'http://127.0.0.1:1/api' })
    expect(away).toEqual([{ ok: false, text: expect.stringMatching(/can't be reached/) as string }])
    expect(slack.sockets()).toBe(0)
  })

  it('and, while no Footbridge runs here, whether another process uses the app-level token', async () => {
    const { slack, make, receive } = await setScene()
    const { botToken, appToken, apiUrl } = slack
    slack.workspace.scopes = SCOPES
    const told = async (isAlone: boolean) =>
      (await checkSlack({ botToken, appToken, apiUrl, isAlone })).filter(({ ok }) => !ok).map(({ text }) => text)
    expect(await told(true)).toEqual([])
    await slack.until(() => slack.sockets() === 0)
    const other = make({ sockets: 1 })
    await other.start(receive)
    expect(await told(true)).toEqual([expect.stringMatching(/^Slack: SLACK_APP_TOKEN is used by another process, too/)])
    await slack.until(() => slack.sockets() === 1)
    const { attempts } = slack.connections()
    expect(await told(false)).toEqual([])
    expect(slack.connections().attempts).toBe(attempts)
  })
})
