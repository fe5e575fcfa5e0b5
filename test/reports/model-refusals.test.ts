import { readFile } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ChatMessage } from '#bridge/port/platform.ts'
import { createPlatformClient } from '#platform/client/client.ts'
import { examineUpstream } from '#platform/engine/upstream/examine.ts'
import { startUpstreamDouble, type UpstreamDoubleOptions } from '../doubles/upstream/double.ts'
import { CONTEXT_ROUTES, reading, type Refuse, refusing, type Wording } from '../doubles/upstream/quirks.ts'
import { promptText } from '../doubles/upstream/script.ts'
import { openPlatform, type PlatformOptions } from '../platform/server/platform.ts'

const caseOf = async <Case>(name: string): Promise<Case> =>
  JSON.parse(await readFile(new URL(`chat/llm-${name}.json`, import.meta.url), 'utf8')) as Case

const BEACONS = '# Beacons\n\nThe Eider beacon flashes with the period ZPERIOD7.\n'
const QUESTION = 'With which period flashes the Eider beacon?'

/** The embedded platform before a server like this one, asked through our client. */
async function open(
  server: UpstreamDoubleOptions,
  address: (origin: string) => string = (origin) => `${origin}/v1`,
  more: { readonly apiKey?: string; readonly chatModel?: string; readonly contextTokens?: number } = {},
) {
  const upstream = await startUpstreamDouble(server)
  const options: PlatformOptions = { over: 'socket', upstream: { baseUrl: address(upstream.origin), ...more } }
  const platform = await openPlatform(options)
  const client = createPlatformClient({ baseUrl: `${platform.url}/v1`, apiKey: platform.key })
  onTestFinished(async () => {
    await client.close()
    await platform.close()
    await upstream.close()
  })
  const chats = () => upstream.requests.filter(({ path }) => path.endsWith('/chat/completions'))
  const ask = (fields: object = {}, messages: readonly ChatMessage[] = [{ role: 'user', content: QUESTION }]) =>
    client.chat.complete({ model: 'double-chat', messages, ...fields })
  return { upstream, platform, client, chats, ask }
}

const noSystem: Refuse = ({ messages }) =>
  JSON.stringify(messages).includes('"system"')
    ? { status: 400, body: { object: 'error', message: 'System role not supported', code: 400 } }
    : undefined

describe('a parameter that a model refuses', () => {
  test('is left out when the reported refusal names it, and is not sent again', async () => {
    const { status, body } = await caseOf<{ status: number; body: object }>('temperature-refused')
    const refuses: Refuse = ({ temperature }) =>
      temperature === undefined || temperature === 1 ? undefined : { status, body }
    const { ask, chats, platform } = await open({ refuses })
    expect((await ask({ temperature: 0 })).text).toContain('You said')
    expect((await ask({ temperature: 0.9 })).text).toContain('You said')
    expect(chats().map(({ json }) => json?.['temperature'])).toEqual([0, undefined, undefined])
    expect(platform.entries.filter(({ message }) => message.includes('refuses a parameter'))).toHaveLength(1)
  })

  test.each<Wording>(['openai', 'azure', 'mistral', 'gemini'])(
    'is found in the words of %s, one after the other',
    async (wording) => {
      const names = ['temperature', 'stream_options', 'top_p', 'seed']
      const { ask, chats } = await open({ refuses: refusing(names, wording) })
      const parameters = { stream_options: { include_usage: true }, top_p: 1, seed: 7 }
      expect((await ask({ temperature: 0, parameters })).text).toContain('You said')
      expect(chats()).toHaveLength(5)
      for (const name of names) expect(chats().at(-1)?.json).not.toHaveProperty(name)
    },
  )

  test('the longest answer has two names, and goes where both are refused', async () => {
    const one = await open({ refuses: refusing(['max_tokens']) })
    await one.ask({ maxTokens: 50 })
    expect(one.chats().map(({ json }) => json?.['max_completion_tokens'])).toEqual([undefined, 50])
    const both = await open({ refuses: refusing(['max_tokens', 'max_completion_tokens']) })
    expect((await both.ask({ maxTokens: 50 })).text).toContain('You said')
    expect(both.chats()).toHaveLength(3)
  })

  test('may be the message of the system: its words go before the question', async () => {
    const { ask, chats } = await open({ refuses: noSystem })
    await ask({}, [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: QUESTION },
    ])
    expect(chats().at(-1)?.json?.['messages']).toEqual([{ role: 'user', content: `Be brief.\n\n${QUESTION}` }])
  })

  test('that the request cannot go without is the refusal that the caller gets', async () => {
    const { ask, chats } = await open({ refuses: refusing(['tools']) })
    const parameters = { tools: [{ type: 'function', function: { name: 'f' } }] }
    await expect(ask({ parameters })).rejects.toMatchObject({ code: 'invalid' })
    expect(chats()).toHaveLength(1)
  })
})

const LONG = Array.from(
  { length: 12 },
  (_, at) => `## Part ${at}\n\nThe Eider beacon flashes with a period. ${'Word and word. '.repeat(60)}`,
).join('\n\n')

