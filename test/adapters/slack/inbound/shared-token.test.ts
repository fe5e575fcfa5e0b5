import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { connectionsIn } from '#adapters/slack/inbound/shared-token.ts'
import { inLong } from '#test/support/forms.ts'
import { type Scene, setScene } from '../scene.ts'

const frame = (fields: object) => JSON.stringify(fields)

test.each([
  ['a hello', frame({ type: 'hello', num_connections: 3 }), 3],
  ['a hello without a number', frame({ type: 'hello' }), undefined],
  ['a hello with another number', frame({ type: 'hello', num_connections: '9' }), undefined],
  ['what somebody wrote', frame({ type: 'events_api', payload: { text: '"hello"', num_connections: 9 } }), undefined],
  ['a frame that is cut off', '{"type":"hello","num_connections":3', undefined],
  ['bytes', Buffer.from(frame({ type: 'hello', num_connections: 3 })), undefined],
])('connections are counted by a hello alone: %s', (_, received, connections) => {
  expect(connectionsIn(received)).toBe(connections)
})

describe('an app-level token that another process has, too', () => {
  const SHARED = /^SLACK_APP_TOKEN is used by another process, too: .*a Slack app of its own/
  /** What a count alone can say. */
  const UNSURE =
    /^SLACK_APP_TOKEN is used by another process, too, or .* connections that broke: .*a Slack app of its own/
  const warned = (lines: readonly { readonly message: string }[]) =>
    lines.filter(({ message }) => SHARED.test(message) || UNSURE.test(message))

  test('is told once by each of them, with what to do, and no more once the other has ended', async () => {
    const { adapter, make, receive, slack, lines } = await setScene({ lookAgainMs: 10, quietMs: 50 })
    await adapter.start(receive)
    const other = make({ sockets: 1 })
    await other.start(receive)
    await expect.poll(() => other.warning()).toMatch(UNSURE)
    // The first one has heard nothing since it began; a connection that Slack recycles tells it.
    expect(warned(lines)).toHaveLength(1)
    slack.disconnect('refresh_requested', 'oldest')
    await expect.poll(() => adapter.warning()).toMatch(SHARED)
    await sleep(200)
    expect(warned(lines)).toHaveLength(2)
    await other.stop()
    await expect.poll(() => adapter.warning()).toBeUndefined()
    expect(lines.map(({ message }) => message)).toContain(
      'Slack counts no other connections of SLACK_APP_TOKEN any more',
    )
  })

  test('is nobody else’s while this process replaces its connections', async () => {
    const { adapter, slack, receive, lines } = await setScene({ lookAgainMs: 10, quietMs: 0, reconnectMs: 1 })
    await adapter.start(receive)
    for (let time = 0; time < 8; time += 1) {
      slack.disconnect('refresh_requested')
      await sleep(20)
    }
    await expect.poll(() => slack.sockets()).toBe(2)
    expect(adapter.warning()).toBeUndefined()
    expect(warned(lines)).toEqual([])
  })

  test('is nobody else’s when the connections are gone at the next look', async () => {
    const { adapter, make, slack, receive, lines } = await setScene({ lookAgainMs: 200, quietMs: 200 })
    const before = make()
    await before.start(receive)
    await adapter.start(receive)
    await before.stop()
    await expect.poll(() => slack.callsOf('apps.connections.open').length).toBe(5)
    await expect.poll(() => slack.sockets()).toBe(2)
    expect(warned(lines)).toEqual([])
  })

  test('is nobody else’s where several processes share a database, and is where one more has it', async () => {
    const { adapter, make, slack, receive, lines } = await setScene({ lookAgainMs: 20, quietMs: 0, processes: () => 2 })
    await adapter.start(receive)
    await make().start(receive)
    await expect.poll(() => slack.sockets()).toBe(4)
    slack.disconnect('refresh_requested')
    await sleep(200)
    expect(warned(lines)).toEqual([])
    await make({ processes: () => 1 }).start(receive)
    slack.disconnect('refresh_requested', 'oldest')
    // Connections of the other one may have broken, which nobody tells here.
    await expect.poll(() => adapter.warning()).toMatch(UNSURE)
  })

  test('costs no event: what comes over the connection of a look is taken', async () => {
    const { adapter, make, slack, receive, inbounds, channel, ada } = await setScene(
      { lookAgainMs: 10, quietMs: 0 },
      { spread: true },
    )
    await adapter.start(receive)
    await make().start(receive)
    const texts = Array.from({ length: 40 }, (_, line) => `${line}`)
    for (const text of texts) {
      slack.say({ channel, user: ada, text })
      await sleep(5)
    }
    await expect
      .poll(() => new Set(inbounds.map((one) => one.kind === 'message' && one.message.text)).size)
      .toBe(texts.length)
  })

  test('is nobody else’s while Slack still counts connections that broke, and the limit is kept free of looks', async () => {
    const { adapter, make, slack, receive, lines } = await setScene(
      { lookAgainMs: 10, reconnectMs: 1 },
      { ghostsMs: 60_000 },
    )
    await adapter.start(receive)
    await slack.until(() => slack.sockets() === 2)
    for (const counted of [4, 6]) {
      slack.cutSockets()
      await slack.until(() => slack.sockets() === 2 && slack.counted() === counted, `${counted} counted`)
      await sleep(100)
    }
    await adapter.stop()
    // As after kill -9: what came before is counted, and this process knows nothing of it.
    const next = make()
    await next.start(receive)
    await slack.until(() => slack.sockets() === 2)
    slack.cutSockets()
    await slack.until(() => slack.sockets() === 2 && slack.counted() === 8)
    await sleep(200)
    expect([adapter.warning(), next.warning(), warned(lines)]).toEqual([undefined, undefined, []])
    expect(slack.refused()).toBe(0)
  })

  test('may be nobody else’s where the count stays: the sentence says both', async () => {
    const { make, slack, receive, lines } = await setScene({ lookAgainMs: 10, quietMs: 300 }, { ghostsMs: 60_000 })
    const killed = make()
    await killed.start(receive)
    await slack.until(() => slack.sockets() === 2)
    slack.cutSockets()
    await killed.stop()
    const next = make()
    const since = performance.now()
    await next.start(receive)
    await expect.poll(() => next.warning()).toMatch(UNSURE)
    expect(performance.now() - since).toBeGreaterThanOrEqual(300)
    expect(lines.filter(({ message }) => SHARED.test(message))).toEqual([])
  })

  test('opens no connection to look where Slack counts nine', async () => {
    const { adapter, make, slack, receive } = await setScene({ lookAgainMs: 100, quietMs: 0 }, { ghostsMs: 60_000 })
    const broken = make({ sockets: 7 })
    await broken.start(receive)
    await slack.until(() => slack.sockets() === 7)
    const stopped = broken.stop()
    slack.cutSockets()
    await stopped
    await slack.until(() => slack.counted() === 7)
    await adapter.start(receive)
    await slack.until(() => slack.counted() === 9)
    const { attempts } = slack.connections()
    await sleep(400)
    expect([slack.counted(), slack.refused(), slack.connections().attempts]).toEqual([9, 0, attempts])
  })

  test('is told for certain where Slack leaves the closing of each connection to us', inLong, async () => {
    const { adapter, make, slack, receive } = await setScene({ lookAgainMs: 4_000 }, { leavesOpen: true })
    await adapter.start(receive)
    await slack.until(() => slack.sockets() === 2)
    await make({ sockets: 1 }).start(receive)
    await slack.until(() => slack.sockets() === 3)
    slack.disconnect('refresh_requested', 'oldest')
    await expect.poll(() => adapter.warning(), { timeout: 60_000 }).toMatch(SHARED)
  })
})

