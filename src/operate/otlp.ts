import { setTimeout as sleep } from 'node:timers/promises'
import type { TraceAttributes } from '#platform/engine/trace.ts'

/** A step of a trace that ended; times in milliseconds since the epoch. */
export interface EndedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  /** Undefined: a step within the process. */
  readonly kind: 'server' | 'client' | 'consumer' | undefined
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: TraceAttributes
  readonly events: readonly { readonly name: string; readonly at: number }[]
  readonly isFailed: boolean
}

export interface SpanSender {
  add(span: EndedSpan): void
  /** Sends what is left, at most for two seconds. */
  close(): Promise<void>
}

interface SenderOptions {
  /** Address that takes traces by OTLP over HTTP as JSON: `…/v1/traces`. */
  readonly url: string
  /** `name=value`, values as in an address: `authorization=Basic%20x`. */
  readonly headers: readonly string[]
  /** Attributes of the process: `service.name` and the like. */
  readonly resource: TraceAttributes
  readonly warn: (message: string) => void
}

const MAX_BATCH = 512
/** Steps that wait while the collector is away; later ones are dropped. */
const MAX_WAITING = 2048
/** A process that dies loses its unsent steps. */
const PERIOD_MS = 1000
const REQUEST_MS = 10_000
const FLUSH_MS = 2000
const MAX_TRIES = 4
/** https://opentelemetry.io/docs/specs/otlp/#otlphttp-response */
const RETRIED = new Set([429, 502, 503, 504])
/** A collector that is away is told so often. */
const WARN_EVERY_MS = 60_000

/** `Span.SpanKind` of https://github.com/open-telemetry/opentelemetry-proto. */
const KINDS = { server: 2, client: 3, consumer: 5 } as const
const INTERNAL = 1
const FAILED = { code: 2 } as const

const toNanos = (ms: number) => `${BigInt(Math.round(ms * 1000)) * 1000n}`

function toValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: value } : { doubleValue: value }
}

const toAttributes = (attributes: TraceAttributes) =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: toValue(value) }]))

const toSpan = ({ kind, startedAt, endedAt, attributes, events, isFailed, ...span }: EndedSpan) => ({
  ...span,
  kind: kind === undefined ? INTERNAL : KINDS[kind],
  startTimeUnixNano: toNanos(startedAt),
  endTimeUnixNano: toNanos(endedAt),
  attributes: toAttributes(attributes),
  events: events.map(({ name, at }) => ({ name, timeUnixNano: toNanos(at) })),
  status: isFailed ? FAILED : {},
})

const toRequest = (spans: readonly EndedSpan[], resource: TraceAttributes): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope: { name: 'footbridge' }, spans: spans.map(toSpan) }],
      },
    ],
  })

function toHeader(pair: string): readonly [string, string] {
  const at = pair.indexOf('=')
  const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
  try {
    return [name, decodeURIComponent(value)]
  } catch {
    return [name, value]
  }
}

/** Sends steps each second to a collector; nothing waits for it, and a failure is told, once a minute. */
export function createSpanSender({ url, headers, resource, warn }: SenderOptions): SpanSender {
  const waiting: EndedSpan[] = []
  const closing = new AbortController()
  const ended = new AbortController()
  const given = { ...Object.fromEntries(headers.map(toHeader)), 'content-type': 'application/json' }
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let toldAt = -Infinity

  function tell() {
    if (Date.now() - toldAt < WARN_EVERY_MS) return
    toldAt = Date.now()
    warn('Traces could not be sent: check OTEL_EXPORTER_OTLP_ENDPOINT and its collector')
  }

  /** @returns whether it makes sense to try once more */
  async function post(body: string): Promise<boolean> {
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(REQUEST_MS), ended.signal])
      const reply = await fetch(url, { method: 'POST', headers: given, body, signal, redirect: 'error' })
      await reply.body?.cancel()
      if (reply.ok) return false
      tell()
      return RETRIED.has(reply.status)
    } catch {
      tell()
      return true
    }
  }

  async function sendAll() {
    while (waiting.length > 0 && !ended.signal.aborted) {
      const body = toRequest(waiting.splice(0, MAX_BATCH), resource)
      for (let tries = 1; (await post(body)) && tries < MAX_TRIES && !closing.signal.aborted; tries += 1)
        await sleep(PERIOD_MS * 2 ** tries, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    sending ??= sendAll().finally(() => (sending = undefined))
    return sending
  }

  return {
    add(span) {
      if (waiting.length >= MAX_WAITING) return tell()
      waiting.push(span)
      if (waiting.length >= MAX_BATCH) void flush()
      else timer ??= setTimeout(() => void flush(), PERIOD_MS).unref()
    },
    async close() {
      closing.abort()
      const timeout = setTimeout(() => ended.abort(), FLUSH_MS)
      await flush()
      clearTimeout(timeout)
    },
  }
}
