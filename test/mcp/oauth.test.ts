import { randomBytes } from 'node:crypto'
import { UnauthorizedError } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOauth } from '#src/mcp/oauth/oauth.ts'
import { openPlatform, type TestPlatform } from '#test/platform/server/platform.ts'
import { memoryState } from '#test/support/fakes/state.ts'
import {
  CALLBACK,
  createSetting,
  type Fields,
  issued,
  type Issued,
  MINUTE_MS,
  ORIGIN,
  PASSWORD,
  PERSON,
  program,
  RESOURCE,
  signedIn,
} from './oauth-setting.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await openPlatform()
  await platform.fill('notes', { 'hours.md': '# Hours\n\nMonday to Friday from nine to five.\n' })
})
afterAll(() => platform.close())

const setUp = (options?: Parameters<typeof createSetting>[1]) => createSetting(platform, options)

it('the client of the SDK signs in, reads what its person may read, and renews its token', async () => {
  await using setting = await setUp()
  const { kept, opened, connect, finish } = program(setting)
  await expect(connect()).rejects.toThrow(UnauthorizedError)
  const shown = await setting.fetchAt(opened())
  const text = await shown.text()
  expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(text).toContain('May Inspector read for you?')
  expect(text).toContain('127.0.0.1:33418')
  const path = opened().pathname + opened().search
  expect((await setting.post(path, { answer: 'yes', password: 'wrong' })).status).toBe(401)
  const left = await setting.post(path, { answer: 'yes', password: PASSWORD })
  const callback = new URL(left.headers.get('location') ?? '')
  expect(callback.href.startsWith(`${CALLBACK}?code=fbc-`)).toBe(true)
  expect([callback.searchParams.get('state'), callback.searchParams.get('iss')]).toEqual(['of the program', ORIGIN])
  await finish(callback)
  const search = async () => {
    const client = await connect()
    return JSON.stringify(await client.callTool({ name: 'search', arguments: { query: 'opening hours' } }))
  }
  expect(await search()).toContain('nine to five')
  expect(await setting.tokens.list(PERSON)).toMatchObject([{ name: 'Inspector' }])
  const before = kept['tokens'] as unknown as Issued
  setting.later(61 * MINUTE_MS)
  expect(await setting.status(before.access_token)).toBe(401)
  expect(await search()).toContain('nine to five')
  expect((kept['tokens'] as unknown as Issued).refresh_token).not.toBe(before.refresh_token)
  expect(await setting.tokens.revoke(PERSON, 'inspector')).toBe(true)
  await expect(connect()).rejects.toThrow(UnauthorizedError)
  expect(await setting.state.keys()).toEqual([])
})

it('a request without a token is told where to sign in', async () => {
  await using setting = await setUp()
  const refused = await setting.fetchAt(RESOURCE, { method: 'POST' })
  expect(refused.headers.get('www-authenticate')).toContain(
    `resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp"`,
  )
  expect(createOauth(memoryState(), 'http://footbridge.example.org/mcp')).toBeUndefined()
  expect(createOauth(memoryState(), 'http://localhost:3000/mcp')).toBeDefined()
})

