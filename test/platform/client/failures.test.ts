import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PlatformError } from '#platform/client/errors.ts'
import { PROFILE_NAMES } from '#platform/wire/profile.ts'
import { errorBodies } from '#test/doubles/platform/faults.ts'
import { all, ask, failureOf, setUp, shortLimits, textFile } from './setup.ts'
import { inLong } from '#test/support/forms.ts'

describe.each(PROFILE_NAMES)('in the profile %s', (profile) => {
  test.each(errorBodies)('an error body like $body is understood everywhere', async (one) => {
    const { client, double } = await setUp(profile)
    const fault = { kind: 'status', ...one } as const
    await client.collections.create('c')
    double.script('chat', fault, 2)
    double.script('files', fault, 3)
    const calls = [
      () => client.chat.complete(ask('x')),
      () => all(client.chat.stream(ask('x'))),
      () => client.files.list('c'),
    ]
    for (const call of calls) {
      const error = await failureOf(call())
      expect(error.status).toBe(one.status)
      expect(error.message).toContain(one.says.replace(/\.$/, ''))
      expect(error.message).not.toMatch(/[<>]|\n/)
    }
  })

  test('a wrong key is unauthorized, and the sentence names the setting but never the key', async () => {
    const { client } = await setUp(profile, { apiKey: 'sk-wrong-4711' })
    const calls = [
      () => client.models.list(),
      () => client.collections.list(),
      () => client.collections.create('c'),
      () => all(client.chat.stream(ask('x'))),
      () => all(client.chat.stream(ask('x', 'a/c'))),
      () => client.user.me(),
      () => client.rateLimit.probe(),
      () => client.voice.transcribe(textFile('a.ogg', 'x')),
      () => client.documents.convert(textFile('a.pdf', 'x')),
      () => client.embeddings.create({ model: 'm', input: ['x'] }),
    ]
    for (const call of calls) {
      const error = await failureOf(call())
      expect(error).toMatchObject({ name: 'PlatformError', code: 'unauthorized', status: 401 })
      expect(error.message).toContain('PLATFORM_API_KEY')
      expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain('4711')
    }
  })
})

test('a key that the platform echoes is taken out of the message', async () => {
  const { client, double } = await setUp('collection', {}, { key: 'sk-secret-4711' })
  double.script('models', { kind: 'status', status: 403, body: '{"message":"bad key sk-secret-4711"}' })
  double.script('chat', { kind: 'stream-error', after: 0, form: 'object', message: 'no quota for sk-secret-4711' })
  // The key lies across the end of the quoted text, in place of a stream and within a document.
  const long = `Invalid key ${'.'.repeat(180)} sk-secret-4711`
  double.script('chat', { kind: 'status', status: 200, body: long })
  const stream = () => all(client.chat.stream(ask('x')))
  for (const call of [() => client.models.list(), stream, stream]) {
    const error = await failureOf(call())
    expect(error.message).toContain('[key]')
    expect(error.message).not.toContain('4711')
  }
})

test.each([
  [400, 'invalid'],
  [403, 'unauthorized'],
  [404, 'not-found'],
  [409, 'conflict'],
  [410, 'not-found'],
  [413, 'too-large'],
  [415, 'unsupported'],
  [422, 'invalid'],
  [423, 'locked'],
  [500, 'server'],
  [501, 'unsupported'],
  [504, 'server'],
] as const)('status %i is the failure %s', async (status, code) => {
  const { client, double } = await setUp()
  double.script('embeddings', { kind: 'status', status, body: '{"detail":"no"}' })
  const error = await failureOf(client.embeddings.create({ model: 'm', input: ['x'] }))
  expect(error.code).toBe(code)
  expect(error.message).toMatch(/^The platform .*while embedding text: no \(status \d+\)\. [A-Z].*\.$/)
})

