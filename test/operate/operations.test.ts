/** One process, Slack and a model server: the operator's view while people ask, while Slack is away, and at the end. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startFootbridge, type Footbridge } from '../support/footbridge.ts'
import { createPerson, type Person } from '../support/people/person.ts'
import { openSlack, type SlackWorkspace } from '../support/people/slack.ts'
import { withUpstream, type WithUpstream } from '../support/platforms.ts'
import { ferry } from '../scenarios/drops.ts'
import { inLong } from '#test/support/forms.ts'

const CANARY = 'zanzibar'
const words = Array.from({ length: 15 }, (_, index) => `word${index} `)

let workspace: SlackWorkspace
let model: WithUpstream
let footbridge: Footbridge
let ada: Person
let ben: Person

beforeAll(async () => {
  workspace = await openSlack()
  model = await withUpstream()
  footbridge = await startFootbridge({ ...workspace.env, ...model.env, SECOND_LOOK: 'off' })
  ada = createPerson(workspace, 'Ada', await workspace.addChannel(CANARY))
  ben = createPerson(workspace, 'Ben', await workspace.addChannel('harbour'))
  return async () => {
    await footbridge.close()
    await model.close()
    await workspace.close()
  }
})

const ready = async () => {
  const response = await fetch(new URL('/readyz', footbridge.url))
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function figures(): Promise<string> {
  const key = readFileSync(join(footbridge.dataDir, 'platform-key'), 'utf8').trim()
  const response = await fetch(new URL('/metrics', footbridge.url), { headers: { authorization: key } })
  expect(response.status).toBe(200)
  return response.text()
}

const valueOf = (text: string, series: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1],
  )

describe('GET /readyz', () => {
  it('tells each connection, the store, the platform and the queue', async () => {
    expect(await ready()).toEqual({
      status: 200,
      body: {
        status: 'ready',
        version: expect.any(String),
        connections: { web: 'connected', slack: 'connected' },
        store: 'ok',
        platform: 'ok',
        queue: { waiting: 0, running: 0, dead: 0, oldestSeconds: 0 },
      },
    })
  })

  it('is 503 with a sentence while Slack is away, and 200 again after it', async () => {
    workspace.slack.script('socket', ...Array.from({ length: 4 }, () => ({ status: 503 })))
    workspace.slack.cutSockets()
    expect(await eventually(async () => ((await ready()).status === 503 ? ready() : undefined))).toMatchObject({
      body: {
        status: 'not ready',
        reason: 'Not connected: slack. Each is tried again until it answers; the log says why.',
        connections: { slack: 'away' },
      },
    })
    workspace.slack.unscript('socket')
    await eventually(async () => (await ready()).status === 200)
  })
})

describe('GET /metrics', () => {
  it('counts what the bridge does, with names from our own lists only', async () => {
    await ada.drops(ferry)
    await ada.sees(/ready/)
    model.upstream.script({ kind: 'chat', text: `The ferry leaves at 9:40 [RREF1].` })
    await ada.asks(`When does the ferry to ${CANARY} leave?`)
    await ada.seesAnswer(/9:40/)
    const labels = 'service="slack",kind="message"'
    // The answer is shown before its job is stored as done, and counted after that.
    const text = await eventually(async () => {
      const seen = await figures()
      const counted = valueOf(seen, `footbridge_jobs_total{${labels},outcome="done"}`) === 2
      return counted && valueOf(seen, 'footbridge_jobs_running') === 0 && seen
    })
    expect(valueOf(text, `footbridge_events_total{${labels},outcome="accepted"}`)).toBe(2)
    expect(valueOf(text, 'footbridge_first_text_seconds_count{service="slack"}')).toBe(1)
    expect(valueOf(text, 'footbridge_job_wait_seconds_count{kind="message"}')).toBe(2)
    expect(valueOf(text, 'footbridge_sends_total{service="slack",act="finish",outcome="ok"}')).toBe(1)
    expect(valueOf(text, 'footbridge_platform_calls_total{call="files.upload",outcome="ok"}')).toBe(1)
    expect(valueOf(text, 'footbridge_platform_calls_total{call="chat.stream",outcome="ok"}')).toBeGreaterThan(0)
    for (const series of ['jobs_waiting', 'jobs_dead', 'oldest_job_seconds'])
      expect(valueOf(text, `footbridge_${series}`)).toBe(0)
    for (const service of ['slack', 'web']) expect(valueOf(text, `footbridge_connected{service="${service}"}`)).toBe(1)
    expect(text).not.toMatch(/zanzibar|ferry|Ada|local\//)
    expect(text).toContain('footbridge_requests_total')
    for (const series of ['process_open_fds', 'nodejs_eventloop_lag_p99_seconds', 'nodejs_active_resources_total'])
      expect(valueOf(text, series)).toBeGreaterThan(0)
  })

  it('counts waits for a rate limit of Slack', async () => {
    workspace.slack.script('agents.sessions.setStatus', { status: 429, retryAfter: 1 })
    workspace.slack.script('chat.startStream', { status: 429, retryAfter: 1 })
    await ada.asks('And when does it come back?')
    expect(await eventually(async () => (await figures()).includes('footbridge_rate_waits_total{of="slack"}'))).toBe(
      true,
    )
  })
})

describe('SIGTERM', () => {
  it(
    'lets the running answer end, stores what is asked meanwhile, and leaves it to the next start',
    inLong,
    async () => {
      model.upstream.script({ kind: 'chat', deltas: [...words, 'The end.'], delayMs: 60 })
      const asked = model.upstream.next('/chat/completions')
      await ada.asks('When does the last ferry leave?')
      await asked
      const exit = footbridge.stop()
      expect(await eventually(async () => ((await ready()).status === 503 ? ready() : undefined))).toMatchObject({
        body: {
          reason: 'Footbridge is stopping: running answers end, and no new work begins.',
          connections: { slack: 'connected' },
        },
      })
      await ben.asks('Is anybody there?')
      await workspace.slack.until(() => workspace.slack.unacked().length === 0, 'an acknowledgement')
      await ada.sees(/word14 The end\./)
      expect(await exit).toBe(0)
      expect(await ben.shown()).toEqual([])
      await footbridge.restart()
      await ben.sees(/./)
      expect(await ada.count(/The end\./)).toBe(1)
    },
  )
})