describe('the page on which a person agrees', () => {
  it('lets a program on this computer take another port', async () => {
    await using setting = await setUp()
    const page = await setting.fetchAt(
      new URL(setting.page({ redirect_uri: 'http://127.0.0.1:33419/callback' }), ORIGIN),
    )
    expect(page.status).toBe(200)
  })

  it('shows no program that asks for something else, and sends nobody back to it', async () => {
    await using setting = await setUp()
    const wrong = [
      { redirect_uri: 'http://127.0.0.1:33418/callback/' },
      { redirect_uri: 'http://127.0.0.1:33418/callback?x=1' },
      { redirect_uri: 'http://localhost:33418/callback' },
      { redirect_uri: 'https://evil.example.com/callback' },
      { redirect_uri: '' },
      { client_id: 'fbp-e30' },
      { client_id: `${setting.clientId}A` },
      { client_id: '' },
      { response_type: 'token' },
      { code_challenge_method: 'plain' },
      { code_challenge: '' },
      { resource: 'https://other.example.org/mcp' },
      { resource: `${ORIGIN}/` },
      { resource: '' },
    ]
    for (const one of wrong) {
      const pages = [
        await setting.fetchAt(new URL(setting.page(one), ORIGIN)),
        await setting.post(setting.page(one), { answer: 'yes', password: PASSWORD }),
        await setting.post(setting.page(one), { answer: 'no' }),
      ]
      for (const { status, headers } of pages) expect([one, status, headers.get('location')]).toEqual([one, 400, null])
    }
    const twice = `${setting.page()}&redirect_uri=${encodeURIComponent(CALLBACK)}`
    expect((await setting.fetchAt(new URL(twice, ORIGIN))).status).toBe(400)
  })

  it('lets nobody in without the password, from another site, or by its address alone', async () => {
    await using setting = await setUp()
    for (const form of [{ password: '' }, { password: 'wrong' }, { other: PASSWORD }] as readonly Fields[])
      expect((await setting.post(setting.page(), { answer: 'yes', ...form })).headers.get('location')).toBeNull()
    const foreign = { origin: 'https://evil.example.com' }
    expect((await setting.post(setting.page(), { answer: 'yes', password: PASSWORD }, foreign)).status).toBe(403)
    expect((await setting.agree({ answer: '' })).headers.get('location')).toBeNull()
    const shown = await setting.fetchAt(new URL(setting.page(), ORIGIN))
    expect(shown.headers.get('location')).toBeNull()
    expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(shown.headers.get('content-security-policy')).toContain("form-action 'self' http:;")
    expect((await setting.state.keys()).filter((key) => key.startsWith('code'))).toEqual([])
  })

  it('counts wrong passwords together with those of the login', async () => {
    await using setting = await setUp()
    const statuses: number[] = []
    for (let at = 0; at < 30; at += 1) statuses.push((await setting.agree({ password: `wrong ${at}` })).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await setting.post('/login', { password: PASSWORD })).status).toBe(429)
  })

  it('tells the program that its person did not agree', async () => {
    await using setting = await setUp()
    const left = await setting.post(setting.page(), { answer: 'no' })
    expect(left.headers.get('location')).toBe(
      `${CALLBACK}?error=access_denied&state=kept&iss=${encodeURIComponent(ORIGIN)}`,
    )
  })

  it('asks for no password where the page has none', async () => {
    await using setting = await setUp({})
    const shown = await setting.fetchAt(new URL(setting.page(), ORIGIN))
    expect(await shown.text()).not.toContain('type="password"')
    const left = await setting.post(setting.page(), { answer: 'yes' })
    expect(left.headers.get('location')).toContain('code=fbc-')
  })

  it('lets no more programs in than there can be tokens', async () => {
    await using setting = await setUp()
    for (let at = 0; at < 20; at += 1) await setting.tokens.make(PERSON, `token ${at}`)
    expect((await setting.agree()).status).toBe(409)
  })
})

describe('a code', () => {
  it('is worth one token, and shown again it ends that one', async () => {
    await using setting = await setUp()
    const code = await setting.codeOf()
    const { access_token: token } = await issued(setting.exchange(code))
    expect(await setting.status(token)).toBe(200)
    expect(await issued(setting.exchange(code))).toMatchObject({ error: 'invalid_grant' })
    expect(await setting.status(token)).toBe(401)
  })

  it('is worth nothing to others, and nothing after a minute', async () => {
    await using setting = await setUp()
    const { client_id: other } = (await (await setting.register(CALLBACK, 'https://other.example.org/')).json()) as {
      readonly client_id: string
    }
    const wrong: readonly Fields[] = [
      { code_verifier: randomBytes(32).toString('base64url') },
      { code_verifier: '' },
      { client_id: other },
      { client_id: '' },
      { redirect_uri: 'http://127.0.0.1:33418/callback/' },
    ]
    for (const more of wrong) {
      const code = await setting.codeOf()
      expect([more, (await issued(setting.exchange(code, more))).error]).toEqual([more, 'invalid_grant'])
      expect((await issued(setting.exchange(code))).error).toBe('invalid_grant')
    }
    const elsewhere = await setting.exchange(await setting.codeOf(), { resource: 'https://other.example.org/mcp' })
    expect([elsewhere.status, (await issued(elsewhere)).error]).toEqual([400, 'invalid_target'])
    const late = await setting.codeOf()
    setting.later(MINUTE_MS)
    expect((await issued(setting.exchange(late))).error).toBe('invalid_grant')
    expect(await setting.tokens.list(PERSON)).toEqual([])
  })

  it('that is forged is worth nothing', async () => {
    await using setting = await setUp()
    const code = await setting.codeOf()
    const forged = [
      '',
      'fbc-',
      code.replace('fbc', 'fbr'),
      `fbc-${randomBytes(60).toString('base64url').slice(0, 81)}`,
      `${code.slice(0, -43)}${randomBytes(32).toString('base64url')}`,
      `${code}A`,
    ]
    for (const one of forged) {
      expect((await issued(setting.exchange(one))).error).toBe('invalid_grant')
      expect(await setting.status(one)).toBe(401)
    }
    expect(await setting.status(code)).toBe(401)
    // All that was forged has not spoilt it.
    expect((await issued(setting.exchange(code))).error).toBeUndefined()
  })

  it('is given to one of two callers at once', async () => {
    await using setting = await setUp()
    const code = await setting.codeOf()
    const both = await Promise.all([issued(setting.exchange(code)), issued(setting.exchange(code))])
    expect(both.filter(({ error }) => error === 'invalid_grant')).toHaveLength(1)
  })
})

