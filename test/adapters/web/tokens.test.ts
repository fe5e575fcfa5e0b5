import { expect, test } from 'vitest'
import type { WebTokens } from '#adapters/web/protocol.ts'
import type { AccessTokens, PersonRef, TokenInfo, TokenScope } from '#bridge/port/person-access.ts'
import { createScene, type Scene } from './scene.ts'

function keepTokens() {
  const known: TokenInfo[] = []
  const people: PersonRef[] = []
  const scopes: (TokenScope | undefined)[] = []
  const tokens: AccessTokens = {
    address: 'https://ask.example.org/mcp',
    tools: ['search', 'fetch', 'ask'],
    async make(person, name, _, scope) {
      people.push(person)
      scopes.push(scope)
      if (known.some((one) => one.name === name)) return undefined
      known.push({ name, createdAt: Date.UTC(2026, 10, 27) })
      return 'fbt-secret'
    },
    list: async () => known,
    async revoke(_, name) {
      const at = known.findIndex((one) => one.name === name)
      return known.splice(at, 1).length > 0
    },
    forgetWorkspace: async () => undefined,
  }
  return { tokens, known, people, scopes }
}

const PATH = '/api/web/tokens'
const make = ({ browser }: Scene, name: string, more: object = {}) => browser.send('POST', PATH, { name, ...more })

test('a token is made on the page, shown once, listed and ended', async () => {
  const { tokens, known, people } = keepTokens()
  await using scene = await createScene({ tokens })
  const made = await make(scene, '<b>laptop</b>')
  expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store'])
  expect(await made.json()).toEqual({ token: 'fbt-secret' })
  expect(people).toEqual([{ adapter: 'web', workspace: 'local', personId: 'person' }])
  const listed = await scene.browser.request(PATH)
  expect(listed.headers.get('cache-control')).toBe('no-store')
  expect((await listed.json()) as WebTokens).toEqual({
    address: 'https://ask.example.org/mcp',
    tools: ['search', 'fetch', 'ask'],
    tokens: [{ name: '<b>laptop</b>', createdAt: Date.UTC(2026, 10, 27) }],
  })
  expect((await make(scene, '<b>laptop</b>')).status).toBe(409)
  const ended = await scene.browser.send('DELETE', PATH, { name: '<b>laptop</b>' })
  expect(await ended.json()).toMatchObject({ tokens: [] })
  expect(known).toEqual([])
})

test('a name of blanks makes no token, and says so', async () => {
  const { tokens, known } = keepTokens()
  await using scene = await createScene({ tokens })
  const refused = await make(scene, '  ')
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('Give the program a name.')
  expect(known).toEqual([])
})

test('a token is limited to a channel and to tools that there are', async () => {
  const { tokens, scopes } = keepTokens()
  await using scene = await createScene({ tokens })
  const { id } = await scene.browser.createChannel('harbour')
  const tools = ['search', 'fetch']
  expect((await make(scene, 'both', { channel: id, tools })).status).toBe(201)
  expect((await make(scene, 'none')).status).toBe(201)
  expect(scopes).toEqual([
    { channel: id, tools },
    { channel: undefined, tools: undefined },
  ])
  const wrong = [
    { channel: 'nowhere' },
    { tools: [] },
    { tools: ['search', 'delete'] },
    { tools: 'search' },
    { channel: 7 },
  ]
  const statuses = await Promise.all(wrong.map(async (more, at) => (await make(scene, `wrong ${at}`, more)).status))
  expect(statuses).toEqual([404, 400, 400, 400, 400])
  expect(scopes).toHaveLength(2)
})

test('tokens are behind the login, and no other site makes, reads or ends one', async () => {
  const { tokens, known } = keepTokens()
  await using scene = await createScene({ tokens, password: 'a long password' })
  expect((await scene.browser.request('/connect')).headers.get('location')).toBe('/login')
  expect((await scene.browser.request(PATH)).status).toBe(401)
  expect((await make(scene, 'x')).status).toBe(401)
  await using open = await createScene({ tokens })
  const headers = { origin: 'https://evil.example', 'content-type': 'application/json' }
  for (const method of ['POST', 'DELETE'])
    expect((await open.browser.request(PATH, { method, headers, body: '{"name":"x"}' })).status).toBe(403)
  // A form of another site needs no preflight.
  expect((await open.browser.request(PATH, { method: 'POST', body: new URLSearchParams({ name: 'x' }) })).status).toBe(
    400,
  )
  expect(known).toEqual([])
})

test('the address of before opens the settings', async () => {
  const { tokens } = keepTokens()
  await using scene = await createScene({ tokens })
  expect((await scene.browser.request('/connect')).headers.get('location')).toBe('/#settings')
})

test('without a platform of its own the page makes no tokens', async () => {
  await using scene = await createScene()
  expect((await scene.browser.request('/connect')).status).toBe(404)
  expect((await scene.browser.request(PATH)).status).toBe(404)
})