describe('a prompt that is longer than the model reads', () => {
  const earlier = [
    { role: 'user' as const, content: `Before: ${'what was said. '.repeat(100)}` },
    { role: 'assistant' as const, content: 'Yes.' },
    { role: 'user' as const, content: QUESTION },
  ]

  test('is refused in one plain sentence where nothing helps', async () => {
    const { status, body } = await caseOf<{ status: number; body: object }>('context-too-long')
    const { ask, platform, chats } = await open({ refuses: () => ({ status, body }) })
    await platform.fill('beacons', { 'beacons.md': BEACONS })
    const error = await ask({ collection: 'local/beacons' }, earlier).catch((failure: unknown) => failure)
    expect(error).toMatchObject({
      code: 'too-long',
      said: expect.stringMatching(/^The question, .* than the model reads at once\.$/),
    })
    expect(chats().length).toBeGreaterThan(1)
    expect(chats().map(promptText).at(-1)).not.toContain('what was said')
  })

  test.each([true, false])('is sent shorter, passages first (the server tells its size: %s)', async (isTold) => {
    const { ask, platform, chats } = await open({ refuses: reading(2000, isTold) })
    await platform.fill('beacons', { 'beacons.md': LONG })
    expect((await ask({ collection: 'local/beacons' }, earlier)).text).toMatch(/RREF1\][^]*References:/)
    const sizes = chats().map((one) => promptText(one).length)
    expect(sizes.toSorted((one, other) => other - one)).toEqual(sizes)
    expect(sizes.at(-1)).toBeLessThan(8000)
    const before = chats().length
    await ask({ collection: 'local/beacons' }, earlier)
    expect(chats().length - before).toBe(isTold ? 1 : before)
  })

  test.each([
    ['vLLM', { listed: { max_model_len: 2000 } }],
    ['Ollama, loaded', { routes: CONTEXT_ROUTES.ollama('double-chat', 2000) }],
    ['Ollama, not loaded', { routes: CONTEXT_ROUTES['ollama not loaded']('double-chat', 2000) }],
    ['llama.cpp', { routes: CONTEXT_ROUTES['llama.cpp']('double-chat', 2000) }],
  ] as const)('is fitted beforehand where %s tells the size', async (_, server) => {
    const { ask, platform, chats } = await open({ ...server, refuses: reading(2000) })
    await platform.fill('beacons', { 'beacons.md': LONG })
    await ask({ collection: 'local/beacons' }, earlier)
    await ask({ collection: 'local/beacons' }, earlier)
    expect(chats()).toHaveLength(2)
    expect(platform.entries.filter(({ message }) => message.includes('reads few tokens'))).toHaveLength(1)
  })

  test('a setting goes before what the server tells', async () => {
    const { ask, platform, chats } = await open(
      { listed: { max_model_len: 90_000 }, refuses: reading(2000) },
      undefined,
      { contextTokens: 2000 },
    )
    await platform.fill('beacons', { 'beacons.md': LONG })
    await ask({ collection: 'local/beacons' }, earlier)
    expect(chats()).toHaveLength(1)
  })
})

describe('an address as people write it', () => {
  test.each([
    ['without /v1', '', '/v1'],
    ['with the path of a call', '/v1/chat/completions', '/v1'],
    ['with that of another', '/v1/models/', '/v1'],
    ['without the path of a gateway', '', '/api/v1'],
    ['with /v1 where it is below /openai', '/v1', '/openai/v1'],
  ])('%s is set right, and the log says how', async (_, path, root) => {
    const { ask, upstream, platform, client } = await open({ root }, (origin) => `${origin}${path}`)
    expect((await ask()).text).toContain('You said')
    expect((await client.models.list()).map(({ id }) => id)).toContain('double-chat')
    const said = platform.entries.filter(({ message }) => message.startsWith('Set UPSTREAM_BASE_URL='))
    expect(said.map(({ message }) => message)).toEqual([
      `Set UPSTREAM_BASE_URL=${upstream.origin}${root}: the model server answers there`,
    ])
    const [finding] = await examineUpstream({ baseUrl: `${upstream.origin}${path}` })
    expect(finding).toEqual({
      ok: true,
      text: expect.stringContaining(`set UPSTREAM_BASE_URL=${upstream.origin}${root}`),
    })
  })

  test('with nothing anywhere is a sentence that nobody has to look up', async () => {
    const { ask, upstream } = await open({ root: '/elsewhere' })
    await expect(ask()).rejects.toMatchObject({
      code: 'not-found',
      said: 'The model server has nothing at this address: check UPSTREAM_BASE_URL, which usually ends in /v1.',
    })
    expect(await examineUpstream({ baseUrl: upstream.baseUrl })).toMatchObject([{ ok: false }])
  })

  test('of an Azure deployment keeps its query, and sends the key as Azure takes it', async () => {
    const azure = { query: 'api-version=2024-10-21' }
    const path = '/openai/deployments/double-chat'
    const server = { root: path, azure, apiKey: 'secret-of-azure' }
    const { ask, chats, client } = await open(server, (origin) => `${origin}${path}?${azure.query}`, {
      apiKey: 'secret-of-azure',
    })
    expect((await ask()).text).toContain('You said')
    expect(chats()[0]?.headers).toMatchObject({ 'api-key': 'secret-of-azure' })
    expect(chats()[0]?.headers).not.toHaveProperty('authorization')
    expect(await client.models.list()).toMatchObject([{ id: 'double-chat', status: 'ready' }, { id: 'extractive' }])
  })
})
