import { expect, test } from 'vitest'
import type { AccessTokens, PersonRef, TokenInfo } from '#bridge/port/person-access.ts'
import { createScene } from './scene.ts'

function keepTokens() {
  const known: TokenInfo[] = []
  const people: PersonRef[] = []
  const tokens: AccessTokens = {
    address: 'https://ask.example.org/mcp',
    async make(person, name) {
      people.push(person)
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
  return { tokens, known, people }
}

const form = (name: string) => ({ method: 'POST', body: new URLSearchParams({ name }) })

test('a token is made on the page, shown once, listed and ended', async () => {
  const { tokens, known, people } = keepTokens()
  await using scene = await createScene({ tokens })
  const made = await scene.browser.request('/connect', form('<b>laptop</b>'))
  const text = await made.text()
  expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(text).toContain('<code>fbt-secret</code>')
  expect(text).toContain('&lt;b&gt;laptop&lt;/b&gt;')
  expect(people).toEqual([{ adapter: 'web', workspace: 'local', personId: 'person' }])
  expect(text).toContain('after a year')
  const listed = await (await scene.browser.request('/connect')).text()
  expect(listed).toContain('2026-11-27, never used')
  expect(listed).not.toContain('fbt-secret')
  expect((await scene.browser.request('/connect', form('<b>laptop</b>'))).status).toBe(409)
  await scene.browser.request('/connect/end', form('<b>laptop</b>'))
  expect(known).toEqual([])
})

test('a name of blanks makes no token, and says so', async () => {
  const { tokens, known } = keepTokens()
  await using scene = await createScene({ tokens })
  const refused = await scene.browser.request('/connect', form('  '))
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('Give the program a name.')
  expect(known).toEqual([])
})

test('tokens are behind the login, and no other site makes one', async () => {
  const { tokens, known } = keepTokens()
  await using scene = await createScene({ tokens, password: 'a long password' })
  expect((await scene.browser.request('/connect')).headers.get('location')).toBe('/login')
  expect([303, 401]).toContain((await scene.browser.request('/connect', form('x'))).status)
  await using open = await createScene({ tokens })
  const foreign = { ...form('x'), headers: { origin: 'https://evil.example' } }
  expect((await open.browser.request('/connect', foreign)).status).toBe(403)
  expect(known).toEqual([])
})

test('without a platform of its own the page makes no tokens', async () => {
  await using scene = await createScene()
  expect((await scene.browser.request('/connect')).status).toBe(404)
})
