/** Three processes on one PostgreSQL answer the calls of agents by turns; one of them is killed amid them. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { runKeys } from '#keys/command.ts'
import { closeAtEnd } from '../support/close-at-end.ts'
import { eventually } from '../support/eventually.ts'
import { startFootbridge, type Footbridge } from '../support/footbridge.ts'
import { createPerson } from '../support/people/person.ts'
import { openWeb } from '../support/people/web.ts'
import { usePostgres } from '../support/postgres/postgres.ts'
import { GENERATIONS, type Generation } from './client.ts'

const postgres = usePostgres()

const CALLS = 1000
const AT_ONCE = 6
const KILLED_AT = 500
const REVOKED_MS = 30_000
const FIRST_KEY = 'fb-three-processes-0123456789'
const FILES = {
  'ferry.md': '# Ferry\n\nThe last ferry leaves at 23:40 from pier seven.\n',
  'kiosk.md': '# Kiosk\n\nThe kiosk on the pier opens at eight and sells herring.\n',
}

/** Passes each request on to the next process; one that does not answer gets no more. */
function createBalancer(processes: readonly Footbridge[]) {
  const urls = processes.map(({ url }) => url)
  const answered = new Map(urls.map((url) => [url, 0]))
  const failed: string[] = []
  let turn = 0
  async function pass(init: RequestInit | undefined): Promise<Response> {
    const url = urls[(turn += 1) % urls.length] ?? ''
    try {
      const response = await fetch(new URL('/mcp', url), init)
      // The whole answer: a process may be killed amid it.
      const body = response.body === null ? null : await response.arrayBuffer()
      answered.set(url, (answered.get(url) ?? 0) + 1)
      return new Response(body, { status: response.status, headers: response.headers })
    } catch (error) {
      if (!(error instanceof TypeError) || urls.length === 1) throw error
      failed.push(url)
      if (urls.includes(url)) urls.splice(urls.indexOf(url), 1)
      return pass(init)
    }
  }
  return { pass, answered, failed }
}

async function open(
  pass: (init: RequestInit | undefined) => Promise<Response>,
  mode: Generation,
  credential: string,
): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${credential}` } }
  const address = new URL('http://balancer.test/mcp')
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit, fetch: (_, init) => pass(init) }))
  return client
}

const textOf = async (client: Client, name: string, args: object) => {
  const { content, isError } = await client.callTool({ name, arguments: { ...args } })
  return `${isError === true ? 'refused: ' : ''}${JSON.stringify(content)}`
}

const statusOf = async ({ url }: Footbridge, credential: string) => {
  const headers = {
    authorization: `Bearer ${credential}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  return (await fetch(new URL('/mcp', url), { method: 'POST', headers, body })).status
}

async function tokens({ url }: Footbridge, method: 'POST' | 'DELETE', name: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(new URL('/api/web/tokens', url), { method, headers, body: JSON.stringify({ name }) })
  return /fbt-[\w-]{59}/.exec(await response.text())?.[0] ?? ''
}

/** Milliseconds until every one of these processes refuses a credential. */
async function untilRefused(processes: readonly Footbridge[], credential: string): Promise<number> {
  const since = performance.now()
  const areAll = async () =>
    (await Promise.all(processes.map((one) => statusOf(one, credential)))).every((status) => status === 401)
  await eventually(areAll, { timeoutMs: REVOKED_MS })
  return performance.now() - since
}

async function start(databaseUrl: string) {
  const startOne = async () =>
    closeAtEnd(await startFootbridge({ DATABASE_URL: databaseUrl, PLATFORM_API_KEY: FIRST_KEY, LOG_LEVEL: 'warn' }))
  return [await startOne(), await startOne(), await startOne()] as const
}

/** What a client asks by turns, and what the answer holds. */
async function createQuestions(client: Client, isPerson: boolean) {
  const { structuredContent } = await client.callTool({ name: 'search', arguments: { query: 'last ferry pier' } })
  const { results } = structuredContent as { readonly results: readonly { readonly id: string }[] }
  const id = results[0]?.id ?? ''
  const collection = decodeURIComponent(id.split('/')[3] ?? '')
  return [
    ['search', { query: 'When does the last ferry leave?' }, /23:40/],
    ['fetch', { id }, /pier seven/],
    ['search', { query: 'herring', collection, limit: 3 }, /opens at eight/],
    ['get_passage', { id }, /quotation \w+ begins/],
    ['list_collections', {}, /harbour|web-/],
    ['list_files', { collection }, /ferry\.md.*kiosk\.md/],
    ['ask', { question: 'When does the last ferry leave?' }, /23:40/],
    ['list_gaps', { collection }, isPerson ? /questions/ : /refused: .*told to people/],
    ['fetch', { id: id.replace('ferry.md', 'none.md') }, /refused: .*no such passage/],
  ] as const
}

it('answer 1,000 calls right by turns; a killed one loses nothing but its own requests', async () => {
  const databaseUrl = await postgres.database()
  const processes = await start(databaseUrl)
  const [first, second, third] = processes
  const page = closeAtEnd(await openWeb())
  await page.attach(first)
  const channel = await page.addChannel('harbour')
  const person = createPerson(page, 'Ada', channel)
  const files = Object.entries(FILES)
  for (const [at, [name, bytes]] of files.entries()) {
    await person.drops({ name, bytes, mimeType: 'text/markdown' })
    await eventually(async () => (await person.count(/ready/i)) > at)
  }
  const token = await tokens(second, 'POST', 'laptop')
  const balancer = createBalancer(processes)
  const asking = GENERATIONS.flatMap((mode) => [FIRST_KEY, token].map((credential) => ({ mode, credential })))
  const askers = await Promise.all(
    asking.map(async ({ mode, credential }) => {
      const client = await open(balancer.pass, mode, credential)
      return { client, questions: await createQuestions(client, credential === token) }
    }),
  )

  const wrong: string[] = []
  let asked = 0
  let killing: Promise<void> | undefined
  const ask = async () => {
    for (let number = asked++; number < CALLS; number = asked++) {
      if (number === KILLED_AT) killing = third.kill9()
      // Not by turns: of two processes, each would get the calls of one credential, which has a limit in each process.
      const asker = askers[Math.floor(number / 3) % askers.length]
      const question = asker?.questions[number % asker.questions.length]
      if (asker === undefined || question === undefined) throw new Error('There is nobody to ask.')
      const [name, args, expected] = question
      const text = await textOf(asker.client, name, args).catch(String)
      if (!expected.test(text)) wrong.push(`${number} ${name}: ${text.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask))
  await killing
  expect(wrong).toEqual([])
  expect([...new Set(balancer.failed)].filter((url) => url !== third.url)).toEqual([])
  expect(balancer.failed.length).toBeLessThanOrEqual(AT_ONCE)
  for (const { url } of [first, second]) expect(balancer.answered.get(url)).toBeGreaterThan(CALLS / 4)
  expect(balancer.answered.get(third.url)).toBeGreaterThan(KILLED_AT / 4)

  const living = [first, second]
  await tokens(first, 'DELETE', 'laptop')
  expect(await untilRefused(living, token)).toBeLessThan(REVOKED_MS)
  const keys = (...words: string[]) => runKeys(first.dataDir, words, Date.now, databaseUrl)
  const made = await keys('add', 'reader')
  const [key = ''] = made.split('\n')
  expect(await Promise.all(living.map((one) => statusOf(one, key)))).toEqual([200, 200])
  await keys('revoke', /This is key (\d+)/.exec(made)?.[1] ?? '')
  expect(await untilRefused(living, key)).toBeLessThan(REVOKED_MS)
})
