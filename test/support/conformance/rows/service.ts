import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { parseRateLimit, rateLimitDictionary, RATE_LIMIT_WINDOWS } from '#platform/wire/rate-limit.ts'
import { everywhere, onlyOurs, type Row } from '../row.ts'
import { createSession, sentence, toForm, type Reply, type Session } from '../session.ts'
import type { OurServer } from '../target.ts'
import { makeTone } from '../tone.ts'

const rates = (reply: Reply) => parseRateLimit((name) => reply.headers.get(name))
const isRefused = (reply: Reply) => reply.status === 401 || reply.status === 403

/** One request of every kind that needs a key. */
const requests = (s: Session) =>
  [
    ['GET', s.paths.models, {}],
    ['GET', s.paths.user, {}],
    ['POST', s.paths.chat, { json: s.chatBody('x') }],
    ['POST', s.paths.transcriptions, { form: toForm('file', 'a.wav', makeTone()) }],
    ['POST', s.paths.convert, { form: toForm('document', 'a.md', '# A') }],
    ['GET', s.paths.collections, {}],
    ['POST', s.paths.collections, { json: { name: 'fb-never-made' } }],
  ] as const

/** Status of a request whose head alone is sent. */
function headAlone(s: Session, path: string, length: number): Promise<string> {
  const { hostname, port, pathname } = new URL(`${s.target.baseUrl}${path}`)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${s.target.key}\r\n` +
          `content-type: multipart/form-data; boundary=x\r\ncontent-length: ${length}\r\n\r\n`,
      )
    })
    socket.once('error', reject)
    socket.once('data', (text: Buffer) => {
      socket.destroy()
      resolve(text.toString('latin1').slice(9, 12))
    })
  })
}

/** Number under which the command line lists the key of a user who has one. */
async function idOfKey(server: OurServer, user: string): Promise<string> {
  const listed = await server.keys('list')
  const id = new RegExp(`^\\s*(\\d+)\\s+${user}\\b`, 'm').exec(listed)?.[1]
  assert.ok(id !== undefined, listed)
  return id
}

export const serviceRows: readonly Row[] = [
  everywhere([7, 128, 139], 'without a key, and with a wrong one, the answer is 401 or 403', async (s) => {
    for (const [method, path, options] of requests(s)) {
      assert.ok(isRefused(await s.call(method, path, { ...options, credential: 'none' })), `${method} ${path}`)
      assert.ok(isRefused(await s.call(method, path, { ...options, key: 'no-such-key' })), `${method} ${path}`)
    }
  }),
  onlyOurs(
    [128, 139],
    'an expired key gets 401; a collection of another owner is as if it were not there',
    async (s, server) => {
      const expired = await server.makeKey('eve')
      await server.keys('expire', await idOfKey(server, 'eve'), 'now')
      for (const [method, path, options] of requests(s)) {
        assert.equal((await s.call(method, path, { ...options, key: expired })).status, 401)
      }
      const name = await s.create()
      const key = await server.makeKey('ana')
      assert.equal((await s.askFiles(name, 'x', {}, { key })).status, 404)
      assert.equal((await s.call('GET', s.paths.collection(name), { key })).status, 404)
    },
  ),
  everywhere([84, 151], 'chat, models and documents sit under a base URL that ends in /v1', async (s) => {
    assert.match(s.target.baseUrl, /\/v1$/)
    assert.equal((await s.call('GET', `${s.target.baseUrl}/models`)).status, 200)
    assert.equal((await s.chat(s.chatBody('Say hello.'))).status, 200)
    const form = toForm('document', 'p.html', '<p>text</p>')
    assert.equal((await s.call('POST', `${s.target.baseUrl}/documents/convert`, { form })).status, 200)
  }),
  everywhere(
    [10, 85, 87, 152],
    'the collections have their own version, in dotted form, under their own prefix',
    async (s) => {
      const { managementPrefix: prefix } = s.target.profile
      assert.match(prefix, /^\/\w+\/api\/v1$/)
      const reply = await s.call('GET', `${prefix}/version`)
      assert.equal(reply.status, 200)
      const said = typeof reply.json === 'string' ? reply.json : (reply.json as { version?: string }).version
      assert.match(said ?? reply.text, /^\d+(\.\d+)+/)
    },
  ),
  everywhere([88, 137], 'the heartbeat answers 204 without a body', async (s) => {
    const reply = await s.call('GET', s.paths.heartbeat)
    assert.equal(reply.status, 204)
    assert.equal(reply.bytes.length, 0)
  }),
  everywhere([70, 91, 138], 'the probe answers 400 with the rate-limit headers', async (s) => {
    const reply = await s.call('GET', s.paths.chat)
    assert.equal(reply.status, 400)
    assert.ok(rates(reply))
  }),
  everywhere([9, 68, 69, 134], 'chat answers carry the rate-limit headers, streamed or not', async (s) => {
    for (const stream of [false, true]) {
      const found = rates(await s.chat(s.chatBody('Say hello.', { stream })))
      assert.ok(found, 'there is no rate-limit header')
      assert.ok(found.limit_minute !== null && found.remaining_minute !== null)
    }
  }),
  everywhere([71], 'the headers become a dictionary that survives JSON', async (s) => {
    const found = rates(await s.call('GET', s.paths.chat))
    const back: unknown = JSON.parse(JSON.stringify(found))
    assert.deepEqual(rateLimitDictionary.parse(back), found)
    assert.ok(Object.values(found ?? {}).some((value) => typeof value === 'number'))
  }),
  onlyOurs([72, 148], 'there are four windows, each with limit and remaining, and the reset in seconds', async (s) => {
    const { headers } = await s.call('GET', s.paths.chat)
    const limits = RATE_LIMIT_WINDOWS.map((window) => Number(headers.get(`x-ratelimit-limit-${window}`)))
    assert.deepEqual(limits, [6000, 100_000, 1_000_000, 10_000_000])
    for (const window of RATE_LIMIT_WINDOWS) assert.match(headers.get(`x-ratelimit-remaining-${window}`) ?? '', /^\d+$/)
    const reset = Number(headers.get('ratelimit-reset'))
    assert.ok(reset >= 1 && reset <= 60)
  }),
  onlyOurs([148], 'a further key has the usual quota: 30, 200, 1000, 3000', async (s, server) => {
    const { headers } = await s.call('GET', s.paths.chat, { key: await server.makeKey('ben') })
    const limits = RATE_LIMIT_WINDOWS.map((window) => Number(headers.get(`x-ratelimit-limit-${window}`)))
    assert.deepEqual(limits, [30, 200, 1000, 3000])
  }),
  onlyOurs(
    [8, 141, 147],
    'a used-up window is answered with 429 that names it and its end, and is free again after',
    async (_, server) => {
      const target = await server.another({ quota: { minute: 2, hour: 3 } })
      // Into the middle of an hour, to the start of a minute: no window ends while it is looked at.
      const hourMs = 3_600_000
      await target.ours?.advance(hourMs - (Date.now() % hourMs) + hourMs / 2)
      const s = createSession(target)
      const ask = () => s.call('GET', s.paths.models)
      for (const left of [1, 0]) assert.equal(rates(await ask())?.remaining_minute, left)
      const minute = await ask()
      assert.equal(minute.status, 429)
      const reset = Number(minute.headers.get('retry-after'))
      assert.ok(reset >= 1 && reset <= 60)
      assert.match(sentence(minute), /2 requests a minute.*resets in \d+ (second|minute)/)
      assert.equal((await s.call('GET', s.paths.chat)).status, 400, 'the probe is free')
      await target.ours?.advance(60_000)
      assert.equal((await ask()).status, 200)
      const hour = await ask()
      assert.equal(hour.status, 429)
      assert.match(sentence(hour), /3 requests a hour|3 requests an hour/)
    },
  ),
  everywhere(
    [126, 127],
    'chat, models and documents take Bearer, management and collection chat the raw key',
    async (s) => {
      assert.equal((await s.call('GET', s.paths.models, { credential: 'bearer' })).status, 200)
      assert.equal((await s.chat(s.chatBody('Say hello.'), { credential: 'bearer' })).status, 200)
      assert.equal((await s.call('GET', s.paths.collections, { credential: 'raw' })).status, 200)
      const name = await s.withFiles({ 'a.md': 'The harbour master is called Okonkwo.' })
      const { collectionChatCredential: credential } = s.target.profile
      const reply = await s.askFiles(name, 'Who is the harbour master?', {}, { credential })
      assert.equal(reply.status, 200)
    },
  ),
  onlyOurs(
    [126, 127],
    'the other form is refused with a sentence that says which is wanted; collection chat takes both',
    async (s) => {
      for (const [method, path, options] of requests(s)) {
        if (path === s.paths.user) continue
        const isManaged = path === s.paths.collections
        const reply = await s.call(method, path, { ...options, credential: isManaged ? 'bearer' : 'raw' })
        assert.equal(reply.status, 401, `${method} ${path}`)
        assert.match(sentence(reply), isManaged ? /without "Bearer"/ : /"Bearer <key>"/)
      }
      const name = await s.withFiles({ 'a.md': 'The harbour master is called Okonkwo.' })
      for (const credential of ['raw', 'bearer'] as const) {
        assert.equal((await s.askFiles(name, 'Who?', {}, { credential })).status, 200)
      }
    },
  ),
  onlyOurs([129], 'the key is read from the Authorization header alone', async (s) => {
    for (const headers of [{ 'x-api-key': s.target.key }, { 'api-key': s.target.key }] as Record<string, string>[]) {
      assert.equal((await s.call('GET', s.paths.models, { credential: 'none', headers })).status, 401)
    }
    const reply = await s.call('GET', `${s.paths.models}?key=${s.target.key}`, { credential: 'none' })
    assert.equal(reply.status, 401)
  }),
  onlyOurs(
    [130],
    'the first key is made on first start, further ones on the command line, which also ends them',
    async (s, server) => {
      assert.match(s.target.key, /^fb-[\w-]{43}$/)
      assert.equal((await s.call('GET', s.paths.models)).status, 200)
      const key = await server.makeKey('cyd')
      const status = async () => (await s.call('GET', s.paths.models, { key })).status
      assert.equal(await status(), 200)
      const listed = await server.keys('list')
      assert.ok(!listed.includes(key), 'a key is shown once')
      await server.keys('revoke', await idOfKey(server, 'cyd'))
      assert.equal(await status(), 401)
    },
  ),
  onlyOurs([145], 'an error is told in the forms of both APIs, the same sentence in each', async (s) => {
    for (const [method, path, options, status] of [
      ['GET', s.paths.collection('gone'), {}, 404],
      ['GET', '/nothing', {}, 404],
      ['POST', s.paths.chat, { json: { ...s.chatBody('x'), model: 7 } }, 422],
      ['GET', s.paths.models, { key: 'no-such-key' }, 401],
      ['POST', s.paths.convert, { form: toForm('document', 'a.xyz', 'x') }, 400],
    ] as const) {
      const reply = await s.call(method, path, options)
      assert.equal(reply.status, status)
      const body = reply.json as { error: Record<string, unknown>; detail: unknown }
      assert.match(String(body.error['message']), /^\S+ .+\.$/)
      assert.equal(typeof body.error['type'], 'string')
      if (status === 422) assert.partialDeepStrictEqual(body.detail, [{ loc: ['body', 'model'] }])
      else assert.equal(body.detail, body.error['message'])
    }
  }),
  onlyOurs([150], 'an upload over 100 MB is refused with 413', async (s) => {
    const name = await s.create()
    assert.equal(await headAlone(s, s.paths.files(name), 101 * 1024 * 1024), '413')
    assert.deepEqual(await s.files(name), [])
  }),
]
