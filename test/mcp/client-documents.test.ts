/** Programs that name the address of a document about themselves, instead of registering. */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPublic } from '#lib/network.ts'
import { createClientDocuments } from '#src/mcp/oauth/client-documents.ts'
import { createLookup, createPublicFetch } from '#src/mcp/oauth/public-fetch.ts'
import { openPlatform, type TestPlatform } from '#test/platform/server/platform.ts'
import { closeAtEnd } from '#test/support/close-at-end.ts'
import { openNameServer } from './name-server.ts'
import { CALLBACK, createSetting, MINUTE_MS, ORIGIN, PASSWORD, PERSON, program } from './oauth-setting.ts'

const ID = 'https://program.example.org/client.json'
const DOCUMENT = {
  client_id: ID,
  client_name: 'Inspector of documents',
  redirect_uris: [CALLBACK],
  token_endpoint_auth_method: 'none',
}

interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The answer does not come. */
  readonly isSilent?: boolean
}

/** A server on loopback in the place of the one that has the document. */
async function serve(reply: Reply) {
  const asked: string[] = []
  let current = reply
  const answer = (response: ServerResponse) => {
    const { status = 200, headers = {}, body = JSON.stringify(DOCUMENT), isSilent = false } = current
    if (!isSilent) response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAtEnd({
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  })
  const { port } = server.address() as AddressInfo
  const open = createPublicFetch(() => true)
  const documents = (clock: () => number = Date.now) =>
    createClientDocuments(clock, (url, init) => open(`http://127.0.0.1:${port}${new URL(url).pathname}`, init))
  return { port, asked, documents, change: (next: Reply) => void (current = next) }
}

describe('a program that names a document', () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform()
    await platform.fill('notes', { 'hours.md': '# Hours\n\nMonday to Friday from nine to five.\n' })
  })
  afterAll(() => platform.close())

  it('signs in by the client of the SDK, without registering, and reads what its person may read', async () => {
    const { asked, documents } = await serve({})
    await using setting = await createSetting(platform, { password: PASSWORD, documents })
    const { kept, opened, connect, finish } = program(setting, ID)
    await expect(connect()).rejects.toThrow(/Unauthorized/)
    expect(kept['client']).toMatchObject({ client_id: ID })
    const text = await (await setting.fetchAt(opened())).text()
    expect(text).toContain('May Inspector of documents read for you?')
    expect(text).toContain('described at <b>program.example.org</b>')
    const path = opened().pathname + opened().search
    const left = await setting.post(path, { answer: 'yes', password: PASSWORD })
    await finish(new URL(left.headers.get('location') ?? ''))
    const client = await connect()
    const found = await client.callTool({ name: 'search', arguments: { query: 'opening hours' } })
    expect(JSON.stringify(found)).toContain('nine to five')
    expect(await setting.tokens.list(PERSON)).toMatchObject([{ name: 'Inspector of documents' }])
    expect(asked).toEqual(['/client.json'])
  })

  it('is not shown where its answer should go to an address that is not in the document', async () => {
    const { documents } = await serve({})
    await using setting = await createSetting(platform, { password: PASSWORD, documents })
    const page = setting.page({ client_id: ID, redirect_uri: 'https://evil.example.com/callback' })
    const refused = await setting.fetchAt(new URL(page, ORIGIN))
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('redirect_uri')])
  })

  it.each<readonly [string, Reply, string]>([
    ['is not there', { status: 404 }, `could not open ${ID}`],
    ['is wrong', { body: '{}' }, `does not say at ${ID} what is needed`],
  ])('is refused in a sentence where the document %s', async (_, reply, sentence) => {
    const { documents } = await serve(reply)
    await using setting = await createSetting(platform, { password: PASSWORD, documents })
    const refused = await setting.fetchAt(new URL(setting.page({ client_id: ID }), ORIGIN))
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(sentence)])
  })

  it('is let in at the addresses that are accepted, whatever else its document has', async () => {
    const { documents } = await serve({
      body: JSON.stringify({ ...DOCUMENT, redirect_uris: ['cursor://cb', CALLBACK] }),
    })
    await using setting = await createSetting(platform, { password: PASSWORD, documents })
    const open = async (redirect_uri: string) => {
      const shown = await setting.fetchAt(new URL(setting.page({ client_id: ID, redirect_uri }), ORIGIN))
      return [shown.status, await shown.text()]
    }
    expect(await open(CALLBACK)).toEqual([200, expect.stringContaining('Inspector of documents')])
    expect(await open('cursor://cb')).toEqual([400, expect.stringContaining('neither of https nor of this computer')])
  })

  it.each([[true], [undefined]])('finds in the metadata whether documents are read', async (isOn) => {
    const { documents } = await serve({})
    await using setting = await createSetting(platform, isOn ? { documents } : {})
    const metadata = await setting.fetchAt(`${ORIGIN}/.well-known/oauth-authorization-server`)
    expect(await metadata.json()).toMatchObject({ client_id_metadata_document_supported: isOn === true })
    const page = await setting.fetchAt(new URL(setting.page({ client_id: ID }), ORIGIN))
    expect(page.status).toBe(isOn ? 200 : 400)
  })
})

