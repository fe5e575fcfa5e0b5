import { createRegistry } from '#lib/registry.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import { EngineError, toRoomError } from '#platform/engine/errors.ts'
import { failureCode, inSpan, type Trace, type TraceSpan } from '#platform/engine/trace.ts'
import type { EngineLog } from '#platform/engine/types.ts'
import type { Asker } from '../askers/asker.ts'
import type { ReadEngine } from './knowledge.ts'
import { type Call, type Input, INPUTS, isTool, TOOL_NAMES, type ToolName } from './schemas.ts'
import { createTools } from './tools.ts'

interface Running extends Pick<Call, 'signal' | 'onText'> {
  /** Part of a call that is counted already. Default: false. */
  readonly isPart?: boolean
}

/** Runs one tool for one asker. Rejects with a sentence for the agent. */
export interface RunTool {
  (name: string, input: unknown, running: Running): Promise<object>
  /** The tools that this asker may use. */
  readonly names: readonly ToolName[]
  /** Leaves a line for a call that the protocol refused, unless a tool of this request has run. */
  refused(name: unknown): void
}

export interface RunParts {
  readonly engine: ReadEngine
  readonly log: EngineLog
  readonly trace?: Trace
  /** Model that answers; default: the first of the list. */
  readonly model?: string
}

/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
/** Answers of one owner that run at once in this process. */
const MAX_ANSWERS = 4
const RETRY_MS = 5000
/** Ids of collections in a line of the log. */
const MAX_LOGGED = 20

/** Bounds the answers of each owner. */
function createSlots() {
  const answering = new Map<string, number>()
  return async <Result>({ owner }: Asker, work: () => Promise<Result>): Promise<Result> => {
    const running = answering.get(owner) ?? 0
    if (running >= MAX_ANSWERS) {
      const sentence = `${MAX_ANSWERS} answers are being written for you: wait for one of them to end.`
      throw new EngineError('rate-limited', sentence, { retryAfterMs: RETRY_MS })
    }
    answering.set(owner, running + 1)
    try {
      return await work()
    } finally {
      const left = (answering.get(owner) ?? 1) - 1
      if (left > 0) answering.set(owner, left)
      else answering.delete(owner)
    }
  }
}

/** The account of calls: a line in the log and figures for each, without text. */
function createAccount({ log }: Pick<RunParts, 'log'>) {
  const registry = createRegistry()
  const calls = registry.counter('footbridge_mcp_calls_total', 'Calls of MCP tools by outcome.')
  const durations = registry.distribution('footbridge_mcp_call_duration_seconds', 'Time of a call.', BUCKETS)
  const handed = registry.counter('footbridge_mcp_passages_total', 'Passages handed over by MCP tools.')
  handed.inc({}, 0)
  return {
    print: () => registry.print(),
    begin({ who }: Asker, tool: ToolName | 'unknown') {
      const read = new Set<string>()
      let passages = 0
      const startedAt = performance.now()
      return {
        note: (collection: string, handedOver = 0) => {
          read.add(collection)
          passages += handedOver
        },
        end(outcome: string) {
          const durationMs = Math.round(performance.now() - startedAt)
          const collections = [...read].slice(0, MAX_LOGGED)
          log.info({ who, tool, collections, passages, outcome, durationMs }, 'MCP tool called')
          calls.inc({ tool, outcome })
          durations.observe({ tool }, durationMs / 1000)
          handed.inc({}, passages)
          return { 'footbridge.collections': read.size, 'footbridge.passages': passages }
        },
      }
    },
  }
}

/** Runs tools within limits, each as a step of the trace and with an entry in the account. */
export function createRunner(parts: RunParts) {
  const account = createAccount(parts)
  const inSlot = createSlots()
  return {
    /** Figures in the text format of Prometheus. */
    print: account.print,
    /** @param traceparent of the caller's step */
    for(asker: Asker, traceparent?: string): RunTool {
      const tools = createTools(parts.engine, asker, parts.model)
      // A request may hold many calls: it has paid for the first one.
      let isPaid = true
      const names = TOOL_NAMES.filter((name) => asker.tools?.includes(name) ?? true)
      const runTool = (name: string, input: unknown, { signal, onText, isPart = false }: Running) => {
        const label = labelOf(name)
        const entry = account.begin(asker, label)
        const run = (called: ToolName) => {
          const tool = tools[called] as (given: Input<ToolName>, call: Call) => Promise<object>
          return tool(toGiven(called, input), { signal, onText, note: entry.note })
        }
        const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': label }
        const isCounted = !isPaid && !isPart
        isPaid = false
        const work = async (span: TraceSpan | undefined) => {
          try {
            if (isCounted) await asker.count()
            const called = toAllowed(name, names)
            const result = await (called === 'ask' ? inSlot(asker, () => run(called)) : run(called))
            const seen = entry.end('ok')
            span?.set(seen)
            return result
          } catch (thrown) {
            const error = toSentence(thrown, parts.log)
            entry.end(failureCode(error instanceof EngineError ? error : thrown))
            throw error
          }
        }
        return inSpan(parts.trace, `execute_tool ${label}`, attributes, work, { kind: 'server', traceparent })
      }
      const refused = (name: unknown) => {
        if (isPaid) account.begin(asker, labelOf(name)).end('invalid')
      }
      return Object.assign(runTool, { names, refused })
    },
  }
}

const labelOf = (name: unknown) => (isTool(name) ? name : 'unknown')

/** @throws {EngineError} `not-found`, `forbidden` */
function toAllowed(name: string, names: readonly ToolName[]): ToolName {
  if (!isTool(name))
    throw new EngineError('not-found', 'There is no tool of this name: tools/list tells which there are.')
  if (names.includes(name)) return name
  throw new EngineError('forbidden', `Only these tools may be used here: ${names.join(', ')}.`)
}

const isFields = (input: unknown): input is object =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

/** Models write null or nothing where they leave something out. */
const withoutEmpty = (input: object) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null && value !== ''))

/** @throws {EngineError} `invalid` */
function toGiven(name: ToolName, input: unknown): Input<ToolName> {
  const { success, data, error } = INPUTS[name].safeParse(isFields(input) ? withoutEmpty(input) : input)
  if (success) return data
  const faults = error.issues.map(({ path, message }) => [...path, message].join(': '))
  throw new EngineError('invalid', `The arguments of ${name} do not fit. ${faults.join('; ')}.`)
}

/** An agent is told our own sentences only. */
function toSentence(thrown: unknown, log: EngineLog): Error {
  const error = toRoomError(thrown)
  if (error instanceof EngineError) return error
  if (error instanceof AdapterError) {
    log.warn({ err: error }, 'MCP tool failed: the chat service does not tell what may be read')
    const sentence = 'The chat service does not tell now what you may read: try again in a moment.'
    return new EngineError('unavailable', sentence, { cause: error, retryAfterMs: error.retryAfterMs ?? RETRY_MS })
  }
  log.error({ err: error }, 'MCP tool failed: internal error')
  return new Error('Footbridge could not do that; its log says why.')
}
