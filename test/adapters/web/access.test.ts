import { expect, test } from 'vitest'
import { createWebAdapter } from '#adapters/web/adapter.ts'
import { createTokens } from '#src/mcp/askers/tokens.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { memoryState } from '#test/support/fakes/state.ts'
import { createBrowser } from '#test/support/web/browser.ts'
import { createScene, type Scene } from './scene.ts'

const PASSWORD = 'a long enough password'
const open = (scene: Scene, origin: string, cookie?: string) =>
  createBrowser((request) => scene.adapter.fetch(request), { origin, ...(cookie && { cookie }) })

const loginRequest = (body: string | ReadableStream<Uint8Array>, cookie = '') =>
  new Request('http://127.0.0.1:3000/login', {
    method: 'POST',
    headers: { host: '127.0.0.1:3000', 'content-type': 'application/x-www-form-urlencoded', ...(cookie && { cookie }) },
    body,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  })

async function logIn(scene: Scene, password: string, origin = 'http://127.0.0.1:3000') {
  return open(scene, origin).request('/login', { method: 'POST', body: new URLSearchParams({ password }) })
}

test('on loopback the page is open under loopback names only', async () => {
  await using scene = await createScene()
  for (const name of ['127.0.0.1:3000', 'localhost:3000', '[::1]:3000', 'LOCALHOST:3000', 'localhost']) {
    const answer = await scene.browser.request('/', { headers: { host: name } })
    expect([name, answer.status]).toEqual([name, 200])
  }
  for (const name of ['evil.example', 'evil.example:3000', '127.0.0.1.evil.example', 'localhost.evil.example']) {
    const answer = await scene.browser.request('/api/web/state', { headers: { host: name } })
    expect([name, answer.status]).toEqual([name, 421])
    expect(await answer.text()).toContain('PUBLIC_URL')
  }
})

test('a named host and the public address are let in', async () => {
  await using scene = await createScene({ allowedHosts: ['box.local'], publicUrl: 'https://ask.example.org/' })
  for (const name of ['box.local:3000', 'ask.example.org']) {
    const answer = await scene.browser.request('/', { headers: { host: name } })
    expect([name, answer.status]).toEqual([name, 200])
  }
  const proxied = await scene.browser.request('/api/web/channels', {
    method: 'POST',
    headers: { origin: 'https://ask.example.org', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'proxied' }),
  })
  expect(proxied.status).toBe(201)
})

test('requests of other sites are refused, by origin and by fetch metadata', async () => {
  await using scene = await createScene()
  const body = JSON.stringify({ name: 'planted' })
  const json = { 'content-type': 'application/json' }
  for (const headers of [
    { ...json, origin: 'http://evil.example' },
    { ...json, origin: 'http://127.0.0.1:8080' },
    { ...json, origin: 'null' },
    { ...json, 'sec-fetch-site': 'cross-site' },
    { ...json, 'sec-fetch-site': 'same-site' },
  ]) {
    const answer = await scene.browser.request('/api/web/channels', { method: 'POST', headers, body })
    expect([headers, answer.status]).toEqual([headers, 403])
  }
  const simple = await scene.browser.request('/api/web/channels', {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body,
  })
  expect(simple.status).toBe(400)
  const reading = await scene.browser.request('/api/web/state', {
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  })
  expect(reading.status).toBe(403)
  const following = await scene.browser.request('/', {
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  })
  expect(following.status).toBe(200)
  const state = await scene.browser.request('/api/web/state')
  expect(await state.text()).not.toContain('planted')
})

test('every answer carries the security headers, a refusal too', async () => {
  await using scene = await createScene()
  for (const path of ['/', '/login', '/api/web/state', '/assets/page.css', '/nothing-here', '/api/web/files/none']) {
    const { headers } = await scene.browser.request(path)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/)
    expect(headers.get('x-frame-options')).toBe('DENY')
  }
})

test('the page has nothing inline and nothing remote', async () => {
  await using scene = await createScene()
  const html = await (await scene.browser.request('/')).text()
  expect(html).not.toMatch(/<script(?![^>]*src=)|style=|\son\w+=|https?:/)
})

test('beyond loopback a password is needed to start at all', () => {
  expect(() => createWebAdapter({ dataDir: '/nowhere', loopback: false, log: createLogSink() })).toThrow(
    /WEB_PASSWORD.*HOST=127\.0\.0\.1/,
  )
})

