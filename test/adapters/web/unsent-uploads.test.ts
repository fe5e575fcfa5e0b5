import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBrowser, ORIGIN } from '#test/support/web/browser.ts'
import { createScene, type Scene } from './scene.ts'

const PASSWORD = 'a long enough password'

/** A person with a session of their own. */
async function enter(scene: Scene) {
  const fetch = (request: Request) => scene.adapter.fetch(request)
  const body = new URLSearchParams({ password: PASSWORD })
  const login = await createBrowser(fetch).request('/login', { method: 'POST', body })
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const browser = createBrowser(fetch, { origin: ORIGIN, cookie })
  const put = (bytes: number, isAnnounced = true) =>
    browser.request(`/api/web/uploads/${randomUUID()}?name=a.md`, {
      method: 'PUT',
      body: new Blob([new Uint8Array(bytes)]).stream(),
      duplex: 'half',
      headers: isAnnounced ? { 'content-length': String(bytes) } : {},
    })
  return { browser, put }
}

test('what one person uploads without a message is bounded, in bytes and in number, and keeps nobody else out', async () => {
  let now = 1_700_000_000_000
  await using scene = await createScene({ maxFileBytes: 1000, password: PASSWORD, clock: () => now })
  const [ada, berta] = [await enter(scene), await enter(scene)]
  // All at once: uploads under way count.
  const large = await Promise.all(Array.from({ length: 12 }, () => ada.put(1000)))
  const statuses = large.map(({ status }) => status)
  expect(statuses.toSorted((one, other) => one - other)).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429])
  const refused = await ada.put(1)
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ error: { message: /no message names yet.*Send the messages/ } })
  expect((await berta.put(1000)).status).toBe(201)
  for (let turn = 0; turn < 199; turn += 1) expect((await berta.put(1)).status).toBe(201)
  expect((await berta.put(1)).status).toBe(429)
  // A message takes its file out of the count.
  const [taken] = large.filter(({ status }) => status === 201)
  const { id } = (await (taken as Response).json()) as { readonly id: string }
  await ada.browser.say('general', { files: [id] })
  expect((await ada.put(1000)).status).toBe(201)
  expect((await ada.put(1)).status).toBe(429)
  // Abandoned uploads make room.
  now += 3_600_001
  expect((await ada.put(1000)).status).toBe(201)
})

test('what all upload without a message is bounded, and a refusal leaves nothing behind', async () => {
  await using scene = await createScene({ maxFileBytes: 1000, password: PASSWORD })
  const statuses: number[] = []
  for (let person = 0; person < 4; person += 1) {
    const { put } = await enter(scene)
    for (let turn = 0; turn < 10; turn += 1) statuses.push((await put(1000, turn % 2 === 0)).status)
  }
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 201), ...Array.from({ length: 10 }, () => 429)])
  expect(readdirSync(join(scene.dataDir, 'web-files'))).toHaveLength(30)
})