test('a platform that is not there is unreachable, after tries that can do no harm', async () => {
  const { client, double } = await setUp()
  await double.close()
  for (const call of [() => client.models.list(), () => client.collections.create('c')]) {
    const error = await failureOf(call())
    expect(error).toMatchObject({ code: 'unreachable', maybeDone: false })
    expect(error.message).toContain('PLATFORM_BASE_URL')
  }
})

test('a reading call is tried again after a lost connection and after 502 and 503, twice at most', async () => {
  const { client, double } = await setUp()
  double.script('models', { kind: 'drop' })
  double.script('models', { kind: 'status', status: 502 })
  expect(await client.models.list()).toHaveLength(2)
  double.script('models', { kind: 'status', status: 503 }, 3)
  expect((await failureOf(client.models.list())).status).toBe(503)
  expect(double.requests).toHaveLength(6)
})

test('a changing call that lost its connection is not sent again and says that it may have been done', async () => {
  const { client, double } = await setUp()
  await client.collections.create('c')
  const operations = ['upload', 'replace', 'delete-file', 'chat', 'create'] as const
  for (const op of operations) double.script(op, { kind: 'drop' })
  const calls = [
    () => client.files.upload('c', textFile('a.md', 'x')),
    () => client.files.replace('c', textFile('a.md', 'x')),
    () => client.files.delete('c', 'a.md'),
    () => client.chat.complete(ask('x')),
    () => client.collections.create('d'),
  ]
  for (const call of calls) {
    expect(await failureOf(call())).toMatchObject({ code: 'unreachable', maybeDone: true })
  }
  for (const op of operations) {
    expect(double.requests.filter((request) => request.op === op)).toHaveLength(op === 'create' ? 2 : 1)
  }
})

test('a changing call is sent again after 503 only when it says when to come back, and soon', async () => {
  const { client, double } = await setUp()
  double.script('create', { kind: 'status', status: 503, headers: { 'retry-after': '0' } })
  await client.collections.create('c')
  double.script('create', { kind: 'status', status: 503, headers: { 'retry-after': '3600' } })
  expect(await failureOf(client.collections.create('d'))).toMatchObject({ code: 'server', retryAfterMs: 3_600_000 })
  double.script('create', { kind: 'status', status: 503 })
  expect((await failureOf(client.collections.create('e'))).code).toBe('server')
  expect(double.requests).toHaveLength(4)
})

test('an answer that breaks off is cut and asked for once', async () => {
  const { client, double } = await setUp()
  double.script('models', { kind: 'raw', pieces: ['{"object":'], end: 'destroy' })
  expect((await failureOf(client.models.list())).code).toBe('cut')
  expect(double.requests).toHaveLength(1)
})

test('an answer that never starts and one that stops in the middle are time-outs, and the connection closes', async () => {
  const { client, double } = await setUp('collection', { timeLimits: shortLimits })
  double.script('models', { kind: 'hang' })
  double.script('models', { kind: 'raw', pieces: ['{"object":'], end: 'hang' })
  for (const count of [1, 2]) {
    const error = await failureOf(client.models.list())
    expect(error.code).toBe('timeout')
    expect(error.message).toContain('within 1 s while')
    await (
      await double.seen('models', count)
    ).closedEarly
  }
})

test('the limit of the whole call ends tries, waits and bodies alike', async () => {
  const { client, double } = await setUp('collection', { timeLimits: { totalMs: 250 } })
  const drips = Array.from({ length: 100 }, () => ' ')
  double.script('models', { kind: 'raw', pieces: drips, end: 'hang' })
  expect((await failureOf(client.models.list())).code).toBe('timeout')
  double.script('create', { kind: 'status', status: 503, headers: { 'retry-after': '9' } })
  expect((await failureOf(client.collections.create('c'))).code).toBe('timeout')
})