const isWrong: readonly (readonly [string, Reply])[] = [
  ['about another program', { body: JSON.stringify({ ...DOCUMENT, client_id: `${ID}?` }) }],
  ['without an address for answers', { body: JSON.stringify({ ...DOCUMENT, redirect_uris: [] }) }],
  ['with an address of no web page', { body: JSON.stringify({ ...DOCUMENT, redirect_uris: ['javascript:alert(1)'] }) }],
  ['of a program with a secret', { body: JSON.stringify({ ...DOCUMENT, client_secret: 'x' }) }],
  ['that asks for a proof', { body: JSON.stringify({ ...DOCUMENT, token_endpoint_auth_method: 'private_key_jwt' }) }],
  ['larger than 5 kB', { body: JSON.stringify({ ...DOCUMENT, client_uri: `https://x.org/${'x'.repeat(5200)}` }) }],
  ['that is no JSON', { body: '<html></html>' }],
  ['of another type', { headers: { 'content-type': 'text/html' } }],
]
const isAway: readonly (readonly [string, Reply])[] = [
  ['that moved', { status: 302, headers: { location: '/other.json' }, body: '' }],
  ['with a failure', { status: 500 }],
]

describe('a document', () => {
  it.each([
    ...isWrong.map(([about, reply]) => [about, reply, 'wrong'] as const),
    ...isAway.map(([about, reply]) => [about, reply, 'unreachable'] as const),
  ])('%s is not believed, and asked for again after 20 seconds', async (_, reply, found) => {
    let now = 0
    const { asked, documents, change } = await serve(reply)
    const all = documents(() => now)
    expect(await all.find(ID)).toBe(found)
    change({})
    now = 19_999
    expect(await all.find(ID)).toBe(found)
    expect(asked).toEqual(['/client.json'])
    now = 20_000
    expect(await all.find(ID)).toMatchObject({ name: 'Inspector of documents', redirectUris: [CALLBACK] })
  })

  it('that does not come is given up after five seconds', async () => {
    const { documents } = await serve({ isSilent: true })
    expect(await documents().find(ID)).toBe('unreachable')
  })

  it('is read once for all who ask for it at once', async () => {
    const { asked, documents } = await serve({})
    const all = documents()
    const found = await Promise.all([1, 2, 3].map(() => all.find(ID)))
    expect(found).toEqual(found.map(() => expect.objectContaining({ name: 'Inspector of documents' })))
    expect(asked).toEqual(['/client.json'])
  })

  it('waits for no other one of its host, and an old one stays good meanwhile', async () => {
    let now = 0
    const { documents, change } = await serve({})
    const all = documents(() => now)
    const known = await all.find(ID)
    now = 10 * MINUTE_MS
    change({ isSilent: true })
    const slow = all.find(`${ID}?slow`)
    expect(await all.find(`${ID}?more`)).toBe('busy')
    expect(await all.find(ID)).toBe(known)
    expect(await slow).toBe('unreachable')
  })

  it('of sixteen slow hosts leaves no room, until they are given up', async () => {
    const { documents, change } = await serve({ isSilent: true })
    const all = documents()
    const slow = Array.from({ length: 16 }, (_, at) => all.find(`https://h${at}.example.org/client.json`))
    expect(await all.find(ID)).toBe('busy')
    expect(new Set(await Promise.all(slow))).toEqual(new Set(['unreachable']))
    change({})
    expect(await all.find(ID)).toMatchObject({ name: 'Inspector of documents' })
  })

  it('is read again when it is old: after ten minutes, or as it says, but at most after a day', async () => {
    let now = 0
    const { asked, documents, change } = await serve({ headers: { 'cache-control': 'no-store' } })
    const all = documents(() => now)
    const readAfter = async (ms: number) => {
      now += ms
      await all.find(ID)
      return asked.length
    }
    expect([await readAfter(0), await readAfter(10 * MINUTE_MS - 1), await readAfter(1)]).toEqual([1, 1, 2])
    change({ headers: { 'cache-control': 'public, max-age=3600' } })
    expect([await readAfter(10 * MINUTE_MS), await readAfter(59 * MINUTE_MS), await readAfter(MINUTE_MS)]).toEqual([
      3, 3, 4,
    ])
    change({ headers: { 'cache-control': 'max-age=999999999' } })
    expect(await readAfter(60 * MINUTE_MS)).toBe(5)
    expect([await readAfter(1439 * MINUTE_MS), await readAfter(MINUTE_MS)]).toEqual([5, 6])
  })

  it('has an address of https with a path, written the one way', () => {
    const { isDocumentUrl } = createClientDocuments(Date.now)
    expect(isDocumentUrl(ID)).toBe(true)
    expect(isDocumentUrl('https://program.example.org/a/client?version=2')).toBe(true)
    const wrong = [
      'http://program.example.org/c',
      'https://program.example.org',
      'https://program.example.org/',
      '',
      'x',
    ]
    const odd = [
      'https://program.example.org/a/../c',
      'https://program.example.org:443/c',
      'https://PROGRAM.example.org/c',
    ]
    const more = [
      `${ID}#x`,
      `${ID}#`,
      'https://:p@program.example.org/c',
      'https://program.example.org:8443/c',
      'https://u@program.example.org/c',
      'https://u:p@program.example.org/c',
      `${ID}?${'x'.repeat(300)}`,
    ]
    expect([...wrong, ...odd, ...more].filter(isDocumentUrl)).toEqual([])
  })
})

