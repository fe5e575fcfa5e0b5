/** Bridge and platform as two processes that tell one collector: an answer is one trace, also after a death. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { openTracing } from '#operate/tracing.ts'
import { closeAtEnd } from '../support/close-at-end.ts'
import { eventually } from '../support/eventually.ts'
import { startFootbridge } from '../support/footbridge.ts'
import { startOtlpReceiver, type ReceivedSpan } from '../support/otlp.ts'
import { createPerson } from '../support/people/person.ts'
import { openSlack } from '../support/people/slack.ts'
import { withUpstream } from '../support/platforms.ts'
import { note } from '../scenarios/drops.ts'
import { inLong } from '#test/support/forms.ts'

const KEY = 'fb-tracing-test-key-0123456789'
/** In the question, the file, its name, the answer, the channel, and names of people. */
const CANARIES = ['Zanzibar', 'ferryfile', 'Quokka', 'harbourroom', 'Ada', 'pier seven']

async function setUp() {
  const [receiver, model, workspace] = [
    closeAtEnd(await startOtlpReceiver()),
    closeAtEnd(await withUpstream()),
    closeAtEnd(await openSlack()),
  ]
  const traces = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20x',
  }
  const platform = closeAtEnd(
    await startFootbridge({
      ...model.env,
      ...traces,
      OTEL_SERVICE_NAME: 'platform',
      PLATFORM_API_KEY: KEY,
      LOG_LEVEL: 'debug',
    }),
  )
  const bridge = closeAtEnd(
    await startFootbridge({
      ...workspace.env,
      ...traces,
      PLATFORM_BASE_URL: new URL('/v1', platform.url).href,
      PLATFORM_API_KEY: KEY,
      SECOND_LOOK: 'off',
    }),
  )
  const ada = createPerson(workspace, 'Ada', await workspace.addChannel('harbourroom'))
  return { receiver, model, platform, bridge, ada }
}

/** Trace of the newest message that was accepted. */
function storedTrace(dataDir: string): string {
  const database = new DatabaseSync(join(dataDir, 'bridge.sqlite'), { readOnly: true })
  const row = database.prepare(`SELECT inbound FROM job ORDER BY seq DESC LIMIT 1`).get()
  database.close()
  const { trace } = JSON.parse(String(row?.['inbound'])) as { readonly trace: string }
  return trace.split('-')[1] ?? ''
}

const namesOf = (spans: readonly ReceivedSpan[]) => [...new Set(spans.map(({ name }) => name))]

it('an answer is one trace over two processes, goes on after kill -9, and holds no content', inLong, async () => {
  const { receiver, model, platform, bridge, ada } = await setUp()
  await ada.drops(note('ferryfile.md', 'The ferry to Zanzibar leaves at 9:40 from pier seven.'))
  await ada.sees(/ready/)
  model.upstream.script({ kind: 'chat', text: 'Quokka: it leaves at 9:40 from pier seven [RREF1].' })
  await ada.asks('When does the ferry to Zanzibar leave?')
  await ada.seesAnswer(/9:40/)
  const whole = storedTrace(bridge.dataDir)

  await eventually(() => receiver.spans.some(({ traceId, name }) => traceId === whole && name === 'job message'))

  const asked = model.upstream.next('/chat/completions')
  model.upstream.script({ kind: 'chat', text: 'Never seen.', firstDelayMs: 60_000 })
  await ada.asks('And when does it come back to Zanzibar?')
  await asked
  const cut = storedTrace(bridge.dataDir)
  model.upstream.script({ kind: 'chat', text: 'Quokka: it comes back at 17:05 [RREF1].' })
  await bridge.restart()
  await ada.sees(/17:05/)
  expect([await bridge.stop(), await platform.stop()]).toEqual([0, 0])

  const trace = receiver.spans.filter(({ traceId }) => traceId === whole)
  expect(namesOf(trace)).toEqual(
    expect.arrayContaining([
      'event message',
      'queue wait',
      'job message',
      'platform models.list',
      'chat double-chat',
      'POST /v1/chat/completions',
      'retrieval',
      'slack stream',
      'slack finish',
    ]),
  )
  expect(trace.length).toBeGreaterThanOrEqual(8)
  expect([...new Set(trace.map(({ service }) => service))].toSorted()).toEqual(['footbridge', 'platform'])
  const ids = new Set(trace.map(({ spanId }) => spanId))
  expect(trace.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId)).map(({ name }) => name)).toEqual([
    'event message',
  ])
  // Each process sends its steps when it likes.
  const questions = trace
    .filter(({ name }) => name === 'chat double-chat')
    .toSorted((one, other) => one.service.localeCompare(other.service))
  expect(questions.map(({ service, events, attributes }) => [service, events, attributes])).toEqual(
    ['footbridge', 'platform'].map((service) => [
      service,
      ['first token', 'last token'],
      expect.objectContaining({
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'double-chat',
        'gen_ai.response.time_to_first_chunk': expect.any(Number),
      }),
    ]),
  )
  expect(namesOf(receiver.spans.filter(({ traceId }) => traceId === cut))).toEqual(
    expect.arrayContaining(['job message', 'retrieval', 'slack finish']),
  )
  for (const canary of CANARIES) expect(receiver.bodies.join('\n')).not.toContain(canary)
  expect(new Set(receiver.headers)).toEqual(new Set(['Basic x']))
  const logged = platform.output.log.filter((line) => line['trace_id'] === whole)
  expect(logged.map(({ msg }) => msg)).toContain('Request answered')
})