test('with a password everything but the login form asks for it', async () => {
  await using scene = await createScene({ loopback: false, password: PASSWORD })
  const outside = open(scene, 'http://192.168.1.20:3000')
  const page = await outside.request('/')
  expect([page.status, page.headers.get('location')]).toEqual([303, '/login'])
  for (const path of ['/api/web/state', '/api/web/events', '/api/web/channels/general/messages', '/api/web/files/x']) {
    const answer = await outside.request(path)
    expect([path, answer.status]).toEqual([path, 401])
    expect(answer.headers.get('content-type')).toContain('application/json')
  }
  expect((await outside.post('general', { text: 'hello there' })).status).toBe(401)
  expect((await outside.request('/login')).status).toBe(200)
})

test('the right password gives a strict cookie that survives a restart, and a logout ends it', async () => {
  await using scene = await createScene({ loopback: false, password: PASSWORD })
  const origin = 'http://192.168.1.20:3000'
  const answer = await logIn(scene, PASSWORD, origin)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
  const cookie = answer.headers.get('set-cookie') ?? ''
  for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(part)
  expect(cookie).not.toContain(PASSWORD)
  const inside = () => open(scene, origin, cookie.split(';', 1)[0])
  expect((await inside().request('/')).status).toBe(200)
  await scene.restart()
  expect((await inside().request('/api/web/state')).status).toBe(200)
  expect((await inside().request('/logout', { method: 'POST' })).status).toBe(303)
  expect((await inside().request('/api/web/state')).status).toBe(401)
})

test('a logout ends the event streams of other tabs', async () => {
  await using scene = await createScene({ password: PASSWORD })
  const cookie = (await logIn(scene, PASSWORD)).headers.get('set-cookie')?.split(';', 1)[0]
  const inside = open(scene, 'http://127.0.0.1:3000', cookie)
  const events = await inside.events()
  await events.next()
  await inside.request('/logout', { method: 'POST' })
  expect(await events.next()).toBeUndefined()
  expect((await inside.request('/api/web/events')).status).toBe(401)
})

test('before the login nothing long is read', async () => {
  await using scene = await createScene({ password: PASSWORD })
  expect((await logIn(scene, 'x'.repeat(100_000))).status).toBe(413)
})

test('behind https the cookie is kept to https', async () => {
  await using scene = await createScene({ password: PASSWORD, publicUrl: 'https://ask.example.org' })
  const answer = await logIn(scene, PASSWORD, 'https://ask.example.org')
  expect(answer.headers.get('set-cookie')).toContain('Secure')
})

test('a session ends after thirty days', async () => {
  let now = Date.UTC(2026, 0, 1)
  await using scene = await createScene({ password: PASSWORD, clock: () => now })
  const cookie = (await logIn(scene, PASSWORD)).headers.get('set-cookie')?.split(';', 1)[0]
  const inside = open(scene, 'http://127.0.0.1:3000', cookie)
  now += 29 * 86_400_000
  expect((await inside.request('/')).status).toBe(200)
  now += 2 * 86_400_000
  expect((await inside.request('/')).status).toBe(303)
})

test('guessing is slowed down, also for the right password, and nothing of it is logged', async () => {
  let now = 1_000_000
  await using scene = await createScene({ password: PASSWORD, clock: () => now })
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const answer = await logIn(scene, `guess ${attempt}`)
    expect(answer.status).toBe(401)
    expect(await answer.text()).toContain('role="alert"')
  }
  const blocked = await logIn(scene, PASSWORD)
  expect(blocked.status).toBe(429)
  expect(Number(blocked.headers.get('retry-after'))).toBe(60)
  now += 61_000
  expect((await logIn(scene, PASSWORD)).status).toBe(303)
  expect(scene.log.at('warn')).toHaveLength(10)
  expect(scene.log.dump()).not.toMatch(/guess|a long enough/)
})

test('guesses that all send their heads first are counted before their bodies are read', async () => {
  await using scene = await createScene({ password: PASSWORD })
  const bodies = Array.from({ length: 40 }, () => Promise.withResolvers<string>())
  const answers = bodies.map(({ promise }, index) => {
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        controller.enqueue(new TextEncoder().encode(await promise))
        controller.close()
      },
    })
    // Two addresses: of IPv6 the first half counts.
    return scene.adapter.fetch(loginRequest(body), index % 2 === 0 ? '10.0.0.1' : `2001:db8:0:7::${index}`)
  })
  await new Promise((resolve) => setTimeout(resolve, 50))
  bodies.forEach(({ resolve }, index) => resolve(`password=guess${index}`))
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(20)
  expect(statuses.filter((status) => status === 429)).toHaveLength(20)
})

