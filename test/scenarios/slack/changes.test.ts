/** What Slack changed for apps. Some of these scenarios wait: they stand in one file, so that they wait together. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '#src/config.ts'
import { diagnose } from '#operate/doctor.ts'
import type { Json } from '#test/doubles/slack/types.ts'
import { startFootbridge } from '#test/support/footbridge.ts'
import type { SlackWorkspace } from '#test/support/people/slack.ts'
import { ferry, mole } from '../drops.ts'
import { scenario, scenarioWithoutModel } from '../scenario.ts'

const BY_SOCKET = { on: ['slack'], killedOn: 'slack', workspace: { overHttp: false } } as const
const COSTS = {
  name: 'costs.csv',
  mimeType: 'text/csv',
  bytes: 'Harbour,Month,Cost\nBergen,May,1250.50\nOslo,May,300\nBergen,June,749.50\nTromso,June,90.25\nOslo,July,710\n',
}

scenarioWithoutModel(
  'Slack: sums by group are a table to sort and a chart, and the text for screen readers says the same',
  { on: ['slack'], killedOn: 'slack' },
  async ({ workspace, ada, errors, expect }) => {
    const { slack } = workspace as SlackWorkspace
    await ada.drops(COSTS)
    await ada.sees(/costs\.csv.*ready/)
    await ada.asks('What is the total cost by harbour?')
    const { id } = await ada.seesAnswer(/Bergen \| 2,?000/)
    const { blocks = [], text = '' } = slack.workspace.message(ada.channel.id, id) ?? {}
    const ofType = (type: string) => blocks.find((block) => block['type'] === type)
    const [head, ...rows] = (ofType('data_table')?.['rows'] ?? []) as readonly (readonly Json[])[]
    expect(head).toMatchObject([{ text: 'Harbour' }, { text: 'Sum of Cost' }])
    const cells = rows.map(([name, sum]) => [name?.['text'], sum?.['value']])
    expect(cells).toEqual(
      expect.arrayContaining([
        ['Bergen', 2000],
        ['Oslo', 1010],
        ['Tromso', 90.25],
      ]),
    )
    const bars = cells.map(([label, value]) => ({ label, value }))
    expect(ofType('data_visualization')).toMatchObject({ chart: { type: 'bar', series: [{ data: bars }] } })
    for (const [name] of cells) expect(text).toContain(String(name))
    expect(await ada.count(/Bergen \|/)).toBe(1)
    expect(errors()).toEqual([])
  },
)

scenario(
  'Slack: where it gives an app 15 messages at a time, what was missed is read at that pace, and who asks meanwhile is answered',
  BY_SOCKET,
  async ({ workspace, footbridge, ada, ben, act, rough, errors, expect }) => {
    const { slack } = workspace as SlackWorkspace
    const { channel } = ben
    const told = () => footbridge.output.log.filter(({ msg }) => msg.includes('15 messages a minute'))
    await ada.drops(ferry, mole)
    await ada.sees(/ferry\.md.*ready[^]*mole\.md.*ready/)

    await footbridge.kill9()
    slack.workspace.readEveryMs = 1000
    await workspace.say('Ben', channel, { text: 'Which ferry is too long ago to be read?', mention: true })
    for (let at = 0; at < 150; at += 1) await workspace.say('Ben', channel, { text: `Talk ${at}.` })
    await workspace.say('Ben', channel, { text: 'From which pier does the ferry leave?', mention: true })
    slack.giveUp()
    const since = Date.now()
    // After two pages Slack lets the reading wait for the answer, however long a busy machine takes for it.
    const answered = Promise.withResolvers<void>()
    const waits = Array.from({ length: 5 }, () => ({ until: answered.promise }))
    if (!rough) slack.script('conversations.history', { pass: true }, { pass: true }, ...waits)
    await act(() => footbridge.restart())
    await ada.asks('When is the mole of the harbour closed?')
    await ada.seesAnswer(/closed from November to March\. ?\[1\]/)
    if (!rough) expect(told()).toEqual([])
    slack.unscript('conversations.history')
    answered.resolve()

    await ben.seesAnswer(/from pier seven\. ?\[1\]/)
    await expect
      .poll(told)
      .toEqual([expect.objectContaining({ channel: channel.id, backTo: expect.stringMatching(/^20.*Z$/) })])
    expect(await ben.count(/from pier seven/)).toBe(1)
    expect(await ben.count(/closed from November/)).toBe(1)
    expect(await ben.count(/too long ago/)).toBe(0)
    const pages = slack.callsOf('conversations.history').filter(({ at, status }) => at > since && status === 200)
    const gaps = pages.slice(1).map(({ at }, index) => at - (pages[index]?.at ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000)
    expect(errors()).toEqual([])
  },
)

scenario(
  'Slack: an app-level token that a process with other data uses, too, is told in the log, at /readyz and by the doctor',
  BY_SOCKET,
  async ({ workspace, footbridge, env, act, errors, expect }) => {
    const { slack } = workspace as SlackWorkspace
    const SHARED = /SLACK_APP_TOKEN is used by another process, too: .*a Slack app of its own/
    const ready = async () => (await fetch(new URL('/readyz', footbridge.url))).text()
    // One that begins later can't know which connections it found broke before: it takes longer.
    expect(await act(ready)).not.toMatch(/SLACK_APP_TOKEN/)
    await slack.until(() => slack.sockets() === 2)
    const other = await startFootbridge(workspace.env)
    try {
      slack.disconnect('refresh_requested', 'oldest')
      // It looks three times in twenty seconds before it says so.
      await expect.poll(ready, { timeout: 200_000, interval: 1000 }).toMatch(SHARED)
      expect(footbridge.output.log.filter(({ msg }) => SHARED.test(msg))).toHaveLength(1)
      const config = readConfig({ ...workspace.env, ...env, PORT: new URL(footbridge.url).port })
      const findings = (await diagnose(config)).map(({ ok, text }) => `${ok} ${text}`)
      expect(findings).toContainEqual(
        expect.stringMatching(/^false the running Footbridge says: SLACK_APP_TOKEN is used/),
      )
      expect(errors()).toEqual([])
    } finally {
      await other.close()
    }
  },
)

scenario(
  'Slack: connections of a process that was killed three times, which Slack still counts, are told as no other process',
  { on: ['slack'], workspace: { overHttp: false, ghostsMs: 600_000 } },
  async ({ workspace, footbridge, errors, expect }) => {
    const { slack } = workspace as SlackWorkspace
    const ready = async () => (await fetch(new URL('/readyz', footbridge.url))).text()
    await slack.until(() => slack.sockets() === 2)
    for (const counted of [4, 6, 8]) {
      await footbridge.kill9()
      await footbridge.restart()
      await slack.until(() => slack.sockets() === 2 && slack.counted() === counted, `${counted} counted`)
    }
    // A new connection counts them anew; it takes twenty seconds to tell a second process.
    slack.disconnect('refresh_requested')
    await sleep(25_000)
    expect(await ready()).not.toMatch(/SLACK_APP_TOKEN/)
    expect(footbridge.output.log.filter(({ msg }) => msg.includes('another process'))).toEqual([])
    expect([slack.counted(), slack.refused()]).toEqual([8, 0])
    expect(errors()).toEqual([])
  },
)
