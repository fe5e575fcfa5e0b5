import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Value = { readonly stringValue?: string; readonly intValue?: number; readonly doubleValue?: number }

export interface ReceivedSpan {
  readonly service: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly string[]
}

interface RawSpan extends Omit<ReceivedSpan, 'service' | 'attributes' | 'events'> {
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
  readonly events?: readonly { readonly name: string }[]
}

const toRecord = (attributes: RawSpan['attributes']) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** An OpenTelemetry collector on loopback: takes OTLP over HTTP as JSON, and nothing else. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  const headers: string[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const isTraces = request.method === 'POST' && request.url === '/v1/traces'
    if (!isTraces || request.headers['content-type'] !== 'application/json') {
      response.writeHead(404).end()
      return
    }
    const body = Buffer.concat(parts).toString()
    bodies.push(body)
    headers.push(request.headers.authorization ?? '')
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { resource: Pick<RawSpan, 'attributes'>; scopeSpans: { spans: RawSpan[] }[] }[]
    }
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(toRecord(resource.attributes)['service.name'])
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        const events = (span.events ?? []).map(({ name }) => name)
        spans.push({ ...span, service, attributes: toRecord(span.attributes), events })
      }
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** As they came. */
    bodies,
    /** `authorization` of each request. */
    headers,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
