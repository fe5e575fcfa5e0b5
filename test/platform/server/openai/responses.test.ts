import { NotFoundError, OpenAI } from 'openai'
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ferryPages, makePdf } from '#test/fixtures/pdf.ts'
import { addKey } from '../people.ts'
import { openPlatform, type TestPlatform } from '../platform.ts'

const QUESTION = 'When does the ferry leave?'
const searching = (...stores: readonly string[]) => [{ type: 'file_search' as const, vector_store_ids: [...stores] }]

interface Cited {
  readonly type: string
  readonly index: number
  readonly start_index: number
  readonly end_index: number
  readonly filename: string
  readonly place?: string
}

const messageOf = ({ output }: Response) => {
  const message = output.find((item) => item.type === 'message')
  const part = message?.content[0]
  if (part?.type !== 'output_text') throw new Error('no text')
  return { text: part.text, annotations: part.annotations as unknown as readonly Cited[] }
}

/** What each annotation names in the text. */
const cited = (response: Response) => {
  const { text, annotations } = messageOf(response)
  return annotations.map((one) => [text.slice(one.start_index, one.end_index), one.filename, one.place])
}

describe("responses, by OpenAI's own library", () => {
  let platform: TestPlatform
  let client: OpenAI
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${platform.url}/v1`, maxRetries: 0 })
  beforeAll(async () => {
    platform = await openPlatform({ over: 'socket', withUpstream: true })
    client = clientOf(platform.key)
    await platform.fill('notes', {
      'handbook.pdf': await makePdf(ferryPages),
      'lamp.md': '# Lamp\n\nThe lamp of the lighthouse burns kerosene. 🛟 It is lit at dusk.\n',
    })
    await platform.fill('other', { 'lamp.md': '# Bread\n\nThe baker bakes rye bread at four in the morning.\n' })
  })
  afterAll(() => platform.close())

  it('answers from a collection, with the range of each mark', async () => {
    const made = await client.responses.create({ model: 'extractive', input: QUESTION, tools: searching('notes') })
    expect(made).toMatchObject({ object: 'response', status: 'completed', error: null, model: 'extractive' })
    expect(made.output.map(({ type }) => type)).toEqual(['file_search_call', 'message'])
    expect(made.output[0]).toMatchObject({ status: 'completed', queries: [QUESTION], results: null })
    expect(cited(made)[0]).toEqual(['[RREF1]', 'handbook.pdf', 'p.2'])
    expect(made.output_text).not.toContain('References:')
    expect(made.usage?.total_tokens).toBeGreaterThan(10)
  })

  it('names the passages that may help where it is not sure', async () => {
    const input = 'Who painted the Mona Lisa?'
    const made = await client.responses.create({ model: 'extractive', input, tools: searching('notes') })
    expect(made.output_text).toMatch(/may help\. \[RREF1\]/)
    expect(cited(made)[0]).toEqual(['[RREF1]', 'handbook.pdf', 'p.1'])
  })

  it('gives the passages where they are asked for, and as many as are asked for', async () => {
    const tools = searching('local/notes').map((tool) => ({ ...tool, max_num_results: 1 }))
    const include = ['file_search_call.results' as const]
    const made = await client.responses.create({ model: 'extractive', input: QUESTION, tools, include })
    const call = made.output[0]
    expect(call?.type === 'file_search_call' && call.results).toMatchObject([
      { filename: 'handbook.pdf', file_id: expect.stringMatching(/^file-/), text: expect.stringContaining('ferry') },
    ])
  })

  it('finds marks in all forms of the prompt, behind letters of two units, and only those of passages', async () => {
    const text = '🛟 Kerosene [RREF1], or 【RREF1, RREF9】; see (RREF2) and [RREF99] and RREF1.'
    platform.upstream.script({ kind: 'chat', text })
    const made = await client.responses.create({
      model: 'double-chat',
      input: 'What does the lamp burn, and when does the ferry leave?',
      tools: searching('notes'),
    })
    expect(made.output_text).toBe(text)
    const names = cited(made).map(([mark]) => mark)
    expect(names).toEqual(['[RREF1]', '【RREF1, RREF9】', '(RREF2)'])
    for (const one of messageOf(made).annotations) expect(one.index).toBe(one.start_index)
  })

  it('names the file of the right collection where two have one of its name', async () => {
    platform.upstream.script({ kind: 'chat', text: 'Rye [RREF1].' })
    const made = await client.responses.create({
      model: 'double-chat',
      input: 'What does the baker bake?',
      tools: searching('notes', 'other'),
      include: ['file_search_call.results'],
    })
    const call = made.output[0]
    const results = call?.type === 'file_search_call' ? (call.results ?? []) : []
    expect(results[0]?.text).toContain('rye bread')
    expect(messageOf(made).annotations[0]).toMatchObject({ file_id: results[0]?.file_id, filename: 'lamp.md' })
  })

  it('translates instructions, turns, limits and formats for the model server', async () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false }
    await client.responses.create({
      model: 'double-chat',
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'One?' },
        {
          type: 'message',
          id: 'msg_1',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Two.', annotations: [] }],
        },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Three?' },
            { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'low' },
          ],
        },
      ],
      temperature: 0.2,
      top_p: 0.5,
      max_output_tokens: 90,
      reasoning: { effort: 'low' },
      text: { format: { type: 'json_schema', name: 'answer', schema, strict: true } },
      store: false,
      metadata: { who: 'me' },
    })
    expect(platform.upstream.requests.at(-1)?.json).toEqual({
      model: 'double-chat',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'One?' },
        { role: 'assistant', content: 'Two.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Three?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
          ],
        },
      ],
      temperature: 0.2,
      top_p: 0.5,
      max_tokens: 90,
      reasoning_effort: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
    })
  })

  it('takes its own output as a turn', async () => {
    const first = await client.responses.create({ model: 'extractive', input: QUESTION, tools: searching('notes') })
    const input = [
      { role: 'user' as const, content: QUESTION },
      ...first.output,
      { role: 'user' as const, content: 'What does the lamp burn?' },
    ]
    const made = await client.responses.create({
      model: 'extractive',
      input: input as never,
      tools: searching('notes'),
    })
    expect(made.output_text).toContain('kerosene')
  })

  it('streams the events of OpenAI in their order, to the same response', async () => {
    const stream = await client.responses.create({
      model: 'extractive',
      input: QUESTION,
      tools: searching('notes'),
      stream: true,
    })
    const events: ResponseStreamEvent[] = []
    for await (const event of stream) events.push(event)
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at))
    const types = events.map(({ type }) => type.replace('response.', ''))
    expect([...new Set(types)]).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'file_search_call.in_progress',
      'file_search_call.searching',
      'file_search_call.completed',
      'output_item.done',
      'content_part.added',
      'output_text.delta',
      'output_text.annotation.added',
      'output_text.done',
      'content_part.done',
      'completed',
    ])
    const last = events.at(-1)
    if (last?.type !== 'response.completed') throw new Error('no end')
    const text = events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('')
    expect(text).toBe(messageOf(last.response).text)
    const added = events.flatMap((event) =>
      event.type === 'response.output_text.annotation.added' ? [event.annotation] : [],
    )
    expect(added).toEqual(messageOf(last.response).annotations)
    expect(cited(last.response)[0]).toEqual(['[RREF1]', 'handbook.pdf', 'p.2'])
  })

  it("passes the library's own accumulator", async () => {
    platform.upstream.script({ kind: 'chat', deltas: ['At eight ', '[RRE', 'F1].'] })
    const runner = client.responses.stream({ model: 'double-chat', input: QUESTION, tools: searching('notes') })
    const made = await runner.finalResponse()
    expect(made.output_text).toBe('At eight [RREF1].')
    expect(cited(made)[0]).toEqual(['[RREF1]', 'handbook.pdf', 'p.2'])
    expect(made.usage?.total_tokens).toBe(18)
  })

  it('has no mark for an end, and the name of each event in its own line', async () => {
    const json = { model: 'extractive', input: QUESTION, stream: true }
    const text = await (await platform.call('POST', '/v1/responses', { json, bearer: true })).text()
    expect(text).toMatch(/^event: response\.created\ndata: \{"type":"response\.created",/)
    expect(text).not.toContain('[DONE]')
    expect(text).not.toContain('file_search')
  })

  it('is incomplete where the tokens ran out', async () => {
    platform.upstream.script({ kind: 'chat', text: 'At', finishReason: 'length' })
    const made = await client.responses.create({ model: 'double-chat', input: QUESTION, max_output_tokens: 1 })
    expect(made).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
    platform.upstream.script({ kind: 'chat', deltas: ['At'], finishReason: 'length' })
    const runner = client.responses.stream({ model: 'double-chat', input: QUESTION })
    expect(await runner.finalResponse()).toMatchObject({ status: 'incomplete' })
  })

  it('throws when the answer breaks off, after an event that says so', async () => {
    platform.upstream.script({ kind: 'fault', fault: 'cut', after: ['Half an '] })
    const stream = await client.responses.create({ model: 'double-chat', input: QUESTION, stream: true })
    const types: string[] = []
    const reading = (async () => {
      for await (const { type } of stream) types.push(type)
    })()
    await expect(reading).rejects.toThrow('stopped in the middle of the answer')
    expect(types.at(-1)).toBe('response.failed')
  })

  it('tells a failure before the first word as a status, and frees its slot', async () => {
    const guest = clientOf((await addKey(platform, 'guest')).key)
    for (let turn = 0; turn < 12; turn += 1) {
      platform.upstream.script({ kind: 'fault', fault: 'status', status: 503, body: 'closed' })
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(guest.responses.create({ model: 'double-chat', input: 'x', stream: true })).rejects.toMatchObject({
        status: 503,
      })
    }
  })

  it('searches for a model that is a collection, and not where it may not', async () => {
    const named = await client.responses.create({ model: 'extractive:local/notes', input: QUESTION })
    expect(cited(named)[0]?.[1]).toBe('handbook.pdf')
    platform.upstream.script({ kind: 'chat', text: 'Hello.' })
    const plain = await client.responses.create({
      model: 'double-chat',
      input: QUESTION,
      tools: searching('notes'),
      tool_choice: 'none',
    })
    expect(plain.output.map(({ type }) => type)).toEqual(['message'])
  })

  it('shows nothing of a foreign collection, one that is there or one that is not', async () => {
    const stranger = clientOf((await addKey(platform, 'stranger')).key)
    for (const store of [
      'local/notes',
      'local/none',
      `vs_${Buffer.from('local/notes').toString('base64url')}`,
      'notes',
    ]) {
      const asking = stranger.responses.create({ model: 'extractive', input: QUESTION, tools: searching(store) })
      // oxlint-disable-next-line no-await-in-loop -- the quota counts them one by one
      await expect(asking).rejects.toThrow(NotFoundError)
    }
  })
})