const SETTINGS = {
  OTEL_EXPORTER_OTLP_HEADERS: [] as string[],
  OTEL_SERVICE_NAME: 'footbridge',
  OTEL_TRACES_SAMPLER: 'parentbased_always_on',
  OTEL_TRACES_SAMPLER_ARG: 1,
} as const

it('without a collector nothing is opened, and one that refuses is told once', async () => {
  const said: string[] = []
  const told = { version: '1', warn: (message: string) => void said.push(message) }
  expect(openTracing({ ...SETTINGS, OTEL_EXPORTER_OTLP_ENDPOINT: undefined }, told)).toBeUndefined()
  const receiver = closeAtEnd(await startOtlpReceiver())
  const tracing = openTracing({ ...SETTINGS, OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.endpoint}/wrong` }, told)
  for (let steps = 0; steps < 600; steps += 1) tracing?.start('a step', {}).end()
  await tracing?.close()
  expect(said).toEqual([expect.stringMatching(/^Traces could not be sent: check OTEL_/)])
})

it('goes on with the trace that a caller names, as far as it can be read, and with its wish to be sampled', async () => {
  const receiver = closeAtEnd(await startOtlpReceiver())
  const settings = { ...SETTINGS, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint }
  const tracing = openTracing(settings, { version: '1', warn: () => undefined })
  onTestFinished(async () => tracing?.close())
  const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const continued = (traceparent: string) =>
    tracing?.start('step', {}, { traceparent }).run(() => tracing.traceparent()) ?? ''
  expect(continued(`00-${trace}-${parent}-01`)).toMatch(new RegExp(`^00-${trace}-(?!${parent})[0-9a-f]{16}-01$`))
  expect(continued(`00-${trace}-${parent}-00`)).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`))
  for (const broken of [
    '',
    'x',
    `00-${'0'.repeat(32)}-${parent}-01`,
    `ff-${trace}-${parent}-01`,
    `00-${trace}-${parent}`,
  ])
    expect(continued(broken)).not.toContain(trace)
})

it('sends again what the collector could not take for now, and closes in time while it is away', async () => {
  const statuses = [503, 429, 200]
  const asked: { readonly body: string; readonly authorization: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    const body = (await Array.fromAsync(request as AsyncIterable<Buffer>)).join('')
    asked.push({ body, authorization: request.headers.authorization })
    response.writeHead(statuses.shift() ?? 503).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = {
    ...SETTINGS,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: ['authorization=Basic%20x'],
  }
  const tracing = openTracing(settings, { version: '1', warn: () => undefined })
  tracing?.start('first', {}).end()
  await eventually(() => statuses.length === 0)
  expect(new Set(asked.map(({ body }) => body)).size).toBe(1)
  expect(asked.map(({ authorization }) => authorization)).toEqual(['Basic x', 'Basic x', 'Basic x'])
  tracing?.start('second', {}).end()
  await tracing?.close()
  expect(asked.length).toBe(4)
})

it('sends the share of traces that is asked for, the same ones in each process', async () => {
  const receiver = closeAtEnd(await startOtlpReceiver())
  const settings = {
    ...SETTINGS,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: 0.25,
  } as const
  const idsOf = async (given: readonly string[]) => {
    const tracing = openTracing(settings, { version: '1', warn: () => undefined })
    const before = receiver.spans.length
    for (const trace of given) tracing?.start('step', {}, { traceparent: `00-${trace}-00f067aa0ba902b7-01` }).end()
    await tracing?.close()
    return receiver.spans.slice(before).map(({ traceId }) => traceId)
  }
  const given = Array.from({ length: 400 }, (_, at) => createHash('md5').update(`${at}`).digest('hex'))
  const sent = await idsOf(given)
  expect(sent.length).toBeGreaterThan(60)
  expect(sent.length).toBeLessThan(140)
  expect(await idsOf(given)).toEqual(sent)
})
