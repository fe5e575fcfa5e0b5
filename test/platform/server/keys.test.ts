import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { userProfile } from '#platform/wire/service.ts'
import { addKey, as } from './people.ts'
import { management, openPlatform, type TestPlatform } from './platform.ts'
import { inLong } from '#test/support/forms.ts'

const cli = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url))
const paths = [
  ['GET', `${management}/collection/`, false],
  ['GET', `${management}/user/me`, false],
  ['GET', '/v1/models', true],
  ['GET', '/v1/chat/completions', true],
  ['GET', '/user/me', true],
  ['GET', '/v1/user/me', true],
] as const

describe('keys', () => {
  let platform: TestPlatform
  let now: number
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 21, 12)
    platform = await openPlatform({ over: 'socket', clock: () => now })
  })
  afterEach(() => platform.close())

  const keys = async (...words: string[]) => {
    const env = { DATA_DIR: platform.dataDir }
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'keys', ...words], { env })
    return stdout.trim().split('\n')
  }
  const statuses = (key: string) =>
    Promise.all(
      paths.map(async ([method, path, bearer]) => (await platform.call(method, path, { key, bearer })).status),
    )

  it('are made and revoked by another process, and the next request knows', inLong, async () => {
    const [key = ''] = await keys('add', 'anna', '--label', 'laptop')
    expect(await statuses(key)).toEqual([200, 200, 200, 400, 200, 200])
    const list = await keys('list')
    expect(list.find((line) => line.includes('anna'))).toMatch(/^2 +anna +fb-\S+… +laptop .* 5$/)
    expect(await keys('revoke', '2')).toEqual(['Key 2 of anna is revoked: the next request with it is refused.'])
    expect(await statuses(key)).toEqual([401, 401, 401, 401, 401, 401])
  })

  it('for agents only are refused with a sentence', async () => {
    const { key } = await addKey(platform, 'anna', { scope: { tools: ['search'] } })
    expect(await statuses(key)).toEqual([403, 403, 403, 403, 403, 403])
    const response = await platform.call('GET', '/v1/models', { key, bearer: true })
    expect(await response.json()).toMatchObject({
      detail: 'This key is for agents: it reads over /mcp, and nothing else.',
    })
  })

  it('end at their time, and not before', async () => {
    const { key } = await addKey(platform, 'anna', { expiresAt: now + 1000 })
    now += 999
    expect(await statuses(key)).toEqual([200, 200, 200, 400, 200, 200])
    now += 1
    expect(await statuses(key)).toEqual([401, 401, 401, 401, 401, 401])
    const response = await platform.call('GET', '/v1/models', { key, bearer: true })
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await response.json()).toMatchObject({
      detail: 'The key is unknown or has expired: check it.',
      error: { code: 'invalid_api_key', type: 'authentication_error' },
    })
  })

  it('belong to a user each, who has a profile and collections of their own', async () => {
    const anna = await addKey(platform, 'anna', {
      about: { email: 'a@example.org', firstName: 'Anna', surname: 'Lund' },
    })
    const second = await addKey(platform, 'anna')
    const ask = as(platform, anna.key)
    await platform.fill('notes', {})
    expect((await ask('POST', `${management}/collection/`, { json: { name: 'notes' } })).status).toBe(201)
    const list = (await (await as(platform, second.key)('GET', `${management}/collection/`)).json()) as { id: string }[]
    expect(list.map(({ id }) => id)).toEqual(['anna/notes'])
    for (const [path, bearer] of [
      ['/user/me', true],
      ['/user/me', false],
      ['/v1/user/me', true],
      [`${management}/user/me`, false],
      [`/v1${management}/user/me`, false],
    ] as const) {
      expect(userProfile.parse(await (await ask('GET', path, { bearer })).json())).toMatchObject({
        username: 'anna',
        email: 'a@example.org',
        first_name: 'Anna',
        surname: 'Lund',
        collection_count: 1,
        file_count: 0,
      })
    }
  })

  it.each([
    ['an empty one', ''],
    ['Bearer alone', 'Bearer'],
    ['Bearer with nothing', 'Bearer '],
    ['two words', 'Bearer a b'],
    ['Basic', 'Basic dXNlcjprZXk='],
    ['a very long one', 'x'.repeat(10_000)],
  ])('are refused with 401: %s', async (_, authorization) => {
    for (const path of [`${management}/collection/`, '/v1/models']) {
      const response = await platform.call('GET', path, { key: null, headers: { authorization } })
      expect(response.status).toBe(401)
    }
  })

  it('show neither themselves nor their hash in the log', async () => {
    const { key } = await addKey(platform, 'anna')
    await statuses(key)
    await platform.call('GET', `${management}/collection/`, { key, bearer: true })
    expect(JSON.stringify(platform.entries)).not.toContain(key.slice(0, 20))
  })
})