test('a guesser locks out their own address, not others, and never a device that was let in before', async () => {
  await using scene = await createScene({ password: PASSWORD })
  const known = await scene.adapter.fetch(loginRequest(`password=${PASSWORD}`), '10.0.0.1')
  const device =
    known.headers
      .getSetCookie()
      .find((cookie) => cookie.includes('device'))
      ?.split(';', 1)[0] ?? ''
  for (let guess = 0; guess < 10; guess += 1) await scene.adapter.fetch(loginRequest('password=wrong'), '10.0.0.7')
  const right = `password=${PASSWORD}`
  expect((await scene.adapter.fetch(loginRequest(right), '10.0.0.7')).status).toBe(429)
  expect((await scene.adapter.fetch(loginRequest(right), '10.0.0.8')).status).toBe(303)
  expect((await scene.adapter.fetch(loginRequest(right, device), '10.0.0.7')).status).toBe(303)
})

test('a changed password ends every session, the same one after a restart none', async () => {
  let password = PASSWORD
  await using scene = await createScene({
    get password() {
      return password
    },
  })
  const cookie = (await logIn(scene, PASSWORD)).headers.get('set-cookie')?.split(';', 1)[0]
  const inside = () => open(scene, 'http://127.0.0.1:3000', cookie)
  await scene.restart()
  expect((await inside().request('/api/web/state')).status).toBe(200)
  password = 'another long password'
  await scene.restart()
  expect((await inside().request('/api/web/state')).status).toBe(401)
})

test('the first password and a changed one end the tokens of the page, the same one none', async () => {
  const tokens = createTokens(memoryState(), 'https://footbridge.example.org/mcp')
  const make = async (workspace: string, name: string) =>
    (await tokens.make({ adapter: 'web', workspace, personId: 'person' }, name)) ?? ''
  const [early, other] = [await make('local', 'made without a password'), await make('elsewhere', 'laptop')]
  let password = PASSWORD
  await using scene = await createScene({
    tokens,
    get password() {
      return password
    },
  })
  expect(await tokens.find(early)).toBeUndefined()
  const own = await make('local', 'laptop')
  await scene.restart()
  expect(await tokens.find(own)).toBeDefined()
  password = 'another long password'
  await scene.restart()
  expect(await tokens.find(own)).toBeUndefined()
  expect(await tokens.find(other)).toBeDefined()
})

test('a logout leaves the event streams of other people alone', async () => {
  await using scene = await createScene({ password: PASSWORD })
  const cookieOf = async () => (await logIn(scene, PASSWORD)).headers.get('set-cookie')?.split(';', 1)[0]
  const [one, other] = [await cookieOf(), await cookieOf()]
  const events = await open(scene, 'http://127.0.0.1:3000', other).events()
  await events.next()
  await open(scene, 'http://127.0.0.1:3000', one).request('/logout', { method: 'POST' })
  await scene.adapter.post(
    { adapter: 'web', workspace: 'web', channel: 'general', direct: false },
    { sendId: 'after-logout', kind: 'notice', text: 'still here' },
  )
  expect(JSON.stringify(await events.next())).toContain('still here')
})

test('a login whose body does not come is given up', async () => {
  await using scene = await createScene({ password: PASSWORD, loginTimeoutMs: 30 })
  const silent = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => undefined) })
  expect((await scene.adapter.fetch(loginRequest(silent), '10.0.0.1')).status).toBe(408)
})

test('on https the session cookie is tied to this host', async () => {
  await using scene = await createScene({ password: PASSWORD, publicUrl: 'https://ask.example.org' })
  const answer = await logIn(scene, PASSWORD, 'https://ask.example.org')
  expect(answer.headers.get('set-cookie')).toMatch(/^__Host-footbridge_session=/)
  const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0]
  expect((await open(scene, 'https://ask.example.org', cookie).request('/api/web/state')).status).toBe(200)
})

test('beyond loopback an address that a request names is not taken for ours', async () => {
  await using scene = await createScene({ loopback: false, password: PASSWORD })
  const origin = 'http://evil.example:3000'
  const cookie = (await logIn(scene, PASSWORD, origin)).headers.get('set-cookie')?.split(';', 1)[0]
  await open(scene, origin, cookie).request('/api/web/state')
  const conversation = { adapter: 'web', workspace: 'web', channel: 'general', direct: false }
  expect(await scene.adapter.permalink({ conversation, id: 'm1' })).toBeUndefined()
})