const reasonOf = ({ message, cause }: Error) => (cause instanceof Error ? cause.message : message)

const lookAt = async (address: string) =>
  look(createLookup(isPublic, (await openNameServer(address)).servers), 'a.example.org')
const look = (by: LookupFunction, host: string) => promisify(by)(host, { all: true })

describe('an address that anybody may name', () => {
  it('does not lead to this machine, by number or by name', async () => {
    const { port, asked } = await serve({})
    const open = createPublicFetch()
    const init = { signal: AbortSignal.timeout(5000), headers: {} }
    const hosts = ['127.0.0.1', '127.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0']
    const failures = hosts.map((host) => open(`http://${host}:${port}/client.json`, init).catch(reasonOf))
    for (const failure of await Promise.all(failures)) expect(failure).toMatch(/is no public address/)
    expect(await open(`http://localhost:${port}/client.json`, init).catch(reasonOf)).toMatch(/^localhost is at /)
    expect(asked).toEqual([])
  })

  it('is looked up at the name server, and must be public', async () => {
    expect(await lookAt('1.1.1.1')).toEqual([{ address: '1.1.1.1', family: 4 }])
    expect(await lookAt('127.0.0.1').catch(reasonOf)).toBe('a.example.org is at 127.0.0.1.')
    expect(await lookAt('169.254.169.254').catch(reasonOf)).toBe('a.example.org is at 169.254.169.254.')
  })

  it('has four seconds at a name server that is silent, and holds no thread of other look-ups', async () => {
    const silent = await openNameServer()
    const slow = createLookup(isPublic, silent.servers)
    const startedAt = performance.now()
    const waiting = Array.from({ length: 16 }, (_, at) => look(slow, `h${at}.example.org`).catch(reasonOf))
    await expect.poll(silent.asked).toBeGreaterThanOrEqual(32)
    await lookup('localhost')
    expect(performance.now() - startedAt).toBeLessThan(3000)
    expect(await Promise.all(waiting)).toEqual(waiting.map((_, at) => `h${at}.example.org is at no address.`))
    expect(performance.now() - startedAt).toBeLessThan(6000)
  })

  it('is public where it is neither of this machine nor of its network nor reserved', () => {
    const closed = `0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 169.254.169.254 172.31.0.1 192.0.0.8 192.0.2.1 192.168.1.1
      198.19.0.1 198.51.100.7 203.0.113.9 224.0.0.1 255.255.255.255 :: ::1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 64:ff9b::a00:1
      2001::1 2001:db8::1 2002:a00:1:: fc00::1 fd12::1 fe80::1 ff02::1`
    expect(closed.split(/\s+/).filter(isPublic)).toEqual([])
    const open = [
      '1.1.1.1',
      '100.128.0.1',
      '172.32.0.1',
      '192.0.1.1',
      '223.255.255.255',
      '2606:4700::1111',
      '2a00:1450::8',
    ]
    expect(open.filter(isPublic)).toEqual(open)
  })
})
