import { expect, it } from 'vitest'
import { CONNECTIONS } from '#adapters/slack/calls/web-client.ts'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { askedScene, outgoing } from './scene.ts'

/** A scene whose store answers for `answered` checks of the process, and then is away until it is told. */
async function withStoreAway(answered: number) {
  const away = Promise.withResolvers<void>()
  let checks = 0
  const assertAlive = async () => {
    checks += 1
    if (checks > answered) await away.promise
  }
  // A hundred posts at once take their time: none is given up here.
  const scene = await askedScene({ assertAlive, timeoutMs: PATIENCE_MS })
  const posts = Array.from({ length: CONNECTIONS + 8 }, () => scene.adapter.post(scene.conversation, outgoing('x')))
  const posted = () => scene.slack.callsOf('chat.postMessage').length
  return { ...scene, posts, posted, back: () => away.resolve() }
}

it.each([
  ['before they take their turn', 0],
  ['when their turn comes', CONNECTIONS + 8],
])('posts that ask %s whether this process still may hold up no call of another workspace', async (_, answered) => {
  const { adapter, conversation, posts, posted, back } = await withStoreAway(answered)
  expect((await adapter.describeChannel(conversation))?.name).toBe('ferry')
  expect(posted()).toBe(0)
  back()
  await Promise.all(posts)
  expect(posted()).toBe(posts.length)
})

it.each([
  ['HTTP 404', { status: 404, body: 'not found', type: 'text/plain' }],
  ['unknown_method', { error: 'unknown_method' }],
])('a method that this Slack answers with %s is asked once', async (_, fault) => {
  const { slack, adapter, conversation } = await askedScene()
  slack.script('agents.sessions.setStatus', ...Array.from({ length: 10 }, () => fault))
  const { signal } = new AbortController()
  for (let turn = 0; turn < 3; turn += 1)
    await Promise.resolve(adapter.status(conversation, 'thinks', signal)).catch(() => undefined)
  await expect.poll(() => slack.callsOf('agents.sessions.setStatus').length).toBe(1)
  expect(await adapter.post(conversation, outgoing('still here'))).toBeDefined()
})
