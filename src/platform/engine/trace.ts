/** Values that a span may hold: names from our own lists, models and numbers; never content and never names of people. */
export type TraceAttributes = Readonly<Record<string, string | number | boolean | undefined>>

/** One step of a trace, under way. */
export interface TraceSpan {
  set(attributes: TraceAttributes): void
  rename(name: string): void
  /** A moment in it: `first token`. */
  event(name: string): void
  /** Steps that begin in the course of `work` belong to this one. */
  run<Result>(work: () => Result): Result
  /** @param failure one of our codes; absent: it went well */
  end(failure?: string): void
}

export interface TraceOptions {
  readonly kind?: 'client' | 'server' | 'consumer'
  /** W3C `traceparent` of the step before, of another process or time. Default: the step in whose course it begins. */
  readonly traceparent?: string
  /** Milliseconds since the epoch; default now. */
  readonly startedAt?: number
}

/** Traces of the work; absent where they are not collected. */
export interface Trace {
  start(name: string, attributes: TraceAttributes, options?: TraceOptions): TraceSpan
}

const CODE = /^[A-Za-z][\w-]{0,60}$/

/** A failure as a code: its message may quote people. */
export function failureCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (typeof code === 'string' && CODE.test(code)) return code
  return error instanceof Error && CODE.test(error.name) ? error.name : 'error'
}

/** Runs `work` as a step of the trace; without a trace it is just run. */
export async function inSpan<Result>(
  trace: Trace | undefined,
  name: string,
  attributes: TraceAttributes,
  work: (span: TraceSpan | undefined) => Promise<Result>,
  options?: TraceOptions,
): Promise<Result> {
  const span = trace?.start(name, attributes, options)
  if (span === undefined) return work(undefined)
  try {
    const result = await span.run(() => work(span))
    span.end()
    return result
  } catch (error) {
    span.end(failureCode(error))
    throw error
  }
}

/** Names of models come from callers: as long as any model's is. */
const MODEL_CHARS = 100

/** A question to a model, by the GenAI conventions of OpenTelemetry. */
export function startChatSpan(
  trace: Trace | undefined,
  { model, provider, stream }: { readonly model: string; readonly provider: string; readonly stream: boolean },
): TraceSpan | undefined {
  const name = model.slice(0, MODEL_CHARS)
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': name,
    'gen_ai.request.stream': stream,
  }
  return trace?.start(`chat ${name}`, attributes, { kind: 'client' })
}

/** The first and the last text of a streamed answer, as moments of its span; each piece costs next to nothing. */
export function followText(span: TraceSpan) {
  const startedAt = performance.now()
  let hasText = false
  return {
    text() {
      if (hasText) return
      hasText = true
      span.event('first token')
      span.set({ 'gen_ai.response.time_to_first_chunk': (performance.now() - startedAt) / 1000 })
    },
    /** @param failure a code; absent: it came whole */
    end(failure?: string) {
      if (hasText) span.event('last token')
      span.end(failure)
    },
  }
}
