import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOpenApi } from '#platform/server/openapi/document.ts'
import { management, openPlatform, type TestPlatform } from './platform.ts'

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const known = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const
const { paths } = createOpenApi('1.0.0') as Described

/** Each path of the document at each of its places, with its methods. */
const described = Object.entries(paths).flatMap(([path, item]) => {
  const taken = known.filter((method) => method.toLowerCase() in item)
  const real = path.replace('{name}', 'notes').replace('{file}', 'a.md').replace(/\/$/, '')
  return (item['servers'] as { url: string }[]).map(({ url }) => ({
    path: url === '/' ? real : `${url}${real}`,
    taken,
  }))
})
const pieces = ['/docs', '/docs/page.css', '/docs/page.js'].map((path) => ({ path, taken: ['GET'] as const }))

const allowOf = (response: Response) => response.headers.get('allow')?.split(', ').toSorted()
const toAllow = (taken: readonly string[]) => [...taken, ...(taken.includes('GET') ? ['HEAD'] : [])].toSorted()

describe('methods', () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform({ over: 'socket' })
  })
  afterAll(() => platform.close())

  it('has a path of each kind to ask', () => {
    expect(described.length).toBeGreaterThan(30)
  })

  it.each([...described, ...pieces])(
    'of $path are told with 405, and to whoever asks for them',
    async ({ path, taken }) => {
      // Neither needs a key: they say nothing that the document does not say.
      for (const method of known.filter((one) => !taken.some((own) => own === one))) {
        for (const asked of [path, `${path}/`]) {
          const response = await platform.call(method, asked, { key: null })
          expect([method, asked, response.status]).toEqual([method, asked, 405])
          expect(allowOf(response)).toEqual(toAllow(taken))
          expect(await response.json()).toMatchObject({ detail: expect.stringContaining(`${method} is`) })
        }
      }
      const options = await platform.call('OPTIONS', path, { key: null })
      expect([options.status, allowOf(options), await options.text()]).toEqual([204, toAllow(taken), ''])
    },
  )

  it('that are unknown are refused, and of a path that is unknown there are none', async () => {
    expect((await platform.call('PURGE', '/v1/models')).status).toBe(405)
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const response = await platform.call(method, '/v1/nothing')
      expect([response.status, response.headers.get('allow')]).toEqual([404, null])
    }
  })
})

describe('what looks like a collection', () => {
  let platform: TestPlatform
  beforeEach(async () => {
    platform = await openPlatform()
    return () => platform.close()
  })
  const collections = `${management}/collection`

  it.each(['files', 'sharing', 'generate-index', 'delete-index'])(
    'is not taken for one called %s, by a method that its path has not',
    async (name) => {
      for (const one of ['notes', name]) await platform.call('POST', collections, { json: { name: one } })
      const method = name === 'delete-index' ? 'PATCH' : 'DELETE'
      expect((await platform.call(method, `${collections}/notes/${name}`)).status).toBe(405)
      expect((await platform.call('GET', `${collections}/${name}`)).status).toBe(200)
    },
  )
})

describe('HEAD', () => {
  it('is GET without the body, and uses up as much', async () => {
    const platform = await openPlatform({ over: 'socket' })
    try {
      await platform.fill('notes', { 'a.md': '# Tide\n\nHigh at noon.' })
      const file = `${management}/collection/notes/files/a.md/download`
      const whole = await platform.call('GET', file)
      const head = await platform.call('HEAD', file)
      expect(head.status).toBe(200)
      expect(head.headers.get('content-length')).toBe(String((await whole.arrayBuffer()).byteLength))
      expect(await head.text()).toBe('')
      expect((await platform.call('HEAD', file, { key: null })).status).toBe(401)
      expect((await platform.call('HEAD', `${management}/heartbeat`, { key: null })).status).toBe(204)
      const posted = await platform.call('HEAD', '/v1/embeddings', { bearer: true })
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'POST'])
    } finally {
      await platform.close()
    }
  })
})
