import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPlatform, type TestPlatform, toForm } from '../platform.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

/** All places in a body. */
const placesOf = (value: Json): (readonly (string | number)[])[] => {
  const inner: (readonly [string | number, Json])[] = isList(value)
    ? value.map((one, at) => [at, one] as const)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : []
  return [[], ...inner.flatMap(([name, one]) => placesOf(one).map((rest) => [name, ...rest]))]
}

/** The body with another value at this place; undefined takes it out. */
function changed(value: Json, [name, ...rest]: readonly (string | number)[], put: Json | undefined): Json | undefined {
  if (name === undefined) return put
  if (isList(value)) {
    const made = value.map((one, at) => (at === name ? changed(one, rest, put) : one))
    return made.filter((one) => one !== undefined)
  }
  const fields = Object.entries(value as Readonly<Record<string, Json>>)
  const made = fields.map(([key, one]) => [key, key === name ? changed(one, rest, put) : one] as const)
  return Object.fromEntries(made.filter(([, one]) => one !== undefined)) as Json
}

const RESPONSE: { readonly [name: string]: Json } = {
  model: 'extractive',
  instructions: 'Be brief.',
  input: [
    { role: 'user', content: 'When does the ferry leave?' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'At eight.', annotations: [] }] },
    { role: 'user', content: [{ type: 'input_text', text: 'And on Sunday?' }] },
  ],
  tools: [
    { type: 'file_search', vector_store_ids: ['notes'], max_num_results: 3, ranking_options: { ranker: 'auto' } },
  ],
  tool_choice: 'auto',
  include: ['file_search_call.results'],
  temperature: 1,
  top_p: 1,
  max_output_tokens: 100,
  text: { format: { type: 'text' } },
  reasoning: { effort: 'low' },
  metadata: { who: 'me' },
  truncation: 'auto',
  store: false,
}

const BODIES: readonly (readonly [path: string, body: Json])[] = [
  ['/v1/responses', RESPONSE],
  [
    '/v1/vector_stores/notes/search',
    {
      query: 'ferry',
      max_num_results: 3,
      rewrite_query: false,
      ranking_options: { ranker: 'auto', score_threshold: 0.1 },
    },
  ],
]

/** Bodies that may be refused, since they name what is there once or not at all. */
const CHANGES: readonly (readonly [path: string, body: Json])[] = [
  ['/v1/vector_stores', { name: 'notes', file_ids: ['file-x'], chunking_strategy: { type: 'auto' }, metadata: {} }],
  ['/v1/vector_stores/notes/files', { file_id: 'file-x', attributes: {}, chunking_strategy: { type: 'auto' } }],
]

/** As above, of vector stores. */
const STORES_NOT_DONE: readonly (readonly [path: string, body: object, word: string])[] = [
  ['', { metadata: { a: 'b' } }, 'metadata'],
  ['', { expires_after: { anchor: 'last_active_at', days: 1 } }, 'expire'],
  ['', { name: 'a/b' }, 'slash'],
  ['', { chunking_strategy: { type: 'static', static: {} } }, 'passages'],
  ['/notes', { name: 'x' }, 'another one'],
  ['/notes/search', { query: ['a', 'b'] }, 'one by one'],
  ['/notes/search', { query: 'a', rewrite_query: true }, 'rewrite_query'],
  ['/notes/search', { query: 'a', filters: { type: 'eq', key: 'a', value: 1 } }, 'attributes'],
  ['/notes/files', { file_id: 'file-x', attributes: { a: 1 } }, 'attributes'],
  ['/notes/files/file-x', { attributes: { a: 1 } }, 'attributes'],
  ['/notes/file_batches', { file_ids: ['file-x'] }, 'one by one'],
]

