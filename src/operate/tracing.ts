import { AsyncLocalStorage } from 'node:async_hooks'
import type * as OtelApi from '@opentelemetry/api'
import type * as OtelSdk from '@opentelemetry/sdk-trace'
import type { Config } from '#src/config.ts'
import type { Trace, TraceSpan } from '#platform/engine/trace.ts'

/** Traces for an OpenTelemetry collector. */
export interface Tracing extends Trace {
  /** W3C `traceparent` of the step under way; undefined outside of one. */
  readonly traceparent: () => string | undefined
  /** Fields for a log line of the step under way. */
  readonly logFields: () => { readonly trace_id?: string; readonly span_id?: string }
  /** Sends the collected spans, at most for two seconds. */
  close(): Promise<void>
}

type Settings = Pick<
  Config,
  'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'
>

const FLUSH_MS = 2000
/** A process that dies loses its unsent spans. */
const EXPORT_MS = 1000
/** A collector that is away is told so often. */
const WARN_EVERY_MS = 60_000

/**
 * Undefined without `OTEL_EXPORTER_OTLP_ENDPOINT`: then nothing of OpenTelemetry is loaded. Headers, time limit and
 * certificates of the exporter are its own standard variables, which it reads itself.
 */
export async function openTracing(
  settings: Settings,
  { version, warn }: { readonly version: string; readonly warn: (message: string) => void },
): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings
  if (endpoint === undefined) return undefined
  const api = await import('@opentelemetry/api')
  const sdk = await import('@opentelemetry/sdk-trace')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  const exporter = tellingFailures(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }), warn)
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.OTEL_SERVICE_NAME, 'service.version': version }),
    sampler: createSampler(sdk, settings),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: EXPORT_MS })],
  })
  return createTracing(api, provider)
}

/** The same exporter; a failure is told, once a minute. */
function tellingFailures(exporter: OtelSdk.SpanExporter, warn: (message: string) => void): OtelSdk.SpanExporter {
  let toldAt = -Infinity
  const tell = () => {
    if (Date.now() - toldAt < WARN_EVERY_MS) return
    toldAt = Date.now()
    warn('Traces could not be sent: check OTEL_EXPORTER_OTLP_ENDPOINT and its collector')
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined) tell()
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

type Api = typeof OtelApi
type Sdk = typeof OtelSdk

function createSampler(sdk: Sdk, { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: Settings) {
  const root = name.endsWith('always_off')
    ? new sdk.AlwaysOffSampler()
    : name.endsWith('traceidratio')
      ? new sdk.TraceIdRatioBasedSampler(share)
      : new sdk.AlwaysOnSampler()
  return name.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root
}

function createTracing(api: Api, provider: InstanceType<Sdk['TracerProvider']>): Tracing {
  const { trace, ROOT_CONTEXT, SpanKind, SpanStatusCode } = api
  const tracer = provider.getTracer('footbridge')
  const current = new AsyncLocalStorage<{ readonly span: OtelApi.Span; readonly context: OtelApi.Context }>()
  const kinds = { client: SpanKind.CLIENT, server: SpanKind.SERVER, consumer: SpanKind.CONSUMER }

  const parentOf = (traceparent: string | undefined) => {
    const remote = traceparent === undefined ? undefined : readTraceparent(traceparent)
    if (remote !== undefined) return trace.setSpanContext(ROOT_CONTEXT, remote)
    return current.getStore()?.context ?? ROOT_CONTEXT
  }

  const follow = (span: OtelApi.Span): TraceSpan => ({
    set(attributes) {
      for (const [name, value] of Object.entries(attributes)) if (value !== undefined) span.setAttribute(name, value)
    },
    rename: (name) => void span.updateName(name),
    event: (name) => void span.addEvent(name),
    run: (work) => current.run({ span, context: trace.setSpan(ROOT_CONTEXT, span) }, work),
    end(failure) {
      if (failure !== undefined) {
        span.setAttribute('error.type', failure)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    },
  })

  return {
    start(name, attributes, { kind, traceparent, startedAt } = {}) {
      const options = { kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind], attributes, startTime: startedAt }
      return follow(tracer.startSpan(name, options, parentOf(traceparent)))
    },
    traceparent() {
      const context = current.getStore()?.span.spanContext()
      return context && `00-${context.traceId}-${context.spanId}-0${context.traceFlags & 1}`
    },
    logFields() {
      const context = current.getStore()?.span.spanContext()
      return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId }
    },
    async close() {
      const late = AbortSignal.timeout(FLUSH_MS)
      const given = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve()))
      await Promise.race([provider.shutdown().catch(() => undefined), given])
    },
  }
}

/** https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/

function readTraceparent(text: string): OtelApi.SpanContext | undefined {
  const [, traceId, spanId, flags = ''] = TRACEPARENT.exec(text) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}