describe('a refresh token', () => {
  it('is taken once; shown again it ends the program', async () => {
    await using setting = await setUp()
    const first = await signedIn(setting)
    const second = await issued(setting.refresh(first.refresh_token))
    expect(await setting.status(second.access_token)).toBe(200)
    // Another window of the program, that renews at the same time.
    expect((await issued(setting.refresh(first.refresh_token))).error).toBe('invalid_grant')
    expect(await setting.status(second.access_token)).toBe(200)
    setting.later(MINUTE_MS)
    expect((await issued(setting.refresh(first.refresh_token))).error).toBe('invalid_grant')
    for (const { access_token: token } of [first, second]) expect(await setting.status(token)).toBe(401)
    expect((await issued(setting.refresh(second.refresh_token))).error).toBe('invalid_grant')
    expect(await setting.state.keys()).toEqual([])
  })

  it('of another program, of another kind and of another address is refused', async () => {
    await using setting = await setUp()
    const one = await signedIn(setting)
    expect(await setting.status(one.refresh_token)).toBe(401)
    expect((await issued(setting.refresh(one.access_token))).error).toBe('invalid_grant')
    const elsewhere = await setting.refresh(one.refresh_token, { resource: 'https://other.example.org/mcp' })
    expect((await issued(elsewhere)).error).toBe('invalid_target')
    expect((await issued(setting.refresh(one.refresh_token, { client_id: 'fbp-other' }))).error).toBe('invalid_grant')
    expect(await setting.status(one.access_token)).toBe(401)
  })

  it('ends after 30 days without use, and with its program after a year', async () => {
    await using setting = await setUp()
    let last = await signedIn(setting)
    for (let day = 0; day < 364; day += 28) {
      setting.later(28 * 24 * 60 * MINUTE_MS)
      last = await issued(setting.refresh(last.refresh_token))
    }
    expect(await setting.status(last.access_token)).toBe(200)
    setting.later(24 * 60 * MINUTE_MS)
    last = await issued(setting.refresh(last.refresh_token))
    expect([last.error, await setting.status(last.access_token)]).toEqual(['invalid_grant', 401])
    const idle = await signedIn(setting)
    setting.later(30 * 24 * 60 * MINUTE_MS)
    expect((await issued(setting.refresh(idle.refresh_token))).error).toBe('invalid_grant')
  })
})

it('a token for another address of Footbridge is refused', async () => {
  await using setting = await setUp()
  const { access_token: token } = await signedIn(setting)
  expect(await createOauth(setting.state, RESOURCE)?.find(token)).toMatchObject({ name: 'Trial' })
  expect(await createOauth(setting.state, 'https://moved.example.org/mcp')?.find(token)).toBeUndefined()
})

it('all that is known ends with the workspace, and secrets are kept as hashes', async () => {
  await using setting = await setUp()
  const { access_token: token, refresh_token: next } = await signedIn(setting)
  const code = await setting.codeOf()
  const kept = JSON.stringify(
    await Promise.all((await setting.state.keys()).map(async (key) => [key, await setting.state.get(key)])),
  )
  for (const secret of [token, next, code]) expect(kept).not.toContain(secret.slice(-43))
  await setting.tokens.forgetWorkspace('web', 'local')
  expect(await setting.status(token)).toBe(401)
  expect((await issued(setting.refresh(next))).error).toBe('invalid_grant')
  expect((await issued(setting.exchange(code))).error).toBe('invalid_grant')
})