/** A field, and a word of the sentence that refuses it. */
const NOT_DONE: readonly (readonly [object, string])[] = [
  [{ background: true }, 'background'],
  [{ store: true }, 'not kept'],
  [{ previous_response_id: 'resp_1' }, 'earlier turns'],
  [{ conversation: 'conv_1' }, 'earlier turns'],
  [{ prompt: { id: 'pmpt_1' } }, 'instructions'],
  [{ tools: [{ type: 'web_search' }] }, 'file_search'],
  [{ tools: [{ type: 'function', name: 'f', parameters: {} }] }, 'file_search'],
  [
    { tools: [{ type: 'file_search', vector_store_ids: ['notes'], filters: { type: 'eq', key: 'a', value: 1 } }] },
    'attributes',
  ],
  [
    { tools: [{ type: 'file_search', vector_store_ids: ['notes'], ranking_options: { score_threshold: 0.5 } }] },
    'threshold',
  ],
  [{ tools: [{ type: 'file_search', vector_store_ids: [] }] }, 'at least one'],
  [{ tool_choice: { type: 'function', name: 'f' } }, 'tool_choice'],
  [{ include: ['reasoning.encrypted_content'] }, 'file_search_call.results'],
  [{ reasoning: { summary: 'auto' } }, 'Thinking'],
  [{ text: { verbosity: 'low' } }, 'instructions'],
  [{ top_logprobs: 3 }, 'chat/completions'],
  [{ service_tier: 'flex' }, 'one tier'],
  [{ colour: 'red' }, '`colour`'],
  [{ input: [{ type: 'function_call_output', call_id: 'c', output: 'x' }] }, 'messages'],
  [{ input: [{ role: 'tool', content: 'x' }] }, 'role'],
  [{ input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-1' }] }] }, 'input_text'],
  [{ input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file-1' }] }] }, 'image_url'],
  [{ input: [] }, 'input'],
  [{ input: '' }, 'input'],
  [{ model: null }, 'model'],
]

describe("bodies of OpenAI's Responses, Vector Stores and Files APIs", () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform()
    await platform.fill('notes', { 'a.md': '# Ferry\n\nThe ferry leaves at eight.' })
  })
  afterAll(() => platform.close())

  const send = async (path: string, json: unknown) => {
    const reply = await platform.call('POST', path, { json, bearer: true })
    const body = (await reply.json()) as { error?: { message?: string } }
    return { status: reply.status, sentence: body.error?.message ?? '' }
  }

  it.each(BODIES)('takes the whole of %s', async (path, body) => {
    expect(await send(path, body)).toEqual({ status: 200, sentence: '' })
  })

  it.each(NOT_DONE)('refuses %j and says what to do', async (more, word) => {
    const { status, sentence } = await send('/v1/responses', { ...RESPONSE, ...more })
    expect(status).toBe(400)
    expect(sentence).toContain(word)
    expect(sentence).toMatch(/^[A-Z].*\.$/su)
  })

  it.each(STORES_NOT_DONE)('refuses of vector stores%s %j, and says what to do', async (path, body, word) => {
    const { status, sentence } = await send(`/v1/vector_stores${path}`, body)
    expect(status).toBe(400)
    expect(sentence).toContain(word)
    expect(sentence).toMatch(/^[A-Z].*\.$/su)
  })

  it.each([
    ['of another purpose', { purpose: 'batch' }, 400],
    ['with a field that is not known', { purpose: 'assistants', collection: 'notes' }, 400],
    ['that expires', { purpose: 'assistants', 'expires_after[anchor]': 'created_at' }, 400],
    ['of a format that collections do not take', { purpose: 'assistants', name: 'a.exe' }, 415],
  ])(
    'refuses an upload %s and keeps nothing of it',
    async (_, { name = 'b.md', ...fields }: Record<string, string>, expected) => {
      const body = toForm('file', name, '# B', fields)
      const reply = await platform.call('POST', '/v1/files', { body, bearer: true })
      expect(reply.status).toBe(expected)
      expect(await reply.json()).toMatchObject({ error: { message: expect.stringMatching(/^[^]+\.$/) } })
      expect(await (await platform.call('GET', '/v1/files', { bearer: true })).json()).toMatchObject({
        data: [{ filename: 'a.md' }],
      })
    },
  )

  it.each([...BODIES, ...CHANGES])('answers any change of %s, or refuses it in a sentence', async (path, body) => {
    const change = fc.record({
      place: fc.constantFrom(...placesOf(body)),
      put: fc.oneof(
        fc.jsonValue() as fc.Arbitrary<Json>,
        fc.constant(undefined),
        fc.constantFrom(0, -1, 1e9, '', [], {}, 'x/y'),
      ),
    })
    const seen = new Set<number>()
    await fc.assert(
      fc.asyncProperty(change, async ({ place, put }) => {
        const { status, sentence } = await send(path, changed(body, place, put) ?? {})
        seen.add(status)
        expect([200, 400, 404, 409]).toContain(status)
        expect(status === 200 ? 'Taken.' : sentence).toMatch(/^[A-Z].*\.$/su)
      }),
      { numRuns: 200 },
    )
    expect(seen).toContain(400)
    expect(seen.size).toBeGreaterThan(1)
  })

  it('refuses what is no JSON, and what is too much of it', async () => {
    const bodies = ['', '{', 'x', '[]', `{"model":"extractive","input":"${'x'.repeat(1_100_000)}"}`]
    const statuses = await Promise.all(
      bodies.map(async (body) => (await platform.call('POST', '/v1/responses', { body, bearer: true })).status),
    )
    expect(statuses).toEqual([400, 400, 400, 400, 413])
  })

  it.each([
    ['GET', '/v1/responses/resp_1'],
    ['DELETE', '/v1/responses/resp_1'],
    ['POST', '/v1/responses/resp_1/cancel'],
    ['GET', '/v1/responses/resp_1/input_items'],
  ])('answers %s %s with what to do in its place', async (method, path) => {
    const reply = await platform.call(method, path, { bearer: true })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({
      error: { message: expect.stringMatching(/^Responses are not kept: .*\.$/) },
    })
    expect((await platform.call(method, path, { key: null })).status).toBe(401)
  })
})
