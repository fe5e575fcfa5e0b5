import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { closeAtEnd } from '#test/support/close-at-end.ts'
import { addKey, as } from './people.ts'
import { openPlatform } from './platform.ts'

const piece = (part: object) => `data: ${JSON.stringify({ choices: [{ delta: {}, ...part }] })}\n\n`

/** A model server that begins each answer and ends none until it is told to. */
async function openStalled() {
  const open: (() => void)[] = []
  const server = createServer((request, response) => {
    request.resume()
    if (request.method === 'GET') {
      response.end(JSON.stringify({ data: [{ id: 'slow' }] }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(piece({ delta: { content: 'So' } }))
    open.push(() => response.end(`${piece({ finish_reason: 'stop' })}data: [DONE]\n\n`))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { baseUrl: `http://127.0.0.1:${port}/v1`, open, close }
}

it('one key has at most nine answers running, the tenth is refused with a time; another key is not held up', async () => {
  const stalled = closeAtEnd(await openStalled())
  const upstream = { baseUrl: stalled.baseUrl, chatModel: 'slow' }
  const platform = closeAtEnd(await openPlatform({ over: 'socket', upstream, quota: { minute: 1000 } }))
  const [anna, berta] = [
    as(platform, (await addKey(platform, 'anna')).key),
    as(platform, (await addKey(platform, 'berta')).key),
  ]
  const json = { model: 'slow', stream: true, messages: [{ role: 'user', content: 'Hello?' }] }
  const ask = (who: typeof anna) => who('POST', '/v1/chat/completions', { json, bearer: true })
  const running = await Promise.all(Array.from({ length: 9 }, () => ask(anna)))
  expect(running.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 200))
  const refused = await ask(anna)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  expect(await refused.json()).toMatchObject({
    detail: 'This key has 9 answers running, and that is the most at once: wait for one of them to end.',
    error: { code: 'too_many_answers', limit: 9 },
  })
  expect((await ask(berta)).status).toBe(200)
  // One that is left and one that ends each make room.
  await running[0]?.body?.cancel()
  stalled.open[1]?.()
  await running[1]?.text()
  await expect.poll(async () => (await ask(anna)).status).toBe(200)
  await expect.poll(async () => (await ask(anna)).status).toBe(200)
  expect((await ask(anna)).status).toBe(429)
  const first = await Promise.all(
    Array.from({ length: 12 }, () => platform.call('POST', '/v1/chat/completions', { json, bearer: true })),
  )
  expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200]))
  for (const { body } of [...running.slice(2), ...first]) void body?.cancel()
})
