import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inLong } from '#test/support/forms.ts'
import { createEngine, type Engine } from '#platform/engine/engine.ts'
import { createPlatformApp } from '#platform/server/app.ts'
import { listen, type Listening } from '#platform/server/listen.ts'
import { digestDatabase } from '#test/support/postgres/digest.ts'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'
import { collectionChat, createLogSink, inference, toForm } from '../server/platform.ts'
import { digestStore } from './digest.ts'
import { createRandom } from './random.ts'
import { collections, files } from './raw.ts'
import { makeHostileRequests } from './requests.ts'
import { send, type HostileAnswer, type HostileRequest } from './send.ts'

const LONG_MS = 120_000
const atOnce = 10
/** Far above the time that a body may pause here, far below that of a client's patience. */
const timeoutMs = PATIENCE_MS

function digest(seed: number): string {
  const hash = createHash('sha256')
  for (const { pieces } of makeHostileRequests(createRandom(seed), 200, 'key')) {
    for (const piece of pieces) hash.update(piece)
  }
  return hash.digest('hex')
}

const postgres = usePostgres()
/** Where the platform keeps things: its options, and a digest of all that is there. */
const stores = {
  'a data folder': async (dataDir: string) => ({ options: {}, digestAll: () => digestStore(dataDir) }),
  PostgreSQL: async () => {
    const databaseUrl = await postgres.database()
    return { options: { databaseUrl }, digestAll: () => digestDatabase(databaseUrl) }
  },
}

it('hostile requests are the same for the same seed', () => {
  const first = digest(1)
  expect(digest(1)).toBe(first)
  expect(digest(2)).not.toBe(first)
})

describe.each(Object.entries(stores))('hostile requests to a platform on %s', (_, openStore) => {
  let dataDir: string
  let digestAll: () => Promise<string>
  let engine: Engine
  let server: Listening
  const sink = createLogSink()
  const crashes: unknown[] = []
  const crashed = (error: unknown) => void crashes.push(error)

  beforeAll(async () => {
    process.on('unhandledRejection', crashed)
    dataDir = await mkdtemp(join(tmpdir(), 'footbridge-hostile-'))
    const store = await openStore(dataDir)
    digestAll = store.digestAll
    engine = await createEngine({ ...store.options, dataDir, log: sink.log })
    const { fetch } = createPlatformApp({ engine, log: sink.log, bodyIdleMs: 300 })
    server = await listen({ host: '127.0.0.1', port: 0, fetch })
    for (const [method, path, body] of [
      ['POST', `${collections}/`, JSON.stringify({ name: 'notes' })],
      ['POST', `${files}/`, toForm('file', 'a.md', '# Boathouse\n\nThe password of the boathouse is walrus.')],
      ['POST', `${collections}/notes/generate-index`, undefined],
    ] as const) {
      const made = await fetch(
        new Request(`${server.url}${path}`, {
          method,
          headers: { authorization: engine.firstKey.key },
          ...(body === undefined ? {} : { body }),
        }),
      )
      if (!made.ok) throw new Error(`${path} was answered with ${made.status}`)
    }
  })
  afterAll(async () => {
    await server.close()
    await engine.close()
    await rm(dataDir, { recursive: true, force: true })
    process.off('unhandledRejection', crashed)
  })

  const ask = async () => {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: engine.firstKey.key, 'content-type': 'application/json', ...inference },
      body: JSON.stringify(collectionChat('What is the password of the boathouse?')),
    })
    const body = (await response.json()) as { choices?: { message: { content: string } }[] }
    return body.choices?.[0]?.message.content
  }

  async function sendAll(requests: readonly HostileRequest[]) {
    const answers: (HostileAnswer & { readonly what: string })[] = []
    const queue = requests.values()
    const work = async () => {
      for (const request of queue) {
        const answer = await send(server.port, request, timeoutMs).catch((error: Error) => ({
          status: -1,
          text: error.message,
        }))
        answers.push({ ...answer, what: request.what })
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return answers
  }

  const refusesAll = async (count: number, seed: number) => {
    const before = await digestAll()
    const answer = await ask()
    expect(answer).toContain('walrus')
    const requests = makeHostileRequests(createRandom(seed), count, engine.firstKey.key)
    const answers = await sendAll(requests)
    expect(answers).toHaveLength(count)
    const wrong = answers.filter(({ status }) => status < 400 || status > 499)
    expect(wrong.map(({ what, status, text }) => `${status} ${what} ${text.slice(-200)}`)).toEqual([])
    // Nothing of the inside, no stack, no path; and a sentence wherever our own code answered.
    expect(answers.filter(({ text }) => /node_modules|\.ts:\d|\n +at /.test(text) || text.includes(dataDir))).toEqual(
      [],
    )
    const json = answers.filter(({ text }) => /content-type: application\/json/i.test(text))
    expect(json.length).toBeGreaterThan(count / 2)
    expect(json.filter(({ text }) => !/"message":"[^"]+ [^"]+"/.test(text.replaceAll('\\"', '')))).toEqual([])
    expect(crashes).toEqual([])
    expect(sink.entries.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
    expect(await ask()).toBe(answer)
    expect(await digestAll()).toBe(before)
  }

  // oxlint-disable vitest/expect-expect -- the function has the assertions
  it('are refused one by one, 200 of them, and leave nothing behind', () => refusesAll(200, 20261121), LONG_MS)
  it.each([20261121, 4])(
    'are refused one by one, 500 of seed %i, and leave nothing behind',
    { ...inLong, timeout: LONG_MS },
    (seed) => refusesAll(500, seed),
  )
  // oxlint-enable vitest/expect-expect
})
