import { expect, onTestFinished, test } from 'vitest'
import { listen } from '#platform/server/listen.ts'
import { createScene } from './scene.ts'

const PASSWORD = 'correct horse'

test('a body without an announced length, as some proxies send it, is taken up to the limit', async () => {
  await using scene = await createScene({ loopback: false, password: PASSWORD })
  const server = await listen({ host: '127.0.0.1', port: 0, fetch: async (request) => scene.adapter.fetch(request) })
  onTestFinished(() => server.close())
  const logIn = async (password: string) =>
    fetch(`${server.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new Blob([new URLSearchParams({ password }).toString()]).stream(),
      duplex: 'half',
      redirect: 'manual',
    })
  expect((await logIn(PASSWORD)).status).toBe(303)
  expect((await logIn('wrong horse')).status).toBe(401)
  expect((await logIn('x'.repeat(100_000))).status).toBe(413)
})
