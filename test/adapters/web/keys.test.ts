import { expect, test } from 'vitest'
import type { ApiKeyInfo, ApiKeys } from '#bridge/port/api-keys.ts'
import { createScene } from './scene.ts'

function keepKeys() {
  let known: ApiKeyInfo[] = []
  const keys: ApiKeys = {
    list: async () => known,
    choices: async () => ({ tools: ['search', 'fetch'], collections: ['web-page/plans', 'web-page/notes'] }),
    async make(name, scope) {
      if (known.some((one) => one.name === name)) return undefined
      known = [...known, { id: known.length + 1, name, hint: 'fb-abcde', createdAt: 0, ...(scope && { scope }) }]
      return 'fb-secret'
    },
    async revoke(id) {
      known = known.filter((one) => one.id !== id)
      return true
    },
    async revokeAll() {
      const { length } = known
      known = []
      return length
    },
  }
  return { keys, known: () => known }
}

const PATH = '/api/web/keys'

test('a key for the API is made on the page, shown once, listed and revoked', async () => {
  const { keys, known } = keepKeys()
  await using scene = await createScene({ keys })
  const { send, request } = scene.browser
  expect(await (await request('/api/web/state')).json()).toMatchObject({ apiKeys: true })
  const made = await send('POST', PATH, { name: ' job ' })
  expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store'])
  expect(await made.json()).toEqual({ key: 'fb-secret' })
  expect(await (await request(PATH)).json()).toEqual(known())
  expect((await send('POST', PATH, { name: 'job' })).status).toBe(409)
  expect((await send('POST', PATH, { name: ' ' })).status).toBe(400)
  expect((await send('POST', PATH, { name: '\u200b\u202e' })).status).toBe(400)
  expect((await send('POST', PATH, { name: '\u202ejob\n\u001b[2J' })).status).toBe(201)
  expect(known().at(-1)?.name).toBe('job [2J')
  expect((await send('DELETE', PATH, { id: 2 })).status).toBe(200)
  expect((await send('DELETE', PATH, { id: 'job' })).status).toBe(400)
  expect(await (await send('DELETE', PATH, { id: 1 })).json()).toEqual([])
})

test('a key for agents has the collections and tools that were chosen, and no others', async () => {
  const { keys, known } = keepKeys()
  await using scene = await createScene({ keys })
  const { send, request } = scene.browser
  const choices = await request(`${PATH}/choices`)
  expect(choices.headers.get('cache-control')).toBe('no-store')
  expect(await choices.json()).toEqual(await keys.choices())
  const scope = { collections: ['web-page/plans'], tools: ['search'] }
  expect((await send('POST', PATH, { name: 'agent', scope })).status).toBe(201)
  expect(known().at(-1)?.scope).toEqual(scope)
  for (const [wrong, sentence] of [
    [{ tools: [] }, 'Choose at least one tool.'],
    [{ collections: [] }, 'Choose at least one collection.'],
    [{ tools: ['delete'] }, ''],
    [{ collections: ['local/board'] }, ''],
    [{ tools: 'search' }, ''],
  ] as const) {
    const refused = await send('POST', PATH, { name: 'other', scope: wrong })
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(sentence)])
  }
  expect(known()).toHaveLength(1)
})

test('another password ends the keys, and without a platform of its own the page has none', async () => {
  const { keys, known } = keepKeys()
  await using scene = await createScene()
  expect(await (await scene.browser.request('/api/web/state')).json()).not.toHaveProperty('apiKeys')
  expect((await scene.browser.request(PATH)).status).toBe(404)
  await using first = await createScene({ keys, password: 'a long password' })
  expect((await first.browser.request(PATH)).status).toBe(401)
  await keys.make('job')
  await first.adapter.stop()
  await using again = await createScene({ keys, password: 'another long one', dataDir: first.dataDir })
  expect((await again.browser.request(PATH)).status).toBe(401)
  await expect.poll(known).toEqual([])
})
