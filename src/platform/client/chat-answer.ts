import {
  FAILED_FINISH,
  isFinish,
  isProgressTool,
  progressArguments,
  STREAM_END,
  type ReceivedChat,
  type ReceivedToolCall,
} from '../wire/chat.ts'
import { PlatformError, sentence } from './errors.ts'
import { parseJson } from './reply.ts'

/** A tool call that the model asks for. The client never executes one. */
export interface ToolCall {
  readonly id?: string
  readonly name: string
  /** As the model wrote them: JSON, if it kept to the form. */
  readonly arguments: string
}

/** An entry of the References block, without its body. */
export interface ReferenceField {
  readonly number: number
  readonly file: string
  readonly place?: string
}

export type ChatEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /**
   * Something to show, never to execute. A pseudo tool call of the platform has its `tool` (`arcana.event`) and its
   * own word as `event`; a real tool call has `event: 'tool-call'` and comes as `toolCall`.
   */
  | { readonly type: 'progress'; readonly event: string; readonly tool?: string; readonly toolCall?: ToolCall }
  /** Entries of the References block as fields: the block does not tell their places. */
  | { readonly type: 'references'; readonly references: readonly ReferenceField[] }
  /** Once, as the last. `usage` as the platform counts. */
  | { readonly type: 'finish'; readonly reason?: string; readonly usage?: Readonly<Record<string, unknown>> }

interface OpenCall {
  id?: string
  name: string
  arguments: string
  reported: boolean
}

/** Tool calls arrive in pieces: by index, the name first, arguments cut anywhere. */
function createToolCalls() {
  const open = new Map<number, OpenCall>()

  const tell = (call: OpenCall, force: boolean): ChatEvent[] => {
    if (call.reported) return []
    if (!isProgressTool(call.name)) {
      if (!force) return []
      call.reported = true
      const { name, arguments: args, id } = call
      const toolCall = { name, arguments: args, id }
      return [{ type: 'progress', event: 'tool-call', toolCall }]
    }
    const known = progressArguments.safeParse(parseJson(call.arguments)?.json)
    if (!known.success && !force) return []
    call.reported = true
    return [{ type: 'progress', event: known.data?.event ?? call.name, tool: call.name }]
  }

  return {
    take(piece: ReceivedToolCall): ChatEvent[] {
      const index = piece.index ?? 0
      const name = piece.function?.name ?? ''
      const args = piece.function?.arguments ?? ''
      const before = open.get(index)
      // A further progress report may come under the same index, with or without its name.
      const fresh = before === undefined || name !== '' || before.reported
      const ended = fresh && before !== undefined ? tell(before, true) : []
      const call: OpenCall = fresh
        ? { name: name === '' ? (before?.name ?? '') : name, arguments: args, reported: false }
        : { ...before, arguments: before.arguments + args }
      if (typeof piece.id === 'string') call.id = piece.id
      open.set(index, call)
      return [...ended, ...tell(call, false)]
    },
    end: (): ChatEvent[] => [...open.values()].flatMap((call) => tell(call, true)),
  }
}

/** Assembles an answer from decoded events, and checks at the end that it is one. */
export function createAnswer(doing: string) {
  const calls = createToolCalls()
  let events = 0
  let text = false
  let reasoned = false
  let toolCalled = false
  let ended = false
  let reason: string | undefined
  let usage: Readonly<Record<string, unknown>> | undefined

  const seen = (produced: ChatEvent[]): ChatEvent[] => {
    toolCalled ||= produced.some((event) => event.type === 'progress' && event.toolCall !== undefined)
    return produced
  }

  const take = (event: ReceivedChat): ChatEvent[] => {
    events += 1
    if (event.usage !== null && event.usage !== undefined) usage = event.usage
    const fields = event.references?.map(({ number, file, place }) => ({ number, file, place: place ?? undefined }))
    const told: ChatEvent[] = fields === undefined ? [] : [{ type: 'references', references: fields }]
    const choice = event.choices?.[0]
    if (choice === undefined) return told
    if (isFinish(choice.finish_reason)) reason = choice.finish_reason
    const part = choice.delta ?? choice.message
    const produced = told
    // Some servers send both names with the same text.
    const thought = part?.reasoning || part?.reasoning_content
    if (thought) {
      reasoned = true
      produced.push({ type: 'reasoning', text: thought })
    }
    for (const call of part?.tool_calls ?? []) produced.push(...calls.take(call))
    if (part?.content) {
      text = true
      produced.push({ type: 'text', text: part.content })
    }
    return seen(produced)
  }

  return {
    /** True once text was passed on: a later failure counts as a cut. */
    begun: () => text,
    take: (event: ReceivedChat | typeof STREAM_END): ChatEvent[] => {
      if (event !== STREAM_END) return take(event)
      ended = true
      return []
    },
    /** @throws {PlatformError} `empty` or `cut`. */
    finish(): ChatEvent[] {
      if (events === 0) throw emptyError(doing, reasoned)
      if ((!ended && reason === undefined) || reason === FAILED_FINISH) throw cutError(doing)
      const last = seen(calls.end())
      if (!text && !toolCalled) throw emptyError(doing, reasoned)
      return [...last, { type: 'finish', reason, usage }]
    },
  }
}

function emptyError(doing: string, reasoned: boolean): PlatformError {
  const what = reasoned
    ? `The model spent all its tokens on reasoning and wrote no answer while ${doing}`
    : `The platform answered with nothing in it while ${doing}`
  return new PlatformError('empty', sentence('empty', what))
}

export function cutError(doing: string, cause?: unknown): PlatformError {
  const what = `The platform's answer broke off before its end while ${doing}`
  return new PlatformError('cut', sentence('cut', what), { cause })
}