it('a program whose refresh token has expired is not listed, leaves its place and its name, and ends with the name', async () => {
  await using setting = await setUp()
  for (let at = 0; at < 19; at += 1) await setting.tokens.make(PERSON, `token ${at}`)
  const old = await signedIn(setting)
  expect((await setting.agree()).status).toBe(409)
  setting.later(30 * 24 * 60 * MINUTE_MS - 1)
  expect((await setting.agree()).status).toBe(409)
  setting.later(1)
  const names = async () => (await setting.tokens.list(PERSON)).map(({ name }) => name)
  expect(await names()).not.toContain('Trial')
  const newer = await signedIn(setting)
  expect(await setting.tokens.list(PERSON)).toHaveLength(20)
  expect(await names()).toContain('Trial')
  expect((await issued(setting.refresh(old.refresh_token))).error).toBe('invalid_grant')
  expect(await setting.status(newer.access_token)).toBe(200)
  expect(await setting.tokens.revoke(PERSON, 'trial')).toBe(true)
  expect(await setting.status(newer.access_token)).toBe(401)
  expect((await setting.state.keys()).filter((key) => key.includes('refresh'))).toEqual([])
})

it('a program is listed with the host that it sent the browser to, and when it was last used', async () => {
  await using setting = await setUp({})
  const list = async () => (await setting.fetchAt(`${ORIGIN}/api/web/tokens`)).json()
  const { access_token: token } = await signedIn(setting)
  expect(await list()).toMatchObject({ tokens: [{ name: 'Trial', host: '127.0.0.1:33418' }] })
  expect(await setting.status(token)).toBe(200)
  await expect.poll(list).toMatchObject({ tokens: [{ name: 'Trial', usedAt: expect.any(Number) }] })
})

it('a program that signs in twice is listed twice', async () => {
  await using setting = await setUp()
  await signedIn(setting)
  await signedIn(setting)
  expect((await setting.tokens.list(PERSON)).map(({ name }) => name)).toEqual(['Trial', 'Trial 2'])
})

describe('a registration', () => {
  it('takes addresses of https and of this machine, and no others', async () => {
    await using setting = await setUp()
    for (const uri of ['https://claude.ai/api/mcp/auth_callback', 'http://localhost:1/x', 'http://[::1]:9/'])
      expect((await setting.register(uri)).status).toBe(201)
    const wrong = [
      'http://evil.example.com/',
      'javascript:alert(1)',
      'data:text/html,x',
      'cursor://callback',
      'https://a@b.example.com/',
      'https://b.example.com/#x',
      'http://localhost.evil.example.com/',
      `https://b.example.com/${'x'.repeat(400)}`,
      'nothing',
    ]
    for (const uri of wrong) {
      const refused = await setting.register(CALLBACK, uri)
      expect([uri, refused.status, (await issued(refused)).error]).toEqual([uri, 400, 'invalid_redirect_uri'])
    }
    expect((await setting.register()).status).toBe(400)
    expect((await setting.post('/oauth/register', { x: 'y' })).status).toBe(400)
    expect((await setting.post('/oauth/register', { x: 'y'.repeat(20_000) })).status).toBe(400)
  })

  it.each([`${'x'.repeat(39)} y`, `${'x'.repeat(39)}\u{1f600}`, 'x\ud800', '\ufeff \u200b', ' '])(
    'as %j gives a name by which its person ends it',
    async (client_name) => {
      await using setting = await setUp()
      const body = JSON.stringify({ client_name, redirect_uris: [CALLBACK] })
      const made = await setting.fetchAt(`${ORIGIN}/oauth/register`, { method: 'POST', body })
      const { client_id } = (await made.json()) as { client_id: string }
      const left = await setting.post(setting.page({ client_id }), { answer: 'yes', password: PASSWORD })
      const code = new URL(left.headers.get('location') ?? '').searchParams.get('code') ?? ''
      const { access_token: token } = await issued(setting.exchange(code, { client_id }))
      const name = (await setting.tokens.list(PERSON))[0]?.name ?? ''
      const typed = new URLSearchParams(new URLSearchParams({ name }).toString()).get('name')?.trim() ?? ''
      expect(await setting.tokens.revoke(PERSON, typed)).toBe(true)
      expect(await setting.status(token)).toBe(401)
    },
  )

  it('gives a name without deceptive characters, and text that stays text', async () => {
    await using setting = await setUp()
    const body = JSON.stringify({ client_name: '<b>\u202Etrusted</b>', redirect_uris: [CALLBACK] })
    const made = await setting.fetchAt(`${ORIGIN}/oauth/register`, { method: 'POST', body })
    const { client_id, client_name } = (await made.json()) as { client_id: string; client_name: string }
    expect(client_name).toBe('<b>trusted</b>')
    const shown = await (await setting.fetchAt(new URL(setting.page({ client_id }), ORIGIN))).text()
    expect(shown).toContain('&lt;b&gt;trusted&lt;/b&gt;')
    expect(shown).not.toContain('<b>trusted')
  })
})
