import { expect, test } from 'vitest'
import { createEventHub } from '#adapters/web/server/live-events.ts'
import { createScene, outgoing } from './scene.ts'

const CONVERSATION = { adapter: 'web', workspace: 'local', channel: 'general', direct: false } as const

test('a new connection is early to load everything', async () => {
  await using scene = await createScene()
  const events = await scene.browser.events()
  expect(await events.next()).toEqual({ type: 'hello', resumed: false })
  expect(events.response.headers.get('content-type')).toContain('text/event-stream')
  expect(events.response.headers.get('x-accel-buffering')).toBe('no')
  await events.close()
})

test('a connection that comes back gets what it missed, in order and once', async () => {
  await using scene = await createScene()
  const events = await scene.browser.events()
  await scene.adapter.post(CONVERSATION, outgoing('one'))
  expect((await events.nextOf('message')).message.text).toBe('one')
  const seen = events.lastId()
  await events.close()
  await scene.adapter.post(CONVERSATION, outgoing('two'))
  await scene.adapter.post(CONVERSATION, outgoing('three'))
  const back = await scene.browser.events(seen)
  expect(await back.next()).toEqual({ type: 'hello', resumed: true })
  expect((await back.nextOf('message')).message.text).toBe('two')
  expect((await back.nextOf('message')).message.text).toBe('three')
  await scene.adapter.post(CONVERSATION, outgoing('four'))
  expect((await back.nextOf('message')).message.text).toBe('four')
  await back.close()
})

test('a connection that saw nothing but the greeting resumes from there', async () => {
  await using scene = await createScene()
  const events = await scene.browser.events()
  await events.next()
  const greeted = events.lastId()
  await events.close()
  await scene.adapter.post(CONVERSATION, outgoing('missed'))
  const back = await scene.browser.events(greeted)
  expect(await back.next()).toEqual({ type: 'hello', resumed: true })
  expect((await back.nextOf('message')).message.text).toBe('missed')
  await back.close()
})

test('ids of an earlier process, of the future and nonsense make it load everything', async () => {
  await using scene = await createScene()
  await scene.adapter.post(CONVERSATION, outgoing('one'))
  const events = await scene.browser.events()
  await events.next()
  const id = events.lastId()
  await events.close()
  await scene.restart()
  for (const lastId of [id, `${id}999`, 'nonsense', '.', id.replace(/\d+$/, '-1')]) {
    const back = await scene.browser.events(lastId)
    expect(await back.next()).toEqual({ type: 'hello', resumed: false })
    await back.close()
  }
})

test('too much missed makes it load everything', async () => {
  await using scene = await createScene()
  const events = await scene.browser.events()
  await events.next()
  const id = events.lastId()
  await events.close()
  const asker = { id: 'person', name: 'You' }
  const stream = await scene.adapter.stream?.(CONVERSATION, outgoing('a'), asker)
  for (let piece = 0; piece < 2100; piece += 1) await stream?.append('b')
  const back = await scene.browser.events(id)
  expect(await back.next()).toEqual({ type: 'hello', resumed: false })
  await back.close()
})

test('a browser that does not read is let go, the others go on', async () => {
  const hub = createEventHub()
  const idle = hub.subscribe(undefined)
  const awake = hub.subscribe(undefined).getReader()
  const text = 'x'.repeat(500_000)
  const event = { type: 'delta', channel: 'general', id: 'm', at: 0, text } as const
  let received = 0
  for (let piece = 0; piece < 8; piece += 1) {
    hub.publish(event)
    received += (await awake.read()).value?.length ?? 0
  }
  // Queued events of the idle one can still be read; then its stream ends.
  let queued = 0
  for await (const bytes of idle) queued += bytes.length
  expect(queued).toBeLessThan(3_500_000)
  hub.close()
  for (;;) {
    const { done, value } = await awake.read()
    if (done) break
    received += value.length
  }
  expect(received).toBeGreaterThan(4_000_000)
})

test('a session that ended on another process loses its stream at the next heartbeat, the others keep theirs', async () => {
  const answers = new Map<string, () => Promise<boolean>>([
    ['over', async () => false],
    ['valid', async () => true],
    ['unknown', async () => Promise.reject(new Error('no store'))],
  ])
  const isValid = async (session: string) => answers.get(session)?.() ?? false
  const hub = createEventHub({ isValid, heartbeatMs: 5 })
  const [over, ...others] = ['over', 'valid', 'unknown', undefined].map((session) => hub.subscribe(undefined, session))
  for await (const bytes of over ?? []) expect(bytes.length).toBeGreaterThan(0)
  hub.publish({ type: 'delta', channel: 'general', id: 'm', at: 0, text: 'said later' })
  hub.close()
  for (const stream of others) expect(await new Response(stream).text()).toContain('said later')
})

test('a stop ends every stream', async () => {
  await using scene = await createScene()
  const events = await scene.browser.events()
  await events.next()
  await scene.adapter.stop()
  expect(await events.next()).toBeUndefined()
})
