import { expect, it } from 'vitest'
import { openTracing } from '#operate/tracing.ts'
import { openPlatform } from '#test/platform/server/platform.ts'
import { closeAtEnd } from '#test/support/close-at-end.ts'
import { startOtlpReceiver } from '#test/support/otlp.ts'
import { mcpOf } from './client.ts'

const [TRACE, PARENT] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
/** In the file, its name, its collection and the question. */
const CANARIES = ['Zanzibar', 'ferryfile', 'harbourroom', 'pier seven', 'swordfish']

it('a call is a step in the trace of its caller, with the steps that it causes, and holds no text', async () => {
  const receiver = closeAtEnd(await startOtlpReceiver())
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: [] as string[],
    OTEL_SERVICE_NAME: 'footbridge',
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    OTEL_TRACES_SAMPLER_ARG: 1,
  } as const
  const trace = openTracing(settings, { version: '1', warn: () => undefined })
  const platform = closeAtEnd(await openPlatform(trace === undefined ? {} : { trace }))
  await platform.fill('harbourroom', { 'ferryfile.md': 'The ferry to Zanzibar leaves at 9:40 from pier seven.\n' })
  const mcp = mcpOf(platform, { trace })
  const headers = {
    authorization: `Bearer ${platform.key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    traceparent: `00-${TRACE}-${PARENT}-01`,
  }
  const call = async (name: string, args: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    const response = await mcp.fetch(new Request('http://footbridge.test/mcp', { method: 'POST', headers, body }))
    return response.text()
  }
  expect(await call('search', { query: 'When does the swordfish ferry to Zanzibar leave?' })).toContain('9:40')
  expect(await call('ask', { question: 'When does the ferry to Zanzibar leave?' })).toContain('9:40')
  expect(await call('fetch', { id: 'footbridge://knowledge/x/swordfish' })).toContain('no such passage')
  await trace?.close()

  const spans = receiver.spans.filter(({ traceId }) => traceId === TRACE)
  const ofTools = spans.filter(({ parentSpanId }) => parentSpanId === PARENT)
  expect(ofTools.map(({ name, attributes }) => [name, attributes])).toEqual([
    [
      'execute_tool search',
      expect.objectContaining({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'search',
        'footbridge.collections': expect.anything(),
        'footbridge.passages': expect.anything(),
      }),
    ],
    ['execute_tool ask', expect.anything()],
    ['execute_tool fetch', expect.objectContaining({ 'error.type': 'not-found' })],
  ])
  const asking = ofTools.find(({ name }) => name === 'execute_tool ask')?.spanId
  expect(spans.filter(({ parentSpanId }) => parentSpanId === asking).map(({ name }) => name)).toContain('retrieval')
  for (const canary of CANARIES) expect(receiver.bodies.join('\n')).not.toContain(canary)
})