test('a collection that stays silent is locked when the platform lives, else it is a time-out', inLong, async () => {
  const { client, double } = await setUp('collection', { timeLimits: shortLimits })
  await client.collections.create('c')
  double.lock('c')
  const upload = await failureOf(client.files.upload('c', textFile('a.md', 'x')))
  expect(upload).toMatchObject({ code: 'locked', maybeDone: true })
  expect(await failureOf(client.files.list('c'))).toMatchObject({ code: 'locked', maybeDone: false })
  double.script('heartbeat', { kind: 'hang' })
  expect((await failureOf(client.files.list('c'))).code).toBe('timeout')
  double.lock('c', false)
  expect(await client.files.list('c')).toEqual([])
})

test('a call that we stop is aborted and the platform sees the connection close', async () => {
  const { client, double } = await setUp()
  double.script('models', { kind: 'hang' })
  const controller = new AbortController()
  const call = failureOf(client.models.list({ signal: controller.signal }))
  const request = await double.seen('models')
  controller.abort()
  expect((await call).code).toBe('aborted')
  await request.closedEarly
  const before = failureOf(client.models.list({ signal: AbortSignal.abort() }))
  expect((await before).code).toBe('aborted')
  expect(double.requests).toHaveLength(1)
})

test('closing the client ends what is under way', async () => {
  const { client, double } = await setUp()
  double.script('models', { kind: 'hang' })
  const call = failureOf(client.models.list())
  await double.seen('models')
  await client.close()
  expect((await call).code).toBe('aborted')
  expect((await failureOf(client.models.list())).code).toBe('aborted')
})

test('a redirect is refused and the key goes nowhere else', async () => {
  let visits = 0
  const elsewhere = createServer((_, response) => {
    visits += 1
    response.end('{}')
  })
  await new Promise<void>((resolve) => {
    elsewhere.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void elsewhere.close())
  const { port } = elsewhere.address() as { port: number }
  const location = `http://127.0.0.1:${port}/v1/models?token=x`
  const { client, double } = await setUp()
  for (const status of [301, 302, 307, 308]) {
    double.script('models', { kind: 'status', status, headers: { location } })
    const error = await failureOf(client.models.list())
    expect(error).toMatchObject({ code: 'unreachable', status })
    expect(error.message).toContain(`http://127.0.0.1:${port} (status ${status})`)
    expect(error.message).toContain('PLATFORM_BASE_URL')
  }
  expect([visits, double.requests.length]).toEqual([0, 4])
})

test.each([
  ['', 'empty'],
  ['<html>hello</html>', 'not JSON'],
  ['{"data":[{"name":"no id"}]}', 'data.0.id'],
])('a success with the body %j is a failure that says what is wrong with it', async (body, words) => {
  const { client, double } = await setUp()
  double.script('models', { kind: 'status', status: 200, body })
  const error = await failureOf(client.models.list())
  expect(error.code).toBe('server')
  expect(error.message).toContain(words)
  expect(error.message).toContain('PLATFORM_PROFILE')
})

test('a transcript may be plain text or a bare string, but not nothing', async () => {
  const { client, double } = await setUp()
  const memo = textFile('memo.ogg', 'sound')
  double.script('transcribe', { kind: 'status', status: 200, body: 'hello there\n' })
  double.script('transcribe', { kind: 'status', status: 200, body: '"hello"' })
  double.script('transcribe', { kind: 'status', status: 200, body: '{"text":""}' })
  double.script('transcribe', { kind: 'status', status: 200, body: '' })
  expect((await client.voice.transcribe(memo)).text).toBe('hello there')
  expect((await client.voice.transcribe(memo)).text).toBe('hello')
  expect((await client.voice.transcribe(memo)).text).toBe('')
  expect((await failureOf(client.voice.transcribe(memo))).code).toBe('empty')
})

test('an error is an Error with its cause', () => {
  const cause = new Error('deep')
  const error = new PlatformError('server', 'It failed.', { cause })
  expect(error).toBeInstanceOf(Error)
  expect([error.name, error.cause, error.maybeDone]).toEqual(['PlatformError', cause, false])
})
