import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Config } from '#src/config.ts'
import type { Trace, TraceAttributes, TraceSpan } from '#platform/engine/trace.ts'
import { createSpanSender, type SpanSender } from './otlp.ts'

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
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_HEADERS'
  | 'OTEL_SERVICE_NAME'
  | 'OTEL_TRACES_SAMPLER'
  | 'OTEL_TRACES_SAMPLER_ARG'
>

/** Undefined without `OTEL_EXPORTER_OTLP_ENDPOINT`. */
export function openTracing(
  settings: Settings,
  { version, warn }: { readonly version: string; readonly warn: (message: string) => void },
): Tracing | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings
  if (endpoint === undefined) return undefined
  const sender = createSpanSender({
    url: `${endpoint}/v1/traces`,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
    resource: { 'service.name': settings.OTEL_SERVICE_NAME, 'service.version': version },
    warn,
  })
  return createTracing(createSampler(settings), sender)
}

/** Names of a step that is under way, here or in another process. */
interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

type Sample = (traceId: string, parent: SpanContext | undefined) => boolean

/** Digits of a trace's name that decide; all processes decide alike. */
const DECIDING_DIGITS = 13

function createSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: Settings): Sample {
  const taken = name.endsWith('always_off') ? 0 : name.endsWith('traceidratio') ? share : 1
  const isTaken = (traceId: string) =>
    Number.parseInt(traceId.slice(-DECIDING_DIGITS), 16) < taken * 16 ** DECIDING_DIGITS
  if (!name.startsWith('parentbased_')) return isTaken
  return (traceId, parent) => parent?.isSampled ?? isTaken(traceId)
}

const now = () => performance.timeOrigin + performance.now()

function createTracing(isSampled: Sample, sender: SpanSender): Tracing {
  const current = new AsyncLocalStorage<SpanContext>()

  const open = (parent: SpanContext | undefined): SpanContext => {
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
    return { traceId, spanId: randomBytes(8).toString('hex'), isSampled: isSampled(traceId, parent) }
  }

  return {
    start(name, given, { kind, traceparent, startedAt = now() } = {}): TraceSpan {
      const parent = (traceparent === undefined ? undefined : readTraceparent(traceparent)) ?? current.getStore()
      const context = open(parent)
      const { traceId, spanId } = context
      const events: { readonly name: string; readonly at: number }[] = []
      let attributes: TraceAttributes = given
      let title = name
      let hasEnded = false
      return {
        set: (more) => void (attributes = { ...attributes, ...more }),
        rename: (other) => void (title = other),
        event: (moment) => void events.push({ name: moment, at: now() }),
        run: (work) => current.run(context, work),
        end(failure) {
          if (hasEnded || !context.isSampled) return
          hasEnded = true
          if (failure !== undefined) attributes = { ...attributes, 'error.type': failure }
          const parentSpanId = parent?.spanId
          const times = { startedAt, endedAt: now() }
          const isFailed = failure !== undefined
          sender.add({ traceId, spanId, parentSpanId, name: title, kind, ...times, attributes, events, isFailed })
        },
      }
    },
    traceparent() {
      const context = current.getStore()
      return context && `00-${context.traceId}-${context.spanId}-0${Number(context.isSampled)}`
    },
    logFields() {
      const context = current.getStore()
      return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId }
    },
    close: () => sender.close(),
  }
}

/** https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/

function readTraceparent(text: string): SpanContext | undefined {
  const [, traceId, spanId, flags = ''] = TRACEPARENT.exec(text) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