/** So many connections of a process that is gone are counted. */
async function haunt({ make, slack, receive }: Scene, sockets: number) {
  const broken = make({ sockets })
  await broken.start(receive)
  await slack.until(() => slack.sockets() === sockets)
  const stopped = broken.stop()
  slack.cutSockets()
  await stopped
  await slack.until(() => slack.counted() === sockets)
}

describe('an app that has as many connections as Slack takes', () => {
  const FULL = /^Slack has ten connections of this app and takes no more: .*a Slack app of its own/

  test('is named by a start that fails, without a wait for a hello', async () => {
    const scene = await setScene({ reconnectMs: 1 }, { ghostsMs: 60_000, leavesOpen: true })
    await haunt(scene, 10)
    const since = performance.now()
    await expect(scene.adapter.start(scene.receive)).rejects.toMatchObject({ message: expect.stringMatching(FULL) })
    expect(performance.now() - since).toBeLessThan(10_000)
    expect(scene.lines.filter(({ message }) => FULL.test(message))).toHaveLength(1)
  })

  test('is a warning until there is room', async () => {
    const scene = await setScene({ reconnectMs: 1 }, { ghostsMs: 3_000 })
    const { adapter, slack, receive, lines } = scene
    await haunt(scene, 9)
    await adapter.start(receive)
    await expect.poll(() => adapter.warning()).toMatch(FULL)
    await slack.until(() => slack.sockets() === 2, 'the second connection')
    await expect.poll(() => adapter.warning()).toBeUndefined()
    expect(lines.filter(({ message }) => FULL.test(message))).toHaveLength(1)
  })
})
